package board

// Seeds and seasons. A season begins with the first entry after the last one has closed. After its closing time the
// board takes no entries for it. When all of its entries are trained it is over, and the board publishes its key.

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"impalab/learner/trial"
	"impalab/server/store"
)

// Seeds are the seeds that train an entry: public ones, or secret ones, which only have names.
type Seeds struct {
	values []uint64
	secret []string // names; nil: the seeds are public
}

// PublicSeeds returns the public seeds of a track.
func (t *Track) PublicSeeds() Seeds { return Seeds{values: t.Public} }

// TheseSeeds reads public seeds as people write them, like 7,11-14.
func TheseSeeds(text string) (Seeds, error) {
	values, err := trial.ParseSeeds(text)
	if err == nil {
		err = enough(len(values))
	}
	return Seeds{values: values}, err
}

// Len returns the number of seeds.
func (s Seeds) Len() int { return len(s.values) }

// Names returns the numbers of public seeds, or secret:0, secret:1 and so on.
func (s Seeds) Names() []string {
	if s.secret != nil {
		return s.secret
	}
	names := make([]string, len(s.values))
	for i, seed := range s.values {
		names[i] = strconv.FormatUint(seed, 10)
	}
	return names
}

// Format hides the numbers of secret seeds from fmt.
func (s Seeds) Format(to fmt.State, _ rune) { fmt.Fprint(to, s.Names()) }

// Season is a period with the same secret seeds. They follow from its key.
type Season struct {
	Number int64
	key    []byte
}

func newKey() []byte {
	key := make([]byte, 32)
	rand.Read(key)
	return key
}

// Digest returns the SHA-256 of the key. The board publishes the digest from the season's first day and the key after
// the last, so that everybody can check that the seeds were fixed before.
func (s *Season) Digest() []byte {
	sum := sha256.Sum256(s.key)
	return sum[:]
}

// Seeds returns the secret seeds of a track: the first 53 bits of HMAC-SHA256(key, track, 0, i). If that is a public or
// an earlier seed, the next eight bytes count.
func (s *Season) Seeds(t *Track) Seeds {
	var seeds Seeds
	for i := range t.Secret {
		mac := hmac.New(sha256.New, s.key)
		fmt.Fprintf(mac, "%s\x00%d", t.Name, i)
		sum := mac.Sum(nil)
		seed := binary.BigEndian.Uint64(sum) >> 11
		for k := 8; k < len(sum) && (slices.Contains(t.Public, seed) || slices.Contains(seeds.values, seed)); k += 8 {
			seed = binary.BigEndian.Uint64(sum[k:]) >> 11
		}
		seeds.values, seeds.secret = append(seeds.values, seed), append(seeds.secret, fmt.Sprintf("secret:%d", i))
	}
	return seeds
}

// Format hides the key from fmt.
func (s *Season) Format(to fmt.State, _ rune) { fmt.Fprintf(to, "season %d", s.Number) }

// ReadSeason returns a season of a store; 0 is the newest.
func ReadSeason(ctx context.Context, from *store.Store, number int64) (*Season, error) {
	return store.Get(ctx, from, func(tx *store.Tx) (*Season, error) { return seasonIn(tx, number) })
}

func seasonIn(tx *store.Tx, number int64) (*Season, error) {
	seasons, err := tx.Seasons()
	if err != nil {
		return nil, err
	}
	for _, s := range slices.Backward(seasons) {
		if number == 0 || s.Number == number {
			return &Season{Number: s.Number, key: s.Key}, nil
		}
	}
	if number == 0 {
		return nil, errors.New("no season has begun: the first begins with the first entry")
	}
	return nil, fmt.Errorf("there is no season %d", number)
}

// open returns the season that takes entries now, and begins one if there is none. It runs in the transaction that adds
// an entry, so that no season is empty.
func (c *Contest) open(tx *store.Tx) (int64, error) {
	seasons, err := tx.Seasons()
	if err != nil {
		return 0, err
	}
	now, number := c.opts.Now(), int64(1)
	if n := len(seasons); n > 0 {
		if seasons[n-1].Closes > now.UnixMilli() {
			return seasons[n-1].Number, nil
		}
		number = seasons[n-1].Number + 1
	}
	return number, tx.AddSeason(store.BoardSeason{Number: number, Key: newKey(),
		Closes: now.Add(c.opts.Season).UnixMilli()})
}

// EndSeasons ends the closed seasons whose entries are all trained, and returns their numbers. The board then publishes
// their keys.
func EndSeasons(ctx context.Context, s *store.Store, now time.Time) (ended []int64, err error) {
	err = s.Do(ctx, func(tx *store.Tx) (err error) { ended, err = tx.EndSeasons(now.UnixMilli()); return err })
	return ended, err
}

// CloseSeason closes the current season and returns its number, or 0 if there is none. Its entries are still trained.
func CloseSeason(ctx context.Context, s *store.Store, now time.Time) (number int64, err error) {
	err = s.Do(ctx, func(tx *store.Tx) error {
		seasons, err := tx.Seasons()
		if n := len(seasons); err == nil && n > 0 && seasons[n-1].Closes > now.UnixMilli() {
			number = seasons[n-1].Number
			return tx.CloseSeason(number, now.UnixMilli())
		}
		return err
	})
	return number, err
}

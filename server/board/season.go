package board

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"impalab/server/store"
)

// Season is the time for which secret seeds stay the same. Its key makes them: a reader of the key knows all of them.
type Season struct {
	Number int64
	key    []byte
}

// newKey makes the key of a season.
func newKey() []byte {
	key := make([]byte, 32)
	rand.Read(key) // it never fails
	return key
}

// seasonOf is the season of this number among those that a store has.
func seasonOf(seasons []store.BoardSeason, number int64) (*Season, error) {
	for i := range seasons {
		if s := &seasons[i]; s.Number == number {
			return &Season{Number: number, key: s.Key}, nil
		}
	}
	if number == 0 {
		return nil, errors.New("no season has begun: the first begins with the first entry")
	}
	return nil, fmt.Errorf("there is no season %d", number)
}

// Digest is the SHA-256 of the key. The board publishes it from the season's first day and the key after its last, so
// that everybody can check that the seeds were fixed before.
func (s *Season) Digest() []byte {
	sum := sha256.Sum256(s.key)
	return sum[:]
}

// Seeds are the secret seeds of a track: the first 53 bits of HMAC-SHA256(key, track, 0, i), or of its next eight bytes
// where that seed is a public seed or an earlier one.
func (s *Season) Seeds(t *Track) Seeds {
	seeds := Seeds{secret: true}
	for i := range t.Secret {
		mac := hmac.New(sha256.New, s.key)
		fmt.Fprintf(mac, "%s\x00%d", t.Name, i)
		sum := mac.Sum(nil)
		seed := binary.BigEndian.Uint64(sum) >> 11
		for k := 8; k < len(sum) && (slices.Contains(t.Public, seed) || slices.Contains(seeds.values, seed)); k += 8 {
			seed = binary.BigEndian.Uint64(sum[k:]) >> 11
		}
		seeds.values = append(seeds.values, seed)
	}
	return seeds
}

// String keeps the key out of whatever is printed.
func (s *Season) String() string { return fmt.Sprintf("season %d", s.Number) }

// GoString does so for %#v.
func (s *Season) GoString() string { return s.String() }

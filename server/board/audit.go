package board

// Audits: a seed of an entry is trained again, and must come to the same bytes. Public seeds can be audited by anybody;
// secret ones by the host, until their season is over.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"impalab/learner/kernel"
	"impalab/learner/work"
	"impalab/server/store"
)

// Audit is what training a seed again came to.
type Audit struct {
	Entry, Track, Seed string
	Settings           string
	Kept, Now          string // SHA-256 of the parameters
}

// Same reports whether it came to the same bytes.
func (a *Audit) Same() bool { return a.Kept == a.Now }

// ErrNothingToAudit says that no entry was trained with this machine's arithmetic: other bits are to be expected then.
var ErrNothingToAudit = errors.New("there is nothing to audit")

// AuditOne trains one seed again of an entry that chance picks, and of the track named, if one is. Secret seeds need
// the key of their season in the folder data; without it, public ones are taken.
func AuditOne(ctx context.Context, s *store.Store, tracks *Tracks, data, track string, chance *rand.Rand) (a Audit,
	err error) {
	o := ContestOptions{Store: s, Tracks: tracks, Data: data}
	var all []store.BoardEntry
	err = s.View(ctx, func(tx *store.Tx) error {
		seasons, err := tx.Seasons()
		for i := range seasons {
			for _, t := range tracks.All {
				if track != "" && t.Name != track {
					continue
				}
				entries, err := tx.Entries(seasons[i].Number, t.Name, t.Form())
				if err != nil {
					return err
				}
				all = append(all, entries...)
			}
		}
		return err
	})
	if err != nil {
		return a, err
	}
	chance.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for i := range all {
		a, err := o.audit(ctx, &all[i], chance)
		if !errors.Is(err, ErrNothingToAudit) {
			return a, err
		}
	}
	return a, fmt.Errorf("%w: no seed of an entry was trained here with %s arithmetic", ErrNothingToAudit,
		kernel.Arithmetic())
}

// audit trains one seed of an entry again.
func (o *ContestOptions) audit(ctx context.Context, e *store.BoardEntry, chance *rand.Rand) (a Audit, err error) {
	t, entry, err := o.entered(e)
	if err != nil {
		return a, fmt.Errorf("%w: %w", ErrNothingToAudit, err)
	}
	var results []store.BoardResult
	err = o.Store.View(ctx, func(tx *store.Tx) (err error) { results, err = tx.Results(e.ID); return err })
	if err != nil {
		return a, err
	}
	chance.Shuffle(len(results), func(i, j int) { results[i], results[j] = results[j], results[i] })
	for _, r := range results {
		var res result
		if err := json.Unmarshal([]byte(r.Result), &res); err != nil {
			return a, fmt.Errorf("entry %s, seed %s: %w", e.ID, r.Seed, err)
		}
		if res.Arithmetic != kernel.Arithmetic() {
			continue
		}
		seeds, place := t.PublicSeeds(), -1
		if number, secret := strings.CutPrefix(r.Seed, "secret:"); secret {
			season, err := o.key(ctx, e.Season)
			if err != nil {
				continue
			}
			seeds = season.Seeds(t)
			place, _ = strconv.Atoi(number)
		} else {
			for i, name := range seeds.Names() {
				if name == r.Seed {
					place = i
				}
			}
		}
		if place < 0 || place >= seeds.Len() {
			continue
		}
		again, err := trainSeed(ctx, &entry, seeds, place, work.NewCores(1).Share("audit", 1), alone)
		if err != nil {
			return a, err
		}
		return Audit{Entry: e.ID, Track: t.Name, Seed: r.Seed, Settings: e.Settings, Kept: res.Params,
			Now: again.ParamsSHA256}, nil
	}
	return a, ErrNothingToAudit
}

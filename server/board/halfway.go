package board

// What the next worker goes on from when one dies or stops in the middle of a seed. The state of a run names its seed,
// so that of a secret one is sealed with the key of its season before it is kept.

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"time"

	"impalab/learner/trial"
	"impalab/server/job"
)

// halfway is a seed of an entry on its way.
type halfway struct {
	Seed  string // its name
	State []byte // of the trial; of a secret seed, sealed
}

// keepEvery is the time between two states of a run.
const keepEvery = 2 * time.Second

// way has the run of a seed kept as the job's snapshot, and go on from it if it is that seed's. season is nil for
// public seeds.
func way(w *job.Work, season *Season, entry, name string) trial.Way {
	way := trial.Way{Every: keepEvery}
	what := []byte(entry + " " + name)
	var from halfway
	err := gob.NewDecoder(bytes.NewReader(w.Resumed())).Decode(&from)
	if err == nil && from.Seed == name {
		way.From = from.State
		if season != nil {
			way.From, _ = season.open(from.State, what) // of another key it is none: the seed begins again
		}
	}
	way.Keep = func(state []byte) error {
		if season != nil {
			state = season.seal(state, what)
		}
		var out bytes.Buffer
		if err := gob.NewEncoder(&out).Encode(halfway{name, state}); err != nil {
			return err
		}
		return w.Keep(out.Bytes())
	}
	return way
}

// box is what seals states: AES-256-GCM with a key that follows from the season's.
func (s *Season) box() cipher.AEAD {
	mac := hmac.New(sha256.New, s.key[:])
	mac.Write([]byte("states of runs"))
	block, err := aes.NewCipher(mac.Sum(nil))
	if err != nil {
		panic(err) // the key is of the right length
	}
	box, err := cipher.NewGCM(block)
	if err != nil {
		panic(err) // AES has the right block
	}
	return box
}

func (s *Season) seal(state, what []byte) []byte {
	box := s.box()
	nonce := make([]byte, box.NonceSize())
	rand.Read(nonce) // it never fails
	return box.Seal(nonce, nonce, state, what)
}

func (s *Season) open(sealed, what []byte) ([]byte, error) {
	box := s.box()
	if len(sealed) < box.NonceSize() {
		return nil, errors.New("too short to be sealed")
	}
	state, err := box.Open(nil, sealed[:box.NonceSize()], sealed[box.NonceSize():], what)
	if err != nil {
		return nil, fmt.Errorf("sealed with another key: %w", err)
	}
	return state, nil
}

package lab

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"impalab/learner/hyper"
)

// Spec is what a run is to be, whoever asks for it: a page, the API, a class, the board or a sweep.
type Spec struct {
	Config  hyper.Config
	Preset  string   // that links count differences from
	Unknown []string // keys of the link that nobody here knows
	Owner   Owner
	Purpose Purpose
	From    Origin       // of a fork; the zero value where there is none
	Turns   []hyper.Turn // planned, in the order of their steps
	UpTo    uint64       // step to which it is learned as fast as it goes: it has been there, in a browser
}

// Origin is the moment at which a fork leaves another run: after Update updates of it.
type Origin struct {
	Run    string
	Update uint64
}

// Owner is whose run it is: who has the key may steer, stop and delete it.
type Owner struct {
	Key     string // as HashKey has it: no key is kept as it is
	Address string // that it counts for when room and cores are shared; what has begun has its hash
}

// HashKey is what is kept of a key.
func HashKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// Keys that callers bring.
const (
	minKey = 16 // characters: a key of one's own should be as hard to guess as ours
	maxKey = 64
)

// CheckKey refuses a key that is easy to guess, or larger than one needs to be.
func CheckKey(key string) error {
	if len(key) < minKey || len(key) > maxKey ||
		strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fmt.Errorf("a key has %d to %d characters, without spaces", minKey, maxKey)
	}
	return nil
}

// Purpose is what a run is for. It decides who comes first when there is not enough for all.
type Purpose uint8

const (
	Watch Purpose = iota // for people who look on: it rests while nobody does
	Grade                // it goes on to its budget, because somebody waits for its result
	Batch                // it goes on to its budget when there is room: the API's runs, sweeps
)

// purposes have their names in the store and in the API, their weight in sharing cores, and how many of them may hold
// room at once, for each core; 0: as many as there is room for.
var purposes = [...]struct {
	name    string
	weight  float64
	perCore int
}{
	Watch: {"watch", 8, 0},
	Grade: {"grade", 3, 4},
	Batch: {"batch", 1, 2},
}

func (p Purpose) String() string { return purposes[p].name }

// purposeOf is the purpose of a name; a name of a newer build is taken for Batch, which asks for least.
func purposeOf(name string) Purpose {
	for p := range purposes {
		if purposes[p].name == name {
			return Purpose(p)
		}
	}
	return Batch
}

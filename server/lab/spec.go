package lab

import (
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"strings"

	"impalab/learner/hyper"
	"impalab/server/store"
	"impalab/web/wire"
)

// Spec describes a run to begin. Its Link has the settings, the planned changes, and the step up to which the run was
// trained in a browser before.
type Spec struct {
	hyper.Link
	Owner   Owner
	Purpose Purpose
	From    Origin // of a fork
}

// Origin is the moment at which a fork leaves another run: after Update updates of it.
type Origin = wire.Origin

// Owner is whose run it is. Who has the key may steer, stop and delete it.
type Owner struct {
	Key     string // as HashKey returns it: no key is stored
	Address string // memory and cores are shared between addresses; a run has its hash
}

// HashKey returns the hash of a key. Only the hash is stored.
func HashKey(key string) string {
	return hex.EncodeToString(store.Digest(key))
}

// Has reports whether a key is the owner's.
func (o *Owner) Has(key string) bool {
	return subtle.ConstantTimeCompare([]byte(HashKey(key)), []byte(o.Key)) == 1
}

// Characters of a key that a caller brings. It should be as hard to guess as ours.
const (
	minKey = 16
	maxKey = 64
)

// CheckKey refuses a key that is easy to guess or too long.
func CheckKey(key string) error {
	if len(key) < minKey || len(key) > maxKey ||
		strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fmt.Errorf("a key has %d to %d characters, without spaces", minKey, maxKey)
	}
	return nil
}

// Purpose decides which run comes first when there is not enough memory or time for all.
type Purpose uint8

const (
	Watch Purpose = iota // people watch it; it rests without viewers
	Batch                // the API's runs and sweeps: it runs to its budget when nothing else needs the memory
)

// purposes have a name in the store and in the API, a weight in sharing cores, and a number of them that may hold
// memory at once for each core; 0: no limit.
var purposes = [...]struct {
	name    string
	weight  float64
	perCore int
}{
	Watch: {"watch", 8, 0},
	Batch: {"batch", 1, 2},
}

func (p Purpose) String() string { return purposes[p].name }

func purposeOf(name string) Purpose {
	for p := range purposes {
		if purposes[p].name == name {
			return Purpose(p)
		}
	}
	return Batch
}

package store

// Runs: what each one is, how far it has come, whose it is, and who may steer it.

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// State is where a run stands.
type State string

const (
	Queued   State = "queued"   // waits for its share of the machine
	Running  State = "running"  //
	Paused   State = "paused"   // by a hand
	Resting  State = "resting"  // nobody watches; it goes on when somebody does
	Done     State = "done"     // reached its budget
	Diverged State = "diverged" // stopped for Reason
)

// States are all of them.
var States = []State{Queued, Running, Paused, Resting, Done, Diverged}

// Run is one run. What its first part says never changes, but for Name and Settings.
type Run struct {
	ID           string // 32 hex digits, made by NewID: whoever has it may read
	Owner        string // a hash, made by the caller; "": nobody's
	Purpose      string
	Name         string
	Settings     string // those in force, a JSON object
	Seed         string // a number; or a reference such as secret:3, whose value is not kept, in Settings neither
	Build        string // of the program that made it
	Arithmetic   string // whose bits these are
	Parent       string // the run it was forked from, which may be gone; or ""
	ParentUpdate int64  // where it was forked
	Address      string // a hash, made by the caller, of whom it counts for; "" once the run is over

	Progress

	Created, Changed     int64 // milliseconds since 1970, UTC; set by the store
	Bytes, SnapshotBytes int64 // kept for this run: in all, and in snapshots; set by the store
}

// Progress is how far a run has come.
type Progress struct {
	State                    State
	Reason                   string // why it stands still, for people
	Steps, Updates, Episodes int64
	ReturnMean100            float64 // NaN before the first episode ended
	ParamsSHA256             string  // hex; "" when not known
}

// NewID makes an id: 128 random bits, in hex.
func NewID() string {
	var bits [16]byte
	rand.Read(bits[:])
	return hex.EncodeToString(bits[:])
}

// NewKey makes a key that steers a run: 130 random bits, as text.
func NewKey() string { return rand.Text() }

// HashAddress is what is kept of an address, as long as something that it began is not over. Whoever has the store and
// not the salt cannot tell which address it was.
func HashAddress(address string, salt []byte) string {
	sum := hmac.New(sha256.New, salt)
	sum.Write([]byte(address))
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// AddRun keeps a new run and the digest of its key. A run of that id is ErrConflict.
func (tx *Tx) AddRun(r Run, key string) error {
	if key == "" || len(key) > 1024 {
		return fmt.Errorf("%w: a key has 1 to 1024 bytes, not %d", ErrInvalid, len(key))
	}
	digest := sha256.Sum256([]byte(key))
	return tx.addRun(r, digest[:])
}

// addRun keeps a new run whose key has this digest.
func (tx *Tx) addRun(r Run, digest []byte) error {
	if err := r.check(); err != nil {
		return err
	}
	rows, err := tx.exec(`INSERT INTO runs (id, key_sha256, owner, purpose, name, settings, seed, build, arithmetic,
			parent, parent_update, state, reason, steps, updates, episodes, return_mean_100, params_sha256, created,
			changed, bytes, snapshot_bytes, address)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $19, 0, 0, $20)
		ON CONFLICT (id) DO NOTHING`,
		r.ID, digest, r.Owner, r.Purpose, r.Name, r.Settings, r.Seed, r.Build, r.Arithmetic, r.Parent,
		r.ParentUpdate, r.State, r.Reason, r.Steps, r.Updates, r.Episodes, orNull(r.ReturnMean100), r.ParamsSHA256,
		tx.s.now(), r.Address)
	if err == nil && rows == 0 {
		return fmt.Errorf("run %s: %w", r.ID, ErrConflict)
	}
	return err
}

func (r *Run) check() error {
	if raw, err := hex.DecodeString(r.ID); err != nil || len(raw) != 16 || strings.ToLower(r.ID) != r.ID {
		return fmt.Errorf("%w: a run's id is 32 lower-case hex digits, not %q", ErrInvalid, r.ID)
	}
	for _, text := range []string{r.Owner, r.Purpose, r.Name, r.Seed, r.Build, r.Arithmetic, r.Parent, r.Address} {
		if err := plain(text); err != nil {
			return err
		}
	}
	if err := checkSettings(r.Settings, r.Seed); err != nil {
		return err
	}
	return r.Progress.check()
}

func (p *Progress) check() error {
	if !slices.Contains(States, p.State) {
		return fmt.Errorf("%w: no run is in state %q", ErrInvalid, p.State)
	}
	if err := plain(p.Reason); err != nil {
		return err
	}
	return plain(p.ParamsSHA256)
}

// checkSettings also holds that a secret seed stays secret.
func checkSettings(settings, seed string) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(settings), &object); err != nil || object == nil {
		return fmt.Errorf("%w: settings are a JSON object, not %.40q", ErrInvalid, settings)
	}
	if _, told := object["seed"]; told && strings.Contains(seed, ":") {
		return fmt.Errorf("%w: the settings tell the seed that %s keeps secret; leave it out of them", ErrInvalid, seed)
	}
	return plain(settings)
}

// plain says whether both databases can keep a text: PostgreSQL takes UTF-8 without NUL.
func plain(text string) error {
	if !utf8.ValidString(text) || strings.Contains(text, "\x00") {
		return fmt.Errorf("%w: %.40q is not plain UTF-8 text", ErrInvalid, text)
	}
	return nil
}

// orNull: SQLite has no NaN.
func orNull(x float64) sql.NullFloat64 { return sql.NullFloat64{Float64: x, Valid: !math.IsNaN(x)} }

// orNaN reads back what orNull wrote.
func orNaN(x sql.NullFloat64) float64 {
	if !x.Valid {
		return math.NaN()
	}
	return x.Float64
}

const runColumns = `id, owner, purpose, name, settings, seed, build, arithmetic, parent, parent_update, state, reason,
	steps, updates, episodes, return_mean_100, params_sha256, created, changed, bytes, snapshot_bytes, address`

// fields are where runColumns go.
func (r *Run) fields(mean *sql.NullFloat64) []any {
	return []any{&r.ID, &r.Owner, &r.Purpose, &r.Name, &r.Settings, &r.Seed, &r.Build, &r.Arithmetic, &r.Parent,
		&r.ParentUpdate, &r.State, &r.Reason, &r.Steps, &r.Updates, &r.Episodes, mean, &r.ParamsSHA256,
		&r.Created, &r.Changed, &r.Bytes, &r.SnapshotBytes, &r.Address}
}

func (r *Run) settle(mean sql.NullFloat64) { r.ReturnMean100 = orNaN(mean) }

// Run is the run of this id, or ErrNotFound.
func (tx *Tx) Run(id string) (r Run, err error) {
	var mean sql.NullFloat64
	err = tx.one("SELECT "+runColumns+" FROM runs WHERE id = $1", []any{id}, r.fields(&mean)...)
	r.settle(mean)
	return r, err
}

// CheckKey is nil when key steers the run. An unknown run and a wrong key are both ErrNotFound, and take equally long.
func (tx *Tx) CheckKey(id, key string) error {
	want := make([]byte, sha256.Size)
	err := tx.one("SELECT key_sha256 FROM runs WHERE id = $1", []any{id}, &want)
	if err != nil && err != ErrNotFound {
		return err
	}
	got := sha256.Sum256([]byte(key))
	if subtle.ConstantTimeCompare(got[:], want) == 1 && err == nil {
		return nil
	}
	return ErrNotFound
}

// SetProgress says how far a run has come. Whom it counts for is forgotten at its end.
func (tx *Tx) SetProgress(id string, p Progress) error {
	if err := p.check(); err != nil {
		return err
	}
	return tx.change(`UPDATE runs SET changed = $2, state = $3, reason = $4, steps = $5, updates = $6, episodes = $7,
		return_mean_100 = $8, params_sha256 = $9, address = CASE WHEN $3 IN ('done', 'diverged') THEN '' ELSE address END
		WHERE id = $1`,
		id, tx.s.now(), p.State, p.Reason, p.Steps, p.Updates, p.Episodes, orNull(p.ReturnMean100), p.ParamsSHA256)
}

// SetSettings says which settings are in force now.
func (tx *Tx) SetSettings(id, settings string) error {
	var seed string
	if err := tx.one("SELECT seed FROM runs WHERE id = $1", []any{id}, &seed); err != nil {
		return err
	}
	if err := checkSettings(settings, seed); err != nil {
		return err
	}
	return tx.change("UPDATE runs SET changed = $2, settings = $3 WHERE id = $1", id, tx.s.now(), settings)
}

// SetName names a run.
func (tx *Tx) SetName(id, name string) error {
	if err := plain(name); err != nil {
		return err
	}
	return tx.change("UPDATE runs SET changed = $2, name = $3 WHERE id = $1", id, tx.s.now(), name)
}

// DeleteRun forgets a run with everything that was kept for it. Its forks stay.
func (tx *Tx) DeleteRun(id string) error { return tx.change("DELETE FROM runs WHERE id = $1", id) }

// change runs a statement on one run, or says ErrNotFound.
func (tx *Tx) change(query string, args ...any) error {
	rows, err := tx.exec(query, args...)
	if err == nil && rows == 0 {
		return ErrNotFound
	}
	return err
}

// lock keeps other transactions from adding to a run until this one ends, and says that something happened to it.
func (tx *Tx) lock(id string) error {
	return tx.change("UPDATE runs SET changed = $2 WHERE id = $1", id, tx.s.now())
}

// grew keeps count of what is kept for a run.
func (tx *Tx) grew(id string, bytes, snapshots int64) error {
	return tx.change("UPDATE runs SET bytes = bytes + $2, snapshot_bytes = snapshot_bytes + $3 WHERE id = $1",
		id, bytes, snapshots)
}

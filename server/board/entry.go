package board

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"impalab/learner/algo"
	"impalab/learner/hyper"
)

// Settings are differences from another configuration, sorted by key.
type Settings []hyper.Setting

// Text returns the settings as a command line has them; "" for none.
func (all Settings) Text() string { return hyper.Text(all) }

// Map returns the settings by key.
func (all Settings) Map() map[string]string { return hyper.ByKey(all) }

// Entry is a configuration as a track knows it: the settings that differ from the start, each in one spelling. A
// setting without an effect is left out.
type Entry struct {
	Settings
	Idle   []string     // keys without an effect, which are left out
	Config hyper.Config // the whole configuration; its seed does not count
	Hash   string       // of track and settings, 64 digits
}

// longestEntry bounds the text of an entry, in bytes. Every setting fits, with four bytes for each byte of a program.
const longestEntry = 24 << 10

// ParseEntry reads settings as hyper.ParseText does.
func (t *Track) ParseEntry(text string) (Entry, error) {
	if len(text) > longestEntry {
		return Entry{}, fmt.Errorf("%d bytes of settings: must be at most %d", len(text), longestEntry)
	}
	settings, err := hyper.ParseText(text)
	if err != nil {
		return Entry{}, err
	}
	return t.Entry(settings)
}

// Entry reads settings; for a repeated key the last one counts. Its error names all closed keys, values outside their
// ranges, and contradicting settings, or the line of a faulty program.
func (t *Track) Entry(settings []hyper.Setting) (Entry, error) {
	cfg := t.Start
	var errs []error
	for _, s := range settings {
		if err := t.allow(&cfg, s); err != nil {
			errs = append(errs, err)
		}
	}
	if len(errs) == 0 {
		errs = append(errs, cfg.Validate(), t.written(&cfg))
	} else if errors.As(errors.Join(errs...), new(notOpen)) {
		errs = append(errs, errors.New(t.mayChange()))
	}
	if err := errors.Join(errs...); err != nil {
		return Entry{}, err
	}
	if _, err := algo.OwnCorrection(&cfg); err != nil {
		return Entry{}, err
	}
	e := Entry{Idle: t.rest(&cfg)}
	e.Config, e.Settings = cfg, cfg.Diff(&t.Start)
	sum := sha256.Sum256([]byte(t.Name + "\n" + e.Text()))
	e.Hash = hex.EncodeToString(sum[:])
	return e, nil
}

// written refuses a person's own correction without a program: its row would be another correction's under a new name.
// A track whose start has such a correction shows its program, and entries may keep it.
func (t *Track) written(cfg *hyper.Config) error {
	if !cfg.Unwritten() || t.Start.Unwritten() {
		return nil
	}
	const like = "it would weigh like correction=one-step rho=1"
	if !slices.Contains(t.open(), "program") {
		return fmt.Errorf("correction=own needs a program, and %s takes none: %s; set another correction", t.Title, like)
	}
	return fmt.Errorf("correction=own needs a program of yours: %s; write "+
		"program=def weight(ratio, adv, pi, mu, age): return …", like)
}

// notOpen is an error about a key that may not change. The keys that may change follow once, after all errors.
type notOpen struct{ error }

// allow makes one change, or returns an error if the track does not allow it.
func (t *Track) allow(cfg *hyper.Config, s hyper.Setting) error {
	at := slices.IndexFunc(t.Keys, func(k Key) bool { return k.Row.Key == s.Key })
	if at < 0 {
		if _, err := hyper.Lookup(s.Key); err != nil {
			if near := hyper.DidYouMean(s.Key, t.open(), ""); near != "" {
				return fmt.Errorf("unknown setting %.64q%s", s.Key, near)
			}
			return notOpen{fmt.Errorf("unknown setting %.64q", s.Key)}
		}
		if cfg.Get(s.Key) == s.Value { // no change
			return nil
		}
		if s.Key == "seed" {
			return notOpen{fmt.Errorf("seed: %s trains every entry on its own seeds", t.Title)}
		}
		return notOpen{fmt.Errorf("%s is fixed at %s on %s", s.Key, cfg.Get(s.Key), t.Title)}
	}
	change, err := hyper.ParseChange(s.Key, s.Value)
	if err != nil {
		return err
	}
	if err := t.Keys[at].check(change.Value()); err != nil {
		return fmt.Errorf("%w, on %s", err, t.Title)
	}
	change.Apply(cfg)
	return nil
}

// open returns the keys that may change.
func (t *Track) open() []string {
	keys := make([]string, len(t.Keys))
	for i := range t.Keys {
		keys[i] = t.Keys[i].Row.Key
	}
	return keys
}

// keysNamed is the number of keys in an error. The page, the API and board tracks list all of them.
const keysNamed = 5

// mayChange names the first keys that may change, and the number of the others.
func (t *Track) mayChange() string {
	keys, more := t.open(), ""
	if left := len(keys) - keysNamed; left > 1 {
		keys, more = keys[:keysNamed], fmt.Sprintf(" and %d more", left)
	}
	return "these may change: " + strings.Join(keys, ", ") + more
}

// Changed is Entry without the start itself, which the board has already.
func (t *Track) Changed(settings []hyper.Setting) (Entry, error) {
	e, err := t.Entry(settings)
	if err != nil || len(e.Settings) > 0 {
		return e, err
	}
	idle := ""
	if len(e.Idle) > 0 {
		idle = strings.Join(e.Idle, ", ") + " has no effect here, and "
	}
	return Entry{}, fmt.Errorf("change at least one setting: %sthis is the start of %s, which the board has already; %s",
		idle, t.Title, t.mayChange())
}

// rest sets every setting without an effect to its value at the start, and returns the keys that it changed.
func (t *Track) rest(cfg *hyper.Config) (idle []string) {
	for _, s := range cfg.Diff(&t.Start) {
		row, err := hyper.Lookup(s.Key)
		if err != nil || row.InForce(cfg) {
			continue
		}
		still := *cfg
		if still.Set(s.Key, t.Start.Get(s.Key)) == nil && still.Validate() == nil {
			*cfg = still
			idle = append(idle, s.Key)
		}
	}
	return idle
}

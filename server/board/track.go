// Package board compares configurations on equal terms. A track is a file that says which settings may change; many
// seeds rank an entry. Start with Track, then Track.Entry, Train and Place.
package board

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"impalab/envs"
	"impalab/learner/hyper"
	"impalab/learner/trial"
)

// Track is a world, a start, a budget, and the settings that may differ from the start. It never changes.
type Track struct {
	file
	Name      string
	Fixed     Settings     // the start's changes of the preset
	Start     hyper.Config // with the budget; its seed does not count
	Keys      []Key        // may differ, in the order of the table of settings
	Public    []uint64     // seeds of provisional rows
	Secret    int          // number of seeds of a season, which decide the rank
	Low, High float64      // ends of the drawn scale
	Baselines []Baseline
	Chance    float64 // a uniform policy's return, for the missing part of a diverged run
}

// Baseline is a configuration for comparison.
type Baseline struct {
	Name string
	Entry
	Row *Row // measured on the public seeds; nil: not measured
}

// file is a track's YAML.
type file struct {
	Title, Sentence  string
	Preset, Settings string // of the start
	Steps            uint64
	Score            string
	Scale            []float64
	Seeds            struct {
		Public string // as people write them
		Secret int
	}
	Allowed   yaml.Node
	Baselines []struct{ Name, Settings string }
	Notes     []string // for readers
}

// MeanOverRun is the only score: the mean, over all updates, of the mean return of the last hundred training episodes.
// It rewards early learning without falls; returns at the end saturate.
const MeanOverRun = "mean over the run"

// enough returns an error for too few or too many seeds of an entry.
func enough(seeds int) error {
	const fewest, most = 8, 256
	if seeds < fewest || seeds > most {
		return fmt.Errorf("%d seeds; must be %d to %d: an interval over fewer says too little", seeds, fewest, most)
	}
	return nil
}

// Form returns a hash of everything that a track fixes. Rows are comparable within one form. The keys that may differ
// do not count.
func (t *Track) Form() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%d\n%v\n%d", t.Preset, t.Fixed.Text(), t.Start.Steps, t.Public,
		t.Secret))
	return hex.EncodeToString(sum[:8])
}

var trackName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// decided are the settings that the track or the seeds decide.
var decided = []string{"world", "seed", "steps", "mode", "arithmetic", "speed", "actors", "inference"}

// Parse reads a track. Its error names the line or the key, and the allowed values.
func Parse(name string, text []byte) (*Track, error) {
	if !trackName.MatchString(name) {
		return nil, fmt.Errorf("the name %q: must be small letters, digits and hyphens, like late-pole", name)
	}
	t := &Track{Name: name}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&t.file); err != nil {
		return nil, err
	}
	for _, step := range []func() error{t.words, t.start, t.seeds, t.keys, t.baselines} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (t *Track) words() error {
	for key, value := range map[string]string{"title": t.Title, "sentence": t.Sentence, "preset": t.Preset} {
		if strings.TrimSpace(value) == "" {
			return fmt.Errorf("%s: it is missing", key)
		}
	}
	if t.Score != MeanOverRun {
		return fmt.Errorf("score: %q: must be %q, the only one there is", t.Score, MeanOverRun)
	}
	if len(t.Scale) != 2 || !(t.Scale[0] < t.Scale[1]) || t.Scale[1]-t.Scale[0] > 1e9 {
		return fmt.Errorf("scale: %v: must be the lowest and the highest score to draw, like [0, 500]", t.Scale)
	}
	t.Low, t.High = t.Scale[0], t.Scale[1]
	return nil
}

// start sets the configuration that entries differ from.
func (t *Track) start() error {
	settings, err := hyper.ParseText(t.Settings)
	if err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	for _, s := range settings {
		if s.Key == "preset" || s.Key == "p" || s.Key == "seed" || s.Key == "steps" || s.Key == "speed" ||
			s.Key == "arithmetic" {
			return fmt.Errorf("settings: %s: it has a line of its own, or none", s.Key)
		}
	}
	all := append([]hyper.Setting{{Key: "preset", Value: t.Preset}}, settings...)
	cfg, _, unknown, err := hyper.FromSettings(all)
	if err != nil {
		return fmt.Errorf("preset and settings: %w", err)
	}
	if len(unknown) > 0 {
		_, err := hyper.Lookup(unknown[0])
		return fmt.Errorf("settings: %w", err)
	}
	if cfg.Mode != hyper.Reference {
		return fmt.Errorf("settings: mode=%s: must be reference, so that a repeated run gives the same parameters", cfg.Mode)
	}
	if t.Steps == 0 || t.Steps > 1e9 {
		return fmt.Errorf("steps: %d: must be environment steps from 1 to 1000000000", t.Steps)
	}
	cfg.Steps = t.Steps
	world, _, err := envs.Describe(cfg.World)
	if err != nil {
		return err
	}
	t.Start, t.Chance = cfg, float64(world.Random)
	preset, _ := hyper.FromPreset(t.Preset) // the preset exists
	preset.Steps = cfg.Steps
	t.Fixed = cfg.Diff(&preset)
	return nil
}

func (t *Track) seeds() (err error) {
	if t.Public, err = trial.ParseSeeds(t.Seeds.Public); err == nil {
		err = enough(len(t.Public))
	}
	if err != nil {
		return fmt.Errorf("seeds: public: %w", err)
	}
	t.Secret = t.Seeds.Secret
	if err := enough(t.Secret); err != nil {
		return fmt.Errorf("seeds: secret: %w", err)
	}
	return nil
}

// keys sets the settings that may differ.
func (t *Track) keys() error {
	if t.Allowed.Kind != yaml.MappingNode || len(t.Allowed.Content) == 0 {
		return fmt.Errorf("allowed: must be settings with their allowed values, like rho: .1 to inf")
	}
	for i := 0; i < len(t.Allowed.Content); i += 2 {
		key, value := t.Allowed.Content[i], t.Allowed.Content[i+1]
		at := func(err error) error { return fmt.Errorf("line %d: allowed: %s: %w", key.Line, key.Value, err) }
		if slices.Contains(decided, key.Value) {
			return at(fmt.Errorf("the track decides this, not an entry; leave it out"))
		}
		if slices.ContainsFunc(t.Keys, func(k Key) bool { return k.Row.Key == key.Value }) {
			return at(fmt.Errorf("it stands there twice"))
		}
		if value.Kind != yaml.ScalarNode {
			return at(fmt.Errorf("must be any, LOW to HIGH, or values separated by commas"))
		}
		k, err := parseKey(key.Value, value.Value)
		if err != nil {
			return at(err)
		}
		if err := k.check(t.Start.Get(k.Row.Key)); err != nil {
			return at(fmt.Errorf("the track's own start is outside: %w", err))
		}
		t.Keys = append(t.Keys, k)
	}
	order := hyper.Keys()
	slices.SortFunc(t.Keys, func(a, b Key) int { return slices.Index(order, a.Row.Key) - slices.Index(order, b.Row.Key) })
	return nil
}

func (t *Track) baselines() error {
	names, hashes := map[string]bool{}, map[string]string{}
	for _, b := range t.file.Baselines {
		if b.Name == "" || names[b.Name] {
			return fmt.Errorf("baselines: %q: must be a name for each, none twice", b.Name)
		}
		names[b.Name] = true
		e, err := t.ParseEntry(b.Settings)
		if err != nil {
			return fmt.Errorf("baselines: %s: %w", b.Name, err)
		}
		if same := hashes[e.Hash]; same != "" {
			return fmt.Errorf("baselines: %s: it is the same configuration as %s", b.Name, same)
		}
		hashes[e.Hash] = b.Name
		t.Baselines = append(t.Baselines, Baseline{Name: b.Name, Entry: e})
	}
	return nil
}

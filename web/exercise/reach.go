package exercise

// Exercises that runs or a computed quantity decide: a student changes settings within ranges.

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/script"
	"impalab/learner/stats"
	"impalab/web/lesson/quantity"
)

// Start is a configuration and the settings of it that students may change.
type Start struct {
	Preset string            `yaml:"preset"`
	Set    map[string]string `yaml:"set"`
	Keys   []Key             `yaml:"keys"`
	Steps  uint64            `yaml:"steps"` // of each run
}

// Key is a setting that students may change: to one of Values, to a number from From to To, or to a program that does
// not read the numbers Without.
type Key struct {
	Key    string   `yaml:"key" json:"key"`
	Values []string `yaml:"values" json:"values,omitempty"`
	From   string   `yaml:"from" json:"from,omitempty"`
	To     string   `yaml:"to" json:"to,omitempty"`
	// parameters of a weight of one's own
	Without []string `yaml:"without" json:"without,omitempty"`
}

// Base returns the configuration without changes.
func (s *Start) Base() hyper.Config {
	cfg, err := s.Config(nil)
	if err != nil {
		panic(err) // tests read every file
	}
	return cfg
}

// Config returns the configuration with changed settings, without its seed.
func (s *Start) Config(settings map[string]string) (cfg hyper.Config, err error) {
	if cfg, err = hyper.FromPreset(s.Preset); err != nil {
		return cfg, err
	}
	for key, value := range s.Set {
		if err := cfg.Set(key, value); err != nil {
			return cfg, err
		}
	}
	cfg.Steps = s.Steps
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		i := slices.IndexFunc(s.Keys, func(k Key) bool { return k.Key == key })
		if i < 0 {
			var names []string
			for _, k := range s.Keys {
				names = append(names, k.Key)
			}
			return cfg, fmt.Errorf("%.40s: this exercise lets you change only %s", key, listed(names))
		}
		if err := s.Keys[i].allows(settings[key]); err != nil {
			return cfg, err
		}
		if err := cfg.Set(key, settings[key]); err != nil {
			return cfg, err
		}
	}
	return cfg, cfg.Validate()
}

// allows returns an error for a value outside the range.
func (k *Key) allows(value string) error {
	row, err := hyper.Lookup(k.Key)
	if err != nil {
		return err
	}
	change, err := hyper.ParseChange(k.Key, value)
	if err != nil {
		return err
	}
	if len(k.Values) > 0 {
		if !slices.Contains(k.Values, change.Value()) {
			return fmt.Errorf("%s=%.40s: this exercise allows %s", k.Key, value, listed(k.Values))
		}
		return nil
	}
	if len(k.Without) > 0 {
		return k.allowsProgram(change.Value())
	}
	low, err := row.Parse(k.From)
	high, err2 := row.Parse(k.To)
	x, err3 := row.Parse(change.Value())
	if err := cmp.Or(err, err2, err3); err != nil {
		return err
	}
	if !(x >= low && x <= high) {
		return fmt.Errorf("%s=%.40s: this exercise allows %s to %s", k.Key, value, k.From, k.To)
	}
	return nil
}

// allowsProgram returns an error for a program that does not compile, or that reads a number of Without.
func (k *Key) allowsProgram(text string) error {
	f, err := script.Compile(text, correct.OwnName, correct.OwnParameters...)
	if err != nil {
		return fmt.Errorf("%s: %w", k.Key, err)
	}
	for _, name := range k.Without {
		if line := f.Reads(name); line > 0 {
			return fmt.Errorf("%s: line %d reads %s, and this exercise asks for a weight without %s", k.Key, line, name,
				listed(k.Without))
		}
	}
	return nil
}

// Reach is decided by runs: the measure over seeds must be in a range.
type Reach struct {
	Start    `yaml:",inline"`
	Measure  Measure    `yaml:"measure"`
	One      bool       `yaml:"one"`      // one setting must change, or one group of Together
	Together [][]string `yaml:"together"` // settings that count as one
	Product  *Product   `yaml:"product"`  // nil: the settings are free within their ranges
	Public   Check      `yaml:"public"`   // on public seeds, at once
	Hidden   Check      `yaml:"hidden"`   // on hidden seeds, for a hand-in
	Partial  []Part     `yaml:"partial"`
}

// Product asks for settings whose product is at least From.
type Product struct {
	Of   []string `yaml:"of"` // keys of numbers
	From float64  `yaml:"from"`
}

// check returns an error for a configuration whose product is too small.
func (p *Product) check(cfg *hyper.Config) error {
	product, named := 1., []string{}
	for _, key := range p.Of {
		row, err := hyper.Lookup(key)
		if err != nil {
			return err
		}
		v, err := row.Parse(cfg.Get(key))
		if err != nil {
			return err
		}
		product *= v
		named = append(named, key+"="+cfg.Get(key))
	}
	if product < p.From*(1-tiny) {
		return fmt.Errorf("%s: their product is %.3g, and this exercise asks for at least %.3g; raise one of them",
			listed(named), product, p.From)
	}
	return nil
}

// Measure is the statistic of an answer's runs.
type Measure string

const (
	OfReturn Measure = "return" // interquartile mean over seeds of the last hundred episodes; in public the mean
	OfFallen Measure = "fallen" // share of fallen seeds
)

// FallenBelow is the mean return of the last hundred episodes below which an agent of CartPole or of a body has fallen.
const FallenBelow = 100

// Check is a number of seeds and the range for the measure; To 0 means no upper end.
type Check struct {
	Seeds  int     `yaml:"seeds"`
	From   float64 `yaml:"from"`
	To     float64 `yaml:"to"`
	Fallen *int    `yaml:"fallen"` // the most fallen seeds; nil: any number
}

// Measured are an answer's results: the mean return of each seed's last hundred episodes, and their interquartile mean.
type Measured struct {
	Returns []float64
	IQM     float64
}

// MeasuredOf returns the results of runs; NaN stands for a seed without an ended episode.
func MeasuredOf(returns []float64) *Measured {
	m := &Measured{returns, math.NaN()}
	if known := slices.DeleteFunc(slices.Clone(returns), math.IsNaN); len(known) > 0 {
		m.IQM = stats.InterquartileMean(known)
	}
	return m
}

func (m *Measured) mean() float64 {
	sum := 0.
	for _, v := range m.Returns {
		sum += v
	}
	return sum / float64(len(m.Returns))
}

func (m *Measured) fallen() (n int) {
	for _, v := range m.Returns {
		if !(v >= FallenBelow) { // NaN: no episode ended
			n++
		}
	}
	return n
}

// Config returns the configuration that an answer trains, without its seed.
func (r *Reach) Config(a *Answer) (hyper.Config, error) {
	cfg, err := r.Start.Config(a.Settings)
	if err == nil && r.Product != nil {
		err = r.Product.check(&cfg)
	}
	if err != nil || !r.One {
		return cfg, err
	}
	base := r.Base()
	var changed []string
	for _, s := range cfg.Diff(&base) {
		changed = append(changed, s.Key)
	}
	if len(changed) > 1 && !slices.ContainsFunc(r.Together, func(group []string) bool {
		return !slices.ContainsFunc(changed, func(key string) bool { return !slices.Contains(group, key) })
	}) {
		return cfg, fmt.Errorf("%s differ from the start: change one setting only", listed(changed))
	}
	return cfg, nil
}

// publicSeed is the first public seed.
const publicSeed = 11

// PublicSeeds returns the seeds of a try.
func (r *Reach) PublicSeeds() (seeds []uint64) {
	for i := range r.Public.Seeds {
		seeds = append(seeds, publicSeed+uint64(i))
	}
	return seeds
}

// Untouched reports whether runs decide the exercise and the answer has the settings of its start.
func (e *Exercise) Untouched(a *Answer) bool {
	if e.Reach == nil {
		return false
	}
	base := e.Reach.Base()
	cfg, err := e.Reach.Start.Config(a.Settings)
	return err == nil && len(cfg.Diff(&base)) == 0
}

func (r *Reach) asked(a *Answer) (Answer, error) {
	_, err := r.Config(a)
	return Answer{Settings: a.Settings}, err
}

func (r *Reach) figure(m *Measured) float64 {
	if r.Measure == OfFallen {
		return float64(m.fallen()) / float64(len(m.Returns))
	}
	return m.IQM
}

// public judges runs on the public seeds. A failed check gives the reason that the answer itself shows.
func (r *Reach) public(e *Exercise, a *Answer, m *Measured) (Verdict, error) {
	cfg, err := r.Config(a)
	if err != nil {
		return Verdict{}, err
	}
	n, figure := len(m.Returns), r.figure(m)
	if r.Measure == OfFallen {
		return Verdict{Credit: 1, Say: fmt.Sprintf("%d of %d seeds fell.", m.fallen(), n), Figure: &figure}, nil
	}
	mean := m.mean()
	if within(mean, r.Public.From, r.Public.To) {
		return Verdict{Credit: 1, Figure: &mean, Say: fmt.Sprintf("The %d public seeds end at %s on average: enough. Hand "+
			"it in, and it is trained on other seeds.", n, short(mean))}, nil
	}
	why := e.say(facts{"credit": 0, "figure": figure, "fallen": float64(m.fallen())}, &cfg)
	return Verdict{Figure: &mean, Say: strings.TrimSpace(fmt.Sprintf("The %d public seeds end at %s on average; it is "+
		"worth handing in from %s on. %s", n, short(mean), short(r.Public.From), why))}, nil
}

// judge judges runs on the hidden seeds.
func (r *Reach) judge(e *Exercise, a *Answer, by Hidden) (Verdict, error) {
	cfg, err := r.Config(a)
	if err != nil {
		return Verdict{}, err
	}
	m := by.Runs
	x := r.figure(m)
	v := Verdict{Figure: &x}
	if within(x, r.Hidden.From, r.Hidden.To) && (r.Hidden.Fallen == nil || m.fallen() <= *r.Hidden.Fallen) {
		v.Credit = 1
	} else {
		v.Credit = credit(r.Partial, x)
	}
	say := e.say(facts{"credit": v.Credit, "figure": x, "fallen": float64(m.fallen())}, &cfg)
	measured := fmt.Sprintf("Over %d other seeds it ends at %s; %s is asked for.", len(m.Returns), short(x),
		short(r.Hidden.From))
	if r.Measure == OfFallen {
		measured = fmt.Sprintf("%d of %d other seeds fell.", m.fallen(), len(m.Returns))
	}
	v.Say = strings.TrimSpace(say + " " + measured)
	return v, nil
}

// Find is decided by a quantity that can be computed: one setting must bring it near a target.
type Find struct {
	Key    Key     `yaml:"key"`
	Of     string  `yaml:"of"` // a formula of package quantity, with the key as its argument
	Target float64 `yaml:"target"`
	Within float64 `yaml:"within"`
	Half   float64 `yaml:"half"`  // within this distance it earns half of the credit
	Hints  int     `yaml:"hints"` // allowed public checks
}

// at returns the quantity for a value of the key.
func (f *Find) at(value float64) (float64, error) {
	return quantity.Compute(fmt.Sprintf("%s %s=%v", f.Of, f.Key.Key, value))
}

func (f *Find) asked(a *Answer) (Answer, error) {
	asked := Answer{Settings: a.Settings}
	value, ok := a.Settings[f.Key.Key]
	if !ok || len(a.Settings) != 1 {
		return asked, fmt.Errorf("this exercise needs a value of %s and nothing else", f.Key.Key)
	}
	return asked, f.Key.allows(value)
}

// compute returns the quantity of a checked answer, and the answer's value.
func (f *Find) compute(a *Answer) (x, value float64, err error) {
	row, err := hyper.Lookup(f.Key.Key)
	if err == nil {
		value, err = row.Parse(a.Settings[f.Key.Key])
	}
	if err == nil {
		x, err = f.at(value)
	}
	return x, value, err
}

func (f *Find) judge(e *Exercise, a *Answer, _ Hidden) (Verdict, error) {
	x, value, err := f.compute(a)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{Figure: &x}
	switch off := math.Abs(x - f.Target); {
	case off <= f.Within+tiny:
		v.Credit = 1
	case off <= f.Half+tiny:
		v.Credit = .5
	}
	v.Say = e.say(facts{"credit": v.Credit, "figure": x, f.Key.Key: value}, nil)
	return v, nil
}

// public says whether the target is higher or lower.
func (f *Find) public(_ *Exercise, a *Answer, _ *Measured) (Verdict, error) {
	x, _, err := f.compute(a)
	switch {
	case err != nil:
		return Verdict{}, err
	case math.Abs(x-f.Target) <= f.Within+tiny:
		return Verdict{Credit: 1, Say: "That is near enough: hand it in."}, nil
	case x < f.Target:
		return Verdict{Say: "It ends too low: go higher."}, nil
	}
	return Verdict{Say: "It ends too high: go lower."}, nil
}

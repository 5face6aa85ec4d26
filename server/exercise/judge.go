package exercise

// How an answer is judged. An answer that cannot be judged is an error with a sentence; one that can has a verdict.

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"impalab/learner/hyper"
)

// Measured is what the runs of an answer came to: the mean return of each seed's last hundred episodes, and the
// interquartile mean of those.
type Measured struct {
	Returns []float64
	IQM     float64
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
		if !(v >= FallenBelow) { // NaN has no episode behind it
			n++
		}
	}
	return n
}

// Config is what an answer to a Reach trains, without its seed. Keys that the exercise does not name are refused.
func (r *Reach) Config(a *Answer) (hyper.Config, error) {
	cfg, err := r.config(a.Settings)
	if err != nil || !r.One {
		return cfg, err
	}
	base, err := r.config(nil)
	if err != nil {
		return cfg, err
	}
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

// Config is the start with some settings changed, without its seed.
func (s *Start) Config(settings map[string]string) (hyper.Config, error) { return s.config(settings) }

// Base is where a student starts from.
func (s *Start) Base() hyper.Config {
	cfg, err := s.config(nil)
	if err != nil {
		panic(err) // a test reads every file
	}
	return cfg
}

func (s *Start) config(settings map[string]string) (cfg hyper.Config, err error) {
	if cfg, err = hyper.FromPreset(s.Preset); err != nil {
		return cfg, err
	}
	for key, value := range s.Set {
		if err := cfg.Set(key, value); err != nil {
			return cfg, err
		}
	}
	cfg.Steps = s.Steps
	keys := make([]string, 0, len(settings))
	for key := range settings {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		i := slices.IndexFunc(s.Keys, func(k Key) bool { return k.Key == key })
		if i < 0 {
			return cfg, fmt.Errorf("%.40s: this exercise lets you change only %s", key, listed(names(s.Keys)))
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

func names(keys []Key) (list []string) {
	for _, k := range keys {
		list = append(list, k.Key)
	}
	return list
}

// listed is a list in a sentence.
func listed(words []string) string {
	if len(words) == 0 {
		return "nothing"
	}
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// Trained reports whether an answer is judged by runs.
func (e *Exercise) Trained() bool { return e.Reach != nil }

// Check refuses an answer that cannot be judged, before anything runs.
func (e *Exercise) Check(a *Answer) error {
	switch {
	case e.Reach != nil:
		_, err := e.Reach.Config(a)
		return err
	case e.Find != nil:
		value, ok := a.Settings[e.Find.Key.Key]
		if !ok || len(a.Settings) != 1 {
			return fmt.Errorf("this exercise wants a value of %s and nothing else", e.Find.Key.Key)
		}
		return e.Find.Key.allows(value)
	case e.Number != nil:
		return finite(a.Number)
	case e.Numbers != nil:
		if len(a.Numbers) != len(e.Numbers.Are) {
			return fmt.Errorf("this exercise wants %d numbers: %s", len(e.Numbers.Are), listed(e.Numbers.Names))
		}
		for i := range a.Numbers {
			if err := finite(&a.Numbers[i]); err != nil {
				return err
			}
		}
	case e.Program != nil:
		return e.Program.check(a)
	case e.Cause != nil:
		if a.Choice == nil || *a.Choice < 0 || *a.Choice >= len(e.Cause.Choose) {
			return errors.New("choose one of the answers")
		}
		if e.Cause.Then != "" && (a.Second == nil || *a.Second < 0 || *a.Second >= len(e.Cause.Second)) {
			return errors.New("choose an answer to the second question, too")
		}
	}
	return nil
}

func finite(x *float64) error {
	if x == nil || math.IsNaN(*x) || math.IsInf(*x, 0) {
		return errors.New("this exercise wants a number")
	}
	return nil
}

// Hidden is what an answer is judged on that nobody knows before: what its runs on the hidden seeds came to, or the
// seed of the unrolls that a program is judged on.
type Hidden struct {
	Runs *Measured
	Seed [32]byte
}

// Judge judges what was handed in.
func (e *Exercise) Judge(a *Answer, by Hidden) (Verdict, error) {
	if err := e.Check(a); err != nil {
		return Verdict{}, err
	}
	m := by.Runs
	switch {
	case e.Program != nil:
		return e.Program.judge(e, a, by.Seed)
	case e.Reach != nil:
		return e.reached(a, m)
	case e.Find != nil:
		return e.found(a)
	case e.Number != nil:
		return e.Number.judge(*a.Number), nil
	case e.Numbers != nil:
		return e.Numbers.judge(a.Numbers), nil
	}
	return e.Cause.judge(a), nil
}

// Public judges what everybody may know at once: runs on the public seeds, or the one number that is checked.
func (e *Exercise) Public(a *Answer, m *Measured) (Verdict, error) {
	if err := e.Check(a); err != nil {
		return Verdict{}, err
	}
	switch {
	case e.Reach != nil:
		return e.reachable(a, m)
	case e.Find != nil:
		return e.hint(a)
	case e.Program != nil:
		return e.Program.public(a)
	case e.Numbers != nil:
		n := e.Numbers
		v := Verdict{Say: n.Names[n.Public] + " is not right yet."}
		if n.near(a.Numbers[n.Public], n.Are[n.Public]) {
			v = Verdict{Credit: 1, Say: n.Names[n.Public] + " is right."}
		}
		return v, nil
	}
	return Verdict{}, errors.New("there is nothing to try here: hand your answer in")
}

// within reports whether x lies in a range whose upper end 0 is none.
func within(x, from, to float64) bool { return x >= from-tiny && (to == 0 || x <= to+tiny) }

// tiny forgives the rounding of decimal fractions.
const tiny = 1e-9

func (r *Reach) figure(m *Measured) float64 {
	if r.Measure == OfFallen {
		return float64(m.fallen()) / float64(len(m.Returns))
	}
	return m.IQM
}

// reachable is the public check: where it fails, with the reason that the answer itself gives.
func (e *Exercise) reachable(a *Answer, m *Measured) (Verdict, error) {
	cfg, err := e.Reach.Config(a)
	if err != nil {
		return Verdict{}, err
	}
	v := e.Reach.public(m)
	if v.Credit < 1 {
		why := e.say(facts{"credit": 0, "figure": e.Reach.figure(m), "fallen": float64(m.fallen())}, &cfg)
		v.Say = strings.TrimSpace(v.Say + " " + why)
	}
	return v, nil
}

func (r *Reach) public(m *Measured) Verdict {
	n := len(m.Returns)
	if r.Measure == OfFallen {
		return Verdict{Credit: 1, Say: fmt.Sprintf("%d of %d seeds fell.", m.fallen(), n), Figure: ptr(r.figure(m))}
	}
	mean := m.mean()
	v := Verdict{Figure: &mean, Say: fmt.Sprintf("The %d public seeds end at %s on average; %s is asked for.", n,
		short(mean), short(r.Public.From))}
	if within(mean, r.Public.From, r.Public.To) {
		v.Credit = 1
		v.Say = fmt.Sprintf("The %d public seeds end at %s on average: enough. Hand it in, and it is trained "+
			"on seeds that "+
			"nobody knows.", n, short(mean))
	}
	return v
}

func ptr(x float64) *float64 { return &x }

func (e *Exercise) reached(a *Answer, m *Measured) (Verdict, error) {
	r := e.Reach
	cfg, err := r.Config(a)
	if err != nil {
		return Verdict{}, err
	}
	x := r.figure(m)
	v := Verdict{Figure: &x}
	whole := within(x, r.Hidden.From, r.Hidden.To)
	switch {
	case whole && (r.Hidden.Fallen == nil || m.fallen() <= *r.Hidden.Fallen):
		v.Credit = 1
	default:
		for _, p := range r.Partial {
			if within(x, p.From, p.To) {
				v.Credit = max(v.Credit, p.Credit)
			}
		}
	}
	v.Say = e.say(facts{"credit": v.Credit, "figure": x, "fallen": float64(m.fallen())}, &cfg)
	measured := fmt.Sprintf("Over %d hidden seeds it ends at %s; %s is asked for.", len(m.Returns), short(x),
		short(r.Hidden.From))
	if r.Measure == OfFallen {
		measured = fmt.Sprintf("%d of %d hidden seeds fell.", m.fallen(), len(m.Returns))
	}
	v.Say = strings.TrimSpace(v.Say + " " + measured)
	return v, nil
}

func (e *Exercise) found(a *Answer) (Verdict, error) {
	x, target, value, err := e.Find.look(a)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{Figure: &x}
	switch off := math.Abs(x - target); {
	case off <= e.Find.Within+tiny:
		v.Credit = 1
	case off <= e.Find.Half+tiny:
		v.Credit = .5
	}
	v.Say = e.say(facts{"credit": v.Credit, "figure": x, e.Find.Key.Key: value}, nil)
	return v, nil
}

// look computes an answer and the target.
func (f *Find) look(a *Answer) (x, target, value float64, err error) {
	row, err := hyper.Lookup(f.Key.Key)
	if err != nil {
		return 0, 0, 0, err
	}
	if value, err = row.Parse(a.Settings[f.Key.Key]); err != nil {
		return 0, 0, 0, err
	}
	if x, err = f.at(value); err != nil {
		return 0, 0, 0, err
	}
	return x, f.Target, value, nil
}

func (e *Exercise) hint(a *Answer) (Verdict, error) {
	x, target, _, err := e.Find.look(a)
	switch {
	case err != nil:
		return Verdict{}, err
	case math.Abs(x-target) <= e.Find.Within+tiny:
		return Verdict{Credit: 1, Say: "That is near enough: hand it in."}, nil
	case x < target:
		return Verdict{Say: "It ends too low: go higher."}, nil
	}
	return Verdict{Say: "It ends too high: go lower."}, nil
}

func (n *Number) judge(x float64) Verdict {
	v := Verdict{Figure: &n.Is}
	switch {
	case within(x, n.From, n.To) && x <= n.To+tiny:
		v.Credit, v.Say = 1, "Yes: "+short(n.Is)+n.unit()+"."
	default:
		for _, p := range n.Part {
			if x >= p.From-tiny && x <= p.To+tiny {
				v.Credit = max(v.Credit, p.Credit)
			}
		}
		v.Say = "No."
		if v.Credit > 0 {
			v.Say = "Near."
		}
	}
	for _, s := range n.Slips {
		if math.Abs(x-s.Is[0]) <= .03*math.Abs(s.Is[0])+tiny {
			v.Say = s.Say
			break
		}
	}
	if v.Credit < 1 {
		v.Figure = nil // it may be handed in again
	}
	return v
}

func (n *Number) unit() string {
	if n.Unit == "" {
		return ""
	}
	return " " + n.Unit
}

func (n *Numbers) near(x, y float64) bool { return math.Abs(x-y) <= n.Within+tiny }

func (n *Numbers) judge(given []float64) Verdict {
	var right, wrong []string
	for i, x := range given {
		if n.near(x, n.Are[i]) {
			right = append(right, n.Names[i])
		} else {
			wrong = append(wrong, n.Names[i])
		}
	}
	v := Verdict{Credit: float64(len(right)) / float64(len(given))}
	switch {
	case len(wrong) == 0:
		v.Say = "All are right."
	case len(right) == 0:
		v.Say = "None is right yet."
	default:
		v.Say = fmt.Sprintf("Right: %s. Not yet: %s.", listed(right), listed(wrong))
	}
	if slip := n.slip(given); slip != "" {
		v.Say = slip
	}
	return v
}

// slip is what is said to whoever works out these numbers; "" where nobody knows how.
func (n *Numbers) slip(given []float64) string {
	for _, s := range n.Slips {
		if n.matches(given, s.Is) {
			return s.Say
		}
	}
	return ""
}

func (n *Numbers) matches(given, slip []float64) bool {
	for i := range given {
		if !n.near(given[i], slip[i]) {
			return false
		}
	}
	return true
}

func (c *Cause) judge(a *Answer) Verdict {
	first := c.Choose[*a.Choice]
	v := Verdict{Say: first.Why}
	if first.Right {
		v.Credit = 1
	}
	if c.Then != "" {
		second := c.Second[*a.Second]
		v.Credit /= 2
		if first.Right { // the second question is about the right cause
			if second.Right {
				v.Credit += .5
			}
			v.Say = strings.TrimSpace(v.Say + " " + second.Why)
		}
	}
	return v
}

// facts are figures that conditions may name beside settings.
type facts map[string]float64

// say is the first sentence whose conditions hold.
func (e *Exercise) say(f facts, cfg *hyper.Config) string {
	for _, s := range e.Say {
		if !slices.ContainsFunc(s.When, func(when string) bool {
			c, err := parseCondition(when)
			return err != nil || !c.holds(f, cfg)
		}) {
			return s.Say
		}
	}
	return ""
}

// condition is like rho<0.5, correction=epsilon or credit=1.
type condition struct {
	key, op, value string
}

func parseCondition(text string) (c condition, err error) {
	for _, op := range []string{"<=", ">=", "!=", "<", ">", "="} {
		if key, value, ok := strings.Cut(text, op); ok {
			c = condition{strings.TrimSpace(key), op, strings.TrimSpace(value)}
			if _, err := strconv.ParseFloat(c.value, 64); err != nil && op != "=" && op != "!=" {
				return c, fmt.Errorf("condition %q: %s is no number", text, c.value)
			}
			if _, err := hyper.Lookup(c.key); err != nil && !slices.Contains([]string{"credit", "figure",
				"fallen"}, c.key) {
				return c, fmt.Errorf("condition %q: %w", text, err)
			}
			return c, nil
		}
	}
	return c, fmt.Errorf("condition %q: want like rho<0.5", text)
}

func (c *condition) holds(f facts, cfg *hyper.Config) bool {
	x, known := f[c.key]
	text := ""
	if !known {
		if cfg == nil {
			return false
		}
		text = cfg.Get(c.key)
		row, err := hyper.Lookup(c.key)
		if err != nil {
			return false
		}
		x = math.NaN()
		if row.Numeric() {
			if x, err = row.Parse(text); err != nil {
				return false
			}
		}
	}
	y, err := strconv.ParseFloat(c.value, 64)
	if err != nil {
		return (text == c.value) == (c.op == "=")
	}
	switch c.op {
	case "<":
		return x < y-tiny
	case ">":
		return x > y+tiny
	case "<=":
		return x <= y+tiny
	case ">=":
		return x >= y-tiny
	case "=":
		return x == y || math.Abs(x-y) <= 1e-3*math.Abs(y)
	}
	return !(x == y || math.Abs(x-y) <= 1e-3*math.Abs(y))
}

// short is a figure as people say it.
func short(x float64) string {
	if math.Abs(x) >= 100 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

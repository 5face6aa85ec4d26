package exercise

// Answers that are judged by runs: to what they came, and why it was not enough.

import (
	"fmt"
	"slices"
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
	v := Verdict{Figure: &mean, Say: fmt.Sprintf("The %d public seeds end at %s on average; it is worth handing in from "+
		"%s on.", n, short(mean), short(r.Public.From))}
	if within(mean, r.Public.From, r.Public.To) {
		v.Credit = 1
		v.Say = fmt.Sprintf("The %d public seeds end at %s on average: enough. Hand it in, and it is "+
			"trained on seeds that nobody knows.", n, short(mean))
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

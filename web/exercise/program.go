package exercise

// Writing V-trace. A student's program runs in the student's page or notebook and sends the targets that it computes of
// unrolls drawn for each hand-in. They are judged against the learner's own. The server never runs a student's program.

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"impalab/learner/correct"
)

// Program is judged by the targets that a student's program computes of unrolls.
type Program struct {
	Start   string         `yaml:"start"` // the program in the page to begin with
	Within  float64        `yaml:"within"`
	Unrolls int            `yaml:"unrolls"` // drawn for each group
	Public  []PublicUnroll `yaml:"public"`
	Groups  []Group        `yaml:"groups"` // each worth the same
	Slips   []Blamed       `yaml:"slips"`  // the first match is the sentence said
}

// PublicUnroll is an unroll of the public check.
type PublicUnroll struct {
	Title      string `yaml:"title"`
	Like       string `yaml:"like"` // an exercise of numbers with the same unroll: its slips apply
	Trajectory `yaml:",inline"`
}

// Group is a set of unrolls that is judged as a whole.
type Group struct {
	Title     string    `yaml:"title"`
	Advantage bool      `yaml:"advantage"` // the advantages are judged instead of the targets
	Ends      bool      `yaml:"ends"`      // an episode ends inside
	Zero      bool      `yaml:"zero"`      // some ratios are 0
	Rho       []float64 `yaml:"rho"`       // one of them is drawn
	C         []float64 `yaml:"c"`
	Lambda    []float64 `yaml:"lambda"`
}

// Blamed is the sentence for a mistake that the numbers reveal.
type Blamed struct {
	Of  string `yaml:"of"` // a key of mistakes
	Say string `yaml:"say"`
}

// Trajectory is an unroll of T steps, and how to correct it.
type Trajectory struct {
	Reward    []float64 `yaml:"r" json:"r"`
	Discount  []float64 `yaml:"discount" json:"discount"`
	Value     []float64 `yaml:"v" json:"v"`
	Bootstrap float64   `yaml:"bootstrap" json:"bootstrap"`
	Ratio     []float64 `yaml:"is" json:"is"`
	RhoBar    Ceiling   `yaml:"rho_bar" json:"rho_bar" nullable:"true" doc:"Null: none."`
	CBar      Ceiling   `yaml:"c_bar" json:"c_bar" nullable:"true" doc:"Null: none."`
	Lambda    float64   `yaml:"lambda" json:"lambda"`
}

// Ceiling is a truncation level; nil is infinite.
type Ceiling = *float64

func (u *Trajectory) bars() (rho, c float64) {
	at := func(bar Ceiling) float64 {
		if bar == nil {
			return math.Inf(1)
		}
		return *bar
	}
	return at(u.RhoBar), at(u.CBar)
}

// Targets are the results of V-trace for an unroll: v_t and A_t for each step.
type Targets struct {
	VS        []float64 `json:"vs"`
	Advantage []float64 `json:"adv"`
}

// right returns the learner's targets, with A_t = r_t + γ_t·v_{t+1} − V_t.
func (u *Trajectory) right() Targets {
	rho, c := u.bars()
	out := correct.NewTargets[float64](len(u.Reward), 1)
	correct.VTrace(out, &correct.Unroll[float64]{T: len(u.Reward), B: 1, Reward: u.Reward, Discount: u.Discount,
		Value: u.Value, Bootstrap: []float64{u.Bootstrap}, Ratio: u.Ratio},
		correct.Truncation[float64]{RhoBar: rho, CBar: c, RhoBarPG: rho, Lambda: u.Lambda, LeakRho: 1, LeakC: 1},
		correct.AdvantageVTrace)
	return Targets{out.VS, out.Advantage}
}

// longest is the length of the longest drawn unroll, in steps.
const longest = 10

// unrolls draws n unrolls for each group from a seed.
func (p *Program) unrolls(seed [32]byte, n int) (all []Trajectory) {
	r := rand.New(rand.NewChaCha8(seed))
	for g := range p.Groups {
		for range n {
			all = append(all, p.Groups[g].draw(r))
		}
	}
	return all
}

func (g *Group) draw(r *rand.Rand) Trajectory {
	steps := 2 + r.IntN(longest-1)
	few := func(x float64) float64 { return math.Round(x*1e4) / 1e4 } // few digits, for people to read
	gamma := []float64{.8, .9, .97, .99}[r.IntN(4)]
	u := Trajectory{Bootstrap: few(2 * r.NormFloat64()), Lambda: g.Lambda[r.IntN(len(g.Lambda))]}
	u.RhoBar, u.CBar = ceiling(g.Rho[r.IntN(len(g.Rho))]), ceiling(g.C[r.IntN(len(g.C))])
	for range steps {
		ratio := few(math.Exp(r.NormFloat64()))
		if g.Zero && r.IntN(5) == 0 {
			ratio = 0
		}
		u.Reward, u.Value = append(u.Reward, few(r.NormFloat64())), append(u.Value, few(2*r.NormFloat64()))
		u.Discount, u.Ratio = append(u.Discount, gamma), append(u.Ratio, ratio)
	}
	if g.Ends {
		for range 1 + r.IntN(2) {
			u.Discount[1+r.IntN(steps-1)] = 0
		}
	}
	return u
}

func ceiling(x float64) Ceiling {
	if math.IsInf(x, 1) {
		return nil
	}
	return &x
}

// Inputs are the unrolls for a student's program.
type Inputs struct {
	Draw    string       `json:"draw" doc:"Send it with the targets: it names these unrolls."`
	Unrolls []Trajectory `json:"unrolls"`
}

// PublicDraw names the unrolls of the public check.
const PublicDraw = "public"

// Inputs returns the unrolls of a hand-in, drawn from its seed.
func (p *Program) Inputs(draw string, seed [32]byte) Inputs {
	return Inputs{draw, p.unrolls(seed, p.Unrolls)}
}

// PublicInputs returns the unrolls of the public check.
func (p *Program) PublicInputs() Inputs {
	in := Inputs{Draw: PublicDraw}
	for _, s := range p.Public {
		in.Unrolls = append(in.Unrolls, s.Trajectory)
	}
	return in
}

func (*Program) asked(a *Answer) (Answer, error) {
	asked := Answer{Draw: a.Draw, Targets: a.Targets}
	switch {
	case len(a.Targets) == 0:
		return asked, errors.New("this exercise needs the targets of its unrolls: GET /rooms/CODE/unrolls/TASK returns them")
	case a.Draw == "":
		return asked, errors.New("draw is missing: send the draw that came with the unrolls")
	}
	return asked, nil
}

// compared is an answer's targets beside the right ones.
type compared struct {
	unrolls        []Trajectory
	targets, right []Targets
	within         float64
}

func (p *Program) compare(a *Answer, unrolls []Trajectory) (*compared, error) {
	if len(a.Targets) != len(unrolls) {
		return nil, fmt.Errorf("there are %d unrolls, and targets of %d", len(unrolls), len(a.Targets))
	}
	c := &compared{unrolls: unrolls, targets: a.Targets, within: p.Within}
	for i, t := range a.Targets {
		if n := len(unrolls[i].Reward); len(t.VS) != n || len(t.Advantage) != n {
			return nil, fmt.Errorf("unroll %d has %d steps, and was sent with %d vs and %d adv", i+1, n, len(t.VS),
				len(t.Advantage))
		}
		c.right = append(c.right, unrolls[i].right())
	}
	return c, nil
}

// wrong returns the last step at which unroll i differs from other targets, or −1. The last step, because a recursion
// carries an error to all steps before it.
func (c *compared) wrong(i int, part func(*Targets) []float64, other []Targets) int {
	own, theirs := part(&c.targets[i]), part(&other[i])
	for t, x := range slices.Backward(own) {
		if !(math.Abs(x-theirs[t]) <= c.within*(1+math.Abs(theirs[t]))) {
			return t
		}
	}
	return -1
}

// same reports whether a part of all targets equals the part of others.
func (c *compared) same(part func(*Targets) []float64, other []Targets) bool {
	for i := range c.unrolls {
		if c.wrong(i, part, other) >= 0 {
			return false
		}
	}
	return true
}

func values(t *Targets) []float64     { return t.VS }
func advantages(t *Targets) []float64 { return t.Advantage }

// judge judges an answer on the unrolls of a seed.
func (p *Program) judge(e *Exercise, a *Answer, by Hidden) (Verdict, error) {
	c, err := p.compare(a, p.unrolls(by.Seed, p.Unrolls))
	if err != nil {
		return Verdict{}, err
	}
	var right, wrong []string
	for g := range p.Groups {
		part, name := values, "vs"
		if p.Groups[g].Advantage {
			part, name = advantages, "adv"
		}
		fault := ""
		for i := g * p.Unrolls; i < (g+1)*p.Unrolls && fault == ""; i++ {
			fault = c.fault(i, part, name)
		}
		if fault == "" {
			right = append(right, p.Groups[g].Title)
		} else {
			wrong = append(wrong, p.Groups[g].Title+": "+fault)
		}
	}
	v := Verdict{Credit: float64(len(right)) / float64(len(p.Groups))}
	if len(wrong) == 0 {
		v.Say = e.say(facts{"credit": 1}, nil)
		return v, nil
	}
	v.Say = p.slip(c)
	if len(right) > 0 {
		v.Say += " Right: " + listed(right) + "."
	}
	v.Say = strings.TrimSpace(v.Say + " Not yet: " + strings.Join(wrong, "; ") + ".")
	return v, nil
}

// fault says where unroll i is wrong, but not the right number; "" if it is right.
func (c *compared) fault(i int, part func(*Targets) []float64, name string) string {
	t := c.wrong(i, part, c.right)
	if t < 0 {
		return ""
	}
	where := ""
	if ends := slices.Index(c.unrolls[i].Discount, 0); ends >= 0 {
		where = fmt.Sprintf(" whose episode ends after step %d", ends)
	}
	return fmt.Sprintf("in an unroll of %d steps%s, %s[%d] is wrong first, counted from the end",
		len(c.unrolls[i].Reward), where, name, t)
}

// slip returns the sentence of the first mistake that gives the same targets and advantages, or else the same wrong
// targets, or else the same wrong advantages.
func (p *Program) slip(c *compared) string {
	for _, parts := range [][]func(*Targets) []float64{{values, advantages}, {values}, {advantages}} {
		if len(parts) == 1 && c.same(parts[0], c.right) {
			continue
		}
		for _, s := range p.Slips {
			made := make([]Targets, len(c.unrolls))
			for i := range c.unrolls {
				made[i] = c.unrolls[i].spoilt(mistakes[s.Of])
			}
			if !slices.ContainsFunc(parts, func(part func(*Targets) []float64) bool { return !c.same(part, made) }) {
				return s.Say
			}
		}
	}
	return ""
}

// public judges an answer on the public unrolls and says the first error.
func (p *Program) public(_ *Exercise, a *Answer, _ *Measured) (Verdict, error) {
	if a.Draw != PublicDraw {
		return Verdict{}, fmt.Errorf("these targets are of the draw %.20q; a check is of %q", a.Draw, PublicDraw)
	}
	c, err := p.compare(a, p.PublicInputs().Unrolls)
	if err != nil {
		return Verdict{}, err
	}
	for i, s := range p.Public {
		inValues := c.fault(i, values, "vs")
		fault := inValues
		if fault == "" {
			fault = c.fault(i, advantages, "adv")
		}
		if fault == "" {
			continue
		}
		say := s.Title + ": " + fault + "."
		if like, err := Named(s.Like); err == nil && inValues != "" {
			if known := like.Numbers.slip(c.targets[i].VS); known != "" {
				say = s.Title + ": " + known
			}
		}
		return Verdict{Credit: float64(i) / float64(len(p.Public)), Say: say}, nil
	}
	return Verdict{Credit: 1, Say: "Right on the public unrolls: hand it in, and it is judged on others."}, nil
}

package exercise

// Writing V-trace. Whoever does it is judged on unrolls drawn anew for every hand-in, against what the learner itself
// computes: as formulas, which are computed here, or as numbers, which a program of the student's own has computed from
// unrolls that it was sent. A program that somebody writes is never run here.

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"impalab/learner/correct"
	"impalab/server/formula"
)

// Program is judged by what a student's formulas, or a program elsewhere, make of unrolls.
type Program struct {
	Start  string  `yaml:"start"` // the text to go on from
	Within float64 `yaml:"within"`
	Draw   Drawn   `yaml:"draw"` // unrolls for each group
	Public []Shown `yaml:"public"`
	Groups []Group `yaml:"groups"` // each worth the same
	Slips  []Sign  `yaml:"slips"`  // the first that fits is what is said
}

// Drawn is how many unrolls are drawn for each group: fewer where they travel.
type Drawn struct {
	Formulas int `yaml:"formulas"`
	Numbers  int `yaml:"numbers"`
}

// Shown is an unroll that everybody may know.
type Shown struct {
	Title      string `yaml:"title"`
	Like       string `yaml:"like"` // an exercise of numbers with the same unroll: its slips name what is wrong
	Trajectory `yaml:",inline"`
}

// Group is a part of what is judged.
type Group struct {
	Title     string    `yaml:"title"`
	Advantage bool      `yaml:"advantage"` // the advantages are judged, and not the targets
	Ends      bool      `yaml:"ends"`      // an episode ends inside
	Zero      bool      `yaml:"zero"`      // some ratios are 0
	Rho       []float64 `yaml:"rho"`       // one of them is drawn
	C         []float64 `yaml:"c"`
	Lambda    []float64 `yaml:"lambda"`
}

// Sign is a mistake that can be told by the numbers it makes.
type Sign struct {
	Of  string `yaml:"of"` // one of mistakes
	Say string `yaml:"say"`
}

// Trajectory is an unroll of T steps, and how they are to be corrected.
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

// Ceiling is nil where there is none.
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

// Targets are what V-trace makes of an unroll: v_t and A_t, both as long as it.
type Targets struct {
	VS        []float64 `json:"vs"`
	Advantage []float64 `json:"adv"`
}

// right is what the learner computes, with A_t = r_t + γ_t·v_{t+1} − V_t.
func (u *Trajectory) right() Targets {
	rho, c := u.bars()
	out := correct.NewTargets[float64](len(u.Reward), 1)
	correct.VTrace(out, &correct.Unroll[float64]{T: len(u.Reward), B: 1, Reward: u.Reward, Discount: u.Discount,
		Value: u.Value, Bootstrap: []float64{u.Bootstrap}, Ratio: u.Ratio},
		correct.Truncation[float64]{RhoBar: rho, CBar: c, RhoBarPG: rho, Lambda: u.Lambda, LeakRho: 1, LeakC: 1},
		correct.AdvantageVTrace)
	return Targets{out.VS, out.Advantage}
}

// longest is how many steps an unroll that is drawn may have.
const longest = 10

// unrolls draws n for each group, which follow from a seed.
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
	few := func(x float64) float64 { return math.Round(x*1e4) / 1e4 } // so that it can be read
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

// given are the names that formulas may use. V has one value more than there are steps: the last is the bootstrap.
var given = formula.Given{
	Numbers: []string{"T", "rhoBar", "cBar", "lambda"},
	Series:  []string{"r", "discount", "V", "is"},
	Also: map[string]string{"ρ̄": "rhoBar", "c̄": "cBar", "λ": "lambda", "γ": "discount", "v": "V", "IS": "is",
		"rho_bar": "rhoBar", "c_bar": "cBar", "gamma": "discount"},
}

// steps is how many of them the formulas of one answer may take in all: the double sum takes a third of that.
const steps = 4_000_000

// compute has formulas compute the targets of unrolls, and says how many steps were left. Where one fails, its error
// stands for it.
func compute(text string, of []Trajectory) (all []Targets, failed []error, left int, err error) {
	p, err := formula.Compile(text, given)
	if err == nil && (!p.Has("vs", 1) || !p.Has("adv", 1)) {
		err = errors.New("say what vs[t] and adv[t] are: the targets and the advantages")
	}
	if err != nil {
		return nil, nil, 0, err
	}
	left = steps
	for i := range of {
		u := &of[i]
		rho, c := u.bars()
		n := len(u.Reward)
		m := p.On([]float64{float64(n), rho, c, u.Lambda}, [][]float64{u.Reward, u.Discount,
			append(slices.Clone(u.Value), u.Bootstrap), u.Ratio}, &left)
		out := Targets{make([]float64, n), make([]float64, n)}
		var fault error
		for t := range n {
			for _, part := range []struct {
				name string
				into []float64
			}{{"vs", out.VS}, {"adv", out.Advantage}} {
				x, err := m.At(part.name, float64(t))
				if err != nil && fault == nil {
					fault = err
				}
				if part.into[t] = x; err != nil {
					part.into[t] = math.NaN()
				}
			}
		}
		all, failed = append(all, out), append(failed, fault)
	}
	return all, failed, left, nil
}

// Inputs are unrolls that a student's own program computes the targets of.
type Inputs struct {
	Draw    string       `json:"draw" doc:"To be sent with the targets: it names these unrolls."`
	Unrolls []Trajectory `json:"unrolls"`
}

// PublicDraw names the unrolls that everybody may know.
const PublicDraw = "public"

// Inputs are the unrolls for a hand-in, by its seed.
func (p *Program) Inputs(draw string, seed [32]byte) Inputs {
	return Inputs{draw, p.unrolls(seed, p.Draw.Numbers)}
}

// PublicInputs are those that everybody may know.
func (p *Program) PublicInputs() Inputs {
	in := Inputs{Draw: PublicDraw}
	for _, s := range p.Public {
		in.Unrolls = append(in.Unrolls, s.Trajectory)
	}
	return in
}

// written is what an answer came to on unrolls.
type written struct {
	unrolls []Trajectory
	targets []Targets
	failed  []error
	right   []Targets
	within  float64
}

// of computes formulas, or takes the numbers that a program has computed.
func (p *Program) of(a *Answer, unrolls []Trajectory) (*written, error) {
	w := &written{unrolls: unrolls, within: p.Within}
	if a.Text != "" {
		var err error
		if w.targets, w.failed, _, err = compute(a.Text, unrolls); err != nil {
			return nil, err
		}
	} else {
		if len(a.Targets) != len(unrolls) {
			return nil, fmt.Errorf("there are %d unrolls, and targets of %d", len(unrolls), len(a.Targets))
		}
		for i, t := range a.Targets {
			if n := len(unrolls[i].Reward); len(t.VS) != n || len(t.Advantage) != n {
				return nil, fmt.Errorf("unroll %d has %d steps, and was sent with %d vs and %d adv", i+1, n, len(t.VS),
					len(t.Advantage))
			}
		}
		w.targets, w.failed = a.Targets, make([]error, len(unrolls))
	}
	for i := range unrolls {
		w.right = append(w.right, unrolls[i].right())
	}
	return w, nil
}

// check refuses what is no answer at all, before it costs a turn.
func (p *Program) check(a *Answer) error {
	switch {
	case (a.Text == "") == (len(a.Targets) == 0):
		return errors.New("this exercise wants formulas, or the targets of the unrolls that it gives, and not both")
	case a.Text == "" && a.Draw == "":
		return errors.New("say of which draw these targets are: the unrolls come with its name")
	case a.Text == "":
		return nil
	}
	_, _, _, err := compute(a.Text, nil)
	return err
}

func (w *written) near(x, y float64) bool { return math.Abs(x-y) <= w.within*(1+math.Abs(y)) }

// off is the first place, from the end, at which unroll i differs from what it is held against, or −1. From the end,
// because a recursion carries what is wrong to all places before.
func (w *written) off(i int, of func(*Targets) []float64, against []Targets) int {
	own, other := of(&w.targets[i]), of(&against[i])
	for t := len(own) - 1; t >= 0; t-- {
		if !w.near(own[t], other[t]) {
			return t
		}
	}
	return -1
}

func values(t *Targets) []float64     { return t.VS }
func advantages(t *Targets) []float64 { return t.Advantage }

// judge judges an answer on the unrolls of a seed.
func (p *Program) judge(e *Exercise, a *Answer, seed [32]byte) (Verdict, error) {
	n := p.Draw.Formulas
	if a.Text == "" {
		n = p.Draw.Numbers
	}
	w, err := p.of(a, p.unrolls(seed, n))
	if err != nil {
		return Verdict{}, err
	}
	var right, wrong, why []string // why: what is wrong, once for all groups where it is the same
	for g := range p.Groups {
		part, name := values, "vs"
		if p.Groups[g].Advantage {
			part, name = advantages, "adv"
		}
		fault := ""
		for i := g * n; i < (g+1)*n && fault == ""; i++ {
			fault = w.fault(i, part, name)
		}
		if fault == "" {
			right = append(right, p.Groups[g].Title)
		} else {
			wrong, why = append(wrong, p.Groups[g].Title), append(why, fault)
		}
	}
	v := Verdict{Credit: float64(len(right)) / float64(len(p.Groups))}
	if len(wrong) == 0 {
		v.Say = e.say(facts{"credit": 1}, nil)
		return v, nil
	}
	v.Say = p.slip(w)
	if len(right) > 0 {
		v.Say += " Right: " + listed(right) + "."
	}
	if slices.IndexFunc(why, func(fault string) bool { return fault != why[0] }) < 0 {
		wrong, why = []string{listed(wrong)}, why[:1]
	}
	for i := range wrong {
		wrong[i] += ": " + why[i]
	}
	v.Say = strings.TrimSpace(v.Say + " Not yet: " + strings.Join(wrong, "; ") + ".")
	return v, nil
}

// fault says what is wrong with an unroll, without telling what is right; "" where nothing is.
func (w *written) fault(i int, part func(*Targets) []float64, name string) string {
	if w.failed[i] != nil {
		return strings.TrimSuffix(w.failed[i].Error(), ".")
	}
	t := w.off(i, part, w.right)
	if t < 0 {
		return ""
	}
	where := ""
	if ends := slices.Index(w.unrolls[i].Discount, 0); ends >= 0 {
		where = fmt.Sprintf(" whose episode ends after step %d", ends)
	}
	return fmt.Sprintf("in an unroll of %d steps%s, %s[%d] is wrong first, counted from the end",
		len(w.unrolls[i].Reward), where, name, t)
}

// slip is what is said of the first mistake that makes the same numbers: of targets and advantages, or of one of them
// where the other is of another mistake.
func (p *Program) slip(w *written) string {
	for _, parts := range [][]func(*Targets) []float64{{values, advantages}, {values}, {advantages}} {
		if len(parts) == 1 && w.same(parts[0], w.right) {
			continue
		}
		for _, s := range p.Slips {
			made := make([]Targets, len(w.unrolls))
			for i := range w.unrolls {
				made[i] = mistakes[s.Of](&w.unrolls[i])
			}
			if !slices.ContainsFunc(parts, func(part func(*Targets) []float64) bool { return !w.same(part, made) }) {
				return s.Say
			}
		}
	}
	return ""
}

// same reports whether a part of all targets is that of others. What could not be computed is like nothing.
func (w *written) same(part func(*Targets) []float64, as []Targets) bool {
	for i := range w.unrolls {
		if w.failed[i] != nil || w.off(i, part, as) >= 0 {
			return false
		}
	}
	return true
}

// public judges an answer on the unrolls that everybody may know: the first that is wrong is what is said.
func (p *Program) public(a *Answer) (Verdict, error) {
	if a.Text == "" && a.Draw != PublicDraw {
		return Verdict{}, fmt.Errorf("these targets are of the draw %.20q; a check is of %q", a.Draw, PublicDraw)
	}
	w, err := p.of(a, p.PublicInputs().Unrolls)
	if err != nil {
		return Verdict{}, err
	}
	for i, s := range p.Public {
		fault := w.fault(i, values, "vs")
		if fault == "" {
			fault = w.fault(i, advantages, "adv")
		}
		if fault == "" {
			continue
		}
		say := fmt.Sprintf("%s: %s.", s.Title, fault)
		if like, err := Named(s.Like); err == nil && w.failed[i] == nil {
			if known := like.Numbers.slip(w.targets[i].VS); known != "" && w.off(i, values, w.right) >= 0 {
				say = s.Title + ": " + known
			}
		}
		return Verdict{Credit: float64(i) / float64(len(p.Public)), Say: say}, nil
	}
	say := "Right on the unrolls that everybody knows: hand it in, and it is judged on others."
	return Verdict{Credit: 1, Say: say}, nil
}

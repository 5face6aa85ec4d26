package exercise

// Usual mistakes in V-trace, as code: a wrong program shows its mistake by its numbers.

import "slices"

// recursion is V-trace with replaceable parts. The zero value is right.
type recursion struct {
	rho       func(u *Trajectory, t int) float64 // the weight of δ_t; nil: min(ρ̄, IS_t)
	c         func(u *Trajectory, t int) float64 // the weight of the carry; nil: λ·min(c̄, IS_t)
	discount  func(u *Trajectory, t int) float64 // γ_t; nil: the unroll's
	carry     func(u *Trajectory, next, value float64) float64
	noEnd     bool // V(x_T) counts as 0
	flat      bool // the carry is not discounted
	advantage func(u *Trajectory, t int, discount, vs, next, value float64) float64
}

// mistakes has the names that files use.
var mistakes = map[string]func(*Trajectory) Targets{
	"rho-uncut":     (&recursion{rho: ratio}).run,
	"c-uncut":       (&recursion{c: func(u *Trajectory, t int) float64 { return u.Lambda * u.Ratio[t] }}).run,
	"no-ratios":     (&recursion{rho: one, c: one}).run,
	"exchanged":     (&recursion{rho: cut, c: ofRho}).run,
	"rho-carries":   (&recursion{c: ofRho}).run,
	"c-is-one":      (&recursion{c: func(u *Trajectory, t int) float64 { return u.Lambda * min(1, u.Ratio[t]) }}).run,
	"no-lambda":     (&recursion{c: cut}).run,
	"lambda-on-rho": (&recursion{rho: func(u *Trajectory, t int) float64 { return u.Lambda * ofRho(u, t) }}).run,
	"next-c": (&recursion{c: func(u *Trajectory, t int) float64 {
		return u.Lambda * cut(u, min(t+1, len(u.Ratio)-1))
	}}).run,
	"carry-v":        (&recursion{carry: func(_ *Trajectory, next, _ float64) float64 { return next }}).run,
	"no-bootstrap":   (&recursion{noEnd: true}).run,
	"flat-carry":     (&recursion{flat: true}).run,
	"one-gamma":      (&recursion{discount: func(u *Trajectory, _ int) float64 { return slices.Max(u.Discount) }}).run,
	"advantage-of-v": (&recursion{advantage: ofDelta}).run,
	"advantage-gap":  (&recursion{advantage: ofGap}).run,
	"advantage-rho":  (&recursion{advantage: weighted}).run,
}

func one(*Trajectory, int) float64       { return 1 }
func ratio(u *Trajectory, t int) float64 { return u.Ratio[t] }

func ofRho(u *Trajectory, t int) float64 {
	rho, _ := u.bars()
	return min(rho, u.Ratio[t])
}

// cut returns min(c̄, IS_t).
func cut(u *Trajectory, t int) float64 {
	_, c := u.bars()
	return min(c, u.Ratio[t])
}

func ofDelta(u *Trajectory, t int, discount, _, _, value float64) float64 {
	return u.Reward[t] + discount*value - u.Value[t]
}

func ofGap(u *Trajectory, t int, _, vs, _, _ float64) float64 { return vs - u.Value[t] }

func weighted(u *Trajectory, t int, discount, _, next, _ float64) float64 {
	return ofRho(u, t) * (u.Reward[t] + discount*next - u.Value[t])
}

// run computes an unroll from its end.
func (m *recursion) run(u *Trajectory) Targets {
	n := len(u.Reward)
	out := Targets{make([]float64, n), make([]float64, n)}
	value := u.Bootstrap // V_{t+1}
	if m.noEnd {
		value = 0
	}
	next := value // v_{t+1}
	for t := n - 1; t >= 0; t-- {
		rhoBar, cBar := u.bars()
		rho, c, discount := min(rhoBar, u.Ratio[t]), u.Lambda*min(cBar, u.Ratio[t]), u.Discount[t]
		if m.rho != nil {
			rho = m.rho(u, t)
		}
		if m.c != nil {
			c = m.c(u, t)
		}
		if m.discount != nil {
			discount = m.discount(u, t)
		}
		carry := next - value
		if m.carry != nil {
			carry = m.carry(u, next, value)
		}
		along := discount
		if m.flat {
			along = 1
		}
		out.VS[t] = u.Value[t] + rho*(u.Reward[t]+discount*value-u.Value[t]) + along*c*carry
		out.Advantage[t] = u.Reward[t] + discount*next - u.Value[t]
		if m.advantage != nil {
			out.Advantage[t] = m.advantage(u, t, discount, out.VS[t], next, value)
		}
		value, next = u.Value[t], out.VS[t]
	}
	return out
}

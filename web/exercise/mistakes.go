package exercise

// Usual mistakes in V-trace, as code: a wrong program shows its mistake by its numbers.

import "slices"

// term is a step of V-trace: v_t = V_t + ρ·(r_t + γ_t·V_{t+1} − V_t) + along·c·carry, and the parts of A_t.
type term struct {
	rhoBar, cBar float64
	ratio        float64
	rho, c       float64
	discount     float64 // γ_t
	value, next  float64 // V_{t+1} and v_{t+1}
	carry        float64
	along        float64 // γ_t of the carry

	weight float64 // of A_t
	target float64 // of A_t, in place of v_{t+1}
	gap    bool    // A_t is v_t − V_t
}

// mistakes has the names that files use. Each spoils step t of an unroll.
var mistakes = map[string]func(u *Trajectory, t int, x *term){
	"rho-uncut":      func(u *Trajectory, t int, x *term) { x.rho = x.ratio },
	"c-uncut":        func(u *Trajectory, t int, x *term) { x.c = u.Lambda * x.ratio },
	"no-ratios":      func(u *Trajectory, t int, x *term) { x.rho, x.c = 1, 1 },
	"exchanged":      func(u *Trajectory, t int, x *term) { x.rho, x.c = min(x.cBar, x.ratio), x.rho },
	"rho-carries":    func(u *Trajectory, t int, x *term) { x.c = x.rho },
	"c-is-one":       func(u *Trajectory, t int, x *term) { x.c = u.Lambda * min(1, x.ratio) },
	"no-lambda":      func(u *Trajectory, t int, x *term) { x.c = min(x.cBar, x.ratio) },
	"lambda-on-rho":  func(u *Trajectory, t int, x *term) { x.rho *= u.Lambda },
	"carry-v":        func(u *Trajectory, t int, x *term) { x.carry = x.next },
	"flat-carry":     func(u *Trajectory, t int, x *term) { x.along = 1 },
	"one-gamma":      func(u *Trajectory, t int, x *term) { x.discount = slices.Max(u.Discount); x.along = x.discount },
	"advantage-of-v": func(u *Trajectory, t int, x *term) { x.target = x.value },
	"advantage-gap":  func(u *Trajectory, t int, x *term) { x.gap = true },
	"advantage-rho":  func(u *Trajectory, t int, x *term) { x.weight = x.rho },
	"next-c": func(u *Trajectory, t int, x *term) {
		x.c = u.Lambda * min(x.cBar, u.Ratio[min(t+1, len(u.Ratio)-1)])
	},
	"no-bootstrap": func(u *Trajectory, t int, x *term) {
		if t == len(u.Reward)-1 {
			x.value, x.next, x.target, x.carry = 0, 0, 0, 0
		}
	},
}

// spoilt computes an unroll from its end, with a mistake at each step.
func (u *Trajectory) spoilt(mistake func(*Trajectory, int, *term)) Targets {
	n := len(u.Reward)
	out := Targets{make([]float64, n), make([]float64, n)}
	value, next := u.Bootstrap, u.Bootstrap // V_{t+1} and v_{t+1}
	for t := n - 1; t >= 0; t-- {
		x := term{ratio: u.Ratio[t], discount: u.Discount[t], value: value, next: next, carry: next - value,
			along: u.Discount[t], weight: 1, target: next}
		x.rhoBar, x.cBar = u.bars()
		x.rho, x.c = min(x.rhoBar, x.ratio), u.Lambda*min(x.cBar, x.ratio)
		mistake(u, t, &x)
		out.VS[t] = u.Value[t] + x.rho*(u.Reward[t]+x.discount*x.value-u.Value[t]) + x.along*x.c*x.carry
		out.Advantage[t] = x.weight * (u.Reward[t] + x.discount*x.target - u.Value[t])
		if x.gap {
			out.Advantage[t] = out.VS[t] - u.Value[t]
		}
		value, next = u.Value[t], out.VS[t]
	}
	return out
}

package algo

import (
	"math"

	"impalab/internal/oracle"
	"impalab/learner/correct"
	"impalab/learner/loss"
	"impalab/learner/optim"
)

// The whole of STAC's Algorithm 2 in float64 on any small model, to hold against reference cases, finite
// differences and the learner itself. The model is a function of its parameters in dual numbers; its Jacobian is
// written out in full.

// dual is a number and its derivative along one direction of the parameters.
type dual struct{ v, d float64 }

func (a dual) plus(b dual) dual  { return dual{a.v + b.v, a.d + b.d} }
func (a dual) times(b dual) dual { return dual{a.v * b.v, a.d*b.v + a.v*b.d} }
func (a dual) tanh() dual {
	y := math.Tanh(a.v)
	return dual{y, (1 - y*y) * a.d}
}

// model gives a head's logits and value of one row's observation.
type model func(theta []dual, head, row int) (logits []dual, value dual)

// twinBatch is a batch in rows: steps t·B+b first, then the B bootstrap rows, then the final states of cuts.
type twinBatch struct {
	T, B, A           int
	action            []int32
	reward, mu        []float64 // μ(a_t|x_t)
	goes              []float64 // 1 while the episode continues
	cuts              []int
	counts            []float64 // steps that the losses sum over; nil: all
	online            []float64 // steps whose entropy counts; nil: all
	scale, literal    float64   // of every loss; −1 has the entropy term as printed
	rhoBar, cBar, rPG float64
}

// twinHead is the outputs of the network and of V-trace for a batch, with one head's hyperparameters.
type twinHead struct {
	jacobian  [][]float64 // [rows·(A+1)][P]: logits and value of a row
	logits    []float64
	logPi, pi []float64
	value     []float64 // all rows
	unroll    correct.Unroll[float64]
	cut       correct.Truncation[float64]
	targets   *correct.Targets[float64]
	dLogits   []float64
	dValues   []float64
	terms     terms
}

func look(f model, theta []float64, h int, b *twinBatch, zeta loss.Meta) *twinHead {
	n := b.T * b.B
	rows := n + b.B + len(b.cuts)
	x := &twinHead{jacobian: make([][]float64, rows*(b.A+1))}
	for p := range theta {
		seeded := make([]dual, len(theta))
		for i, v := range theta {
			seeded[i].v = v
		}
		seeded[p].d = 1
		for r := range rows {
			logits, value := f(seeded, h, r)
			for a, out := range append(logits, value) {
				x.jacobian[r*(b.A+1)+a] = append(x.jacobian[r*(b.A+1)+a], out.d)
				if p == 0 && a < b.A && r < n {
					x.logits = append(x.logits, out.v)
				}
			}
			if p == 0 {
				x.value = append(x.value, value.v)
			}
		}
	}
	x.logPi, x.pi = make([]float64, n*b.A), make([]float64, n*b.A)
	correct.Softmax(x.pi, x.logPi, x.logits, b.A)
	ratio, reward, discount := make([]float64, n), append([]float64(nil), b.reward...), make([]float64, n)
	for i, a := range b.action {
		ratio[i] = x.pi[i*b.A+int(a)] / b.mu[i]
		discount[i] = zeta[loss.MetaGamma] * b.goes[i]
	}
	for k, at := range b.cuts {
		correct.FoldTruncation(reward, discount, at, zeta[loss.MetaGamma], x.value[n+b.B+k])
	}
	x.cut = correct.Truncation[float64]{RhoBar: b.rhoBar, CBar: b.cBar, RhoBarPG: b.rPG, Lambda: zeta[loss.MetaLambda],
		LeakRho: zeta[loss.MetaLeakRho], LeakC: zeta[loss.MetaLeakC]}
	x.unroll = correct.Unroll[float64]{T: b.T, B: b.B, Reward: reward, Discount: discount, Value: x.value[:n],
		Bootstrap: x.value[n:][:b.B], Ratio: ratio}
	x.targets = correct.NewTargets[float64](b.T, b.B)
	correct.VTrace(x.targets, &x.unroll, x.cut, correct.AdvantageVTrace)
	for i := range b.counts {
		x.targets.Weight[i] *= b.counts[i]
	}
	x.dLogits, x.dValues = make([]float64, n*b.A), make([]float64, n)
	x.terms.policy = loss.PolicyGradient(x.dLogits, x.policy(b), b.action, x.targets.Weight, x.targets.Advantage, 0,
		b.scale*zeta[loss.MetaPolicyCost])
	x.terms.value = loss.Value(x.dValues, x.value[:n], x.targets.VS, b.counts, b.scale*zeta[loss.MetaValueCost])
	x.terms.entropy = loss.Entropy(x.dLogits, x.policy(b), b.entropyRows(), b.scale*b.literal*zeta[loss.MetaEntropyCost])
	return x
}

func (x *twinHead) policy(b *twinBatch) loss.Policy[float64] {
	return loss.Policy[float64]{Prob: x.pi, LogProb: x.logPi, Actions: b.A}
}

func (b *twinBatch) entropyRows() []float64 {
	if b.online != nil {
		return b.online
	}
	return b.counts
}

// pull is Jᵀ·(dLogits, dValues); push is J·u.
func (x *twinHead) pull(b *twinBatch, dLogits, dValues []float64) []float64 {
	grad := make([]float64, len(x.jacobian[0]))
	for i := range dValues {
		for a := range b.A + 1 {
			c := dValues[i]
			if a < b.A {
				c = dLogits[i*b.A+a]
			}
			for p, j := range x.jacobian[i*(b.A+1)+a] {
				grad[p] += c * j
			}
		}
	}
	return grad
}

func (x *twinHead) push(b *twinBatch, u []float64) (tLogits, tValues []float64) {
	for i := range x.dValues {
		for a := range b.A + 1 {
			sum := 0.0
			for p, j := range x.jacobian[i*(b.A+1)+a] {
				sum += j * u[p]
			}
			if a < b.A {
				tLogits = append(tLogits, sum)
			} else {
				tValues = append(tValues, sum)
			}
		}
	}
	return tLogits, tValues
}

// meta is ∂/∂ζ of this head's inner loss along u.
func (x *twinHead) meta(b *twinBatch, u []float64, zeta loss.Meta) loss.Meta {
	slopes := correct.NewTargetSlopes[float64](b.T, b.B)
	gamma := correct.GammaSlope[float64]{Reward: make([]float64, b.T*b.B), Discount: append([]float64(nil), b.goes...)}
	for k, at := range b.cuts {
		gamma.Reward[at], gamma.Discount[at] = x.value[b.T*b.B+b.B+k], 0
	}
	correct.VTraceSlopes(slopes, x.targets, &x.unroll, gamma, x.cut, correct.AdvantageVTrace)
	for i := range b.counts {
		slopes.Weight[i] *= b.counts[i]
	}
	tLogits, tValues := x.push(b, u)
	motion := loss.Motion[float64]{LogProb: make([]float64, b.T*b.B), Value: tValues, Entropy: make([]float64, b.T*b.B)}
	loss.Move(motion, x.policy(b), b.action, tLogits)
	out := loss.MetaGradient(&loss.Terms[float64]{
		Weight: x.targets.Weight, Advantage: x.targets.Advantage, Target: x.targets.VS, Value: x.value[:b.T*b.B],
		DWeight: slopes.Weight, DAdvantage: slopes.Advantage, DTarget: slopes.VS, Mask: b.counts, Count: b.entropyRows(),
	}, motion, zeta[loss.MetaValueCost], zeta[loss.MetaPolicyCost], zeta[loss.MetaEntropyCost])
	out[loss.MetaEntropyCost] *= b.literal
	for k := range out {
		out[k] *= b.scale
	}
	return out
}

// twin is one iteration: θ', and how the two parts of the outer loss depend on every head's ζ.
type twin struct {
	heads    []*twinHead
	grad     []float64 // ∇L_inner, averaged over heads
	next, nu []float64
	outer    *twinHead
	kl       float64

	byOuter, byKL []loss.Meta
}

// rule steps theta (and its own memory nu) along grad, and writes ∂θ'/∂g into slope.
type rule func(theta, nu, grad, slope []float64)

func sgd(lr float64) rule {
	return func(theta, _, grad, slope []float64) {
		for i, g := range grad {
			theta[i] -= lr * g
			slope[i] = -lr
		}
	}
}

func rmsprop(lr, decay, eps float64) rule {
	return func(theta, nu, grad, slope []float64) {
		oracle.StepRMSProp(theta, nu, make([]float64, len(theta)), grad, lr, decay, eps, 0)
		optim.JacobianRMSProp(slope, nu, grad, lr, decay, eps)
	}
}

func iterate(f model, theta, nu []float64, zetas []loss.Meta, zeta loss.Meta, b *twinBatch, step rule,
	clip float64) *twin {
	w := &twin{grad: make([]float64, len(theta)), next: append([]float64(nil), theta...),
		nu: append([]float64(nil), nu...)}
	for h, z := range zetas {
		x := look(f, theta, h, b, z)
		w.heads = append(w.heads, x)
		for p, g := range x.pull(b, x.dLogits, x.dValues) {
			w.grad[p] += g / float64(len(zetas))
		}
	}
	clipped, slope := append([]float64(nil), w.grad...), make([]float64, len(theta))
	norm := oracle.ClipNorm(clipped, clip)
	step(w.next, w.nu, clipped, slope)

	w.outer = look(f, w.next, 0, b, zeta)
	dKL, still := make([]float64, len(w.outer.dLogits)), make([]float64, b.T*b.B)
	fixed := append([]float64(nil), w.heads[0].logPi...)
	for i := range b.counts {
		if b.counts[i] == 0 { // a step that is not counted stays where it is
			copy(fixed[i*b.A:][:b.A], w.outer.logPi[i*b.A:][:b.A])
		}
	}
	w.kl = loss.KLFrom(dKL, w.outer.policy(b), fixed, b.scale)
	through := func(pull []float64) (out []loss.Meta) {
		u := append([]float64(nil), slope...)
		for p := range u {
			u[p] *= pull[p]
		}
		optim.PullClip(u, clipped, norm, clip)
		for h, x := range w.heads {
			m := x.meta(b, u, zetas[h])
			for k := range m {
				m[k] /= float64(len(w.heads))
			}
			out = append(out, m)
		}
		return out
	}
	w.byOuter = through(w.outer.pull(b, w.outer.dLogits, w.outer.dValues))
	w.byKL = through(w.outer.pull(b, dKL, still))
	return w
}

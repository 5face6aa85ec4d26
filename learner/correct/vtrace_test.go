package correct

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

var inf = math.Inf(1)

// oracle is the double sum as printed: IMPALA eq. 1 with STAC's leaky weights and LASER's mask
// (eq. 8), one trajectory and one start at a time.
//
//	v_s = V(x_s) + Σ_{t≥s} γ_s…γ_{t−1} (Π_{i=s}^{t−1} m_i c_i) m_t ρ_t (r_t + γ_t V(x_{t+1}) − V(x_t))
func oracle(in *Unroll[float64], clip Truncation[float64], s, b int) float64 {
	mixed := func(alpha, bar, is float64) float64 {
		switch alpha {
		case 0:
			return is
		case 1:
			return math.Min(bar, is)
		}
		return alpha*math.Min(bar, is) + (1-alpha)*is
	}
	at := func(x []float64, t int) float64 { return x[t*in.B+b] }
	value := func(t int) float64 {
		if t == in.T {
			return in.Bootstrap[b]
		}
		return at(in.Value, t)
	}
	if s == in.T {
		return value(s)
	}
	v := value(s)
	for t := s; t < in.T; t++ {
		product := 1.0
		for i := s; i < t; i++ {
			product *= at(in.Discount, i) * at(in.Mask, i) * clip.Lambda * mixed(clip.LeakC, clip.CBar, at(in.Ratio, i))
		}
		rho := mixed(clip.LeakRho, clip.RhoBar, at(in.Ratio, t))
		v += product * at(in.Mask, t) * rho * (at(in.Reward, t) + at(in.Discount, t)*value(t+1) - value(t))
	}
	return v
}

func randomUnroll(rng *rand.Rand, T, B int) *Unroll[float64] {
	n := T * B
	in := &Unroll[float64]{T: T, B: B, Mask: make([]float64, n)}
	for range n {
		in.Reward = append(in.Reward, rng.NormFloat64())
		in.Value = append(in.Value, 3*rng.NormFloat64())
		in.Ratio = append(in.Ratio, math.Exp(rng.NormFloat64()))
		discount := rng.Float64()
		if rng.IntN(6) == 0 {
			discount = 0
		}
		in.Discount = append(in.Discount, discount)
	}
	for range B {
		in.Bootstrap = append(in.Bootstrap, rng.NormFloat64())
	}
	for i := range in.Mask {
		if rng.IntN(5) > 0 {
			in.Mask[i] = 1
		}
		if rng.IntN(10) == 0 {
			in.Ratio[i] = 0
		}
	}
	return in
}

func randomCut(rng *rand.Rand) Truncation[float64] {
	pick := func(from ...float64) float64 { return from[rng.IntN(len(from))] }
	level := func() float64 { return pick(0, inf, 1, 2*rng.Float64()) }
	share := func() float64 { return pick(0, 1, rng.Float64()) }
	return Truncation[float64]{level(), level(), level(), share(), share(), share()}
}

func TestRecursionIsTheDoubleSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 4000 {
		T, B := 1+rng.IntN(8), 1+rng.IntN(3)
		in, clip := randomUnroll(rng, T, B), randomCut(rng)
		out := NewTargets[float64](T, B)
		for _, adv := range []Advantage{AdvantageVTrace, AdvantageBootstrap, AdvantageLASER} {
			VTrace(out, in, clip, adv)
			for s := range T {
				for b := range B {
					i := s*B + b
					v, next, valueNext := oracle(in, clip, s, b), oracle(in, clip, s+1, b), in.Bootstrap[b]
					if s+1 < T {
						valueNext = in.Value[i+B]
					}
					a := map[Advantage]float64{
						AdvantageVTrace:    in.Reward[i] + in.Discount[i]*next - in.Value[i],
						AdvantageBootstrap: in.Reward[i] + in.Discount[i]*valueNext - in.Value[i],
						AdvantageLASER:     v - in.Value[i],
					}[adv]
					if !near(out.VS[i], v, 1e-9) || !near(out.Advantage[i], a, 1e-9) {
						t.Fatalf("%+v, %v at t=%d b=%d: v %v, A %v; the sum gives %v, %v", clip, adv, s, b, out.VS[i], out.Advantage[i],
							v, a)
					}
				}
			}
		}
	}
}

func near(got, want, tol float64) bool { return math.Abs(got-want) <= tol*(1+math.Abs(want)) }

// draw makes a random unroll and truncation that rapid can shrink by seed and size.
func draw(t *rapid.T) (*Unroll[float64], Truncation[float64], *rand.Rand) {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
	T, B := rapid.IntRange(1, 12).Draw(t, "T"), rapid.IntRange(1, 4).Draw(t, "B")
	return randomUnroll(rng, T, B), randomCut(rng), rng
}

func same(t *rapid.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if !near(got[i], want[i], 1e-9) {
			t.Fatalf("%s: [%d] = %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestOnPolicyIsNStepReturn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, clip, rng := draw(t)
		in.Mask, in.Ratio = nil, ones[float64](in.T*in.B)
		clip.RhoBar, clip.CBar, clip.Lambda = 1+rng.Float64(), 1+rng.Float64(), 1
		out := NewTargets[float64](in.T, in.B)
		VTrace(out, in, clip, AdvantageVTrace)
		returns := make([]float64, in.T*in.B) // G_t = r_t + γ_t·G_{t+1}, G_T = bootstrap
		for b := range in.B {
			g := in.Bootstrap[b]
			for i := (in.T-1)*in.B + b; i >= 0; i -= in.B {
				g = in.Reward[i] + in.Discount[i]*g
				returns[i] = g
			}
		}
		same(t, "V-trace", out.VS, returns)
		NStep(out, in, AdvantageVTrace)
		same(t, "NStep", out.VS, returns)
	})
}

// On-policy V-trace's v − V is the generalised advantage estimate Σ_k (γλ)^k δ_{t+k}.
func TestOnPolicyVTraceIsTheGeneralisedAdvantageEstimate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, clip, rng := draw(t)
		in.Mask, in.Ratio = nil, ones[float64](in.T*in.B)
		clip.RhoBar, clip.CBar, clip.Lambda = 1, 1, rng.Float64()
		out := NewTargets[float64](in.T, in.B)
		VTrace(out, in, clip, AdvantageVTrace)
		want := make([]float64, in.T*in.B)
		for b := range in.B {
			next, sum := in.Bootstrap[b], 0.0
			for i := (in.T-1)*in.B + b; i >= 0; i -= in.B {
				sum = in.Reward[i] + in.Discount[i]*next - in.Value[i] + in.Discount[i]*clip.Lambda*sum
				next, want[i] = in.Value[i], in.Value[i]+sum
			}
		}
		same(t, "v", out.VS, want)
	})
}

func TestAlphaZeroDoesNotClip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, clip, _ := draw(t)
		got, want := NewTargets[float64](in.T, in.B), NewTargets[float64](in.T, in.B)
		clip.LeakRho, clip.LeakC = 0, 0
		VTrace(got, in, clip, AdvantageVTrace)
		clip.RhoBar, clip.CBar, clip.RhoBarPG, clip.LeakRho, clip.LeakC = inf, inf, inf, 1, 1
		VTrace(want, in, clip, AdvantageVTrace)
		same(t, "v", got.VS, want.VS)
		same(t, "weight", got.Weight, want.Weight)
	})
}

// With γ_k = 0, nothing after step k changes an earlier target, however extreme.
func TestEpisodeEndIsAWall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, clip, rng := draw(t)
		wall := rng.IntN(in.T)
		before, after := NewTargets[float64](in.T, in.B), NewTargets[float64](in.T, in.B)
		for b := range in.B {
			in.Discount[wall*in.B+b] = 0
		}
		VTrace(before, in, clip, AdvantageVTrace)
		for i := (wall + 1) * in.B; i < in.T*in.B; i++ {
			in.Reward[i], in.Value[i], in.Ratio[i] = 1e3*rng.NormFloat64(), 1e3*rng.NormFloat64(), inf
		}
		for b := range in.B {
			in.Bootstrap[b] = 1e6
		}
		VTrace(after, in, clip, AdvantageVTrace)
		end := (wall + 1) * in.B
		same(t, "v", after.VS[:end], before.VS[:end])
		same(t, "A", after.Advantage[:end], before.Advantage[:end])
	})
}

func TestMaskedStepKeepsItsValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, clip, _ := draw(t)
		out := NewTargets[float64](in.T, in.B)
		VTrace(out, in, clip, AdvantageLASER)
		for i, m := range in.Mask {
			if m == 0 && (out.VS[i] != in.Value[i] || out.Advantage[i] != 0 || out.Weight[i] != 0) {
				t.Fatalf("step %d is masked: v %v, V %v, A %v, weight %v", i, out.VS[i], in.Value[i], out.Advantage[i],
					out.Weight[i])
			}
		}
		for i := range in.Mask {
			in.Mask[i] = 1
		}
		all := NewTargets[float64](in.T, in.B)
		VTrace(out, in, clip, AdvantageVTrace)
		in.Mask = nil
		VTrace(all, in, clip, AdvantageVTrace)
		same(t, "no mask", all.VS, out.VS)
	})
}

// Two states, two actions, every trajectory of three steps enumerated: when V is exactly the value of π_ρ̄,α, the
// expected target is V for every c̄, α_c and λ. For another V it is not.
func TestExactValueMakesCBarIrrelevant(t *testing.T) {
	const T, paths, gamma = 3, 64, 0.9
	rng := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		pair := func() [2]float64 { p := 0.05 + 0.9*rng.Float64(); return [2]float64{p, 1 - p} }
		pi, mu := [2][2]float64{pair(), pair()}, [2][2]float64{pair(), pair()}
		move := [2][2][2]float64{{pair(), pair()}, {pair(), pair()}}
		reward := [2][2]float64{{rng.NormFloat64(), rng.NormFloat64()}, {rng.NormFloat64(), rng.NormFloat64()}}
		rhoBar, leak := 0.2+2*rng.Float64(), rng.Float64()

		var exact [2]float64
		for range 400 {
			var next [2]float64
			for x := range 2 {
				implied := make([]float64, 2)
				Implied(implied, logs(pi[x][:]), logs(mu[x][:]), 2, rhoBar, leak)
				for a := range 2 {
					next[x] += implied[a] * (reward[x][a] + gamma*(move[x][a][0]*exact[0]+move[x][a][1]*exact[1]))
				}
			}
			exact = next
		}

		expected := func(v [2]float64, clip Truncation[float64]) float64 {
			n := T * paths
			in := &Unroll[float64]{T: T, B: paths, Reward: make([]float64, n), Discount: make([]float64, n),
				Value: make([]float64, n), Ratio: make([]float64, n), Bootstrap: make([]float64, paths)}
			chance := make([]float64, paths)
			for b := range paths {
				x, bits := 0, b
				chance[b] = 1
				for s := range T {
					a, y := bits&1, bits>>1&1
					bits >>= 2
					i := s*paths + b
					in.Reward[i], in.Discount[i], in.Value[i], in.Ratio[i] = reward[x][a], gamma, v[x], pi[x][a]/mu[x][a]
					chance[b] *= mu[x][a] * move[x][a][y]
					x = y
				}
				in.Bootstrap[b] = v[x]
			}
			out := NewTargets[float64](T, paths)
			VTrace(out, in, clip, AdvantageVTrace)
			return sum(times(chance, out.VS[:paths]))
		}
		moved := [2]float64{exact[0] + 1, exact[1] - 1}
		var first float64
		for i, cBar := range []float64{0, 0.5, 1, inf} {
			clip := Truncation[float64]{rhoBar, cBar, rhoBar, rng.Float64(), leak, rng.Float64()}
			if got := expected(exact, clip); !near(got, exact[0], 1e-9) {
				t.Fatalf("c̄ = %v: E v = %v, V = %v", cBar, got, exact[0])
			}
			clip.Lambda, clip.LeakC = 1, 1
			if got := expected(moved, clip); i == 0 {
				first = got
			} else if near(got, first, 1e-9) {
				t.Fatalf("c̄ = %v makes no difference to a wrong V either", cBar)
			}
		}
	}
}

func TestFloat32FollowsFloat64(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, clip, _ := draw(t)
		clip.LeakRho, clip.LeakC = 1, 1
		clip.RhoBar, clip.CBar = min(clip.RhoBar, 2), min(clip.CBar, 1)
		wide, narrow := NewTargets[float64](in.T, in.B), NewTargets[float32](in.T, in.B)
		VTrace(wide, in, clip, AdvantageVTrace)
		VTrace(narrow, &Unroll[float32]{T: in.T, B: in.B, Reward: as[float32](in.Reward), Discount: as[float32](in.Discount),
			Value: as[float32](in.Value), Bootstrap: as[float32](in.Bootstrap), Ratio: as[float32](in.Ratio),
			Mask: as[float32](in.Mask)},
			Truncation[float32]{float32(clip.RhoBar), float32(clip.CBar), float32(clip.RhoBarPG), float32(clip.Lambda), 1, 1},
			AdvantageVTrace)
		for i := range wide.VS {
			if !near(float64(narrow.VS[i]), wide.VS[i], 1e-4) || !near(float64(narrow.Advantage[i]), wide.Advantage[i], 1e-4) {
				t.Fatalf("%d: %v against %v", i, narrow.VS[i], wide.VS[i])
			}
		}
	})
}

// Ratios of 0 and ∞, no truncation, ends of episodes: the results are finite, if large.
func TestNothingBecomesNaN(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 2000 {
		in := randomUnroll(rng, 12, 2)
		ratio := make([]float32, 24)
		for i := range ratio {
			ratio[i] = []float32{0, float32(inf), math.MaxFloat32, 1e20, 1}[rng.IntN(5)]
			if rng.IntN(3) == 0 { // δ = 0 exactly
				in.Reward[i], in.Value[i], in.Discount[i] = 0, 0, 0
			}
		}
		c := randomCut(rng)
		out := NewTargets[float32](12, 2)
		VTrace(out, &Unroll[float32]{T: 12, B: 2, Reward: as[float32](in.Reward), Discount: as[float32](in.Discount),
			Value: as[float32](in.Value), Bootstrap: as[float32](in.Bootstrap), Ratio: ratio, Mask: as[float32](in.Mask)},
			Truncation[float32]{float32(c.RhoBar), float32(c.CBar), float32(c.RhoBarPG), float32(c.Lambda), float32(c.LeakRho),
				float32(c.LeakC)}, AdvantageVTrace)
		for _, s := range [][]float32{out.VS, out.Advantage, out.Rho, out.C, out.Weight} {
			for _, x := range s {
				if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
					t.Fatalf("%v with %+v, ratios %v", x, c, ratio)
				}
			}
		}
	}
}

// A cut step, folded, equals the unroll that stops there and bootstraps from the final state.
func TestFoldedTruncationBootstrapsFromFinalState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, clip, rng := draw(t)
		final, gamma := rng.NormFloat64(), 0.97
		at := rng.IntN(in.T)
		for b := range in.B {
			in.Discount[at*in.B+b] = gamma
		}
		end := (at + 1) * in.B
		short := *in
		short.T, short.Bootstrap = at+1, make([]float64, in.B)
		short.Reward, short.Discount = append([]float64(nil), in.Reward[:end]...),
			append([]float64(nil), in.Discount[:end]...)
		short.Value, short.Ratio, short.Mask = in.Value[:end], in.Ratio[:end], in.Mask[:end]
		for b := range in.B {
			short.Bootstrap[b] = final
			FoldTruncation(in.Reward, in.Discount, at*in.B+b, gamma, final)
		}
		for _, adv := range []Advantage{AdvantageVTrace, AdvantageBootstrap, AdvantageLASER} {
			want, got := NewTargets[float64](at+1, in.B), NewTargets[float64](in.T, in.B)
			VTrace(want, &short, clip, adv)
			VTrace(got, in, clip, adv)
			same(t, "v", got.VS[:end], want.VS)
			same(t, "A", got.Advantage[:end], want.Advantage)
		}
	})
}

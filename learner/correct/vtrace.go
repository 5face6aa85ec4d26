// The V-trace family: one recursion for V-trace, leaky V-trace, importance sampling, n-step
// returns and LASER's trust region. They differ only in the weights that go in.
package correct

// Unroll is the recursion's input: T steps of B trajectories. The recursion does not modify it.
type Unroll[F Float] struct {
	T, B      int
	Reward    []F // [T,B]
	Discount  []F // [T,B] γ_t: γ while the episode continues, 0 if it ended at t
	Value     []F // [T,B] V(x_t)
	Bootstrap []F // [B] V(x_T)
	Ratio     []F // [T,B] IS_t; NStep does not use it
	Mask      []F // [T,B] m_t, 0 or 1; nil is all ones
}

// Advantage selects the A_t of the policy gradient.
type Advantage uint8

const (
	AdvantageVTrace    Advantage = iota // r_t + γ_t·v_{t+1} − V_t   IMPALA §4.2
	AdvantageBootstrap                  // r_t + γ_t·V_{t+1} − V_t   IMPALA appendix E.3
	AdvantageLASER                      // v_t − V_t                 LASER Algorithm 1
)

// AdvantageNames are the advantages as settings and links spell them.
var AdvantageNames = []string{AdvantageVTrace: "vtrace", AdvantageBootstrap: "bootstrap", AdvantageLASER: "laser"}

func (a Advantage) String() string { return AdvantageNames[a] }

// Targets is the recursion's output, all [T,B]. The losses treat it as constant: no gradient passes through.
type Targets[F Float] struct {
	VS        []F // v_t, the value target
	Advantage []F // A_t, not weighted
	Rho, C    []F // ρ_t, c_t as used, without the mask
	RhoPG     []F // factor of the policy gradient of step t: m_t·ρ_t with ρ̄_pg
}

// NewTargets allocates targets for T steps of B trajectories.
func NewTargets[F Float](T, B int) *Targets[F] {
	n := T * B
	room := make([]F, 5*n)
	part := func(i int) []F { return room[i*n : (i+1)*n : (i+1)*n] }
	return &Targets[F]{VS: part(0), Advantage: part(1), Rho: part(2), C: part(3), RhoPG: part(4)}
}

// VTrace computes targets and advantages of leaky V-trace with λ and mask (IMPALA eq. 1 and Remarks 1 and 2, STAC eq.
// 5, LASER eq. 8). With λ < 1 the advantage bootstraps from v_{t+1}, as in the paper, not from a mixture with V_{t+1}.
func VTrace[F Float](out *Targets[F], in *Unroll[F], clip Truncation[F], adv Advantage) {
	check(out, in)
	sameLen(len(in.Ratio), in.T*in.B)
	for i, is := range in.Ratio {
		out.Rho[i] = finite(clip.Rho(is))
		out.C[i] = finite(clip.C(is))
		out.RhoPG[i] = finite(clip.RhoPG(is))
	}
	maskWeights(out, in)
	recur(out, in, adv)
}

// NStep computes the same without any correction: every weight is 1, v_t is the n-step return.
func NStep[F Float](out *Targets[F], in *Unroll[F], adv Advantage) {
	check(out, in)
	for i := range out.Rho {
		out.Rho[i], out.C[i], out.RhoPG[i] = 1, 1, 1
	}
	maskWeights(out, in)
	recur(out, in, adv)
}

func maskWeights[F Float](out *Targets[F], in *Unroll[F]) {
	for i, m := range in.Mask {
		out.RhoPG[i] *= m
	}
}

// recur runs IMPALA's Remark 1 backwards through each trajectory. It carries v_{t+1} − V_{t+1}, because subtracting the
// two again would cost float32 its last digits.
func recur[F Float](out *Targets[F], in *Unroll[F], adv Advantage) {
	for b := range in.B {
		targetNext, valueNext := in.Bootstrap[b], in.Bootstrap[b] // v_T = V_T
		carry := F(0)                                             // v_{t+1} − V_{t+1}
		for i := (in.T-1)*in.B + b; i >= 0; i -= in.B {
			reward, discount, value := in.Reward[i], in.Discount[i], in.Value[i]

			// δ_t = r_t + γ_t·V_{t+1} − V_t
			delta := reward + discount*valueNext - value
			// v_t − V_t = m_t·( ρ_t·δ_t + γ_t·c_t·(v_{t+1} − V_{t+1}) )
			own, later := finite(out.Rho[i]*delta), finite(discount*out.C[i]*carry)
			gap := finite(own + later)
			if in.Mask != nil {
				gap *= in.Mask[i]
			}

			switch adv {
			case AdvantageVTrace:
				out.Advantage[i] = reward + discount*targetNext - value
			case AdvantageBootstrap:
				out.Advantage[i] = delta
			case AdvantageLASER:
				out.Advantage[i] = gap
			default:
				panic("correct: unknown kind of advantage")
			}
			out.VS[i] = value + gap
			targetNext, valueNext, carry = out.VS[i], value, gap
		}
	}
}

// FoldTruncation turns a step at which a time limit cut the episode into a step that the recursion treats as an end. at
// is a flat index, t·B+b. finalValue is V of the state in which the episode was cut, not of the next episode's first
// state. Call FoldTruncation again whenever V changes.
//
// The recursion is unchanged: δ_t = (r_t + γ·V(final)) + 0·V_{t+1} − V_t is the δ_t of a step into the final state, and
// 0·c_t·(v_{t+1}−V_{t+1}) is its carry, since v = V where the data end.
func FoldTruncation[F Float](reward, discount []F, at int, gamma, finalValue F) {
	reward[at] += gamma * finalValue
	discount[at] = 0
}

func check[F Float](out *Targets[F], in *Unroll[F]) {
	n := in.T * in.B
	if in.T < 1 || in.B < 1 {
		panic("correct: an unroll has at least one step and one trajectory")
	}
	sameLen(len(in.Reward), n)
	sameLen(len(in.Discount), n)
	sameLen(len(in.Value), n)
	sameLen(len(in.Bootstrap), in.B)
	if in.Mask != nil {
		sameLen(len(in.Mask), n)
	}
	sameLen(len(out.VS), n)
	sameLen(len(out.Advantage), n)
	sameLen(len(out.Rho), n)
	sameLen(len(out.C), n)
	sameLen(len(out.RhoPG), n)
}

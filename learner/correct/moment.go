package correct

import (
	"cmp"
	"slices"
)

// MomentOf says over which steps moment takes the mean, and so which it may leave out.
type MomentOf uint8

const (
	MomentOutward MomentOf = iota // steps whose update leads further away: A > 0 and w > 1, or A < 0 and w < 1
	MomentAny                     // all steps
)

// MomentOfNames are the variants as settings and links spell them.
var MomentOfNames = []string{MomentOutward: "outward", MomentAny: "any"}

func (m MomentOf) String() string { return MomentOfNames[m] }

// moments multiplies Weight by w, and by 0 at the steps with the largest (log w)², until the mean of (log w)² over the
// other steps of the variant is at most τ. Of equal ones the earlier is left out first. Steps of mask 0 do not count.
//
// MomentOutward is M2PO's algorithm 1 (arXiv:2510.01161, §5; τ .04). MomentAny is AReaL's variant: the mean stays below
// τ, and one step is always kept (_get_m2po_loss_mask in areal/trainer/ppo/actor.py, 00ed9244). There the steps left
// out leave the mean over the batch too; here they stay, as in the paper. The paper's authors published a third rule in
// their code, which bounds the ratios of all tokens at once (Infini-AI-Lab/M2PO, 4514ce22); it is not here.
func (t *Targets[F]) moments(in *Unroll[F]) {
	l := &in.Limits
	t.order, t.square = t.order[:0], t.square[:0]
	for i, w := range in.Ratio {
		log := logRatio(w)
		t.Weight[i] *= finite(w)
		t.square = append(t.square, log*log)
		a := t.Advantage[i]
		if outward := a > 0 && log > 0 || a < 0 && log < 0; (outward || l.MomentOf == MomentAny) &&
			(in.Mask == nil || in.Mask[i] != 0) {
			t.order = append(t.order, int32(i))
		}
	}
	slices.SortFunc(t.order, func(i, j int32) int {
		return cmp.Or(cmp.Compare(t.square[i], t.square[j]), cmp.Compare(j, i))
	})
	kept, sum := 0, 0.0 // of order, whose smallest squares come first
	for k, i := range t.order {
		sum += t.square[i]
		bound := l.Moment * float64(k+1)
		if sum < bound || sum == bound && l.MomentOf == MomentOutward || k == 0 && l.MomentOf == MomentAny {
			kept = k + 1
		}
	}
	for _, i := range t.order[kept:] {
		t.Weight[i] = 0
	}
}

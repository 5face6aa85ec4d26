package algo

import (
	"errors"
	"fmt"
	"math"

	"impalab/learner/correct"
	"impalab/learner/hyper"
	"impalab/learner/loss"
	"impalab/learner/traj"
)

// Inspection is one trajectory of a batch under an algorithm's current parameters, before any correction: everything
// needed to compute a correction elsewhere. Slices have T entries.
type Inspection struct {
	Config            hyper.Config // in force: an algorithm that tunes itself has its own γ, λ and α in it
	Reward            []float32    // as the learner sees it
	End               []uint8      // envs.End
	Value, Final      []float32    // V(x_t); V of the state that a time limit cut the episode in, else 0
	Bootstrap         float32      // V(x_T)
	Ratio             []float32    // π(a_t|x_t)/μ(a_t|x_t)
	Action            []int32
	Real              []float32 // [T, Reals] where actions are real numbers…
	PiRows, MuRows    []float32 // …with the means, then the standard deviations, of both policies: [T, 2·Reals]
	Target, Behaviour []float32 // [T, A] log π and log μ; nil where actions are real numbers
	Mask, KL          []float32 // m_t, and the divergence that it bounds; nil without a trust region
	Weight            []float32 // m_t·c_t of a person's own correction; nil under any other
	Version           uint64    // updates behind μ
	Online            bool
}

// Inspectable returns an error, in words for the page, if an algorithm has no correction to inspect.
func Inspectable(kind *hyper.Algorithm) error {
	switch {
	case kind.OnPolicy:
		return fmt.Errorf("%s corrects nothing: its targets have no ratios to look at", kind.Title)
	case kind.Imitates:
		return fmt.Errorf("%s has no V-trace: it imitates the better half of a batch, and there is no backup of ratios to "+
			"look at", kind.Title)
	}
	return nil
}

// Inspect looks at trajectory column of b under an algorithm that is Inspectable. It runs the network forward and
// changes nothing that is learned or remembered; it belongs between two updates.
// now is the number of updates so far.
func Inspect(m *Machine, a Algorithm, cfg *hyper.Config, b *traj.Batch, now uint64, column int) (*Inspection, error) {
	share := shareOf(cfg)
	if n := cfg.Learners; n > 1 { // m has the shape of one learner's share
		part := traj.NewBatch(b.T, share.BatchSize, b.Shape)
		part.Share(b, column%n, n)
		a, b, column = a.(*DataParallel).members[0].algo, part, column/n
	}
	raw, values := m.Forward(b)
	tail := m.Tail(b)
	in := &Inspection{Config: share, Version: b.Version[column], Online: b.Online[column]}
	in.Config.BatchSize, in.Config.Learners = cfg.BatchSize, cfg.Learners
	if s, ok := a.(*Stac); ok {
		head := selfTuning{logits: make([]float32, b.T*b.B*m.Spec.Actions), vals: make([]float32, b.T*b.B)}
		s.inForce(&head, s.eta, cfg)
		m.split(head.logits, head.vals, raw, values, 0)
		raw, values, in.Config = head.logits, head.vals, head.zeta
		m.eachTail(b, func(from int, wide, last []float32) { m.valuesOf(tail[from:], wide, last, 0) })
	}
	return in, in.read(m, &share, b, now, column, raw, values, tail)
}

// read extracts the column from the network's outputs for the whole batch.
func (in *Inspection) read(m *Machine, share *hyper.Config, b *traj.Batch, now uint64, column int, raw, values,
	tail []float32) error {
	scratch := newRows(m, share)
	scratch.pi.read(raw)
	scratch.pi.ratios(scratch.ratio, b)
	own := in.Config.Correction == correct.MethodOwn
	masked := correct.Corrections[in.Config.Correction].TrustRegion || in.Config.Algorithm().Masks
	if masked {
		scratch.pi.trust(scratch.mask, scratch.kl, b, float32(in.Config.RhoBar), float32(in.Config.TrustKL),
			in.Config.Relevance)
	}
	if own {
		scratch.begin(b, share, now, correct.MethodOwn, masked)
		copy(scratch.tail, tail)
		scratch.read(raw)
		scratch.returns()
		scratch.targetsOf(share.Advantage, values)
		if err := scratch.ownWeights(); err != nil {
			return err
		}
	}
	loss.Transform(scratch.reward, b.Reward, in.Config.Reward)
	in.Bootstrap, in.Final = tail[column], make([]float32, b.T)
	for k, at := range b.Cuts {
		if at%b.B == column {
			in.Final[at/b.B] = tail[b.B+k]
		}
	}
	named, isNamed := scratch.pi.(*softmax)
	real, _ := scratch.pi.(*gaussian)
	for t := range b.T {
		i := t*b.B + column
		if v := float64(values[i]) + float64(scratch.ratio[i]); math.IsNaN(v) || math.IsInf(float64(values[i]), 0) {
			return fmt.Errorf("the policy or its values are not finite at step %d of this unroll", t)
		}
		in.Reward = append(in.Reward, scratch.reward[i]*float32(in.Config.RewardScale))
		in.End, in.Value, in.Ratio = append(in.End, b.End[i]), append(in.Value, values[i]), append(in.Ratio, scratch.ratio[i])
		if isNamed {
			in.Action = append(in.Action, b.Action[i])
			in.Target = append(in.Target, named.p.LogProb[i*b.Actions:][:b.Actions]...)
			in.Behaviour = append(in.Behaviour, b.Mu[i*b.Actions:][:b.Actions]...)
		} else {
			in.Real = append(in.Real, b.Real[i*b.Reals:][:b.Reals]...)
			in.PiRows = append(in.PiRows, real.p.Rows[i*2*b.Reals:][:2*b.Reals]...)
			in.MuRows = append(in.MuRows, b.Mu[i*2*b.Reals:][:2*b.Reals]...)
		}
		if own {
			in.Weight = append(in.Weight, scratch.targets.Weight[i])
		}
		if masked {
			in.Mask, in.KL = append(in.Mask, scratch.mask[i]), append(in.KL, scratch.kl[i])
		}
	}
	for _, v := range append(in.Final, in.Bootstrap) {
		if v-v != 0 {
			return errors.New("the values at the end of this unroll, or of an episode in it, are not finite")
		}
	}
	return nil
}

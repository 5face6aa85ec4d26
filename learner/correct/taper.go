package correct

// Half is the half of the steps that taper weighs.
type Half uint8

const (
	HalfBad  Half = iota // A < 0, as published
	HalfGood             // A ≥ 0: the reverse, a control
)

// HalfNames are the halves as settings and links spell them.
var HalfNames = []string{HalfBad: "bad", HalfGood: "good"}

func (h Half) String() string { return HalfNames[h] }

// Taper weighs one half of the steps and leaves the other as it is:
//
//	c_t = 1 if A ≥ 0, w held within [low, high] if A < 0; low 0 and high 1 as published
//
// A weight that falls with π(a) ends a push that would lower log π(a) without end. HalfGood swaps the halves. Where low
// is high, c_t is that number, without a ratio.
//
// TOPR (arXiv:2503.14286, eq. 7 with both ends, eq. 8 and algorithm 1, which we know from three accounts that agree)
// takes the sign of the reward, without a baseline, and the product over a response (Limits.Level). It warns of a low
// above 0, under which a model must degenerate in the end. Frameworks that print its name have the step's ratio
// (Trinity-RFT) or the geometric mean (verl's pull request 6986, with the sign of A as here, and with both ends).
func (l Limits) Taper(s Step) float64 {
	if l.tapers(s) {
		return max(l.TaperLow, min(l.TaperHigh, s.Ratio))
	}
	return 1
}

// tapers reports whether a step belongs to the half that is weighed.
func (l *Limits) tapers(s Step) bool { return (s.Advantage < 0) == (l.Half == HalfBad) }

package correct

// CentreOf says from which steps centred subtracts the mean score of μ.
type CentreOf uint8

const (
	CentreAll  CentreOf = iota // every step, as published
	CentreBad                  // A < 0: a control
	CentreGood                 // A ≥ 0: its reverse
)

// Score centring (arXiv:2609.20807, whose abstract we read) subtracts from the slope of log π(a) the mean slope under
// μ: loss.Centre. centred is its form with f = 1, which weighs no step. Frameworks compute the mean from the likeliest
// tokens and subtract it from every step (score_centering_correction in verl/trainer/ppo/score_centering.py of verl,
// c6236f51). Here μ of every action is known, so the mean is exact.

// CentreOfNames are the choices as settings and links spell them.
var CentreOfNames = []string{CentreAll: "all", CentreBad: "bad", CentreGood: "good"}

func (c CentreOf) String() string { return CentreOfNames[c] }

// Has reports whether the mean score is subtracted from a step of this advantage.
func (c CentreOf) Has(advantage float64) bool {
	return c == CentreAll || (advantage < 0) == (c == CentreBad)
}

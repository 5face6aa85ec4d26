package correct

// A person's own correction is a function of five numbers, which the learner calls for each step (MethodOwn):
//
//	c_t = weight(ratio, adv, pi, mu, age), held within [0, OwnCeiling]
//
// ratio is π(a_t|x_t)/μ(a_t|x_t), adv is A_t, pi and mu are π(a_t|x_t) and μ(a_t|x_t), and age is the number of updates
// since the parameters that acted.

// OwnName is the name of the function.
const OwnName = "weight"

// OwnCeiling is the greatest weight of a step under a person's own correction.
const OwnCeiling = 10

// OwnParameters are the function's parameters.
var OwnParameters = []string{"ratio", "adv", "pi", "mu", "age"}

// HoldOwn holds a weight that the function returned within [0, OwnCeiling].
func HoldOwn(c float64) float64 { return max(0, min(OwnCeiling, c)) }

// Start is a program to begin from.
type Start struct {
	Name    string // of the correction whose weights it has, or what it does
	Like    Method // the correction that has the same weights, with its limits as published; MethodOwn: none
	Program string
}

// Starts are programs to begin from: the corrections whose weight is a function of one step, and one that looks at the
// age. A weight above OwnCeiling is held there, which the corrections themselves do not do.
var Starts = []Start{
	{"none", MethodNone, `def weight(ratio, adv, pi, mu, age):
    return 1
`},
	{"one-step", MethodOneStep, `def weight(ratio, adv, pi, mu, age):
    return min(1, ratio)
`},
	{"clip", MethodClip, `def weight(ratio, adv, pi, mu, age):
    if adv > 0 and ratio > 1 + 0.28:
        return 0
    if adv < 0 and ratio < 1 - 0.2:
        return 0
    return ratio
`},
	{"taper", MethodTaper, `def weight(ratio, adv, pi, mu, age):
    if adv >= 0:
        return 1
    return min(1, ratio)
`},
	{"band", MethodBand, `def weight(ratio, adv, pi, mu, age):
    if ratio < 0.5 or ratio > 5:
        return 0
    return ratio
`},
	{"shift", MethodShift, `def weight(ratio, adv, pi, mu, age):
    if adv > 0 and pi - mu > 0.2:
        return 0
    if adv < 0 and pi - mu < -0.2:
        return 0
    return ratio
`},
	{"young data", MethodOwn, `def weight(ratio, adv, pi, mu, age):
    if age > 8:
        return 0
    return min(1, ratio)
`},
}

package web

// The fixed texts of the first page. wasm/firstpage changes the rest.

// why are the paragraphs behind "Why?".
var why = []string{
	"A learner that studies what it did 64 updates ago studies someone else: its former self. It has learned since, " +
		"and would do other things now.",
	"Without a correction it counts every old step in full. So it hears the same praise again and again for what it " +
		"has long learned, overshoots, and one day is certain of something wrong. Then the pole falls at once, and it " +
		"has nothing left to compare with.",
	"V-trace asks of every old step: would I still do this? The step counts by the ratio of the two probabilities, " +
		"which is cut off at the top so that no single step counts too much. At lag 0 both are equal, the ratio is 1, " +
		"and nothing changes.",
	"Here the fallen one can get up, mostly because its steps are small, a sixth of the usual ones: V-trace gets 16 of " +
		"16 up, and 6 of 16 with the usual ones. The agent of the first lesson takes the usual ones and never gets up.",
}

// vtrace is the target in IMPALA §4.1.
const vtrace = "v_s = V(x_s) + Σ_{t≥s} γ^{t−s} (c_s ⋯ c_{t−1}) ρ_t (r_t + γ V(x_{t+1}) − V(x_t))"

const ratios = "ρ_t = min(ρ̄, π(a_t|x_t) / μ(a_t|x_t)), c_t = min(c̄, π(a_t|x_t) / μ(a_t|x_t))"

// lags are the labels of the slider. wasm/firstpage has the same values.
var lags = []string{"0", "1", "2", "4", "8", "16", "32", "64"}

package page

import "impalab/learner/telemetry"

// metric is a figure on the page, with its definition.
type metric struct {
	key      string // data-text of the element that the client fills
	words    string
	symbol   string // as in the paper, in the notation of typeset
	tone     string
	formula  string
	sentence string
	paper    string
}

// The figures beside each chart, in reading order.
var (
	learnerMetrics = []metric{
		{"updates", "updates", "", "", "",
			"Gradient steps so far, one for each batch.", "IMPALA §4.2"},
		{"episodes", "episodes", "", "", "",
			"Training episodes that have ended or reached their time limit.", ""},
	}
	gaugeMetrics = []metric{
		{"v-mu", "", "V^μ", "mu", "V^μ",
			"Exact value of the policy that acts, averaged over the states in which episodes start.", "IMPALA §4.1"},
		{"v-implied", "destination", "", "corrected", "V^{π_{ρ̄,α}}, π_{ρ̄,α}(a|x) ∝ α min(ρ̄μ(a|x), π(a|x)) + (1−α) π(a|x)",
			"Exact value of the implied policy, between μ and π: the corrected values converge to it.",
			"IMPALA theorem 1; STAC §3.1"},
		{"v-pi", "", "V^π", "pi", "V^π",
			"Exact value of the policy that learns.", "IMPALA §4.1"},
		{"v-learned", "learned", "V", "", "V_θ",
			"The network's present value, averaged over the states in which episodes start.", "IMPALA §4.2"},
		{"v-from-implied", "from destination", "", "corrected", "(mean_x (V(x) − V^{π_{ρ̄,α}}(x))²)^{1/2}",
			"Root mean square difference over all states between the learned values and their destination. It is small " +
				"when they have arrived, even at a wrong destination.", "IMPALA theorem 1"},
		{"v-from-pi", "from", "V^π", "pi", "(mean_x (V(x) − V^π(x))²)^{1/2}",
			"Root mean square difference over all states between the learned values and the exact value of the policy that " +
				"learns. ρ̄ changes the learned values, but not the exact ones.", "IMPALA §4.1"},
		{"v-scale", "scale", "", "", "min_π V^π, max_π V^π",
			"The ends of the scale: the exact values of this world's worst and best policy. Only γ and the world's options " +
				"change them.", "Howard 1960"},
		{"contraction", "contraction", "", "corrected", "η = γ^{−1} − (γ^{−1}−1) E_μ[Σ_t γ^t (Π_{i≤t−2} c_i) ρ_{t−1}]",
			"Each application of the operator leaves at most this share of the distance. c̄ acts only here.",
			"IMPALA theorem 1"},
	}
	episodeMetrics = []metric{
		{"episode-return", "return", "", "", "Σ_t r_t",
			"Sum of the rewards of the watched episode so far, undiscounted.", ""},
		{"episode-length", "steps so far", "", "", "",
			"Steps of the watched episode so far.", ""},
		{"value", "", "V(x)", "", "V(x) ≈ E_π[Σ_t γ^t r_t]",
			"The return that the network expects from here: the discounted sum of rewards as the learner sees them.",
			"IMPALA §3"},
		{"ratio", "", "π/μ", "", "π(a|x)/μ(a|x)",
			"Importance ratio of the last action: how much likelier it is under the learner than under the actor.",
			"IMPALA §4.1"},
	}
	handMetrics = []metric{
		{"hand-last", "your last", "", "", "Σ_t r_t",
			"Return of the last episode you played to its end, undiscounted.", ""},
		{"hand-mean", "your mean", "", "", "",
			"Mean return of all episodes of this world that you have played since you opened the page.", ""},
		{"hand-best", "your best", "", "", "",
			"The best of these returns.", ""},
		{"hand-agent", "the agent's mean", "", "pi", "",
			"Mean return of the agent's last 100 training episodes, in the same world by the same rules.", ""},
	}
	taskMetric = metric{"tasks", "score of each world", "", "", "min(1, (r − r_random) / (r_reference − r_random))",
		"The mean return r of the last 100 training episodes of a world, on a scale from a random policy at 0 to a " +
			"reference at 1. A dot marks the world on stage.",
		"IMPALA table G.1"}
	cellsMetric = metric{"cells", "pixel control", "", "pi", "max_a Q^c(x, a) − min_a Q^c(x, a)",
		"The observation as the auxiliary task sees it: a square for each cell, as light as its numbers. Pixel control " +
			"predicts how much each action will change a cell. The blue square inside is as large as the predictions differ " +
			"from action to action, beside the largest difference so far: there the agent can change what it sees.",
		"UNREAL §3.1"}
	rateMetric = metric{"rate", "steps a second", "", "", "",
		"Environment steps that the learner consumes in a second of real time.", ""}
	returnMetric = metric{"return", "mean of the last 100", "", "pi", "",
		"Mean return of the last 100 training episodes, undiscounted and unscaled. The pale band contains the middle " +
			"half of the episodes, from their lower to their upper quartile, of at least eight at a time.", "IMPALA §5"}
	recentMetric = metric{"recent", "mean of the last 10", "", "pi", "",
		"Mean return of the last 10 training episodes. It shows a fall or a recovery at once, the mean of 100 shows it " +
			"late.", ""}
	offTruthMetric = metric{"off-truth", "off the truth", "", "", "(mean_x (V(x) − V^π(x))²)^{1/2}",
		"Root mean square difference over all states between the learned values and the exact value of the policy that " +
			"learns. Knobs change the learned values, but not the exact ones.", "IMPALA §4.1"}
	seedsMetric = metric{"seeds", "eight seeds", "", "", "",
		"The settings of the selected run, with its turns, trained once for each of eight seeds: a thin line each, their " +
			"interquartile mean, and its 95 % bootstrap interval as a pale band. The interval is over seeds, never over " +
			"episodes.", "Agarwal et al. 2021"}
	destinationMetric = metric{"destination", "destination of the values", "", "", "V_θ, V^{π_{ρ̄,α}}, V^π, V^μ",
		"Averaged over the states in which episodes start: the network's value as a line, and dashed the exact values. " +
			"Green is the destination of the corrected values, blue is V of π, amber V of μ. The scale goes from this " +
			"world's worst policy to its best, so only γ changes it.", "IMPALA theorem 1"}
	tunesMetric = metric{"tunes", "metaparameters", "", "meta", "η(t)/η(0)",
		"Every metaparameter that the run tunes itself, divided by its first value, on a logarithmic scale. The dashed " +
			"line is 1, where each began.", "STAC §3"}
	toDestinationMetric = metric{"to-destination", "to the destination", "", "",
		"(mean_x (V(x) − V^{π_{ρ̄,α}}(x))²)^{1/2}",
		"Root mean square difference over all states between the learned values and their destination. Knobs also move " +
			"the destination, so this is small when the values have arrived, even at a wrong " +
			"destination.", "IMPALA theorem 1"}
	valueErrorMetric = metric{"value-error", "now", "", "", "(mean_x (V(x) − G(x))²)^{1/2}, G_t = r_t + γ r_{t+1} + " +
		"γ^2 r_{t+2} + …",
		"Root mean square of value minus return, over states of episodes outside the training data. G is the real " +
			"return, known to within 1 %, without time limits and without bootstrapping, in rewards of the world. ρ̄, c̄, " +
			"α, λ, lag, correction and replay do not enter it. Randomness of the return counts too, so it need not reach " +
			"0. It is – if γ looks further than 2048 steps and no episode ends.", "Sutton and Barto §5.1"}
)

// traceMetric returns the definition of a trace.
func traceMetric(q *telemetry.AlgoMetric) metric {
	m := metric{key: "trace-" + q.Name, words: q.Words, symbol: q.Symbol, formula: q.Formula, sentence: q.Sentence,
		paper: q.Paper}
	if q.Tuned {
		m.tone = "meta"
	}
	return m
}

func (m metric) id() string { return "metric-" + m.key }

// name returns the figure in words, for screen readers.
func (m metric) name() string {
	switch {
	case m.words == "":
		return m.symbol
	case m.symbol == "":
		return m.words
	}
	return m.words + " " + m.symbol
}

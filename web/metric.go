package web

import "impalab/learner/telemetry"

// metric is one figure on the page. Every one has its definition a click away.
type metric struct {
	key      string // data-text: where the client writes
	words    string
	symbol   string // as the paper writes it, in the notation of typeset
	tone     string
	formula  string
	sentence string
	paper    string
}

// The figures beside each picture, in reading order.
var (
	ratioMetrics = []metric{
		{"clipped-rho", "clipped at", "ρ̄", "cut", "π(a|x)/μ(a|x) > ρ̄",
			"Share of the batch's steps whose ratio is above ρ̄ and is cut down to it.", "IMPALA §4.1"},
		{"clipped-c", "clipped at", "c̄", "cut", "π(a|x)/μ(a|x) > c̄",
			"Share of steps whose ratio is above c̄, so that the trace through them is cut.", "IMPALA §4.1"},
		{"ess", "effective sample", "", "", "(Σ w)² / (n Σ w²), w = π/μ",
			"What the weighted batch is worth in equally weighted steps, as a share: low means that a few steps decide.", "Kong 1992"},
		{"kl", "", "KL(π‖μ)", "", "Σ_a π(a|x) log(π(a|x)/μ(a|x))",
			"How far the policy that learns has moved from the one that acted, in nats; 0 is on-policy.", "LASER §4.3"},
		{"rejected", "rejected", "", "cut", "KL(π‖π̃_μ) ≥ b",
			"Share of steps that the trust region leaves out; 0 unless that correction is on.", "LASER §4.3"},
	}
	ageMetrics = []metric{
		{"age-mean", "mean age", "", "age", "k − k_acted",
			"Updates between the parameters that acted and those that learn, averaged over the batch.", "IMPALA appendix E.1"},
		{"age-max", "oldest", "", "age", "max(k − k_acted)",
			"The age of the oldest trajectory in the batch.", "LASER §4.1"},
	}
	learnerMetrics = []metric{
		{"steps", "steps", "", "", "",
			"Environment steps the learner has consumed; a replayed step is counted once.", "IMPALA §5"},
		{"updates", "updates", "", "", "",
			"Descents of the gradient so far, one for each batch.", "IMPALA §4.2"},
		{"episodes", "episodes", "", "", "",
			"Training episodes that have come to their end or to their time limit.", ""},
		{"entropy", "entropy", "", "pi", "−Σ_a π(a|x) log π(a|x)",
			"How undecided the policy is, in nats; 0 is certain.", "IMPALA §4.2"},
		{"grad-norm", "gradient", "", "", "‖g‖",
			"Length of the whole gradient before it is clipped.", "IMPALA table D.3"},
	}
	gaugeMetrics = []metric{
		{"v-mu", "", "V^μ", "mu", "V^μ",
			"Exact value of the policy that acts, averaged over the states in which episodes start.", "IMPALA §4.1"},
		{"v-implied", "destination", "", "corrected", "V^{π_{ρ̄,α}}, π_{ρ̄,α}(a|x) ∝ α min(ρ̄μ(a|x), π(a|x)) + (1−α) π(a|x)",
			"Exact value of the implied policy, between μ and π: where the corrected values end.", "IMPALA theorem 1; STAC §3.1"},
		{"v-pi", "", "V^π", "pi", "V^π",
			"Exact value of the policy that learns.", "IMPALA §4.1"},
		{"v-learned", "learned", "V", "", "V_θ",
			"What the network says now, averaged over the states in which episodes start.", "IMPALA §4.2"},
		{"v-error", "distance", "", "", "(mean_x (V(x) − V^{π_{ρ̄,α}}(x))²)^{1/2}",
			"Root mean square over all states between the learned values and where they end.", "IMPALA theorem 1"},
		{"contraction", "contraction", "", "corrected", "η = γ^{−1} − (γ^{−1}−1) E_μ[Σ_t γ^t (Π_{i≤t−2} c_i) ρ_{t−1}]",
			"Each application of the operator leaves at most this share of the distance; c̄ acts here, and only here.", "IMPALA theorem 1"},
	}
	episodeMetrics = []metric{
		{"episode-return", "return", "", "", "Σ_t r_t",
			"Sum of the rewards of the watched episode so far, undiscounted.", ""},
		{"episode-length", "steps so far", "", "", "",
			"Steps of the watched episode so far.", ""},
		{"value", "", "V(x)", "", "V(x) ≈ E_π[Σ_t γ^t r_t]",
			"What the network expects from here on: the discounted sum of rewards as the learner sees them.", "IMPALA §3"},
		{"ratio", "", "π/μ", "", "π(a|x)/μ(a|x)",
			"Importance ratio of the action just taken: how much likelier the learner is to take it than the actor was.", "IMPALA §4.1"},
	}
	handMetrics = []metric{
		{"hand-last", "your last", "", "", "Σ_t r_t",
			"Return of the last episode you played to its end, undiscounted.", ""},
		{"hand-mean", "your mean", "", "", "",
			"Mean return of all episodes of this world that you have played since you opened the page.", ""},
		{"hand-best", "your best", "", "", "",
			"The greatest of them.", ""},
		{"hand-agent", "the agent's mean", "", "pi", "",
			"Mean return of the agent's last 100 training episodes, in the same world by the same rules.", ""},
	}
	taskMetric = metric{"tasks", "score of each world", "", "", "min(1, (r − r_random) / (r_reference − r_random))",
		"How far the mean return r of the last 100 training episodes of a world has come from a random policy's to a reference's. A dot marks the world on stage.",
		"IMPALA table G.1"}
	rateMetric = metric{"rate", "steps a second", "", "", "",
		"Environment steps that the learner consumes in a second of real time.", ""}
	returnMetric = metric{"return", "mean of the last 100", "", "pi", "",
		"Mean return of the last 100 training episodes, undiscounted and unscaled. The pale band runs from the least to the greatest return since the last point.", "IMPALA §5"}
	valueErrorMetric = metric{"value-error", "now", "", "corrected", "(mean_t (v_t − V(x_t))²)^{1/2}",
		"Root mean square of target minus value over the batch; on a finite world the exact distance from V^π over all states.", "IMPALA §4.2"}
)

// traceMetric is the newest value of a trace.
func traceMetric(q *telemetry.Quantity) metric {
	m := metric{key: "trace-" + q.Name, words: q.Words, symbol: q.Symbol, formula: q.Formula, sentence: q.Sentence, paper: q.Paper}
	if q.Tuned {
		m.tone = "meta"
	}
	return m
}

func (m metric) id() string { return "metric-" + m.key }

// name is the figure in words, for those who hear the page.
func (m metric) name() string {
	switch {
	case m.words == "":
		return m.symbol
	case m.symbol == "":
		return m.words
	}
	return m.words + " " + m.symbol
}

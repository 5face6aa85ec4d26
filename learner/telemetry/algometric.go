package telemetry

// The table of the metrics that one algorithm has: the values that it keeps beside θ, and its bounded divergences. The
// chart, its definition and the key in a report follow from a row; an algorithm adds its values to its Update.

// AlgoMetric is one row.
type AlgoMetric struct {
	Name     string // in reports and on the wire; never changes its meaning
	Symbol   string // as the paper writes it
	Words    string
	Tuned    bool // has a gradient of its own: a metaparameter or a multiplier
	Formula  string
	Sentence string
	Paper    string
}

// The rows of AlgoMetrics. STAC's are in the order of loss.Meta.
const (
	Gamma = iota
	Lambda
	LeakRho
	LeakC
	ValueCost
	PolicyCost
	EntropyCost

	Temperature
	OfWeights
	KLWeight
	OfPolicy
	MeanWeight
	OfMean
	SigmaWeight
	OfSigma

	PopScale
	PopShift

	ControlError
)

// AlgoMetrics lists the metrics of all algorithms, in reading order.
var AlgoMetrics = [...]AlgoMetric{
	Gamma: {"gamma", "γ", "Discount", true, "γ = σ(η_γ)",
		"The discount that STAC's inner loss learns with.", "STAC §3 and fig. 5a"},
	Lambda: {"lambda", "λ", "Trace decay", true, "λ = σ(η_λ)",
		"The trace decay that STAC's inner loss learns with.", "STAC §3 and fig. 5a"},
	LeakRho: {"alpha", "α", "Leak", true, "α = σ(η_α)",
		"How far STAC's inner loss clips: 1 is V-trace, 0 does not clip. It is the trace's leak too, unless that tunes " +
			"itself.", "STAC §3.1 and fig. 5"},
	LeakC: {"alpha-c", "α_c", "Leak of the trace", true, "α_c = σ(η_{αc})",
		"The trace's own leak.", "STAC §3.1 and fig. 5b"},
	ValueCost: {"value-cost", "g_v", "Value cost", true, "g_v = σ(η_v)·value cost of the outer loss",
		"The weight of the value loss in STAC's inner loss.", "STAC §3 and fig. 5a"},
	PolicyCost: {"policy-cost", "g_p", "Policy cost", true, "g_p = σ(η_p)·policy cost of the outer loss",
		"The weight of the policy gradient in STAC's inner loss.", "STAC §3 and fig. 5a"},
	EntropyCost: {"entropy-cost", "g_e", "Entropy bonus", true, "g_e = σ(η_e)·entropy bonus of the outer loss",
		"The entropy bonus in STAC's inner loss.", "STAC §3 and fig. 5a"},

	Temperature: {"temperature", "η", "Temperature", true, "ψ ∝ exp(A/η)",
		"Low imitates the best samples alone; V-MPO moves it until the weights are as far from equal as their bound allows.",
		"V-MPO eq. 13"},
	OfWeights: {"kl-weights", "KL(ψ‖w)", "Weights", false, "KL(ψ‖w) ≤ ε_η",
		"How far the weights of the better samples are from equal, in nats. It should not only stay below its bound but " +
			"reach it.", "V-MPO eq. 13 and fig. 7"},
	KLWeight: {"kl-weight", "α", "Multiplier", true, "+ α·KL(π_T‖π)",
		"The price that V-MPO puts on a move away from the target network; it rises while the bound is broken.",
		"V-MPO eq. 14"},
	OfPolicy: {"kl-policy", "KL(π_T‖π)", "Policy", false, "KL(π_T‖π) ≤ ε_α",
		"How far the policy has moved from the target network, in nats, averaged over the batch; 0 right after " +
			"a copy.", "V-MPO eq. 14 and fig. 7"},
	MeanWeight: {"kl-weight-mean", "α_μ", "Mean's multiplier", true, "+ α_μ·KL_μ",
		"The price of a move of a Gaussian policy's mean.", "V-MPO eq. 26"},
	OfMean: {"kl-mean", "KL_μ", "Mean", false, "½·(μ−μ_T)^⊤ Σ_T^{−1} (μ−μ_T) ≤ ε_μ",
		"How far a Gaussian policy's mean has moved from the target network's, in nats.", "V-MPO eq. 24"},
	SigmaWeight: {"kl-weight-sigma", "α_Σ", "Spread's multiplier", true, "+ α_Σ·KL_Σ",
		"The price of a move of a Gaussian policy's spread.", "V-MPO eq. 26"},
	OfSigma: {"kl-sigma", "KL_Σ", "Spread", false, "½·(tr Σ^{−1}Σ_T − d + log |Σ|/|Σ_T|) ≤ ε_Σ",
		"How far a Gaussian policy's spread has moved from the target network's, in nats.", "V-MPO eq. 25"},

	PopScale: {"popart-scale", "σ", "PopArt's scale", false, "V = σ·n + m",
		"The spread of the value targets, by which the value head is scaled up; of a suite, the first world's.",
		"V-MPO §4.1"},
	PopShift: {"popart-shift", "m", "PopArt's shift", false, "V = σ·n + m",
		"The mean of the value targets, which is added to the value head's output; of a suite, the first world's.",
		"V-MPO §4.1"},

	ControlError: {"control-error", "R − Q", "Pixel control's error", false, "√ mean (R^c − Q^c(x, a))²",
		"How far the predicted changes of a cell of the observation are from the changes that followed.",
		"UNREAL §3.1; V-MPO table 5"},
}

// LookupAlgoMetric finds a row by name; nil if there is none.
func LookupAlgoMetric(name string) *AlgoMetric {
	for i := range AlgoMetrics {
		if AlgoMetrics[i].Name == name {
			return &AlgoMetrics[i]
		}
	}
	return nil
}

// AlgoValue is the value of one AlgoMetric in an update. Without a bound, Bound is +Inf.
type AlgoValue struct {
	Of           int // row of AlgoMetrics
	Value, Bound float32
}

// MaxAlgoValues is how many of them an Update has room for.
const MaxAlgoValues = 8

// AlgoValues are an update's, in the order they were added. It is a value: a copy shares nothing.
type AlgoValues struct {
	list [MaxAlgoValues]AlgoValue
	n    int
}

// Add appends one.
func (t *AlgoValues) Add(of int, value, bound float64) {
	t.list[t.n] = AlgoValue{of, float32(value), float32(bound)}
	t.n++
}

// List returns the added values.
func (t *AlgoValues) List() []AlgoValue { return t.list[:t.n] }

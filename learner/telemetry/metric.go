package telemetry

import (
	"math"
	"slices"
)

// The metrics of an update: one table. A row's place on the wire, its definition on the page, its format
// and the rule that joins the values of several learners all follow from it. An algorithm writes it into its Update.

// Metric is one row of the table Metrics.
type Metric struct {
	Name          string // on the wire and on the page; never changes its meaning
	Words, Symbol string // the page's name; Symbol is the paper's
	Tone          string // its colour's role on the page; "": ink
	Of            Group
	Reads         Reading
	Whole         Whole
	Formula       string
	Sentence      string
	Paper         string
}

// Group is the picture that a metric stands beside.
type Group uint8

const (
	OfRatios Group = iota
	OfAges
	OfLearner
)

// Reading is how a person reads a metric.
type Reading uint8

const (
	Share  Reading = iota // in [0, 1], shown in percent
	Fine                  // three decimals
	Coarse                // one decimal
	Round                 // no decimals
	Free                  // three digits, of any size
)

// Whole says how the metric of a batch follows from its equal shares, one for each learner.
type Whole uint8

const (
	Mean           Whole = iota
	RootMeanSquare       // the metric is one itself
	Common               // the same for all of them
	MeanOfFresh          // each share counts by its fresh trajectories
	OfBatch              // made from the whole batch
)

// The rows of Metrics.
const (
	CutByRho = iota
	CutByC
	EffectiveSample
	EffectiveCut
	KL
	Rejected

	AgeMean
	AgeMax

	Entropy
	GradNorm
	CorrectionSize

	NumMetrics
)

// Metrics lists all metrics, in reading order.
var Metrics = [NumMetrics]Metric{
	CutByRho: {Name: "cut-rho", Words: "weight cut off", Tone: "cut", Of: OfRatios,
		Formula: "E[(w − c)_+]/E[w], w = π/μ",
		Sentence: "How much of the batch's whole weight the correction cuts off; c is the weight that it leaves. Under " +
			"V-trace and one-step that is min(ρ̄, w), and a ratio just above ρ̄ loses next to nothing; under a leaky " +
			"correction α of the part above ρ̄ is lost. A form since 2025 has its own c, 0 for a step that it leaves out; w " +
			"is then of the set level. It is – where nothing is cut.",
		Paper: "IMPALA §4.1; α of STAC §3.1"},
	CutByC: {Name: "cut-c", Words: "weight cut by", Symbol: "c̄", Tone: "cut", Of: OfRatios,
		Formula:  "α_c E[(w − c̄)_+]/E[w], w = π/μ",
		Sentence: "How much of it c̄ cuts off, which shortens the way that learned values travel back.",
		Paper:    "IMPALA §4.1; α of STAC §3.1, else 1"},
	EffectiveSample: {Name: "ess", Words: "effective sample", Of: OfRatios,
		Formula: "(Σ w)²/(n Σ w²), w = π/μ",
		Sentence: "What the batch is worth under full importance weights, in steps of one's own, as a share: low means " +
			"that a few steps would decide. No setting of the correction changes how it is measured.",
		Paper: "Kong 1992"},
	EffectiveCut: {Name: "ess-cut", Words: "effective, clipped", Of: OfRatios,
		Formula: "(Σ ρ)²/(n Σ ρ²)",
		Sentence: "The same for the weights after clipping. It rises as ρ̄ falls, at the price of bias; – " +
			"where the correction has no weights.",
		Paper: "Kong 1992; IMPALA §4.1"},
	KL: {Name: "kl", Symbol: "KL(π‖μ)", Of: OfRatios, Reads: Fine,
		Formula:  "Σ_a π(a|x) log(π(a|x)/μ(a|x))",
		Sentence: "Distance of the learning policy from the acting policy, in nats; 0 is on-policy.",
		Paper:    "LASER §4.3"},
	Rejected: {Name: "rejected", Words: "rejected", Tone: "cut", Of: OfRatios,
		Formula:  "KL(π‖π̃_μ) ≥ b",
		Sentence: "Share of steps that the trust region leaves out; 0 unless that correction is on.",
		Paper:    "LASER §4.3"},

	AgeMean: {Name: "age-mean", Words: "mean age", Tone: "age", Of: OfAges, Reads: Coarse, Whole: OfBatch,
		Formula:  "k − k_acted",
		Sentence: "Updates between the acting and the learning parameters, averaged over the batch.",
		Paper:    "IMPALA appendix E.1"},
	AgeMax: {Name: "age-max", Words: "oldest", Tone: "age", Of: OfAges, Reads: Round, Whole: OfBatch,
		Formula:  "max(k − k_acted)",
		Sentence: "The age of the oldest trajectory in the batch.",
		Paper:    "LASER §5.1"},

	Entropy: {Name: "entropy", Words: "entropy", Tone: "pi", Of: OfLearner, Reads: Fine, Whole: MeanOfFresh,
		Formula:  "−Σ_a π(a|x) log π(a|x)",
		Sentence: "How undecided the policy is, in nats; 0 is certain.",
		Paper:    "IMPALA §4.2"},
	GradNorm: {Name: "grad-norm", Words: "gradient", Of: OfLearner, Reads: Free, Whole: Common,
		Formula:  "‖g‖",
		Sentence: "Length of the whole gradient before it is clipped.",
		Paper:    "IMPALA table G.1"},
	CorrectionSize: {Name: "correction-size", Words: "correction to", Symbol: "V", Tone: "corrected", Of: OfLearner,
		Reads: Fine, Whole: RootMeanSquare,
		Formula: "(mean_t (v_t − V(x_t))²)^{1/2}",
		Sentence: "How far this batch asks the values to move, in the learner's rewards. It is not an error: ρ̄ and c̄ " +
			"scale it, and a small ρ̄ makes it small whatever V is.",
		Paper: "IMPALA eq. 1"},
}

// MetricNames lists the names of the rows, in order.
func MetricNames() []string {
	names := make([]string, NumMetrics)
	for i := range Metrics {
		names[i] = Metrics[i].Name
	}
	return names
}

// LookupMetric is the row of a name; −1 if there is none.
func LookupMetric(name string) int {
	return slices.IndexFunc(Metrics[:], func(f Metric) bool { return f.Name == name })
}

// Join computes the metrics of a whole batch from its shares; fresh counts each share's fresh trajectories. It leaves
// OfBatch metrics.
func Join(figures *[NumMetrics]float32, shares []*[NumMetrics]float32, fresh []int) {
	n, online := float64(len(shares)), 0
	for _, count := range fresh {
		online += count
	}
	for i := range figures {
		sum := 0.0
		for k, one := range shares {
			v := float64(one[i])
			switch Metrics[i].Whole {
			case RootMeanSquare:
				sum += v * v
			case MeanOfFresh:
				sum += v * float64(fresh[k])
			default:
				sum += v
			}
		}
		switch Metrics[i].Whole {
		case Mean:
			figures[i] = float32(sum / n)
		case RootMeanSquare:
			figures[i] = float32(math.Sqrt(sum / n))
		case Common:
			figures[i] = shares[0][i]
		case MeanOfFresh:
			figures[i] = float32(sum / float64(max(1, online)))
		}
	}
}

// Package labrow is the table of the Lab's rows below the return: the metrics with a line of their own, and the setting
// whose knob stands beside each. The page, its client and the tests use this table.
package labrow

import (
	"strings"

	"impalab/learner/telemetry"
)

// Row is one row: the history of a metric, its value at the cursor, and the knob that moves it.
type Row struct {
	Name   string // of the metric, or one of the constants below
	Words  string
	Small  string // unit or short explanation
	Chip   string // name on the shelf of folded rows
	Key    string // key of the setting whose knob stands in the row; "": none. Knob says which under a correction
	Tone   string // role of its colour
	Low    float64
	High   float64 // its range, the same for every run; wider if a value lies outside
	Folded bool    // hidden until the reader opens “More lines”
	Finite bool    // shown in finite worlds only

	Metric   int                   // row of telemetry.Metrics; −1: another value
	Quantity *telemetry.AlgoMetric // of one algorithm; shown if the algorithm has it
}

// Names of rows whose values are not metrics of an update.
const (
	OffTruth      = "off-truth"      // rms of V − V^π, if the world is small enough to know V^π
	Destination   = "destination"    // V between the exact values, in the same worlds
	ToDestination = "to-destination" // rms of V − V^{π_ρ̄,α}, in the same worlds
	ValueError    = "value-error"    // rms of V − G
	Tunes         = "tunes"          // every metaparameter as a share of its start, if the algorithm tunes several
)

// All are the rows, in reading order.
var All = withTheRest(append(append(inSight(), traces()...), folded()...))

func inSight() []Row {
	return []Row{
		figure(telemetry.AgeMean, Row{Words: "Data age", Small: "updates behind", Chip: "age", Key: "lag",
			Tone: "age", High: 8}),
		{Name: Tunes, Words: "It tunes itself", Small: "share of its start", Chip: "it tunes itself", Tone: "meta",
			Metric: -1},
		figure(telemetry.CutByRho, Row{Words: "Weight cut off", Small: "by the correction, of the whole", Chip: byRho.Chip,
			Key: byRho.Key, Tone: "cut", High: 0.2}),
		figure(telemetry.CutByC, Row{Words: "Weight cut off", Small: "by c̄, of the whole", Chip: "cut by c̄", Key: "c",
			Tone: "cut", High: 0.2}),
		figure(telemetry.CorrectionSize, Row{Words: "Correction’s size", Small: "rms of v − V", Chip: "correction",
			Key: "alpha", Tone: "corrected", High: 0.1}),
		{Name: OffTruth, Words: "Off the truth", Small: "rms of V − V^π", Chip: "off the truth", Tone: "corrected",
			High: 0.1, Metric: -1},
		{Name: Destination, Words: "Destination", Small: "V, worst to best", Chip: "destination", Tone: "ink",
			Metric: -1, Finite: true},
		figure(telemetry.EffectiveSample, Row{Words: "Effective sample", Small: "of raw π/μ", Chip: "effective",
			Key: "mix", Tone: "pi", High: 1}),
		figure(telemetry.KL, Row{Words: "KL(π‖μ)", Small: "nats, per step", Chip: "KL", Tone: "pi", High: 0.05}),
	}
}

// knobs are the settings that decide a metric of one algorithm, by its name.
var knobs = map[string]string{
	telemetry.AlgoMetrics[telemetry.Temperature].Name: "eps-eta",
	telemetry.AlgoMetrics[telemetry.OfPolicy].Name:    "eps-alpha",
	telemetry.AlgoMetrics[telemetry.OfMean].Name:      "eps-mean",
	telemetry.AlgoMetrics[telemetry.OfSigma].Name:     "eps-sigma",
}

// traces returns the rows of the metrics that one algorithm has. Each has its own range: a metaparameter
// may be 0.0005 or 5.
func traces() (list []Row) {
	for i := range telemetry.AlgoMetrics {
		q := &telemetry.AlgoMetrics[i]
		one := Row{Name: "trace-" + q.Name, Words: q.Symbol, Small: q.Words, Chip: q.Symbol, Key: knobs[q.Name], Tone: "ink",
			Metric: -1, Quantity: q}
		if q.Tuned {
			one.Tone = "meta"
		}
		list = append(list, one)
	}
	return list
}

func folded() []Row {
	list := []Row{
		{Name: ToDestination, Words: "To destination", Small: "rms over all states", Tone: "corrected", High: 0.1, Metric: -1,
			Finite: true},
		{Name: ValueError, Words: "Value error", Small: "rms of V − G", Tone: "ink", High: 0.1, Metric: -1},
		figure(telemetry.Entropy, Row{Words: "Entropy", Small: "of π, in nats", Tone: "pi", High: 0.5}),
		figure(telemetry.EffectiveCut, Row{Words: "Effective, clipped", Small: "of min(ρ̄, π/μ)", Tone: "corrected",
			High: 1}),
		figure(telemetry.Rejected, Row{Words: "Rejected", Small: "by the trust region", Tone: "cut", High: 0.2}),
		figure(telemetry.AgeMax, Row{Words: "Oldest data", Small: "updates behind", Tone: "age", High: 8}),
		figure(telemetry.GradNorm, Row{Words: "Gradient", Small: "length, before clip", Tone: "ink", High: 1}),
	}
	for i := range list {
		list[i].Folded = true
	}
	return list
}

// withTheRest adds a folded row for each metric without one, from telemetry's table.
func withTheRest(list []Row) []Row {
	var placed [telemetry.NumMetrics]bool
	for i := range list {
		if list[i].Metric >= 0 {
			placed[list[i].Metric] = true
		}
	}
	for i, f := range telemetry.Metrics {
		if placed[i] {
			continue
		}
		one := Row{Words: strings.TrimSpace(f.Words + " " + f.Symbol), Small: f.Formula, Tone: f.Tone, High: 1, Folded: true}
		if one.Tone == "" {
			one.Tone = "ink"
		}
		list = append(list, figure(i, one))
	}
	return list
}

// metric completes the row of a metric.
func figure(row int, one Row) Row {
	one.Name, one.Metric = telemetry.Metrics[row].Name, row
	return one
}

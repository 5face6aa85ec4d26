package labrow

import (
	"slices"

	"impalab/learner/hyper"
	"impalab/learner/telemetry"
)

// Four rows are open at most, because a reader follows no more. The others are chips below, each with its value and a
// small curve.

// most is how many rows are open at once.
const most = 4

// Opening returns the rows that are open when a run with these settings begins, the most relevant first.
func Opening(cfg *hyper.Config) []string {
	age, rho := name(telemetry.AgeMean), name(telemetry.CutByRho)
	switch {
	case cfg.Algo == hyper.VMPO:
		return []string{trace(telemetry.Temperature), trace(telemetry.OfPolicy), trace(telemetry.OfMean), age,
			trace(telemetry.OfWeights)}
	case cfg.Algo == hyper.Stac || cfg.Algo == hyper.Stacx:
		return []string{Tunes, age, rho}
	case cfg.PolicyCost == 0: // the policy is held still, and only the values move
		return []string{Destination, rho, name(telemetry.CutByC), name(telemetry.CorrectionSize)}
	case cfg.Mix > 0:
		return []string{name(telemetry.EffectiveSample), age, rho, name(telemetry.CorrectionSize)}
	}
	return []string{age, rho, name(telemetry.CorrectionSize), name(telemetry.EffectiveSample)}
}

func name(figure int) string { return telemetry.Metrics[figure].Name }

func trace(quantity int) string { return "trace-" + telemetry.AlgoMetrics[quantity].Name }

// OfKey returns the name of the row in which the knob of a setting can stand, or "".
func OfKey(key string) string {
	if row := find(key); row != nil {
		return row.Name
	}
	return ""
}

// Fold remembers which rows are open. A row that a person touches opens in place of the row touched longest ago.
type Fold struct {
	kind    string
	touched []string // the row touched last stands last
	open    []string
}

// Begin opens the rows of a run of another kind, and keeps the rows of one of the same kind.
func (f *Fold) Begin(kind string, rows []string) {
	if f.kind != kind {
		f.kind, f.touched = kind, slices.Clone(rows)
		slices.Reverse(f.touched)
	}
}

// Touch opens a row.
func (f *Fold) Touch(row string) {
	if row != "" {
		f.touched = append(slices.DeleteFunc(f.touched, func(have string) bool { return have == row }), row)
	}
}

// Fit folds the rows touched longest ago until the others fit into a height. Tall returns the height of a row, 0 if the
// run does not have it. One row stays open in any case.
func (f *Fold) Fit(height float64, tall func(row string) float64) {
	f.open = f.open[:0]
	for _, row := range slices.Backward(f.touched) {
		high := tall(row)
		if high == 0 {
			continue
		}
		if height -= high; len(f.open) == most || height < 0 && len(f.open) > 0 {
			break
		}
		f.open = append(f.open, row)
	}
}

// Open reports whether a row is open.
func (f *Fold) Open(row string) bool { return slices.Contains(f.open, row) }

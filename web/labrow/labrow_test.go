package labrow

import (
	"testing"

	"impalab/learner/hyper"
	"impalab/learner/telemetry"
)

func TestEveryFigureAndEveryTraceHasOneRow(t *testing.T) {
	figures, traces, names := map[int]int{}, map[string]int{}, map[string]int{}
	for _, one := range All {
		names[one.Name]++
		if one.Metric >= 0 {
			figures[one.Metric]++
		}
		if one.Quantity != nil {
			traces[one.Quantity.Name]++
		}
	}
	for i := range telemetry.Metrics {
		if figures[i] != 1 {
			t.Errorf("%s has %d lanes", telemetry.Metrics[i].Name, figures[i])
		}
	}
	for i := range telemetry.AlgoMetrics {
		if name := telemetry.AlgoMetrics[i].Name; traces[name] != 1 {
			t.Errorf("%s has %d lanes", name, traces[name])
		}
	}
	for name, count := range names {
		if count != 1 {
			t.Errorf("%d lanes are called %q", count, name)
		}
	}
}

func TestAFigureWithoutARowOfItsOwnIsFolded(t *testing.T) {
	shown := inSight()
	for _, lane := range withTheRest(shown)[len(shown):] {
		if !lane.Folded || lane.Words == "" || lane.Tone == "" {
			t.Errorf("the lane %+v has no row: want it folded, in the words of its figure", lane)
		}
	}
	if len(withTheRest(shown)) == len(shown) {
		t.Error("every figure has a row, so that this test tests nothing")
	}
}

func TestAKnobStandsInOneRowOnly(t *testing.T) {
	rows := map[string]string{}
	for _, one := range All {
		if one.Key == "" {
			continue
		}
		row, err := hyper.Lookup(one.Key)
		if err != nil || !row.Numeric() {
			t.Errorf("%s: its knob is %q, %v", one.Name, one.Key, err)
		}
		if other := rows[one.Key]; other != "" {
			t.Errorf("%s stands beside %s and beside %s", one.Key, other, one.Name)
		}
		rows[one.Key] = one.Name
	}
}

package picture

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"impalab/learner/tape"
	"impalab/learner/trial"
	"impalab/server/store"
)

// The first points of a run have no return: no episode has ended.
func TestASparkLeavesOutPointsWithoutAReturn(t *testing.T) {
	nan := math.NaN()
	got := Spark([]store.Point{{Step: 100, Value: nan}, {Step: 200, Value: 1}, {Step: 300, Value: nan},
		{Step: 400, Value: 3}})
	if want := "M0.0 23.0L100.0 1.0"; got != want {
		t.Errorf("the spark is %q, want %q", got, want)
	}
	if got := Spark([]store.Point{{Step: 100, Value: nan}, {Step: 200, Value: 1}}); got != "" {
		t.Errorf("one return is drawn as %q", got)
	}
}

// rises returns a run on CartPole whose mean return rises to 400 and, at 40 000 steps, goes to another value.
func rises(to float64) Run {
	r := steered()
	r.Tape = &tape.Tape{Header: r.Tape.Header}
	r.Curves = map[string][]store.Point{}
	for i := range 200 {
		step, v := int64(i+1)*1000, 400*math.Min(1, float64(i)/30)
		if step > 40_000 {
			v = to
		}
		r.Curves["return_mean_100"] = append(r.Curves["return_mean_100"], store.Point{Step: step, Value: v})
		r.Curves["episodes"] = append(r.Curves["episodes"], store.Point{Step: step, Value: float64(100 + 20*i)})
	}
	r.Steps = 200_000
	return r
}

func TestAFallIsMarkedOnAStoredRun(t *testing.T) {
	fell, stands := Charts(rises(9))[0], Charts(rises(390))[0]
	for _, d := range fell.Drawn {
		if strings.Count(d.Inside, `class="cross"`) != 2 || !strings.Contains(d.Inside, "fell: 400 → 9") {
			t.Errorf("%s: no cross with its note: %.400s", d.Class, d.Inside)
		}
	}
	for _, d := range stands.Drawn {
		if strings.Contains(d.Inside, "cross") || strings.Contains(d.Inside, "fell") {
			t.Errorf("%s: a run that stands is marked as fallen", d.Class)
		}
	}
	together := Together([]Run{rises(390), rises(9)})
	if n := strings.Count(together.Drawn[0].Inside, `class="cross"`); n != 2 {
		t.Errorf("%d strokes of crosses beside each other, not 2", n)
	}
}

// Groups draws one line for each configuration, in SVG and PNG, and says where each ends.
func TestGroupsAreOneLineForEachConfiguration(t *testing.T) {
	curve := func(last float64) trial.Curve {
		c := trial.Curve{Budget: 1000, At: make([]float64, trial.CurvePoints)}
		for i := range c.At {
			c.At[i] = last * float64(i+1) / trial.CurvePoints
		}
		return c
	}
	c := Groups("Breakout", []Named{
		{"IMPALA", []trial.Curve{curve(10), curve(20)}}, {"V-MPO", []trial.Curve{curve(5), curve(5)}},
	})
	if want := "Breakout. IMPALA ends at 15.0. V-MPO ends at 5.00."; c.Says != want {
		t.Errorf("it says %q, want %q", c.Says, want)
	}
	sheet := Sheet{Chart: c}
	drawn, err := sheet.SVG()
	if err != nil || bytes.Count(drawn, []byte("<path")) != 4 || !bytes.Contains(drawn, []byte(">V-MPO 5.00<")) {
		t.Errorf("want two lines and two bands with names: %s (%v)", drawn, err)
	}
	if _, err := sheet.PNG(); err != nil {
		t.Error(err)
	}
}

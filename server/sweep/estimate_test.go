package sweep

import (
	"math"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
)

func TestTheSpeedCountsRunsThatTrainAtOnce(t *testing.T) {
	var s speed
	at := func(seconds int) time.Time { return time.Unix(int64(seconds), 0) }
	if s.rate() != 0 {
		t.Errorf("before any run it is %v", s.rate())
	}
	s.begin(at(0))
	s.begin(at(2))
	s.end(at(4), 10)
	s.end(at(5), 10)
	s.begin(at(100)) // nothing trained in between
	if s.end(at(105), 30); s.rate() != 5 {
		t.Errorf("50 units of work in 10 s of training give %v", s.rate())
	}
}

func TestASweepIsEstimatedBeforeItBegins(t *testing.T) {
	h := working(t, nil, 1)
	spec := Spec{Seeds: []uint64{1, 2, 3}, Keys: []Axis{{"lag", []string{"0", "4"}}}}
	spec.Base.Config = kit.Config(t, "catch", "")
	spec.Base.Config.Steps = 3000
	e, err := h.Estimate(spec)
	if err != nil || e.Runs != 6 || e.Cells != 2 || e.Steps != 18_000 || !math.IsNaN(float64(e.Seconds)) {
		t.Errorf("before any run: %+v, %v", e, err)
	}
	if _, _, err := h.Start(t.Context(), spec, ""); err != nil {
		t.Fatal(err)
	}
	for until := time.Now().Add(kit.Patience); math.IsNaN(float64(e.Seconds)); time.Sleep(20 * time.Millisecond) {
		if e, err = h.Estimate(spec); err != nil || time.Now().After(until) {
			t.Fatalf("its runs gave no speed: %+v, %v", e, err)
		}
	}
	if e.Seconds < 1 {
		t.Errorf("%+v", e)
	}
	spec.Seeds = nil
	if _, err := h.Estimate(spec); err == nil || !strings.Contains(err.Error(), "the list is empty") {
		t.Errorf("without seeds: %v", err)
	}
}

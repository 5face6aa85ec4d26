package sweep

import (
	"math"
	"sync"
	"time"

	"impalab/learner/trial"
	"impalab/server/errcode"
)

// Size is how large a sweep is, before it begins.
type Size struct {
	Runs    int          `json:"runs"`
	Cells   int          `json:"cells"`
	Steps   uint64       `json:"steps" doc:"Environment steps of all runs together."`
	Seconds trial.Number `json:"seconds" nullable:"true" doc:"If the server trains nothing else, from the speed of the sweeps since its start; null before the first."`
}

// Estimate returns the size of a sweep. It refuses what Start would refuse.
func (sw *Sweeps) Estimate(spec Spec) (Size, error) {
	seconds, err := spec.check(sw.lab)
	if err != nil {
		return Size{}, &errcode.Error{Code: errcode.Refused, Err: err}
	}
	e := Size{Runs: spec.Runs(), Cells: spec.Cells(), Steps: uint64(spec.Runs()) * spec.Base.Config.Steps,
		Seconds: trial.None}
	if rate := sw.speed.rate(); rate > 0 {
		e.Seconds = trial.Number(math.Ceil(seconds / rate))
	}
	return e, nil
}

// speed measures how fast this process trains the runs of sweeps. Its unit of work is a second by secondsOf.
type speed struct {
	mu       sync.Mutex
	training int
	since    time.Time     // since when at least one run trains
	busy     time.Duration // before
	done     float64       // work of the runs that have ended
}

// begin notes that a run begins to train.
func (s *speed) begin(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.training == 0 {
		s.since = now
	}
	s.training++
}

// end notes that a run has stopped training after some work.
func (s *speed) end(now time.Time, work float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.training--
	s.done += work
	s.busy += now.Sub(s.since)
	s.since = now
}

// rate returns the work of a second; 0: nothing is measured.
func (s *speed) rate() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy <= 0 {
		return 0
	}
	return s.done / s.busy.Seconds()
}

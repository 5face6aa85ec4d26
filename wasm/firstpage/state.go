package firstpage

import (
	"impalab/learner/correct"
	"impalab/wasm/run"
	"impalab/web/chart"
)

// The facts of the two runs at their newest step.

// down reports whether the right one has fallen and not recovered.
func (s *Story) down() bool { return s.fellAt > 0 && s.roseAt == 0 }

// changedSince reports whether the lag has changed after the right one fell.
func (s *Story) changedSince() bool { return s.fellAt > 0 && s.turned >= s.fellAt }

// ripe reports whether the next act is to make the data old.
func (s *Story) ripe() bool { return s.Phase == Learning && !s.free && s.lag() == 0 && s.fellAt == 0 }

// young reports whether the data have waited too short to break anything for a while.
func (s *Story) young() bool {
	return s.Phase == Learning && !s.free && !s.mended() && s.fellAt == 0 && s.lag() > 0 && s.lag() < s.of.dragTo &&
		s.step() >= s.turned+s.of.doubtful
}

func (s *Story) lag() int { return s.Runs()[1].Config().Lag }

// step returns the last step that both runs have reached.
func (s *Story) step() uint64 { return min(s.sides[0].step, s.sides[1].step) }

func (s *Story) mended() bool { return s.Runs()[1].Config().Correction != correct.MethodNone }

// cure returns the left run's correction, as settings spell it.
func (s *Story) cure() string { return s.Runs()[0].Config().Get("correction") }

// Whole reports whether the right run counts every step in full.
func (s *Story) Whole() bool { return !s.mended() }

// mendedAt returns the step at which the right run got its correction, or 0.
func (s *Story) mendedAt() (step uint64) {
	for _, m := range s.Runs()[1].Marks {
		if m.Key == "correction" {
			step = m.Step
		}
	}
	return step
}

// helpedAt returns the step at which the right one got its correction or, after its fall, another lag; 0: neither.
func (s *Story) helpedAt() uint64 {
	switch {
	case s.mended():
		return s.mendedAt()
	case s.changedSince():
		return s.turned
	}
	return 0
}

// risen reports whether the right run has stood for a while after its fall.
func (s *Story) risen(step uint64) bool {
	helped := s.helpedAt()
	if helped == 0 || step < helped+s.of.after {
		return false
	}
	hundred := &s.Runs()[1].Return
	return float64(hundred.At(step)) > s.of.levels.Risen && float64(hundred.At(step-s.of.after/2)) > s.of.levels.Risen
}

// outOfTime reports whether the right run has had its time to recover. A run that is on its way up has twice that time.
func (s *Story) outOfTime(step uint64) bool {
	helped, longest := s.helpedAt(), s.of.longest
	if s.Score(true) > s.of.chance+(s.of.levels.Risen-s.of.chance)/3 {
		longest *= 2
	}
	return helped > 0 && step >= helped+longest
}

// tooLate reports whether the correction did not lift an agent that lies: its story can be told again, with the
// correction from the turn on.
func (s *Story) tooLate() bool {
	return s.of.lies && s.Phase == Over && s.fellAt > 0 && s.mended() && !s.risen(s.step())
}

// finished reports whether the right run has recovered, or has had its time for it.
func (s *Story) finished(step uint64) bool { return s.risen(step) || s.outOfTime(step) }

// helped returns the phase of a right run that has been helped: Over if a page that was reloaded had ended the story.
func (s *Story) helped(phase Phase) Phase {
	if s.still && s.finished(s.step()) {
		return Over
	}
	return phase
}

// planned reports whether the link changes a setting of the right one later.
func (s *Story) planned(key string) bool {
	for _, t := range s.Runs()[1].Link.Planned() {
		if t.Change.Key() == key && t.Step > s.sides[1].step {
			return true
		}
	}
	return false
}

// curve returns the curve of a run on the chart: the mean return of ten episodes, or of a hundred short ones.
func (s *Story) curve(r *run.Run) *chart.Curve {
	if s.of.levels.Long {
		return &r.Return
	}
	return &r.Recent
}

// Score returns the newest mean return on a learner's curve, at the step that both have reached; NaN before the first.
func (s *Story) Score(right bool) float64 {
	r := s.Runs()[0]
	if right {
		r = s.Runs()[1]
	}
	return float64(s.curve(r).At(s.step()))
}

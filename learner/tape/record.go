package tape

import (
	"io"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
)

// Every is the usual number of updates between two marks.
const Every = 100

// Recorder writes a run's tape during the run, each line with one Write, so that a killed process loses at most one
// line. It belongs to the learner's goroutine.
type Recorder struct {
	to     io.Writer
	every  uint64
	marked uint64 // the newest update with a mark on the tape
}

// HeaderOf returns the header for a run of cfg. build names the program.
func HeaderOf(cfg *hyper.Config, build string) Header {
	kernels, _ := cfg.Kernels("") // without kernels the run does not start
	return Header{Build: build, Arithmetic: kernels.Arithmetic(), Settings: cfg.Settings()}
}

// Record begins a tape. It is marked each time the number of updates divides by every.
func Record(to io.Writer, h Header, every uint64) (*Recorder, error) {
	if err := Begin(to, h); err != nil {
		return nil, err
	}
	return &Recorder{to: to, every: max(1, every)}, nil
}

// Resume continues t, whose lines the file already holds.
func (t *Tape) Resume(to io.Writer, every uint64) *Recorder {
	r := &Recorder{to: to, every: max(1, every)}
	for _, e := range t.Events {
		if e.Kind == Marked {
			r.marked = e.Update
		}
	}
	return r
}

// Between marks the parameters at every mark. Call it in the Between hook, before the changes made there.
func (r *Recorder) Between(l *learner.Learner) error {
	if l.Updates()%r.every != 0 {
		return nil
	}
	return r.mark(l)
}

func (r *Recorder) mark(l *learner.Learner) error {
	if l.Updates() == r.marked { // no update since the last mark, or at all
		return nil
	}
	r.marked = l.Updates()
	return Append(r.to, Event{Kind: Marked, Update: l.Updates(), Step: l.Steps(), ParamsSHA256: l.ParamsSHA256()})
}

// Changed writes a change and who made it.
func (r *Recorder) Changed(c telemetry.Changed, by string) error {
	return Append(r.to, ChangeBy(c, by))
}

// Stop writes the end of the run, or a last mark if the run has not ended.
func (r *Recorder) Stop(l *learner.Learner) error {
	e := Event{Kind: Ended, Update: l.Updates(), Step: l.Steps(), ParamsSHA256: l.ParamsSHA256(), State: Done,
		Device: l.Machine().Device.Name}
	switch {
	case l.Diverged() != "":
		e.State, e.Reason = Diverged, l.Diverged()
	case !l.Finished():
		return r.mark(l)
	}
	return Append(r.to, e)
}

// Script makes planned turns, and writes them to a tape.
type Script struct {
	Turns []hyper.PlannedChange // in the order of their steps
	By    string                // who planned them
	Tape  *Recorder             // nil: none
}

// Between marks the tape, and makes the turns that are due before the next update. Call it in the Between hook.
func (s *Script) Between(l *learner.Learner) error {
	if s.Tape != nil {
		if err := s.Tape.Between(l); err != nil {
			return err
		}
	}
	for len(s.Turns) > 0 && s.Turns[0].Step <= l.Steps() {
		changed, err := l.Apply(s.Turns[0].Change)
		if err != nil {
			return err
		}
		s.Turns = s.Turns[1:]
		if s.Tape == nil {
			continue
		}
		if err := s.Tape.Changed(changed, s.By); err != nil {
			return err
		}
	}
	return nil
}

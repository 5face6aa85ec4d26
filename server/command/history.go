package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/learner/trial"
	"impalab/server/atomicfile"
)

// historyFlags plan turns of a run, and store its tape and its snapshot.
type historyFlags struct {
	Turn   []string `help:"Change a setting at a step, or several with spaces between, like 80000:lag=64. May be repeated." placeholder:"STEP:KEY=VALUE" sep:"none"`
	Tape   string   `help:"Write the settings and every change of the run into this new file, for replay; with --resume, continue the run's tape." placeholder:"FILE"`
	Save   string   `help:"Write the run into this file when it ends or is interrupted, for --resume and eval." placeholder:"FILE"`
	Resume string   `help:"Continue a run that --save wrote." placeholder:"FILE"`
}

// history holds the checked flags for the runs of one command.
type history struct {
	turns []hyper.PlannedChange
	save  string
	file  *os.File       // of the tape; nil without --tape
	tape  *tape.Recorder // nil without --tape
}

// history checks the flags before anything is trained. l is the learner of a snapshot, or nil if the runs are new.
func (f *historyFlags) history(p *trial.Trial, l *learner.Learner) (*history, error) {
	h := &history{save: f.Save}
	begun := uint64(0)
	if l != nil {
		begun = l.Steps()
	}
	var err error
	if h.turns, err = parseTurns(f.Turn, &p.Config, begun, p.Jobs); err != nil {
		return nil, fmt.Errorf("--%w", err)
	}
	if f.Save != "" {
		err = savable(f.Save, p)
	}
	if f.Tape != "" && err == nil {
		if err = h.begin(f.Tape, p, l); err != nil {
			err = fmt.Errorf("--tape %q: %w", f.Tape, cause(err))
		}
	}
	return h, err
}

// words splits lists at spaces, but for a turn of a setting that takes lines. It keeps an empty text, so that the text
// is refused.
func words(lists []string) (out []string) {
	for _, list := range lists {
		_, setting, _ := strings.Cut(list, ":")
		key, _, _ := strings.Cut(setting, "=")
		row, _ := hyper.Lookup(key)
		if words := strings.Fields(list); len(words) > 0 && (row == nil || row.Lines == 0) {
			out = append(out, words...)
		} else {
			out = append(out, list)
		}
	}
	return out
}

// parseTurns reads the values of --turn. It checks that each turn is allowed and fits into memory.
func parseTurns(lists []string, cfg *hyper.Config, begun uint64, jobs int) (all []hyper.PlannedChange, err error) {
	for _, text := range words(lists) {
		turn, err := hyper.ParsePlannedChange(text)
		if err != nil {
			return nil, err
		}
		all = append(all, turn)
	}
	if err := cfg.CheckPlan(all, begun); err != nil {
		return nil, err
	}
	with := *cfg
	for _, turn := range all {
		turn.Change.Apply(&with)
		if err := affordable(&with, jobs); err != nil {
			return nil, fmt.Errorf("turn %s: %w", turn, err)
		}
	}
	return all, nil
}

// savable returns an error if --save cannot store this trial.
func savable(file string, p *trial.Trial) error {
	switch {
	case len(p.Seeds) > 1:
		return fmt.Errorf("--save %q: one file holds one run; train one seed, with --seed", file)
	case p.Config.Mode == hyper.Live:
		return fmt.Errorf("--save %q with mode=live: its actors never stop at the same step; set mode=reference", file)
	}
	return writable("--save", file)
}

// writable returns an error, before anything is trained, if a file could not be written at the end.
func writable(flag, file string) error {
	if err := atomicfile.Writable(file); err != nil {
		return fmt.Errorf("%s %q: %w", flag, file, cause(err))
	}
	return nil
}

// begin opens the tape: a new file, or the tape of the resumed run.
func (h *history) begin(name string, p *trial.Trial, l *learner.Learner) error {
	if len(p.Seeds) > 1 {
		return errors.New("one file holds one run; train one seed, with --seed")
	}
	if l != nil {
		return h.resume(name, l)
	}
	build, err := programName()
	if err != nil {
		return err
	}
	h.file, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return errors.New("the file exists, and a tape is never overwritten; name another file")
	}
	if err != nil {
		return err
	}
	h.tape, err = tape.Record(h.file, tape.HeaderOf(&p.Config, build), tape.Every)
	if err != nil {
		err = errors.Join(err, h.file.Close(), os.Remove(name)) // no tape may lack its first line
	}
	return err
}

// resume opens the tape of the resumed run l for appending. It refuses the tape of another run.
func (h *history) resume(name string, l *learner.Learner) error {
	t, err := readTape(name)
	if err != nil {
		return fmt.Errorf("a resumed run needs its own tape here: %w", err)
	}
	update, _ := t.Last()
	start, err := t.Config(nil)
	if err == nil {
		start, err = t.At(start, l.Updates())
	}
	switch now := l.Config(); {
	case err != nil:
		return err
	case t.End() != nil:
		return fmt.Errorf("its run is %s; only an interrupted run can be resumed", t.End().State)
	case len(start.Diff(now)) > 0:
		var keys []string
		for _, s := range start.Diff(now) {
			keys = append(keys, s.Key)
		}
		return fmt.Errorf("it belongs to another run, with another %s", strings.Join(keys, ", "))
	case update != l.Updates() || !marks(t, l):
		return fmt.Errorf("it ends at update %d with other parameters than the snapshot at update %d: it belongs to "+
			"another run, or was not saved with the snapshot", update, l.Updates())
	}
	if h.file, err = os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0); err != nil {
		return err
	}
	h.tape = t.Resume(h.file, tape.Every)
	build, err := programName()
	if err != nil {
		return err
	}
	if line, news := t.Continue(l, build, l.Updates(), l.Steps()); news {
		return tape.Append(h.file, line)
	}
	return nil
}

// marks reports whether the newest mark of t has the parameters of l.
func marks(t *tape.Tape, l *learner.Learner) bool {
	for _, e := range slices.Backward(t.Events) {
		if e.Kind == tape.Marked {
			return e.Update == l.Updates() && e.ParamsSHA256 == l.ParamsSHA256()
		}
	}
	return l.Updates() == 0
}

// hooks returns hooks that make the turns of one run and write them to the tape.
func (h *history) hooks(to learner.Hooks) learner.Hooks {
	script := tape.Script{Turns: h.turns, By: "--turn", Tape: h.tape}
	before := to.Between
	to.Between = func(l *learner.Learner) error {
		if err := script.Between(l); err != nil {
			return err
		}
		if before != nil {
			return before(l)
		}
		return nil
	}
	return to
}

// stop stores a run that has stopped.
func (h *history) stop(l *learner.Learner) error {
	if h.tape != nil {
		if err := h.tape.Stop(l); err != nil {
			return err
		}
	}
	if h.save == "" {
		return nil
	}
	blob, err := l.Snapshot()
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(h.save, blob, 0o644)
}

func (h *history) close() {
	if h != nil && h.file != nil {
		h.file.Close() // each line was written, or its error was reported
	}
}

// readTape reads a file. With an error it returns the tape before the fault, or nil.
func readTape(name string) (*tape.Tape, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, Named(err)
	}
	defer file.Close()
	t, err := tape.Read(file)
	if t == nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return t, err
}

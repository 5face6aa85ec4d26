package command

// What is done to a run while it trains, and what is kept of it: planned turns, its tape, and a snapshot to go on from.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/learner/trial"
	"impalab/server/atomicfile"
)

type historyFlags struct {
	Turn   []string `help:"Change a setting at a step, or several with spaces between, like 80000:lag=64. May be repeated." placeholder:"STEP:KEY=VALUE" sep:"none"`
	Tape   string   `help:"Write what is done to the run into this new file as it happens, for replay; with --resume, go on writing the run's own." placeholder:"FILE"`
	Save   string   `help:"Write the run as it stands when it ends, or is interrupted, into this file, for --resume and eval." placeholder:"FILE"`
	Resume string   `help:"Go on with a run that --save wrote." placeholder:"FILE"`
}

// history is the same, checked, for the runs of one command.
type history struct {
	turns []hyper.Turn
	save  string
	file  *os.File       // of the tape; nil: none is kept
	tape  *tape.Recorder // nil: the same
}

// history checks the flags before anything is trained. l has come from a snapshot; nil: the runs begin anew.
func (f *historyFlags) history(p *trial.Trial, l *learner.Learner) (*history, error) {
	h := &history{save: f.Save}
	begun := uint64(0)
	if l != nil {
		begun = l.Steps()
	}
	var err error
	if h.turns, err = turns(f.Turn, &p.Config, begun, p.Jobs); err != nil {
		return nil, UsageError{fmt.Errorf("--%w", err)}
	}
	if f.Save != "" {
		if err := savable(f.Save, p); err != nil {
			return nil, UsageError{err}
		}
	}
	if f.Tape != "" {
		if err := h.begin(f.Tape, p, l); err != nil {
			return nil, UsageError{fmt.Errorf("--tape %q: %w", f.Tape, cause(err))}
		}
	}
	return h, nil
}

// turns reads what --turn says. Each must be allowed, and fit into memory.
func turns(lists []string, cfg *hyper.Config, begun uint64, jobs int) (all []hyper.Turn, err error) {
	for _, text := range pairs(lists) {
		turn, err := hyper.ParseTurn(text)
		if err != nil {
			return nil, err
		}
		all = append(all, turn)
	}
	if err := cfg.CheckTurns(all, begun); err != nil {
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

func savable(file string, p *trial.Trial) error {
	switch {
	case len(p.Seeds) > 1:
		return fmt.Errorf("--save %q: one file holds one run; train one seed, with --seed", file)
	case p.Config.Mode == hyper.Live:
		return fmt.Errorf("--save %q with mode=live: its actors never stand still; set mode=reference", file)
	}
	return writable("--save", file)
}

// writable refuses a file that could not be written at the end, before anything is trained.
func writable(flag, file string) error {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return fmt.Errorf("%s %q is a folder: name a file in it", flag, file)
	}
	folder := filepath.Dir(file)
	if err := atomicfile.Check(folder); err != nil {
		return fmt.Errorf("%s %q: the folder %s cannot be written: %w; name a file elsewhere", flag, file, folder, cause(err))
	}
	return nil
}

// begin opens the tape: a new file, or the one of the run that goes on.
func (h *history) begin(name string, p *trial.Trial, l *learner.Learner) error {
	if len(p.Seeds) > 1 {
		return errors.New("one file holds one run; train one seed, with --seed")
	}
	if l != nil {
		return h.goOn(name, l)
	}
	build, err := programName()
	if err != nil {
		return err
	}
	h.file, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return errors.New("the file is there already, and a tape is never written over; name another")
	}
	if err != nil {
		return err
	}
	h.tape, err = tape.Record(h.file, tape.HeaderOf(&p.Config, build), tape.Every)
	if err != nil {
		err = errors.Join(err, h.file.Close(), os.Remove(name)) // a tape without its first line would be in the way
	}
	return err
}

// goOn appends to the tape of the run that l goes on with, if it is that one.
func (h *history) goOn(name string, l *learner.Learner) error {
	t, err := readTape(name)
	if err != nil {
		return fmt.Errorf("the run goes on, and this must be its tape so far: %w", err)
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
		return fmt.Errorf("the run on it is %s; only one that was interrupted goes on", t.End().State)
	case len(start.Diff(now)) > 0:
		var keys []string
		for _, s := range start.Diff(now) {
			keys = append(keys, s.Key)
		}
		return fmt.Errorf("it is another run's: it has another %s", strings.Join(keys, ", "))
	case update != l.Updates() || !marks(t, l):
		return fmt.Errorf("it ends at update %d with other parameters than the snapshot has at update %d: it is another "+
			"run's, or was not saved with it", update, l.Updates())
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

// marks reports whether the newest mark of t is of what l has learned.
func marks(t *tape.Tape, l *learner.Learner) bool {
	for _, e := range slices.Backward(t.Events) {
		if e.Kind == tape.Marked {
			return e.Update == l.Updates() && e.ParamsSHA256 == l.ParamsSHA256()
		}
	}
	return l.Updates() == 0
}

// hooks makes the turns of one run, and tapes them.
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

// stop keeps what a run has come to.
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
		h.file.Close() // each line has been written, or its error reported
	}
}

// readTape reads a file. Beside an error it returns the part of the tape before the fault, or nil.
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

package command

import (
	"context"
	"errors"
	"fmt"

	"impalab/learner/tape"
)

// Replay trains a tape's run again and compares the parameters.
type Replay struct {
	Tape  string `arg:"" name:"tape" help:"File that train --tape wrote."`
	Until uint64 `help:"Stop after this update. (the tape's end)" placeholder:"UPDATE"`
	JSON  bool   `help:"Print one JSON object."`
}

func (Replay) Help() string {
	return `Examples:

  impalab train --preset catch --turn 5000:lag=8 --steps 20000 --tape run.tape
  impalab replay run.tape
  impalab replay run.tape --until 100 --json

A tape holds the first settings and the seed of a run, every later change, and hashes of its parameters. Replay trains
the run again, makes the same changes, and compares the parameters byte for byte.

The exit code is 0 when every hash agrees, 3 when a hash differs, 4 when the file does not exist, and 1 when the tape is
not readable. If a tape is cut short, replay follows its readable part. Another build may differ if learning was changed
on purpose; replay then names both builds. Replay computes in the tape's arithmetic, fused or plain. A machine without
that arithmetic trains the run again, compares nothing and exits with 0. docs/tape.md describes the file.`
}

// replayReport is the JSON that --json prints.
type replayReport struct {
	tape.Outcome
	Same     *bool  `json:"same"` // null: the tape has another arithmetic, so nothing can be compared
	Build    string `json:"build"`
	MadeBy   string `json:"made_by"`
	MadeWith string `json:"made_with"`
	Fault    string `json:"fault,omitempty"` // why the rest of the file is not readable
}

func (r *Replay) Run(ctx context.Context, prog *Program) error {
	t, fault := readTape(r.Tape)
	if t == nil {
		return fmt.Errorf("%w; train --tape FILE writes a tape", fault)
	}
	cfg, err := t.Config(nil)
	if err != nil {
		return err
	}
	if err := affordable(&cfg, 1); err != nil {
		return err
	}
	build, err := programName()
	if err != nil {
		return err
	}
	_, steps := t.Last()
	meter := newMeter(prog.Stderr, steps)
	outcome, err := tape.Replay(ctx, t, tape.Options{Engine: onCores, Until: r.Until, Hooks: meter.hooks()})
	meter.clear()
	if ctx.Err() != nil {
		return ErrInterrupted
	}
	if err != nil {
		return errors.Join(err, fault)
	}
	report := replayReport{Outcome: outcome, Build: build, MadeBy: t.Build, MadeWith: t.Arithmetic}
	if same := outcome.Same(); !same || outcome.OtherFrom == nil || outcome.Checked > 0 {
		report.Same = &same
	}
	if fault != nil {
		report.Fault = fault.Error()
	}
	r.print(prog, &report)
	switch {
	case fault != nil:
		return fmt.Errorf("%s: %w; replay followed the part before it", r.Tape, fault)
	case !outcome.Same():
		return errDiffers
	}
	return nil
}

// print prints the report.
func (r *Replay) print(prog *Program, report *replayReport) {
	out := prog.Stdout
	if r.JSON {
		printJSON(out, report)
		return
	}
	switch {
	case report.Same == nil:
		fmt.Fprintf(out, "the tape has the arithmetic %s, and this program has %s: nothing was compared\n"+
			"  replayed to update %d, %d steps; parameters %.12s\n", report.OtherMade, report.Arithmetic, report.Update,
			report.Step, report.ParamsSHA256)
	case *report.Same:
		fmt.Fprintf(out, "the same: %d hashes agree up to update %d, %d steps; parameters %.12s\n", report.Checked,
			report.Update, report.Step, report.ParamsSHA256)
	default:
		fmt.Fprintf(out, "differs at update %d: %s\n", *report.DiffersAt, report.Why)
		fmt.Fprintf(out, "  replayed to update %d, %d steps; parameters %.12s\n", report.Update, report.Step,
			report.ParamsSHA256)
	}
	if report.OtherFrom != nil && report.Same != nil {
		fmt.Fprintf(out, "  from update %d on the tape has the arithmetic %s: nothing of that was compared\n",
			*report.OtherFrom, report.OtherMade)
	}
	if report.Build != report.MadeBy {
		fmt.Fprintf(out, "  build %s made the tape, and this is %s\n", report.MadeBy, report.Build)
	}
}

// Package homework judges exercises in a student's page without a server, and judges receipts again. It trains nothing:
// workers of the page train the runs that it asks for. It needs no browser, and is tested without one. Start with Do.
package homework

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"impalab/learner/hyper"
	"impalab/wasm/starlark"
	"impalab/web/exercise"
)

// Asked is a page's request. Do decides which fields count.
type Asked struct {
	Do string `json:"do"` // run, unrolls, judge or check

	Source  string            `json:"source"` // of a student's program; run and unrolls
	Unrolls []starlark.Unroll `json:"unrolls"`

	Exercise string          `json:"exercise"` // name; unrolls and judge
	HandIn   bool            `json:"handIn"`   // otherwise it is a try
	Before   int             `json:"before"`   // answers of this kind so far
	Said     exercise.Answer `json:"said"`     // a program's text is Said.Text

	Receipt string `json:"receipt"` // check

	Runs []Run `json:"runs"` // the results of the training that an earlier Told asked for
}

// Run is a trained run, as the page's worker describes it.
type Run struct {
	Mean  *float64   `json:"mean"`  // return of the last hundred episodes; nil: none ended
	Curve []*float64 `json:"curve"` // exercise.CurvePoints such means at equal distances of its budget
	Poses []int16    `json:"poses"` // of the last policy; empty: the world has no stick
}

// Told is the answer. With Train, the page trains these runs and asks again with their results.
type Told struct {
	Error string `json:"error"` // a sentence; "": none

	Targets []starlark.Targets `json:"targets,omitempty"` // of run
	Printed string             `json:"printed"`
	Inputs  *exercise.Inputs   `json:"inputs,omitempty"` // of unrolls

	Train   *Training         `json:"train,omitempty"`
	Verdict *exercise.Verdict `json:"verdict,omitempty"`
	Shown   *exercise.Shown   `json:"shown,omitempty"`   // the first run; nil for an exercise without runs
	Receipt string            `json:"receipt,omitempty"` // of a hand-in
	Check   *Check            `json:"check,omitempty"`
}

// Training is the configuration and the seeds of runs.
type Training struct {
	Settings []hyper.Setting `json:"settings"` // without the seed
	Seeds    []uint64        `json:"seeds"`
	Points   int             `json:"points"` // of each curve
	About    string          `json:"about"`  // what is trained, in words
}

// Check compares a receipt with a new judgement of its answer.
type Check struct {
	Same bool   `json:"same"`
	Say  string `json:"say"`
}

// Do answers a request.
func Do(a *Asked) Told {
	told, err := do(a)
	if err != nil {
		said := err.Error()
		told.Error = strings.ToUpper(said[:1]) + said[1:] + "."
	}
	return told
}

func do(a *Asked) (told Told, err error) {
	if a.Do == "run" {
		r := starlark.Run(a.Source, a.Unrolls)
		return Told{Error: r.Error, Targets: r.Targets, Printed: r.Printed}, nil
	}
	if a.Do == "check" {
		return check(a)
	}
	e, err := exercise.Named(a.Exercise)
	if err == nil {
		err = e.Spent(a.HandIn, a.Before)
	}
	if err != nil {
		return told, err
	}
	if a.Do == "unrolls" {
		in := e.Program.PublicInputs()
		if a.HandIn {
			in, _ = e.Program.OpenInputs(a.Source)
		}
		return Told{Inputs: &in}, nil
	}
	if a.HandIn && e.Untouched(&a.Said) {
		return told, exercise.ErrUntouched
	}
	told, err = judge(e, a)
	if err == nil && told.Verdict != nil && a.HandIn {
		told.Receipt, err = exercise.NewReceipt(e, &a.Said, told.Verdict).Code()
	}
	return told, err
}

// judge judges an answer, or says which runs that needs.
func judge(e *exercise.Exercise, a *Asked) (told Told, err error) {
	if _, err = e.Asked(&a.Said); err != nil {
		return told, err
	}
	var by exercise.Hidden
	if e.Trained() {
		cfg, err := e.Reach.Config(&a.Said)
		if err != nil {
			return told, err
		}
		if len(a.Runs) == 0 {
			t := &Training{Settings: without(cfg.Settings(), "seed"), Points: exercise.CurvePoints, About: about(e, &a.Said),
				Seeds: e.Reach.PublicSeeds()}
			if a.HandIn {
				t.Seeds = e.Reach.OpenSeeds(e.Name)
			}
			return Told{Train: t}, nil
		}
		by.Runs, told.Shown = measured(a.Runs), show(&a.Said, &cfg, &a.Runs[0])
	}
	if e.Program != nil {
		_, by.Seed = e.Program.OpenInputs(a.Said.Text)
	}
	var v exercise.Verdict
	if a.HandIn {
		v, err = e.Judge(&a.Said, by)
	} else {
		v, err = e.Public(&a.Said, by.Runs)
	}
	if v.Figure != nil && math.IsNaN(*v.Figure) {
		v.Figure = nil
	}
	told.Verdict = &v
	return told, err
}

// check judges the answer of a receipt again.
func check(a *Asked) (told Told, err error) {
	receipt, err := exercise.ReadReceipt(a.Receipt)
	if err != nil {
		return told, err
	}
	e, err := exercise.Named(receipt.Exercise)
	if err != nil {
		return told, err
	}
	again := &Asked{HandIn: true, Said: receipt.Said, Runs: a.Runs}
	if e.Program != nil {
		in, _ := e.Program.OpenInputs(receipt.Said.Text)
		if again.Said.Targets, err = targets(receipt.Said.Text, in.Unrolls); err != nil {
			return told, err
		}
		again.Said.Draw = in.Draw
	}
	told, err = judge(e, again)
	if err != nil || told.Train != nil {
		return told, err
	}
	here := exercise.NewReceipt(e, &receipt.Said, told.Verdict)
	c := &Check{Same: here.Result() == receipt.Result()}
	if c.Same {
		c.Say = "As written: " + about(e, &receipt.Said) + " gives " + here.Result() + ". " + told.Verdict.Say
	} else {
		c.Say = fmt.Sprintf("It differs: for %s the receipt says %s, and it gives %s here.", about(e, &receipt.Said),
			receipt.Result(), here.Result())
	}
	told.Check = c
	return told, nil
}

// targets runs a program on unrolls.
func targets(source string, on []exercise.Trajectory) (all []exercise.Targets, err error) {
	var unrolls []starlark.Unroll
	for i := range on {
		unrolls = append(unrolls, starlark.Unroll(on[i]))
	}
	r := starlark.Run(source, unrolls)
	if r.Error != "" {
		return nil, errors.New("the program of this receipt fails: " + strings.TrimSuffix(r.Error, "."))
	}
	for _, t := range r.Targets {
		all = append(all, exercise.Targets(t))
	}
	return all, nil
}

// about names an exercise and an answer to it.
func about(e *exercise.Exercise, said *exercise.Answer) string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(said.Settings)) {
		if value := said.Settings[key]; strings.Contains(value, "\n") {
			parts = append(parts, key+" of its own")
		} else {
			parts = append(parts, key+" "+value)
		}
	}
	if said.Number != nil {
		parts = append(parts, fmt.Sprint(*said.Number))
	}
	for _, x := range said.Numbers {
		parts = append(parts, fmt.Sprint(x))
	}
	for _, choice := range []*int{said.Choice, said.Second} {
		if choice != nil {
			parts = append(parts, fmt.Sprintf("answer %d", *choice+1))
		}
	}
	if len(parts) == 0 {
		return "“" + e.Title + "”"
	}
	return "“" + e.Title + "” with " + strings.Join(parts, ", ")
}

func without(settings []hyper.Setting, key string) []hyper.Setting {
	return slices.DeleteFunc(settings, func(s hyper.Setting) bool { return s.Key == key })
}

func measured(runs []Run) *exercise.Measured {
	var returns []float64
	for _, r := range runs {
		returns = append(returns, orNaN(r.Mean))
	}
	return exercise.MeasuredOf(returns)
}

// show returns the chart of an answer's first run.
func show(said *exercise.Answer, cfg *hyper.Config, r *Run) *exercise.Shown {
	c := &exercise.Curve{Budget: cfg.Steps, Steps: cfg.Steps}
	for _, y := range r.Curve {
		c.At = append(c.At, orNaN(y))
	}
	poses := r.Poses
	if len(poses) == 0 {
		poses = nil
	}
	return exercise.Show(said.Settings, cfg.World, c, poses)
}

// orNaN reads a number of JSON, which has no NaN.
func orNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

package command

// The table of bench: the same few networks and algorithms every time, so that a figure can be held against another
// day's, or another machine's.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"impalab/learner"
	"impalab/learner/device"
	"impalab/learner/hyper"
)

// benchRows are what the table measures. All learn from 20 × 32 steps, but for rooms, whose observations are large.
var benchRows = []benchRow{
	{"cartpole", "preset=cartpole unroll=20 batch=32", ""},
	{"lag", "preset=cartpole unroll=20 batch=32", "lag=1"}, // acts beside learning in both modes: live always does
	{"catch", "preset=catch unroll=20 batch=32", ""},
	{"breakout", "preset=breakout unroll=20 batch=32", ""},
	{"resnet", "preset=breakout torso=deep unroll=20 batch=32", ""},
	{"lstm", "preset=catch lstm=128 unroll=20 batch=32", ""},
	{"rooms", "preset=rooms-collect lstm=128", ""},
	{"vmpo", "preset=vmpo unroll=20 batch=32", ""},
	{"stac", "preset=stac unroll=20 batch=32", ""},
	{"laser", "preset=laser unroll=20 batch=32", ""},
}

// benchRow has settings, and more of them in reference mode alone.
type benchRow struct{ name, settings, reference string }

// cautious are steps so small that no run diverges before it is measured. They take as long as others.
var cautious = []hyper.Setting{{Key: "lr", Value: "1e-05"}, {Key: "steps", Value: "0"}}

// place is something that a row is measured on.
type place struct {
	engine learner.Engine
	cores  []int
}

// table measures every row in both modes in every place, and prints each as soon as it is there.
func (b *Bench) table(ctx context.Context, prog *Program, before earlier) error {
	if err := b.itsOwnRows("--table"); err != nil {
		return UsageError{err}
	}
	names, err := b.names()
	if err != nil {
		return UsageError{err}
	}
	places, done, err := b.places(ctx)
	if err != nil {
		return err
	}
	defer done()
	if !b.JSON {
		fmt.Fprintf(prog.Stdout, "%-9s %-9s %5s  %-9s %9s %8s %8s %8s %9s  %s\n", "NAME", "MODE", "CORES", "DEVICE",
			"STEPS/S", "GFLOP/S", "OF PEAK", "OF LIVE", "OF BEFORE",
			"WHERE THE CORES' TIME GOES, AND HOW NEAR THE PEAK")
	}
	for _, row := range benchRows {
		if !slices.Contains(names, row.name) {
			continue
		}
		for _, p := range places {
			for _, cores := range p.cores {
				if err := b.row(ctx, prog, before, row, p.engine, cores); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// itsOwnRows refuses settings beside a flag whose rows are always the same.
func (b *Bench) itsOwnRows(of string) error {
	for _, flag := range [][2]string{
		{"--preset", b.Preset}, {"--world", b.World}, {"--algo", b.Algo}, {"--set", strings.Join(b.Set, " ")},
	} {
		if flag[1] != "" {
			return fmt.Errorf("%s %s beside %s, whose rows are always the same: leave one out", flag[0], flag[1], of)
		}
	}
	return nil
}

// row measures live and then reference, one right after the other: their ratio is of one minute.
func (b *Bench) row(ctx context.Context, prog *Program, before earlier, row benchRow, e learner.Engine,
	cores int) error {
	name := row.name
	live := 0.0
	for _, mode := range []hyper.Mode{hyper.Live, hyper.Reference} {
		cfg, err := b.rowConfig(row, mode)
		if err != nil {
			return UsageError{fmt.Errorf("row %s: %w", name, err)}
		}
		r, err := b.measure(ctx, e, cfg, cores)
		if err != nil {
			return fmt.Errorf("row %s: %w", name, err)
		}
		// Each in a twentieth of the time: they vary less than a run.
		if r.Parts, err = measureParts(&cfg, &r, time.Duration(b.Seconds*float64(time.Second)/20)); err != nil {
			return fmt.Errorf("row %s: %w", name, err)
		}
		r.Name, r.OfBefore = name, before.times(name, &r)
		if b.JSON {
			(&reporter{out: prog.Stdout}).line(r)
			continue
		}
		ofLive, ofBefore := "", ""
		if mode == hyper.Live {
			live = r.PerSec
		} else {
			ofLive = fmt.Sprintf("%.0f%%", 100*r.PerSec/live)
		}
		if r.OfBefore != nil {
			ofBefore = fmt.Sprintf("%.2f", *r.OfBefore)
		}
		fmt.Fprintf(prog.Stdout, "%-9s %-9s %5d  %-9s %9.0f %8.1f %7.0f%% %8s %9s  %s\n", name, r.Mode, r.Cores,
			r.Device, r.PerSec, r.GFLOPS, 100*r.Share, ofLive, ofBefore, r.Parts.text())
	}
	return nil
}

// rowConfig is what a row trains in a mode.
func (b *Bench) rowConfig(row benchRow, mode hyper.Mode) (hyper.Config, error) {
	settings := row.settings + " mode=" + string(mode)
	if mode == hyper.Reference {
		settings += " " + row.reference
	}
	var list []hyper.Setting
	for _, pair := range strings.Fields(settings) {
		key, value, _ := strings.Cut(pair, "=")
		list = append(list, hyper.Setting{Key: key, Value: value})
	}
	for _, s := range []hyper.Setting{{Key: "seed", Value: b.Seed}, {Key: "arithmetic", Value: b.Arithmetic}} {
		if s.Value != "" {
			list = append(list, s)
		}
	}
	cfg, _, _, err := hyper.FromSettings(append(list, cautious...))
	return cfg, err
}

// names are the rows asked for.
func (b *Bench) names() ([]string, error) {
	var all []string
	for _, row := range benchRows {
		all = append(all, row.name)
	}
	if b.Rows == "" {
		return all, nil
	}
	names := strings.Split(b.Rows, ",")
	for _, name := range names {
		if !slices.Contains(all, name) {
			return nil, fmt.Errorf("--rows %s: no row is called %q; want some of %s", b.Rows, name, strings.Join(all, ", "))
		}
	}
	return names, nil
}

// places are one core and all that were asked for, then the device asked for, or with auto every exact one.
func (b *Bench) places(ctx context.Context) (all []place, done func(), err error) {
	cores := []int{1}
	if b.Cores > 1 {
		cores = append(cores, b.Cores)
	}
	all = []place{{onCores, cores}}
	drivers := b.drivers(ctx)
	var opened []*device.Selection
	done = func() {
		for _, s := range opened {
			s.Close()
		}
	}
	names := []string{b.Device}
	switch b.Device {
	case device.CPU:
		names = nil
	case device.Auto:
		names = device.Names(drivers)
	}
	for _, name := range names {
		s, err := device.Select(name, drivers)
		if err != nil && b.Device == device.Auto {
			continue // it is not exact: devices says why
		}
		if err != nil {
			done()
			return nil, nil, UsageError{fmt.Errorf("--%w", err)}
		}
		opened = append(opened, s)
		e := onCores
		e.Devices = s
		all = append(all, place{e, []int{b.Cores}})
	}
	return all, done, nil
}

// earlier is steps a second as they were measured before.
type earlier map[string]float64

func (r *benchReport) key(name string) string {
	return fmt.Sprintf("%s %s %d %d %s %s", name, r.Mode, r.Cores, r.Runs, r.Device, r.Arithmetic)
}

// times is how many times as many steps a second there are now; nil where there is nothing to compare.
func (e earlier) times(name string, r *benchReport) *float64 {
	was, ok := e[r.key(name)]
	if !ok {
		return nil
	}
	times := r.PerSec / was
	return &times
}

// measuredBefore reads what bench --json wrote.
func measuredBefore(file string) (earlier, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--compare: %w; bench --json > FILE writes one", err)
	}
	e := earlier{}
	for n, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var r benchReport
		if err := json.Unmarshal(line, &r); err != nil || r.Name == "" || !(r.PerSec > 0) {
			return nil, fmt.Errorf("--compare %s: line %d is nothing that bench --json wrote", file, n+1)
		}
		e[r.key(r.Name)] = r.PerSec
	}
	return e, nil
}

// Bench measures ten networks and algorithms, always the same ones, so that builds and machines can be compared.
//
//	go -C tools run ./bench table --rows cartpole,lstm      whole runs: steps/s, share of the peak, use of the cores
//	go -C tools run ./bench table --json > before.json      ... to compare with later: --compare ../before.json
//	go -C tools run ./bench roofline                        each operation of the passes, and what limits it
//	go -C tools run ./bench browser --before ../old/impalab the worker of a page, and another build's by turns
//
// `table` starts `impalab bench` for each row. docs/speed.md explains the figures.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"impalab/learner/hyper"
)

// row is a row of the tables. All rows learn from 20 × 32 steps, except rooms, whose observations are large.
type row struct {
	name, settings string
	reference      string // more settings, in reference mode only
}

var rows = []row{
	{"cartpole", "preset=cartpole unroll=20 batch=32", ""},
	{"lag", "preset=cartpole unroll=20 batch=32", "lag=1"}, // lets actors play while the learner learns, as live does
	{"catch", "preset=catch unroll=20 batch=32", ""},
	{"breakout", "preset=breakout unroll=20 batch=32", ""},
	{"resnet", "preset=breakout torso=deep unroll=20 batch=32", ""},
	{"lstm", "preset=catch lstm=128 unroll=20 batch=32", ""},
	{"rooms", "preset=rooms-collect lstm=128", ""},
	{"vmpo", "preset=vmpo unroll=20 batch=32", ""},
	{"stac", "preset=stac unroll=20 batch=32", ""},
	{"laser", "preset=laser unroll=20 batch=32", ""},
}

// cautious keeps steps so small that no run diverges before it is measured.
const cautious = " lr=1e-05 steps=0"

// config returns the settings of a row in a mode.
func (r *row) config(mode hyper.Mode) (hyper.Config, error) {
	text := r.settings + " mode=" + string(mode) + cautious
	if mode == hyper.Reference {
		text += " " + r.reference
	}
	var settings []hyper.Setting
	for _, pair := range strings.Fields(text) {
		key, value, _ := strings.Cut(pair, "=")
		settings = append(settings, hyper.Setting{Key: key, Value: value})
	}
	cfg, _, _, err := hyper.FromSettings(settings)
	return cfg, err
}

// common are the flags of both tables.
type common struct {
	Rows    []string `help:"Only these rows." placeholder:"NAME"`
	Seconds float64  `default:"10" help:"How long to measure each row."`
	Cores   int      `help:"Cores to compute on; 0: all."`
	JSON    bool     `help:"Print one JSON object a line."`
}

// chosen checks the flags and returns the rows to measure.
func (c *common) chosen() (list []row, err error) {
	if all := runtime.GOMAXPROCS(0); c.Cores < 0 || c.Cores > all {
		return nil, fmt.Errorf("--cores %d: this machine has %d cores; 0 takes all", c.Cores, all)
	} else if c.Cores == 0 {
		c.Cores = all
	}
	if !(c.Seconds > 0 && c.Seconds <= 3600) {
		return nil, fmt.Errorf("--seconds %g: must be a number above 0, up to 3600", c.Seconds)
	}
	var names []string
	for _, r := range rows {
		names = append(names, r.name)
		if len(c.Rows) == 0 || slices.Contains(c.Rows, r.name) {
			list = append(list, r)
		}
	}
	for _, name := range c.Rows {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("--rows %s: must be some of %s", name, strings.Join(names, ", "))
		}
	}
	return list, nil
}

type cli struct {
	Table    table    `cmd:"" help:"Measure whole runs, live and reference, on one core, on all, and on each exact device."`
	Browser  browser  `cmd:"" help:"Measure the worker of a page, in Chromium."`
	Roofline roofline `cmd:"" help:"Measure each operation of the learner's passes, and say what limits it."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var c cli
	parsed := kong.Parse(&c, kong.Name("bench"), kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.BindTo(os.Stdout, (*io.Writer)(nil)))
	parsed.FatalIfErrorf(parsed.Run())
}

// line prints v as one line of JSON.
func line(w io.Writer, v any) error { return json.NewEncoder(w).Encode(v) }

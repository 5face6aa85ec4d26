package main

import (
	"bufio"
	"cmp"
	"context"
	_ "embed"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/chromedp/chromedp"

	"impalab/web/wire"
)

// browser measures the worker of a page.
type browser struct {
	Rows    []string `help:"Only these rows." placeholder:"NAME"`
	Rounds  int      `default:"4" help:"How often to measure each row."`
	Share   float64  `default:"1" help:"How long a round is: the share of a row's steps."`
	Impalab string   `default:"../bin/impalab" help:"Program whose worker is measured; make build builds it." placeholder:"FILE"`
	Before  string   `help:"Program of another build, which takes turns with the first." placeholder:"FILE"`
	Chrome  string   `default:"chromium" help:"The browser." placeholder:"FILE"`
	JSON    bool     `help:"Print one JSON object a line."`
}

// browserRow is a preset that a worker trains, and the steps of a round: some seconds of a slow core.
type browserRow struct {
	preset string
	steps  float64
}

var inBrowser = []browserRow{{"cartpole", 600_000}, {"breakout", 60_000}, {"walker", 150_000}}

// browserReport is a measured row: medians over the rounds.
type browserReport struct {
	Name   string   `json:"name"`
	PerSec float64  `json:"steps_per_s"`
	Before *float64 `json:"steps_per_s_before,omitempty"`
	Times  *float64 `json:"times,omitempty"` // the median of the rounds' ratios
	Frame  float64  `json:"frame_ms"`        // between two frames of the page meanwhile
	Slow   float64  `json:"frame_p99_ms"`    // of a hundred frames, the slowest but one
	SHA256 string   `json:"params_sha256"`   // after the last round
}

//go:embed browser.js
var browserScript string

// round is the answer of browserScript about one run.
type round struct {
	MS     float64   `json:"ms"`
	SHA    string    `json:"sha"`
	Frames []float64 `json:"frames"`
}

// Run measures the builds by turns, each in its own tab of one browser.
func (c *browser) Run(ctx context.Context, out io.Writer) error {
	for _, name := range c.Rows {
		if !slices.ContainsFunc(inBrowser, func(r browserRow) bool { return r.preset == name }) {
			return fmt.Errorf("--rows %s: must be some of cartpole, breakout, walker", name)
		}
	}
	if c.Rounds < 1 || !(c.Share > 0 && c.Share <= 100) {
		return fmt.Errorf("--rounds %d --share %g: the rounds must be at least 1, the share above 0 and up to 100", c.Rounds,
			c.Share)
	}
	alloc, stop := chromedp.NewExecAllocator(ctx,
		append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(c.Chrome), chromedp.NoSandbox)...)
	defer stop()
	first, stop := chromedp.NewContext(alloc)
	defer stop()
	if err := chromedp.Do(first); err != nil {
		return fmt.Errorf("%s does not start: %w", c.Chrome, err)
	}
	var tabs []context.Context
	for _, program := range []string{c.Impalab, c.Before} {
		if program == "" {
			continue
		}
		url, end, err := serving(ctx, program)
		if err != nil {
			return err
		}
		defer end()
		tab, shut := chromedp.NewContext(first)
		defer shut()
		if err := chromedp.Do(tab, chromedp.Navigate(url+"learn/errata"),
			chromedp.Evaluate[chromedp.Void](browserScript, chromedp.EvalAwaitPromise)); err != nil {
			return fmt.Errorf("%s: %w", program, err)
		}
		tabs = append(tabs, tab)
	}
	if !c.JSON {
		fmt.Fprintf(out, "%-9s %9s %9s %6s %9s %9s\n", "PRESET", "STEPS/S", "BEFORE", "TIMES", "FRAME MS", "P99")
	}
	for _, row := range inBrowser {
		if len(c.Rows) > 0 && !slices.Contains(c.Rows, row.preset) {
			continue
		}
		r, err := c.row(tabs, row.preset, row.steps*c.Share)
		if err != nil {
			return fmt.Errorf("row %s: %w", row.preset, err)
		}
		if c.JSON {
			if err := line(out, r); err != nil {
				return err
			}
			continue
		}
		before, times := "", ""
		if r.Before != nil {
			before, times = fmt.Sprintf("%.0f", *r.Before), fmt.Sprintf("%.2f", *r.Times)
		}
		fmt.Fprintf(out, "%-9s %9.0f %9s %6s %9.1f %9.1f\n", r.Name, r.PerSec, before, times, r.Frame, r.Slow)
	}
	return nil
}

// row measures one preset in all tabs by turns, after a short run in each. All runs of the same length must end with
// the same parameters.
func (c *browser) row(tabs []context.Context, preset string, steps float64) (*browserReport, error) {
	var now, before, times, frames []float64
	sha := ""
	for i := range c.Rounds + 1 {
		var rates []float64
		for t, tab := range tabs {
			length := steps
			if i == 0 {
				length /= 10
			}
			r, err := train(tab, preset, length)
			if err != nil {
				return nil, err
			}
			if i > 0 && sha != "" && r.SHA != sha {
				return nil, fmt.Errorf("a run ended with the parameters %.16s, another with %.16s", r.SHA, sha)
			}
			if rates = append(rates, length/r.MS*1000); i > 0 {
				sha = r.SHA
				if t == 0 {
					frames = append(frames, r.Frames...)
				}
			}
		}
		if i == 0 {
			continue
		}
		if now = append(now, rates[0]); len(rates) > 1 {
			before, times = append(before, rates[1]), append(times, rates[0]/rates[1])
		}
	}
	r := &browserReport{Name: preset, PerSec: quantile(now, 0.5), Frame: quantile(frames, 0.5),
		Slow: quantile(frames, 0.99), SHA256: sha}
	if before != nil {
		b, t := quantile(before, 0.5), quantile(times, 0.5)
		r.Before, r.Times = &b, &t
	}
	return r, nil
}

// mostWait is longer than any row takes. A run that fails never has parameters.
const mostWait = 5 * time.Minute

// train trains a run in the worker of a tab to its end.
func train(tab context.Context, preset string, steps float64) (*round, error) {
	tab, stop := context.WithTimeoutCause(tab, mostWait, fmt.Errorf("the run has not ended after %v", mostWait))
	defer stop()
	hello, err := wire.Append(nil, &wire.Hello{Settings: []wire.Setting{{Key: "preset", Value: preset},
		{Key: "seed", Value: "1101"}, {Key: "speed", Value: "inf"}, {Key: "steps", Value: fmt.Sprintf("%.0f", steps)}}})
	if err != nil {
		return nil, err
	}
	answer, err := chromedp.Run(tab, chromedp.Evaluate[string](
		fmt.Sprintf("begin(%q)", base64.StdEncoding.EncodeToString(hello)), chromedp.EvalAwaitPromise))
	if err != nil {
		return nil, err
	}
	frame, err := base64.StdEncoding.DecodeString(answer)
	if err != nil {
		return nil, err
	}
	said, err := wire.DecodeAll(frame, wire.FromServer)
	if err != nil {
		return nil, err
	}
	welcome, ok := said[0].(*wire.Welcome)
	if !ok {
		return nil, fmt.Errorf("the worker answered %+v, not a Welcome", said[0])
	}
	r, err := chromedp.Run(tab, chromedp.Evaluate[round](fmt.Sprintf("ended(%q)", welcome.Run), chromedp.EvalAwaitPromise))
	if err != nil {
		return nil, cmp.Or(context.Cause(tab), err)
	}
	return &r, nil
}

// serving starts a server of a program. It returns its address and a function that ends it.
func serving(ctx context.Context, program string) (url string, end func(), err error) {
	data, err := os.MkdirTemp("", "impalab-bench")
	if err != nil {
		return "", nil, err
	}
	server := exec.CommandContext(ctx, program, "serve", "--addr", "127.0.0.1:0", "--data", data, "--log-level", "warn")
	server.Stderr = os.Stderr
	said, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		os.RemoveAll(data)
		return "", nil, err
	}
	end = func() {
		server.Process.Signal(syscall.SIGTERM)
		server.Wait()
		os.RemoveAll(data)
	}
	url, err = bufio.NewReader(said).ReadString('\n')
	if err != nil {
		end()
		return "", nil, fmt.Errorf("%s says no address: %w", program, err)
	}
	return strings.TrimSpace(url), end, nil
}

// quantile returns the value at a share of the values in order; 0 of none.
func quantile(x []float64, share float64) float64 {
	if len(x) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(x))
	return sorted[int(share*float64(len(sorted)-1)+0.5)]
}

package command

import (
	"context"
	"fmt"
	"io"
	"math"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"impalab/learner"
	"impalab/learner/telemetry"
	"impalab/learner/trial"
)

// refresh is the time between two movements of the progress bar.
const refresh = 200 * time.Millisecond

// meter shows the progress of runs: return, lag and speed. Without a bar it does nothing.
type meter struct {
	mu     sync.Mutex
	bar    *progressbar.ProgressBar
	steps  uint64 // of all runs
	budget uint64 // the end of the bar
}

// newMeter returns a meter with a bar if w is a terminal. steps is the budget of all runs together; 0 means no end.
func newMeter(w io.Writer, steps uint64) *meter {
	if !isTerminal(w) {
		return &meter{}
	}
	length := int64(steps)
	if steps == 0 {
		length, steps = -1, math.MaxInt64
	}
	return &meter{budget: steps, bar: progressbar.NewOptions64(length,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetWidth(24),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("steps"),
		progressbar.OptionThrottle(refresh),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetPredictTime(true),
	)}
}

// hooks returns the hooks of one run. Each run needs its own.
func (m *meter) hooks() learner.Hooks {
	if m.bar == nil {
		return learner.Hooks{}
	}
	var last time.Time
	var reported uint64
	describe := true // measure the lag of the next update
	lag := float32(math.NaN())
	return learner.Hooks{
		Due: func() bool { return describe },
		Update: func(u *telemetry.Update) {
			lag, describe = u.Metrics[telemetry.AgeMean], false
		},
		Between: func(l *learner.Learner) error {
			if now := time.Now(); now.Sub(last) >= refresh {
				last, describe = now, true
				m.show(l.Steps()-reported, l.Return100(), lag)
				reported = l.Steps()
			}
			return nil
		},
	}
}

func (m *meter) show(steps uint64, score float64, lag float32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	text := fmt.Sprintf("return %6.1f", score)
	if math.IsNaN(score) {
		text = "return   none"
	}
	if lag == lag { // not NaN
		text += fmt.Sprintf("  lag %4.1f", lag)
	}
	m.bar.Describe(text)
	m.steps += steps
	m.bar.Set64(int64(min(m.steps, m.budget))) // the last batch may exceed the budget
}

// clear removes the bar, so that a line can be printed.
func (m *meter) clear() {
	if m.bar == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.bar.Clear()
}

// train trains all runs of t and shows their progress. watch adds hooks to each run; nil adds none. done receives
// each report when its run ends.
func (prog *Program) train(ctx context.Context, t *trial.Trial, watch func(learner.Hooks) learner.Hooks,
	done func(trial.Report)) ([]trial.Report, error) {
	m := newMeter(prog.Stderr, t.Budget())
	defer m.clear()
	t.Hooks = m.hooks
	if watch != nil {
		t.Hooks = func() learner.Hooks { return watch(m.hooks()) }
	}
	reports, err := t.Run(ctx, func(r trial.Report) {
		m.clear()
		done(r)
	})
	if ctx.Err() != nil {
		err = ErrInterrupted
	}
	return reports, err
}

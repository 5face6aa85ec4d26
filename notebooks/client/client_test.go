package client

import (
	"bufio"
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// serving returns a client of a new server, built from the module beside this one.
func serving(t *testing.T) *Client {
	t.Helper()
	program := filepath.Join(t.TempDir(), "impalab")
	build := exec.Command("go", "build", "-o", program, "./server")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	server := exec.Command(program, "serve", "--addr", "127.0.0.1:0", "--data", t.TempDir())
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Process.Signal(os.Interrupt); server.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return &Client{URL: strings.TrimSpace(line)}
}

func TestANotebookStartsSteersForksAndReadsRuns(t *testing.T) {
	lab := serving(t) // building may take long
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	run, err := lab.Start(ctx, Spec{Preset: "catch", Settings: Settings{"lag": 2, "correction": "vtrace"}, Seed: 3,
		Steps: 20000,
		Speed: 20000})
	if err != nil || run.ID == "" || run.Key == "" {
		t.Fatalf("%+v, %v", run, err)
	}
	if from, err := run.Patch(ctx, Settings{"rho": "2"}); err != nil {
		t.Errorf("in force from update %d: %v", from, err)
	}
	count := map[string]int{}
	if err := run.Events(ctx, "", func(e Event) error { count[e.Name]++; return nil }); err != nil ||
		count["point"] == 0 ||
		count["changed"] != 1 {
		t.Errorf("it told %v, %v", count, err)
	}
	state, err := run.Wait(ctx)
	if err != nil || state.State != "done" || state.Settings["rho"] != "2" || state.Steps < 20000 {
		t.Fatalf("%+v, %v", state, err)
	}
	curves, err := run.Curves(ctx)
	if n := len(curves["step"]); err != nil || n < 3 || len(curves["return_mean_100"]) != n ||
		math.IsNaN(curves["return_mean_100"][n-1]) {
		t.Errorf("curves of %d series: %v", len(curves), err)
	}
	if text, err := run.Tape(ctx); err != nil || !strings.Contains(string(text), state.ParamsSHA256) {
		t.Errorf("the tape: %v", err)
	}
	fork, err := run.Fork(ctx, state.Updates-5, nil)
	if err != nil {
		t.Fatal(err)
	}
	if child, err := fork.Wait(ctx); err != nil || child.ParamsSHA256 != state.ParamsSHA256 || child.Parent.Run != run.ID {
		t.Errorf("the fork: %+v, %v", child, err)
	}
	var refused *Error
	if _, err := lab.Start(ctx, Spec{Preset: "catch", Steps: 100, Settings: Settings{"rhoo": 1}}); !errors.As(err,
		&refused) ||
		refused.Status != 422 || !strings.Contains(refused.Message, "did you mean rho?") {
		t.Errorf("a setting that is none: %v", err)
	}
	if err := lab.Run(run.ID, "not-its-own-key-at-all").Delete(ctx); !errors.As(err, &refused) ||
		refused.Code != "not_found" {
		t.Errorf("a wrong key: %v", err)
	}
	if err := run.Delete(ctx); err != nil {
		t.Error(err)
	}
}

func TestANotebookHandsInWhatItsProgramComputes(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	lab := serving(t)
	var made struct{ Code string }
	if err := lab.json(ctx, "POST", "/rooms", "", map[string]string{"plan": "exercises"}, &made); err != nil {
		t.Fatal(err)
	}
	seat, err := lab.Join(ctx, made.Code, "Ada")
	if err != nil {
		t.Fatal(err)
	}
	seat = lab.Seat(made.Code, seat.Secret)
	vtrace := func(u Unroll) (vs, adv []float64) {
		n := len(u.Reward)
		vs, adv = make([]float64, n), make([]float64, n)
		next, value := u.Bootstrap, u.Bootstrap
		for t := n - 1; t >= 0; t-- {
			adv[t] = u.Reward[t] + u.Discount[t]*next - u.Value[t]
			vs[t] = u.Value[t] + min(u.RhoBar, u.Ratio[t])*(u.Reward[t]+u.Discount[t]*value-u.Value[t]) +
				u.Discount[t]*u.Lambda*min(u.CBar, u.Ratio[t])*(next-value)
			next, value = vs[t], u.Value[t]
		}
		return vs, adv
	}
	if v, err := seat.Try(ctx, "write-vtrace", vtrace); err != nil || !strings.Contains(v.Say, "hand it in") {
		t.Errorf("%+v, %v", v, err)
	}
	if v, err := seat.HandIn(ctx, "write-vtrace", vtrace); err != nil || v.Credit != 1 || v.Receipt == "" {
		t.Errorf("%+v, %v", v, err)
	}
	targets := func(u Unroll) (vs, adv []float64) { vs, _ = vtrace(u); return vs, vs }
	if v, err := seat.HandIn(ctx, "write-vtrace", targets); err != nil || v.Credit != .75 {
		t.Errorf("%+v, %v", v, err)
	}
	none := func(u Unroll) (vs, adv []float64) { return []float64{math.NaN()}, nil }
	if _, err := seat.HandIn(ctx, "write-vtrace", none); err == nil || !strings.Contains(err.Error(), "nothing was sent") {
		t.Error(err)
	}
}

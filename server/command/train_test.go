package command

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/learner/stats"
	"impalab/learner/trial"
)

// lines reads JSON objects, one a line.
func lines(t *testing.T, text string) (objects []map[string]any) {
	t.Helper()
	for line := range strings.Lines(text) {
		var o map[string]any
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		objects = append(objects, o)
	}
	return objects
}

// trained runs train with --json and gives its lines.
func trained(t *testing.T, args string) []map[string]any {
	t.Helper()
	code, stdout, stderr := run(t, append([]string{"train", "--json"}, strings.Fields(args)...)...)
	if code != ExitOK || stderr != "" {
		t.Fatalf("train %s: exit code %d: %s", args, code, stderr)
	}
	return lines(t, stdout)
}

func TestTrainReportsWhatScriptsReadOn(t *testing.T) {
	out := trained(t, "--world catch --algo impala --seed 3 --steps 2000 --set batch=5")
	if len(out) != 1 {
		t.Fatalf("%d lines", len(out))
	}
	got := out[0]
	for _, key := range strings.Fields("world algo seed steps updates episodes return_mean_100 return_best_100 " +
		"return_mean_run value_bias steps_to_solved params_sha256 arithmetic wall_s cpu_s steps_per_s diverged") {
		if _, ok := got[key]; !ok {
			t.Errorf("no %s", key)
		}
	}
	// Unrolls of 9, batches of 5: 45 steps an update, 45 updates reach 2000; an episode of Catch is 9 steps.
	for key, want := range map[string]any{"world": "catch", "algo": "impala", "seed": 3.0, "steps": 2025.0,
		"updates": 45.0, "episodes": 225.0, "diverged": false,
		"steps_to_solved": nil /* null: 2025 steps are too few */} {
		if got[key] != want {
			t.Errorf("%s: %v, want %v", key, got[key], want)
		}
	}
	if hash, _ := got["params_sha256"].(string); len(hash) != 64 {
		t.Errorf("params_sha256: %v", got["params_sha256"])
	}
	mean, best := got["return_mean_100"].(float64), got["return_best_100"].(float64)
	if mean < -1 || best > 1 || mean > best {
		t.Errorf("mean %g, best %g", mean, best)
	}
	if got["wall_s"].(float64) <= 0 || got["steps_per_s"].(float64) <= 0 {
		t.Errorf("wall_s %v, steps_per_s %v", got["wall_s"], got["steps_per_s"])
	}
}

func TestASuiteIsReportedTaskByTask(t *testing.T) {
	got := trained(t, "--world tiny --steps 4000 --set hidden=8 --set lstm=4")[0]
	tasks := got["tasks"].([]any)
	sum := 0.0
	for _, one := range tasks {
		task := one.(map[string]any)
		score, ok := task["score"].(float64)
		if !ok || score > 1 || task["episodes"].(float64) < 1 || task["return_mean_100"] == nil {
			t.Errorf("%v", task)
		}
		sum += score
	}
	if len(tasks) != 6 || math.Abs(sum/6-got["return_mean_100"].(float64)) > 1e-9 {
		t.Errorf("%d tasks that score %g together, return_mean_100 %v", len(tasks), sum, got["return_mean_100"])
	}
	both := trained(t, "--world tiny --steps 4000 --set hidden=8 --set lstm=4 --seeds 1-2")
	for k, one := range both[2]["tasks"].([]any) {
		task := one.(map[string]any)
		mean := func(i int) float64 { return both[i]["tasks"].([]any)[k].(map[string]any)["score"].(float64) / 2 }
		if got := task["score"].(map[string]any)["iqm"].(float64); math.Abs(got-mean(0)-mean(1)) > 1e-9 {
			t.Errorf("%v of two seeds: %g, want %g", task["world"], got, mean(0)+mean(1))
		}
	}
	if _, there := trained(t, "--world catch --steps 500")[0]["tasks"]; there {
		t.Error("a world by itself has tasks")
	}
	_, stdout, _ := run(t, strings.Fields("train --world tiny --steps 4000 --set hidden=8 --set lstm=4")...)
	if !strings.Contains(stdout, "mean capped normalised score") || !strings.Contains(stdout, "deep-sea:size=5") {
		t.Errorf("for people: %q", stdout)
	}
	if code, _, stderr := run(t, strings.Fields("train --world tiny --set batch=20")...); code != ExitUsage ||
		!strings.Contains(stderr, "batch=20 and mix=0 with world=tiny") {
		t.Errorf("batch=20: exit code %d, %q", code, stderr)
	}
}

func TestTrainReportsWhatTheAlgorithmKeeps(t *testing.T) {
	if _, any := trained(t, "--world catch --steps 500")[0]["traces"]; any {
		t.Error("IMPALA keeps nothing beside θ")
	}
	traces, _ := trained(t, "--preset vmpo-catch --steps 2000")[0]["traces"].([]any)
	var names []string
	for _, one := range traces {
		trace := one.(map[string]any)
		names = append(names, trace["name"].(string))
		held := strings.HasPrefix(trace["name"].(string), "kl-weights") || trace["name"] == "kl-policy"
		if held != (trace["bound"] != nil) || trace["name"] == "kl-policy" && trace["bound"] != 0.002 {
			t.Errorf("%v", trace)
		}
		if _, ok := trace["value"].(float64); !ok {
			t.Errorf("%v", trace)
		}
	}
	if got := strings.Join(names, " "); got != "temperature kl-weights kl-weight kl-policy" {
		t.Errorf("V-MPO keeps %s", got)
	}
}

func TestTheSameSeedGivesTheSameParametersAndAnotherDoesNot(t *testing.T) {
	hash := func(args string) any { return trained(t, "--world catch --steps 500 "+args)[0]["params_sha256"] }
	if hash("--seed 1") != hash("--seed 1") {
		t.Error("the same seed gave other parameters")
	}
	if hash("--seed 1") == hash("--seed 2") {
		t.Error("another seed gave the same parameters")
	}
}

func TestSeedsSideBySideGiveWhatEachGivesAlone(t *testing.T) {
	out := trained(t, "--world catch --steps 1500 --seeds 4-6,2 --jobs 3")
	if len(out) != 5 {
		t.Fatalf("%d lines, want 4 runs and a summary", len(out))
	}
	for _, r := range out[:4] {
		alone := trained(t, "--world catch --steps 1500 --seed "+trim(r["seed"]))[0]
		if r["params_sha256"] != alone["params_sha256"] || r["return_mean_100"] != alone["return_mean_100"] {
			t.Errorf("seed %v: other results than alone", r["seed"])
		}
		if r["cpu_s"] != nil {
			t.Errorf("seed %v: cpu_s %v is not its own", r["seed"], r["cpu_s"])
		}
	}
	sum := out[4]
	if got, _ := json.Marshal(sum["seeds"]); string(got) != "[4,5,6,2]" {
		t.Errorf("seeds %s", got)
	}
	var values []float64
	for _, r := range out[:4] {
		values = append(values, r["return_mean_100"].(float64))
	}
	want := stats.InterquartileMean(values)
	final := sum["return_mean_100"].(map[string]any)
	if got := final["iqm"].(float64); math.Abs(got-want) > 1e-12 {
		t.Errorf("interquartile mean %g, want %g", got, want)
	}
	if final["low"].(float64) > want || final["high"].(float64) < want {
		t.Errorf("interval %v does not hold %g", final, want)
	}
}

func trim(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

func TestBeforeTheFirstEpisodeThereIsNoReturn(t *testing.T) {
	// Catch ends an episode after nine steps: eight have none.
	got := trained(t, "--world catch --steps 8 --set unroll=2 --set batch=4")[0]
	if mean, there := got["return_mean_100"]; !there || mean != nil {
		t.Errorf("return_mean_100: %v, want null", mean)
	}
	if best, there := got["return_best_100"]; !there || best != nil {
		t.Errorf("return_best_100: %v, want null", best)
	}
	_, stdout, _ := run(t, strings.Fields("train --world catch --steps 8 --set unroll=2 --set batch=4")...)
	if !strings.Contains(stdout, "none yet") {
		t.Errorf("for people: %q", stdout)
	}
}

func TestADivergedRunIsReportedWithItsReason(t *testing.T) {
	cfg := hyper.Config{World: "catch", Algo: "impala", Seed: 1}
	result := learner.Result{Steps: 10, ReturnMean100: math.NaN(), ReturnBest100: math.NaN(), Diverged: "update 2: NaN"}
	report := trial.NewReport(&cfg, &result, time.Second)
	var out bytes.Buffer
	printRun(&out, true, report)
	got := lines(t, out.String())[0]
	if got["diverged"] != true || got["reason"] != "update 2: NaN" || got["return_mean_100"] != nil {
		t.Errorf("%v", got)
	}
	out.Reset()
	printRun(&out, false, report)
	if !strings.Contains(out.String(), "diverged: update 2: NaN") {
		t.Errorf("for people: %q", out.String())
	}
	if s := trial.Summarise(cfg, []trial.Report{report}, time.Second, nil); s.Diverged != 1 || s.Missing != 1 ||
		!math.IsNaN(float64(s.Final.Mean)) {
		t.Errorf("summary %+v", s)
	}
}

func TestTheBudgetIsTheUsersElseThePresetsElseTheUsual(t *testing.T) {
	for _, c := range []struct {
		flags runFlags
		steps string
		want  uint64
	}{
		{runFlags{}, "", 250_000},
		{runFlags{World: "catch"}, "", 250_000},
		{runFlags{Preset: "lag-cliff"}, "", 250_000},
		{runFlags{Preset: "lag-cliff"}, "7000", 7000},
		{runFlags{World: "catch", setFlag: setFlag{[]string{"steps=5", "steps=6"}}}, "", 6},
		{runFlags{World: "catch", setFlag: setFlag{[]string{"steps=6"}}}, "5", 6},
		{runFlags{World: "catch"}, "0", 0},
		{runFlags{World: "catch", setFlag: setFlag{[]string{"anneal=linear"}}}, "", 250_000}, // which needs an end
	} {
		cfg, err := c.flags.config(c.steps)
		if err != nil || cfg.Steps != c.want {
			t.Errorf("%+v --steps %q: %d steps, %v, want %d", c.flags, c.steps, cfg.Steps, err, c.want)
		}
	}
}

func TestThePresetsOwnBudgetStands(t *testing.T) {
	for i := range hyper.Presets {
		p := &hyper.Presets[i]
		given := []hyper.Setting{{Key: "preset", Value: p.Name}}
		if added := len(withBudget(given)) > len(given); added != (p.Config().Steps == 0) {
			t.Errorf("%s has a budget of %d steps, and one was added: %v", p.Name, p.Config().Steps, added)
		}
	}
}

func TestAnInterruptedRunPrintsWhatItHas(t *testing.T) {
	for after := 200 * time.Millisecond; after < kit.Patience; after *= 2 { // until it has something
		ctx, cancel := context.WithTimeout(t.Context(), after)
		defer cancel()
		var out, errs bytes.Buffer
		code := execute(ctx, &Program{Stdout: &out, Stderr: &errs}, strings.Fields("train --world catch --steps 0 --json"))
		if code != ExitInterrupted || !strings.Contains(errs.String(), "interrupted") {
			t.Errorf("exit code %d: %s", code, errs.String())
		}
		got := lines(t, out.String())
		if len(got) != 1 || got[0]["interrupted"] != true {
			t.Fatalf("%v", got)
		}
		if got[0]["steps"].(float64) > 0 {
			return
		}
	}
	t.Error("it has made no step")
}

func TestBenchReportsWhatScriptsReadOn(t *testing.T) {
	code, stdout, stderr := run(t, strings.Fields("bench --world catch --seconds 0.05 --json")...)
	if code != ExitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	got := lines(t, stdout)[0]
	if got["world"] != "catch" {
		t.Errorf("world %v", got["world"])
	}
	for _, key := range strings.Fields("steps wall_s steps_per_s gflops") {
		if v, _ := got[key].(float64); v <= 0 {
			t.Errorf("%s: %v", key, got[key])
		}
	}
	if steps := got["steps"].(float64); math.Mod(steps, 20*32) != 0 {
		t.Errorf("%g steps are no batches of 32 unrolls of 20", steps)
	}
	if _, ok := got["cpu_s"]; !ok {
		t.Error("no cpu_s")
	}
}

package command

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// evaluated runs eval with --json and gives its lines.
func evaluated(t *testing.T, args string) []map[string]any {
	t.Helper()
	code, stdout, stderr := run(t, append([]string{"eval", "--json"}, strings.Fields(args)...)...)
	if code != ExitOK || stderr != "" {
		t.Fatalf("eval %s: exit code %d: %s", args, code, stderr)
	}
	return lines(t, stdout)
}

func TestASnapshotIsEvaluatedAsTheRunThatItHolds(t *testing.T) {
	for _, settings := range []string{
		"--preset catch --steps 2000 --seed 3", "--preset vmpo-pendulum --steps 1500",
		"--preset tiny --steps 3000 --set hidden=8 --set lstm=4", "--preset stacx-catch --steps 1000",
	} {
		file := filepath.Join(t.TempDir(), "run.snapshot")
		trained(t, settings+" --save "+file)
		fromFile, direct := evaluated(t, "--episodes 5 "+file), evaluated(t, "--episodes 5 "+settings)
		one, _ := json.Marshal(fromFile)
		other, _ := json.Marshal(direct)
		if len(direct) != 1 || string(one) != string(other) {
			t.Errorf("%s: from the file %s, trained again %s", settings, one, other)
		}
	}
}

func TestSeedsAreEvaluatedAndSummedUp(t *testing.T) {
	out := evaluated(t, "--preset catch --steps 1000 --seeds 4-6 --episodes 7")
	if len(out) != 4 {
		t.Fatalf("%d lines, want 3 runs and a summary", len(out))
	}
	for _, way := range []string{"greedy", "drawn"} {
		sum := 0.0
		for _, r := range out[:3] {
			policy := r[way].(map[string]any)
			sum += policy["return_mean"].(float64)
			if policy["episodes"] != 7.0 || policy["cut"] != 0.0 || policy["tasks"] != nil {
				t.Errorf("%s: %v", way, policy)
			}
		}
		mean := out[3][way].(map[string]any)["iqm"].(float64)
		if diff := mean - sum/3; diff > 1e-9 || diff < -1e-9 { // of three, none is left out
			t.Errorf("%s: interquartile mean %g of a sum of %g", way, mean, sum)
		}
	}
}

func TestASuiteIsEvaluatedWorldByWorld(t *testing.T) {
	args := "--preset tiny --steps 3000 --set hidden=8 --set lstm=4 --episodes 3"
	policy := evaluated(t, args)[0]["greedy"].(map[string]any)
	tasks := policy["tasks"].([]any)
	if len(tasks) != 6 || policy["return_mean"] != nil || policy["score_median"] == policy["score_mean"] {
		t.Errorf("%v", policy)
	}
	_, stdout, _ := run(t, append([]string{"eval"}, strings.Fields(args)...)...)
	if !strings.Contains(stdout, "greedy  mean score") || strings.Count(stdout, "deep-sea:size=5") != 2 {
		t.Errorf("for people: %q", stdout)
	}
}

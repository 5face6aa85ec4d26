package command

import (
	"strings"
	"testing"
)

func TestRunsTrainSideBySide(t *testing.T) {
	code, stdout, stderr := run(t, strings.Fields("bench --world catch --set mode=reference --set batch=4 --runs 5 "+
		"--seconds 0.3 --device cpu --json")...)
	if code != ExitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if r := lines(t, stdout)[0]; r["runs"] != 5.0 || !(r["steps_per_s"].(float64) > 0) ||
		!(r["of_one"].(float64) > 0) || !(r["of_one_on_a_core"].(float64) > 0) ||
		!(r["slowest_of_fastest"].(float64) > 0) || r["slowest_of_fastest"].(float64) > 1 {
		t.Errorf("%v", r)
	}
	code, stdout, _ = run(t, strings.Fields("bench --world catch --runs 2 --seconds 0.05 --device cpu")...)
	if code != ExitOK || !strings.Contains(stdout, "2 runs together make ") {
		t.Errorf("live, for people: exit code %d: %s", code, stdout)
	}
}

func TestBenchRefusesInASentence(t *testing.T) {
	for args, want := range map[string]string{
		"--runs 0":            "--runs 0: must be a whole number from 1 to 1000",
		"--cores 999":         "the cores of this machine",
		"--seconds 0":         "from 0.001 to 3600",
		"--device typewriter": "typewriter",
	} {
		code, _, errs := run(t, append([]string{"bench"}, strings.Fields(args)...)...)
		if code != ExitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d: %s", args, code, errs)
		}
	}
}

package command

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"impalab/learner/hyper"
)

func TestTheTableOfBenchMeasuresBothModesOnOneCoreAndAll(t *testing.T) {
	code, stdout, stderr := run(t, strings.Fields(
		"bench --table --rows catch --cores 2 --seconds 0.02 --device cpu --json")...)
	if strings.Contains(stderr, "this machine has 1") {
		t.Skip("a machine of one core")
	}
	if code != ExitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	rows := lines(t, stdout)
	seen := map[string]bool{}
	for _, r := range rows {
		seen[r["mode"].(string)+string('0'+rune(r["cores"].(float64)))] = true
		share, peak, gflops := r["share_of_peak"].(float64), r["peak_gflops"].(float64), r["gflops"].(float64)
		goes, _ := r["parts"].(map[string]any)
		sum := 0.0
		for _, part := range []string{"passes", "policy", "worlds", "rest", "idle"} {
			one, there := goes[part].(float64)
			if sum += one; !there || one < 0 || part == "passes" && one == 0 {
				t.Errorf("%s of %v", part, r)
			}
		}
		if sum < 0.999 {
			t.Errorf("the parts add up to %v: %v", sum, goes)
		}
		if r["name"] != "catch" || !(share > 0 && share < 1) || share*peak < 0.99*gflops || share*peak > 1.01*gflops {
			t.Errorf("%v", r)
		}
	}
	if len(rows) != 4 || !seen["live1"] || !seen["live2"] || !seen["reference1"] || !seen["reference2"] {
		t.Errorf("measured %v", seen)
	}

	// Half as many steps a second before: now twice as many.
	file := filepath.Join(t.TempDir(), "before.json")
	line := `{"name":"catch","mode":"reference","cores":1,"runs":1,"device":"cpu","arithmetic":"` +
		rows[0]["arithmetic"].(string) + `","steps_per_s":1}` + "\n"
	if err := os.WriteFile(file, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	again := "bench --table --rows catch --cores 1 --seconds 0.02 --device cpu --compare " + file
	code, stdout, stderr = run(t, strings.Fields(again+" --json")...)
	rows = lines(t, stdout)
	if code != ExitOK || len(rows) != 2 {
		t.Fatalf("exit code %d: %s %s", code, stdout, stderr)
	}
	for _, r := range rows {
		if times, ok := r["of_before"]; ok != (r["mode"] == "reference") || ok && times != r["steps_per_s"] {
			t.Errorf("compared: %v", r)
		}
	}
	code, stdout, _ = run(t, strings.Fields(again)...)
	if text := strings.Split(strings.TrimSpace(stdout), "\n"); code != ExitOK || len(text) != 3 ||
		!strings.HasPrefix(text[0], "NAME") || !strings.Contains(text[2], "% at ") {
		t.Errorf("for people: exit code %d: %s", code, stdout)
	}
}

func TestEveryRowOfTheTableCanBeTrainedInBothModes(t *testing.T) {
	for _, row := range benchRows {
		for _, mode := range []hyper.Mode{hyper.Live, hyper.Reference} {
			cfg, err := new(Bench).rowConfig(row, mode)
			if err != nil || cfg.Mode != mode {
				t.Errorf("row %s in %s mode is %s: %v", row.name, mode, cfg.Mode, err)
			}
		}
	}
}

func TestRunsTrainSideBySide(t *testing.T) {
	code, stdout, stderr := run(t, strings.Fields("bench --world catch --set mode=reference --set batch=4 --runs 5 "+
		"--seconds 0.3 --device cpu --json")...)
	if code != ExitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if r := lines(t, stdout)[0]; r["runs"] != 5.0 || !(r["steps_per_s"].(float64) > 0) ||
		!(r["of_one"].(float64) > 0) || !(r["slowest_of_fastest"].(float64) > 0) || r["slowest_of_fastest"].(float64) > 1 {
		t.Errorf("%v", r)
	}
	code, stdout, _ = run(t, strings.Fields("bench --world catch --runs 2 --seconds 0.05 --device cpu")...)
	if code != ExitOK || !strings.Contains(stdout, "2 runs side by side: together ") {
		t.Errorf("live, for people: exit code %d: %s", code, stdout)
	}
}

func TestBenchRefusesInASentence(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"--table --rows chess":                     `no row is called "chess"`,
		"--table --world catch":                    "--world catch beside --table",
		"--rows catch":                             "--table",
		"--runs 0":                                 "--runs 0: want 1 to 1000",
		"--table --runs 2":                         "1 with --table",
		"--cores 999":                              "this machine has",
		"--compare " + broken:                      "line 1 is nothing that bench --json wrote",
		"--compare nowhere.json":                   "bench --json > FILE writes one",
		"--table --rows catch --device typewriter": "typewriter",
	} {
		code, _, errs := run(t, append([]string{"bench"}, strings.Fields(args)...)...)
		if code != ExitUsage && args != "--compare nowhere.json" || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d: %s", args, code, errs)
		}
	}
}

// Every operation of a network stands under a roof of its own, and all of them together under theirs.
func TestTheRooflineSaysWhatBoundsEachOperation(t *testing.T) {
	code, stdout, stderr := run(t, strings.Fields("bench --roofline --rows catch,lstm --cores 1 --seconds 0.01 --json")...)
	if code != ExitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	whole, products, times := map[string]float64{}, map[string]float64{}, map[string]float64{}
	bounds := map[string]string{}
	for _, r := range lines(t, stdout) {
		name, op, share := r["name"].(string), r["op"].(string), r["of_passes"].(float64)
		gflops, bound, at := r["gflops"].(float64), r["bound"].(string), r["roof_gflops"].(float64)
		if op == "all" {
			whole[name] = gflops
			continue
		}
		bounds[name+" "+op] = bound
		times[name] += share
		products[name] += share * gflops
		if (gflops > 0) != (at > 0) || (at == 0) != (bound == "no product") || share <= 0 {
			t.Errorf("%v", r)
		}
	}
	for _, name := range []string{"catch", "lstm"} {
		if math.Abs(times[name]-1) > 1e-6 || math.Abs(products[name]/whole[name]-1) > 1e-6 || whole[name] <= 0 {
			t.Errorf("%s: shares add up to %g, and GFLOP/s to %g of %g", name, times[name], products[name], whole[name])
		}
	}
	if bounds["catch column sum"] != "no product" || bounds["lstm lstm back"] == "" {
		t.Errorf("%v", bounds)
	}
	code, stdout, _ = run(t, strings.Fields("bench --roofline --rows catch --cores 1 --seconds 0.01")...)
	text := strings.Split(stdout, "\n")
	if code != ExitOK || !strings.HasPrefix(text[0], "Each core, while 1 compute: ") ||
		!strings.HasPrefix(text[1], "NAME") || !strings.Contains(stdout, "all of these") {
		t.Errorf("for people: exit code %d: %s", code, stdout)
	}
	for flags, want := range map[string]string{
		"--rows pong": `no row is called "pong"`, "--table": "leave out --table", "--runs 3": "leave out --table",
		"--world catch": "--world catch beside --roofline, whose rows are always the same",
	} {
		code, _, stderr = run(t, strings.Fields("bench --roofline "+flags)...)
		if code != ExitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d: %s", flags, code, stderr)
		}
	}
}

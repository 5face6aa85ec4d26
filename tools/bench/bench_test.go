package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"impalab/learner/hyper"
)

// try runs a command line.
func try(t *testing.T, args string) (string, error) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var c cli
	var out bytes.Buffer
	parsed, err := kong.Must(&c, kong.BindTo(t.Context(), (*context.Context)(nil)),
		kong.BindTo(&out, (*io.Writer)(nil))).Parse(strings.Fields(args))
	if err == nil {
		err = parsed.Run()
	}
	return out.String(), err
}

func run(t *testing.T, args string) string {
	t.Helper()
	out, err := try(t, args)
	if err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	return out
}

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

// fake writes a program that answers like impalab bench and impalab devices.
func fake(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "impalab")
	script := `#!/bin/sh
if [ "$1" = devices ]; then
	echo '{"name":"cpu","exact":true}'; echo '{"name":"slow","exact":false}'; exit
fi
mode=live; case "$*" in *mode=reference*) mode=reference;; esac
while [ "$1" != --cores ]; do shift; done
echo "{\"world\":\"catch\",\"mode\":\"$mode\",\"cores\":$2,\"device\":\"cpu\",\"arithmetic\":\"fused\",` +
		`\"steps_per_s\":20000,\"wall_s\":1,\"cpu_s\":0.9,\"gflops\":10,\"peak_gflops\":100,\"share_of_peak\":0.1}"
`
	if err := os.WriteFile(name, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestTheTableMeasuresBothModesOnOneCoreAndAll(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("a machine of one core")
	}
	table := "table --rows catch --cores 2 --seconds 0.02 --impalab " + fake(t)
	rows := lines(t, run(t, table+" --json"))
	seen := map[string]bool{}
	for _, r := range rows {
		seen[r["mode"].(string)+string('0'+rune(r["cores"].(float64)))] = true
		parts, _ := r["parts"].(map[string]any)
		sum := 0.0
		for _, part := range []string{"passes", "policy", "worlds", "rest", "idle"} {
			one, there := parts[part].(float64)
			if sum += one; !there || one < 0 || part == "passes" && one == 0 {
				t.Errorf("%s of %v", part, r)
			}
		}
		if r["name"] != "catch" || sum < 0.999 {
			t.Errorf("the parts add up to %v: %v", sum, r)
		}
	}
	if len(rows) != 4 || !seen["live1"] || !seen["live2"] || !seen["reference1"] || !seen["reference2"] {
		t.Errorf("measured %v", seen)
	}

	before := filepath.Join(t.TempDir(), "before.json")
	line := `{"name":"catch","mode":"reference","cores":1,"device":"cpu","arithmetic":"fused","steps_per_s":10000}` + "\n"
	if err := os.WriteFile(before, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, r := range lines(t, run(t, table+" --json --compare "+before)) {
		if times, ok := r["of_before"]; ok != (r["mode"] == "reference" && r["cores"] == 1.0) || ok && times != 2.0 {
			t.Errorf("compared: %v", r)
		}
	}
	text := strings.Split(strings.TrimSpace(run(t, table)), "\n")
	if len(text) != 5 || !strings.HasPrefix(text[0], "NAME") || !strings.Contains(text[2], "% at ") {
		t.Errorf("for people: %q", text)
	}
}

func TestEveryRowCanBeTrainedInBothModes(t *testing.T) {
	for _, row := range rows {
		for _, mode := range []hyper.Mode{hyper.Live, hyper.Reference} {
			cfg, err := row.config(mode)
			if err != nil || cfg.Mode != mode {
				t.Errorf("row %s in %s mode is %s: %v", row.name, mode, cfg.Mode, err)
			}
		}
	}
}

func TestAWrongFlagIsRefusedInASentence(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"table --rows chess":                "--rows chess: must be some of cartpole, lag",
		"roofline --rows pong":              "--rows pong",
		"table --cores 999":                 "this machine has",
		"table --compare " + broken:         "line 1 does not come from table --json",
		"table --compare nowhere.json":      "table --json > FILE writes",
		"table --rows catch --impalab ./no": "no devices",
		"browser --rows pong":               "must be",
		"browser --rounds 0":                "must be",
		"browser --share NaN":               "must be",
	} {
		if _, err := try(t, args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
}

// Every operation of a network stands under a roof of its own, and all of them together under theirs.
func TestTheRooflineSaysWhatBoundsEachOperation(t *testing.T) {
	stdout := run(t, "roofline --rows catch,lstm --cores 1 --seconds 0.01 --json")
	whole, products, times := map[string]float64{}, map[string]float64{}, map[string]float64{}
	bounds := map[string]string{}
	for _, r := range lines(t, stdout) {
		name, op, share := r["name"].(string), r["op"].(string), r["of_passes"].(float64)
		if one, there := r["of_one_core"].(float64); !there || !(one > 0) {
			t.Errorf("one core makes %v times the multiply-adds of itself", r["of_one_core"])
		}
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
	stdout = run(t, "roofline --rows catch --cores 1 --seconds 0.01")
	text := strings.Split(stdout, "\n")
	if !strings.HasPrefix(text[0], "Each of 1 cores, while all compute: ") ||
		!strings.HasPrefix(text[1], "All at once make ") || !strings.HasPrefix(text[2], "NAME") ||
		!strings.Contains(stdout, "all of these") {
		t.Errorf("for people: %s", stdout)
	}
}

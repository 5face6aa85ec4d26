package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/kernel"
)

// replayed runs replay --json and gives its line, if it printed one.
func replayed(t *testing.T, args ...string) (code int, report map[string]any, stderr string) {
	t.Helper()
	code, stdout, stderr := run(t, append([]string{"replay", "--json"}, args...)...)
	if out := lines(t, stdout); len(out) > 0 {
		report = out[0]
	}
	return code, report, stderr
}

const threeTurns = "--preset catch --steps 4000 --turn 1000:lag=4 --turn 2000:rho=0.5 --turn 3000:correction=none"

func TestATapeOfThreeTurnsIsReplayedToTheSameParameters(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.tape")
	trainedTo := trained(t, threeTurns+" --tape "+file)[0]
	code, got, errs := replayed(t, file)
	if code != ExitOK || got["params_sha256"] != trainedTo["params_sha256"] || got["same"] != true ||
		got["differs_at"] != nil || got["build"] != got["made_by"] || got["arithmetic"] != got["made_with"] ||
		got["update"] != trainedTo["updates"] || got["steps"] != trainedTo["steps"] {
		t.Errorf("exit code %d: %v %s; trained: %v", code, got, errs, trainedTo)
	}
	if plain := trained(t, "--preset catch --steps 4000")[0]; plain["params_sha256"] == trainedTo["params_sha256"] {
		t.Error("three turns changed nothing")
	}
	if code, got, _ := replayed(t, file, "--until", "50"); code != ExitOK ||
		got["update"] != 50.0 || got["checked"] != 0.0 {
		t.Errorf("until 50: exit code %d: %v", code, got)
	}
	code, out, _ := run(t, "replay", file)
	if code != ExitOK || !strings.HasPrefix(out, "the same: 2 hashes agree up to update 112, 4032 steps") {
		t.Errorf("for people: exit code %d: %s", code, out)
	}
}

func TestATapeHasTheOneSeedOfAList(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.tape")
	want := trained(t, "--preset catch --steps 2000 --seeds 9 --tape "+file)[0]["params_sha256"]
	if code, got, errs := replayed(t, file); code != ExitOK || got["params_sha256"] != want {
		t.Errorf("exit code %d: %v %s; want parameters %v", code, got, errs, want)
	}
}

func TestAnEditedTapeDiffersAndACutOneIsReplayedAsFarAsItGoes(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "run.tape")
	trained(t, threeTurns+" --tape "+file)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}

	edited := write("edited", strings.Replace(string(text), `"to":"0.5"`, `"to":"0.25"`, 1))
	code, got, errs := replayed(t, edited)
	if code != ExitDiffers || got["same"] != false || got["differs_at"] != 100.0 || got["why"] == "" {
		t.Errorf("edited: exit code %d: %v %s", code, got, errs)
	}
	if code, out, _ := run(t, "replay", edited); code != ExitDiffers || !strings.HasPrefix(out, "differs at update 100") {
		t.Errorf("for people: exit code %d: %s", code, out)
	}

	short := write("short", string(text[:len(text)-30]))
	code, got, errs = replayed(t, short)
	if code != ExitFailed || got["same"] != true || got["update"] != 100.0 ||
		!strings.Contains(errs, "line 6 of the tape") {
		t.Errorf("cut short: exit code %d: %v %s", code, got, errs)
	}

	other := write("other", strings.Replace(string(text), `"build":"`, `"build":"another-`, 1))
	if _, out, _ := run(t, "replay", other); !strings.Contains(out, "build another-") {
		t.Errorf("of another build: %s", out)
	}

	for _, c := range []struct{ text, want string }{
		{"", "empty"}, {"{}", "not a tape"}, {`{"tape":2}`, "version 2"},
		{strings.Replace(string(text), `"world":"catch"`, `"world":"mars"`, 1), "mars"},
		{strings.Replace(string(text), `"lag":"0"`, `"lag":"0","wings":"2"`, 1), "wings"},
		{strings.NewReplacer(`"hidden":"64-64"`, `"hidden":"1024-1024-1024-1024"`, `"lag":"0"`, `"lag":"1024"`,
			`"sharers":"0"`, `"sharers":"15"`).Replace(string(text)), "memory"},
	} {
		code, got, errs := replayed(t, write("bad", c.text))
		if code != ExitFailed || got != nil || !strings.Contains(errs, c.want) {
			t.Errorf("%.60q: exit code %d: %v %s, want …%s…", c.text, code, got, errs, c.want)
		}
	}
	nowhere := filepath.Join(folder, "nowhere")
	if code, _, errs := replayed(t, nowhere); code != ExitNotFound || !strings.Contains(errs, "no such file") {
		t.Errorf("no file: exit code %d: %s", code, errs)
	}
}

// until runs a command line that a signal interrupts after about so many updates.
func until(t *testing.T, updates int64, args string) string {
	t.Helper()
	var out, errs bytes.Buffer
	prog := &Program{Stdout: &out, Stderr: &errs}
	if code := execute(kit.Impatient(t.Context(), updates), prog, strings.Fields(args)); code != ExitInterrupted {
		t.Fatalf("%s: exit code %d: %s", args, code, errs.String())
	}
	return out.String()
}

// trainedLaser is trained for a run with old data, of which train says on standard error how many there are.
func trainedLaser(t *testing.T, args string) map[string]any {
	t.Helper()
	code, stdout, stderr := run(t, append([]string{"train", "--json"}, strings.Fields(args)...)...)
	if code != ExitOK {
		t.Fatalf("train %s: exit code %d: %s", args, code, stderr)
	}
	return lines(t, stdout)[0]
}

func TestAnInterruptedRunEndsWithTheBytesOfAnUninterruptedOne(t *testing.T) {
	folder := t.TempDir()
	file, record := filepath.Join(folder, "run.snapshot"), filepath.Join(folder, "run.tape")
	const what = "--preset laser-catch --set sharers=1 --steps 6000 --turn 300:trust=0.05 --turn 5900:lag=3"
	whole := trainedLaser(t, what)

	first := lines(t, until(t, 150, "train --json "+what+" --save "+file+" --tape "+record))[0]
	if steps := first["steps"].(float64); first["interrupted"] != true || steps < 300 || steps >= 5900 {
		t.Fatalf("interrupted: %v", first)
	}
	if code, got, errs := replayed(t, record); code != ExitOK || got["params_sha256"] != first["params_sha256"] {
		t.Errorf("the tape so far: exit code %d: %v %s", code, got, errs)
	}
	// the turns that have been made are not made again
	again := trainedLaser(t, "--resume "+file+" --save "+file+" --tape "+record+" --turn 5900:lag=3")
	if again["params_sha256"] != whole["params_sha256"] || again["steps"] != whole["steps"] ||
		again["return_mean_100"] != whole["return_mean_100"] {
		t.Errorf("went on to %v, undisturbed: %v", again, whole)
	}
	if code, got, errs := replayed(t, record); code != ExitOK || got["params_sha256"] != whole["params_sha256"] {
		t.Errorf("the whole tape: exit code %d: %v %s", code, got, errs)
	}
	for _, c := range []struct{ args, want string }{
		{"--tape " + record, "its run is done"},
		{"--turn 300:lag=2", "already taken"},
		{"--seed 4", "leave --seed out"},
		{"--tape " + filepath.Join(folder, "none.tape"), "needs its own tape"},
	} {
		code, _, errs := run(t, strings.Fields("train --resume "+file+" "+c.args)...)
		want := ExitUsage
		if strings.Contains(c.args, "none.tape") {
			want = ExitNotFound
		}
		if code != want || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit code %d: %s, want …%s…", c.args, code, errs, c.want)
		}
	}
}

func TestTheTapeOfAnotherRunIsRefused(t *testing.T) {
	folder := t.TempDir()
	file, other := filepath.Join(folder, "run.snapshot"), filepath.Join(folder, "other.tape")
	until(t, 20, "train --preset catch --steps 0 --save "+file)
	until(t, 20, "train --preset catch --steps 0 --seed 9 --tape "+other)
	code, _, errs := run(t, strings.Fields("train --resume "+file+" --tape "+other)...)
	if code != ExitUsage || !strings.Contains(errs, "belongs to another run") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

func TestADivergedRunIsSavedAndCanBeOpened(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.snapshot")
	const settings = "--preset cartpole --set lr=10 --set momentum=0.999 --set hidden=64-64-64-64 --set activation=relu " +
		"--set clip=inf --steps 2000000"
	got := trained(t, settings+" --save "+file)[0]
	if got["diverged"] != true {
		t.Fatalf("it did not diverge: %v", got)
	}
	code, out, errs := run(t, "eval", file, "--episodes", "2", "--json")
	if code != ExitOK || lines(t, out)[0]["params_sha256"] != got["params_sha256"] {
		t.Errorf("eval: exit code %d: %s%s", code, out, errs)
	}
	code, out, errs = run(t, strings.Fields("eval --episodes 2 "+settings)...)
	if code != ExitOK || !strings.Contains(out, "diverged: update") || !strings.Contains(out, "(2 episodes)") {
		t.Errorf("eval trains it: exit code %d: %s%s", code, out, errs)
	}
}

func TestATapeIsReplayedInItsOwnArithmeticOrNotCompared(t *testing.T) {
	if len(kernel.Vectors()) == 0 {
		t.Skip("this machine has one arithmetic")
	}
	file := filepath.Join(t.TempDir(), "run.tape")
	plain := trained(t, threeTurns+" --arithmetic plain --tape "+file)[0]
	fused := trained(t, threeTurns)[0]
	if plain["arithmetic"] != "plain" || fused["arithmetic"] != "fused" ||
		plain["params_sha256"] == fused["params_sha256"] {
		t.Errorf("plain %v, fused %v", plain, fused)
	}
	if code, got, errs := replayed(t, file); code != ExitOK || got["same"] != true || got["arithmetic"] != "plain" {
		t.Errorf("exit code %d: %v %s", code, got, errs)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	far := filepath.Join(t.TempDir(), "far.tape")
	if err := os.WriteFile(far, bytes.Replace(text, []byte(`"plain"`), []byte(`"plain-arm64"`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	code, got, errs := replayed(t, far)
	if same, there := got["same"]; code != ExitOK || same != nil || !there || got["checked"] != 0.0 {
		t.Errorf("of another machine: exit code %d: %v %s", code, got, errs)
	}
	if code, out, _ := run(t, "replay", far); code != ExitOK || !strings.HasPrefix(out, "the tape has the arithmetic ") {
		t.Errorf("for people: exit code %d: %s", code, out)
	}
	if code, _, errs := run(t, "train", "--arithmetic", "exact"); code != ExitUsage || !strings.Contains(errs, "fused") {
		t.Errorf("--arithmetic exact: exit code %d: %s", code, errs)
	}
}

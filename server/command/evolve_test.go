package command

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"impalab/internal/kit"
)

func TestEvolveReportsEveryMemberAndTheBestOnesLine(t *testing.T) {
	args := strings.Fields("evolve --world catch --members 3 --steps 1500 --every 500 --burn-in 500 --gene " +
		"lr=1e-5..1e-1 --gene opt-eps=0.1|0.001 --gene rho --json")
	code, stdout, stderr := run(t, args...)
	if code != ExitOK || stderr != "" {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	out := lines(t, stdout)
	if len(out) != 3*3+1 {
		t.Fatalf("%d lines, want 3 members in 3 rounds and a result", len(out))
	}
	for i, got := range out[:9] {
		settings := got["settings"].(map[string]any)
		lr, eps := settings["lr"].(float64), settings["opt-eps"].(float64)
		if got["round"] != float64(i/3) || got["member"] != float64(i%3) || got["steps"].(float64) < 500*float64(i/3+1) ||
			len(settings) != 3 ||
			lr < 1e-6 || lr > 1 || i < 3 && (eps != 0.1 && eps != 0.001 || settings["rho"] != 1.0) {
			t.Errorf("line %d: %v", i, got)
		}
	}
	sum := out[9]
	line := sum["ancestry"].([]any)
	if sum["members"] != 3.0 || sum["rounds"] != 3.0 || len(line) != 3 ||
		line[2].(map[string]any)["member"] != sum["best"] {
		t.Errorf("%v", sum)
	}

	code, stdout, _ = run(t, args[:len(args)-1]...)
	if code != ExitOK || !strings.Contains(stdout, "its ancestors:") || strings.Count(stdout, "\n") != 4+2+4+2 {
		t.Errorf("for people: exit code %d, %q", code, stdout)
	}
}

func TestAStoppedPopulationPrintsItsLastRoundAndSaysThatItCannotContinue(t *testing.T) {
	var out, errs bytes.Buffer
	code := execute(kit.Impatient(t.Context(), 60), &Program{Stdout: &out, Stderr: &errs},
		strings.Fields("evolve --world catch --members 2 --jobs 1 --steps 0 --every 200 --json"))
	told := lines(t, out.String())
	if code != ExitInterrupted || len(told) < 3 || told[len(told)-1]["members"] != 2.0 {
		t.Errorf("exit code %d: %v", code, told)
	}
	if !strings.Contains(errs.String(), "no stored state to continue from; run the command again") {
		t.Errorf("it says %q", errs.String())
	}
}

func TestEvolveRefusesWhatCannotEvolve(t *testing.T) {
	for args, want := range map[string]string{
		"--gene lag":          "lag cannot evolve",
		"--gene ler":          "did you mean lr?",
		"--gene lr=0..1":      "is not a number above 0",
		"--gene lr=1..0.1":    "the lower first",
		"--gene lr=1..100":    "must be a number from 0 to 10",
		"--gene opt-eps=a|b":  `"a" is not a number`,
		"--gene lr --gene lr": "twice",
		"--members 1":         "must be 2 to 1024",
		"--every 0":           "must be 1 or more",
		"--jobs=-1":           "must be 1 or more",
		"--set mode=live":     "mode=reference",
		"--set mix=0.5 --set sharers=3 --set sharing=same": "set sharers=7 or sharers=0",
		"--set mix=0.5 --set sharers=7":                    "set sharing=same",
	} {
		code, _, stderr := run(t, append([]string{"evolve", "--world", "catch"}, strings.Fields(args)...)...)
		if code != ExitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %q, want %q", args, code, stderr, want)
		}
	}
}

func TestTheTableOfMembersIsDrawnOnlyOnATerminal(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	b := progress{out: file}
	b.show(nil)
	b.clear()
	if info, err := file.Stat(); err != nil || info.Size() != 0 {
		t.Errorf("a file holds %d bytes of it: %v", info.Size(), err)
	}
}

func TestAtariEvolvesTheClipOfTheGradientToo(t *testing.T) {
	code, stdout, stderr := run(t,
		strings.Fields("evolve --world catch --members 4 --steps 2000 --every 500 --burn-in 500 --genes atari --json")...)
	if code != ExitOK || stderr != "" {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	changed := false
	for i, got := range lines(t, stdout)[:16] {
		settings := got["settings"].(map[string]any)
		clip, ok := settings["clip"].(float64)
		if len(settings) != 4 || !ok || i < 4 && clip != 1 {
			t.Errorf("line %d: %v", i, got)
		}
		changed = changed || clip != 1
	}
	if !changed {
		t.Error("the clip never changed")
	}
}

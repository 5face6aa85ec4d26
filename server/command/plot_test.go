package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAPlotIsDrawnOfEverySeed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "curves.svg")
	code, out, stderr := run(t, "train", "--preset", "catch", "--steps", "4000", "--seeds", "1-3", "--plot", file)
	if code != 0 || !strings.Contains(out, "3 seeds") {
		t.Fatalf("%d: %s%s", code, out, stderr)
	}
	drawn, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	// Three thin lines, whose ink the plotter rounds, and a thick one; the words on the axes.
	lines := strings.Count(string(drawn), "stroke:#0A61A7") + strings.Count(string(drawn), "stroke:#0B62A8")
	if text := string(drawn); !strings.HasPrefix(text, "<?xml") || lines != 4 ||
		!strings.Contains(text, "environment steps") {
		t.Errorf("%.300s", text)
	}
}

func TestAPlotThatCannotBeIsRefusedBeforeTraining(t *testing.T) {
	for file, want := range map[string]string{"curves": "ends in .svg", "curves.gif": "ends in .svg",
		"nowhere/curves.svg": "cannot be written"} {
		if err := plottable(file, 1000); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
	if err := plottable("a.png", 0); err == nil || !strings.Contains(err.Error(), "steps") {
		t.Errorf("a curve without an end: %v", err)
	}
}

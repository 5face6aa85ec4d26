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
	text := string(drawn)
	thin, thick := strings.Count(text, `stroke-width="1.2"`), strings.Count(text, `stroke-width="3.2"`)
	if !strings.HasPrefix(text, "<svg") || thin != 3 || thick != 1 || !strings.Contains(text, `fill-opacity="0.13"`) ||
		!strings.Contains(text, "environment steps") {
		t.Errorf("%d thin lines, %d thick: %.300s", thin, thick, text)
	}
}

func TestAPlotThatCannotBeIsRefusedBeforeTraining(t *testing.T) {
	for file, want := range map[string]string{"curves": "ends in .svg or .png", "curves.pdf": "ends in .svg or .png",
		"nowhere/curves.svg": "cannot be written"} {
		if err := plottable(file, 1000); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
	if err := plottable("a.png", 0); err == nil || !strings.Contains(err.Error(), "steps") {
		t.Errorf("a curve without an end: %v", err)
	}
}

package command

import (
	"strings"
	"testing"
)

func TestPresetsNameSaysWhereAPresetDepartsFromItsPaper(t *testing.T) {
	code, stdout, stderr := run(t, "presets", "laser")
	if code != ExitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	said := strings.Join(strings.Fields(stdout), " ")
	for _, want := range []string{"LASER (world cartpole, algorithm laser)", "clip 1 ∞ §5.1", "gamma 0.99 0.995 §5.1"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %s", want, stdout)
		}
	}
	code, _, stderr = run(t, "presets", "lasr")
	if code != ExitUsage || !strings.Contains(stderr, "did you mean laser?") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

package command

import (
	"strings"
	"testing"

	"impalab/internal/kit"
)

func TestFlagsOfSenselessWeightsAreRefusedWithTheNextStep(t *testing.T) {
	for _, c := range kit.Senseless {
		code, stdout, errs := run(t, "train", "--preset", c.Preset, "--set", c.Settings, "--steps", "100")
		if code != ExitUsage || !strings.Contains(strings.Join(strings.Fields(errs), " "), c.Sentence) || stdout != "" {
			t.Errorf("%s %s: exit code %d, %q, want %q", c.Preset, c.Settings, code, errs, c.Sentence)
		}
	}
}

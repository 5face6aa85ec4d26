package link

import (
	"strings"
	"testing"

	"impalab/internal/kit"
)

// A link with senseless weights opens without them, and says why.
func TestALinkSaysWhichWeightsMakeNoSense(t *testing.T) {
	for _, c := range kit.Senseless {
		fragment := "#v=1&p=" + c.Preset + "&" + strings.ReplaceAll(c.Settings, " ", "&")
		l := Parse(fragment)
		cfg, _, problems := l.Config()
		if said := strings.Join(problems, " "); !strings.Contains(said, c.Sentence) || cfg.Validate() != nil {
			t.Errorf("%s: %q, want %q and a run that may start (%v)", fragment, said, c.Sentence, cfg.Validate())
		}
	}
}

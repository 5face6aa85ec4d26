package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"impalab/learner/hyper"
)

// A person's own correction keeps its spaces and lines, from a file or as text. Other settings are split at spaces.
func TestAProgramIsOneSettingWithSpaces(t *testing.T) {
	const text = "def weight(ratio, adv, pi, mu, age):\n    return 1"
	file := filepath.Join(t.TempDir(), "one.star")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"program=" + text, "program=@" + file} {
		f := setFlag{Set: []string{"lag=8 rho=2", program}}
		got, err := f.pairs()
		want := []hyper.Setting{{Key: "lag", Value: "8"}, {Key: "rho", Value: "2"}, {Key: "program", Value: text}}
		if err != nil || len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
			t.Errorf("%q: %q, %v", program, got, err)
		}
	}
	f := setFlag{Set: []string{"program=@" + file + ".none"}}
	if _, err := f.pairs(); err == nil || !strings.Contains(err.Error(), file+".none: no such file") {
		t.Errorf("a file that is missing: %v", err)
	}
}

// A turn to another program keeps its spaces, lines and commas, as the command on a run's page has it.
func TestATurnToAProgramIsOneTurn(t *testing.T) {
	const text = "def weight(ratio, adv, pi, mu, age):\n    return min(1, ratio) # 8:lag=2"
	cfg, err := hyper.FromPreset("lag-cliff")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Steps = 9000
	turns, err := parseTurns([]string{"2000:lag=9 3000:rho=2", "4000:program=" + text}, &cfg, 0, 1)
	if err != nil || len(turns) != 3 || turns[2].Step != 4000 || turns[2].Change.Value() != text {
		t.Errorf("%v, %v", turns, err)
	}
}

package actorwire

import (
	"strings"
	"testing"

	"impalab/internal/kit"
)

func TestAMemoryTooLargeToBeSentIsRefused(t *testing.T) {
	for changes, want := range map[string]string{
		"":                                    "",
		"lstm=0 trxl=64 core-memory=128":      "",
		"lstm=0 trxl=64 core-memory=512":      "numbers; 262144 can be sent",
		"lstm=0 trxl=512 batch=8 hidden=none": "parameters; 786432 can be sent",
	} {
		cfg := kit.Config(t, "t-maze", changes)
		err := Admit(&cfg, 8)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want …%s…", changes, err, want)
		}
	}
}

package site

import (
	"encoding/json"
	"strings"
	"testing"

	"impalab/internal/kit"
)

func TestAnAPIRunOfSenselessWeightsIsRefusedWithTheNextStep(t *testing.T) {
	p := newProgram(t)
	for _, c := range kit.Senseless {
		settings := map[string]string{}
		for _, pair := range strings.Fields(c.Settings) {
			key, value, _ := strings.Cut(pair, "=")
			settings[key] = value
		}
		body, err := json.Marshal(map[string]any{"preset": c.Preset, "steps": 100, "settings": settings})
		if err != nil {
			t.Fatal(err)
		}
		code, said := p.refused("POST", "/runs", 422, string(body))
		if code != "refused" || !strings.Contains(said, c.Sentence) {
			t.Errorf("%s: %s %q, want %q", body, code, said, c.Sentence)
		}
	}
}

package site

import (
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"impalab/server/session"
)

// TestTheDashboardAsksForExistingMetrics holds every name in the dashboard for hosts against what /metrics says.
func TestTheDashboardAsksForExistingMetrics(t *testing.T) {
	text, err := os.ReadFile("../host/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Title   string `json:"title"`
			Targets []struct {
				Expr string `json:"expr"`
			} `json:"targets"`
		} `json:"panels"`
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	_, runs := openedWith(t)
	gate := session.New(t.Context(), runs, session.Options{Refused: func(string) {}})
	answer := httptest.NewRecorder()
	Metrics("a build", gate, runs.Hub(), runs, func() int { return 0 }, NewRefusals()).
		ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{"up": true} // Prometheus' own
	for line := range strings.Lines(string(said)) {
		if name := regexp.MustCompile(`^[a-z_0-9]+`).FindString(line); name != "" {
			there[name] = true
		}
	}
	asked := 0
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			name := regexp.MustCompile(`([a-z_0-9]+)\{`).FindStringSubmatch(target.Expr)
			if name == nil || !there[name[1]] {
				t.Errorf("%s asks for %s, and there is no such metric", p.Title, target.Expr)
			}
			asked++
		}
	}
	if asked < 10 || !there["impalab_runs"] {
		t.Errorf("%d panels ask, of %d metrics", asked, len(there))
	}
}

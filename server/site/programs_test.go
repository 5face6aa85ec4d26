package site

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/algo"
	programs "impalab/learner/program"
)

// TestABrowserIsGivenTheProgramsOfItsNetwork asks for a network that no preset has, as a worker does, and has a machine
// of it run on what comes.
func TestABrowserIsGivenTheProgramsOfItsNetwork(t *testing.T) {
	address := opened(t) + "api/programs?"
	get := func(query string, status int) string {
		answer, err := http.Get(address + query)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != status {
			t.Fatalf("%s: %d %v", query, answer.StatusCode, err)
		}
		return string(body)
	}
	cfg := kit.Config(t, "catch", "")
	cfg.Hidden = "17-9"
	query := ""
	for _, s := range cfg.Settings() {
		query += "&" + s.Key + "=" + url.QueryEscape(s.Value)
	}
	stored, err := programs.ParseStored([]byte(get(query[1:], http.StatusOK)))
	if err != nil {
		t.Fatal(err)
	}
	cfg.BatchSize, cfg.UnrollLen = 5, 13
	if _, err := algo.Programs(algo.Stored(stored), &cfg); err != nil {
		t.Error(err)
	}
	for query, want := range map[string]string{
		"world=catch&hidden=x":               "hidden",
		"world=breakout&replay-size=5000000": "in a browser a run may take",
		"world=catch&algo=nothing":           "algo",
	} {
		if said := get(query, http.StatusUnprocessableEntity); !strings.Contains(said, want) {
			t.Errorf("%s: %s", query, said)
		}
	}
}

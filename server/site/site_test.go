package site

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"impalab/learner/kernel"
	"impalab/server/board"
	"impalab/server/class"
	"impalab/server/firewall"
	"impalab/server/job"
	"impalab/server/lab"
	"impalab/server/session"
	"impalab/server/store"
	"impalab/server/sweep"
)

// opened is the address of a site of its own.
func opened(t *testing.T) string {
	t.Helper()
	url, _ := openedWith(t)
	return url
}

// openedWith is opened with the runs that it serves.
func openedWith(t *testing.T) (string, *lab.Lab) {
	t.Helper()
	s, runs := made(t, func(*Options) {})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL + "/", runs
}

// made is a site whose options may be changed first.
func made(t *testing.T, change func(*Options)) (*Site, *lab.Lab) {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	dir := t.TempDir()
	kept, err := store.Open(t.Context(), store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kept.Close() })
	queue, err := job.Open(t.Context(), kept, job.Options{Build: "test", Arithmetic: kernel.Arithmetic(), Workers: 1,
		Host: true, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	runs, err := lab.New(lab.Options{Build: "test", Store: kept, Elsewhere: sweep.Elsewhere, Log: log, Cores: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(runs.Close)
	sweeps, err := sweep.New(sweep.Options{Lab: runs, Store: kept, Queue: queue, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sweeps.Close)
	rooms, err := class.New(class.Options{Store: kept, Queue: queue, Runs: runs, Cores: runs.Cores()})
	if err == nil {
		err = queue.Start(append(rooms.Kinds(), sweeps.Kinds()...)...)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		queue.Close()
		rooms.Close()
	})
	contest := board.NewContest(board.ContestOptions{Store: kept, Tracks: board.Own(), Queue: queue, Cores: runs.Cores(),
		Log: log})
	t.Cleanup(contest.Close)
	nobody := func(string) {}
	sameOrigin, err := firewall.SameOrigin(nobody)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Web: Web{Base: "/", Hosts: firewall.NewHosts(), Log: log, SameOrigin: sameOrigin, Refused: nobody,
			Address: Visitor(nil), Closing: t.Context()},
		Build: "test", Board: contest, Runs: runs, Sweeps: sweeps, Rooms: rooms,
		Gate:     session.New(t.Context(), runs, session.Options{Log: log, Address: Visitor(nil), Refused: nobody}),
		Storable: func() error { return nil },
	}
	change(&o)
	return New(o), runs
}

// ask sends a request and gives the answer with its body.
func ask(t *testing.T, method, url string, header ...string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultTransport.RoundTrip(request) // follows nothing
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

func TestTheSiteAnswers(t *testing.T) {
	at := opened(t)
	for _, c := range []struct {
		method, path, accept string
		status               int
		kind, part           string
	}{
		{"GET", "", "text/html", 200, "text/html; charset=UTF-8", `class="first"`},
		{"GET", "lab", "text/html", 200, "text/html; charset=UTF-8", "<title>impalab"},
		{"GET", "stage", "text/html", 200, "text/html; charset=UTF-8", `class="stage"`},
		{"GET", "gallery", "text/html", 200, "text/html; charset=UTF-8", "What would you like to see?"},
		{"GET", "papers", "text/html", 200, "text/html; charset=UTF-8", "A sweep of nine that shares its replay"},
		{"GET", "corrections", "text/html", 200, "text/html; charset=UTF-8", "IcePop"},
		{"GET", "staleness", "text/html", 200, "text/html; charset=UTF-8", "448 runs wait"},
		{"GET", "corrections.json", "", 200, "application/json", `"version": 1`},
		{"GET", "corrections.json?version=1", "", 200, "application/json", `"version": 1`},
		{"GET", "corrections.json?version=2", "", 404, "text/plain; charset=UTF-8", "ask for version=1, or leave it out"},
		{"GET", "corrections.json?version=", "", 404, "text/plain; charset=UTF-8", "ask for version=1, or leave it out"},
		{"GET", "corrections/weights?correction=band&floor=.6", "", 200, "application/json", "floor=0.6"},
		{"GET", "corrections/weights?correction=band&floor=9", "", 422, "text/plain; charset=UTF-8",
			"floor of at most the ceiling"},
		{"GET", "healthz", "", 200, "text/plain", "ok"},
		{"GET", "readyz", "", 200, "text/plain", "ready"},
		{"GET", "api/v1/settings", "", 200, "application/json", `"key":"rho-pg"`},
		{"GET", "static/page.css", "", 200, "text/css", "{"},
		{"GET", "static/nothing.css", "", 404, "text/plain", "reload the page"},
		{"POST", "static/page.css", "", 405, "text/plain", "GET"},
		{"GET", "nowhere", "text/html", 404, "text/html; charset=UTF-8", "There is no page here"},
		{"GET", "nowhere", "", 404, "text/plain", "the Lab is at /lab"},
		{"POST", "", "", 405, "text/plain", "method POST not allowed here; use "},
		{"PUT", "r/0123", "", 405, "text/plain", "GET"},
		{"GET", "r/0123/episode.gif", "", 422, "text/plain", "with a whole number"},
		{"GET", "r/0123/episode.gif?update=99999999999999999999", "", 422, "text/plain", "update=99999999999999999999: ask"},
		{"GET", "r/0123/episode.gif?update=3", "", 404, "text/plain", "run not found"},
		{"GET", "api/v1", "", 404, "application/json", "openapi.json lists all routes"},
		{"GET", "other/api/v1/runs", "", 404, "application/json", "it is at /api/v1"},
		{"GET", "api/v1//runs", "", 404, "application/json", "openapi.json lists all routes"},
		{"GET", "api/v1/x/../runs", "", 404, "application/json", "openapi.json lists all routes"},
		{"POST", "api/v1/runs", "", 400, "application/json", "send a JSON object"},
		{"POST", "api/send", "", 410, "text/plain", "open another"},
	} {
		answer, body := ask(t, c.method, at+c.path, "Accept", c.accept)
		if answer.StatusCode != c.status || !strings.HasPrefix(answer.Header.Get("Content-Type"), c.kind) ||
			!strings.Contains(body, c.part) {
			t.Errorf("%s /%s: %d %s %.80q, want %d %s with %q", c.method, c.path,
				answer.StatusCode, answer.Header.Get("Content-Type"), body, c.status, c.kind, c.part)
		}
		h := answer.Header
		if !strings.Contains(h.Get("Content-Security-Policy"), "'wasm-unsafe-eval'") ||
			strings.Contains(h.Get("Content-Security-Policy"), "unsafe-inline") ||
			h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") == "" {
			t.Errorf("%s /%s lacks a header of protection: %v", c.method, c.path, h)
		}
	}
}

func TestEveryFileOfThePagesExistsAndIsCachedPermanently(t *testing.T) {
	at := opened(t)
	found := 0
	for _, page := range []string{"", "lab", "stage"} {
		_, body := ask(t, "GET", at+page)
		for _, m := range regexp.MustCompile(`(?:href|src|data-client)="/(static/[^"]+)"`).FindAllStringSubmatch(body, -1) {
			found++
			answer, _ := ask(t, "HEAD", at+m[1])
			if answer.StatusCode != 200 || !strings.Contains(answer.Header.Get("Cache-Control"), "immutable") {
				t.Errorf("/%s: %d, Cache-Control %q", m[1], answer.StatusCode, answer.Header.Get("Cache-Control"))
			}
		}
	}
	if found < 4 {
		t.Errorf("the pages name %d files", found)
	}
}

func TestAPageIsNotSentTwice(t *testing.T) {
	at := opened(t)
	answer, _ := ask(t, "GET", at+"lab", "Accept-Encoding", "gzip")
	if answer.Header.Get("Content-Encoding") != "gzip" || answer.Header.Get("Cache-Control") != "no-cache" {
		t.Errorf("headers %v", answer.Header)
	}
	again, _ := ask(t, "GET", at+"lab", "If-None-Match", answer.Header.Get("ETag"))
	if again.StatusCode != http.StatusNotModified {
		t.Errorf("the second time: %d", again.StatusCode)
	}
}

func TestAForeignPageMayNotConnect(t *testing.T) {
	at := opened(t)
	for _, c := range []struct {
		method, path, origin string
		foreign              bool
	}{
		{"GET", "ws", "https://example.org", true},
		{"GET", "api/stream", "https://example.org", true},
		{"POST", "api/send", "https://example.org", true},
		{"GET", "api/v1/settings", "null", true},
		{"GET", "api/v1/settings", "http://127.0.0.1:1", true},
		{"GET", "api/v1/settings", strings.TrimSuffix(at, "/"), false},
	} {
		answer, body := ask(t, c.method, at+c.path, "Origin", c.origin)
		if (answer.StatusCode == http.StatusForbidden) != c.foreign {
			t.Errorf("%s /%s from %s: %d", c.method, c.path, c.origin, answer.StatusCode)
		}
		if c.foreign && !strings.Contains(body, "--base-url") {
			t.Errorf("%s /%s from %s: %q does not say what to do behind a proxy", c.method, c.path, c.origin, body)
		}
	}
}

func TestTheTablesOfTheAPIAreWhole(t *testing.T) {
	at := opened(t)
	var got struct {
		Settings []struct{ Key, Allowed, Sentence string }
		Presets  []struct {
			Name     string
			Settings map[string]string
		}
		Worlds []struct {
			Name    string
			Actions []string
		}
	}
	for path, into := range map[string]any{"settings": &got.Settings, "presets": &got.Presets, "worlds": &got.Worlds} {
		_, body := ask(t, "GET", at+"api/v1/"+path)
		if err := json.Unmarshal([]byte(body), into); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range got.Settings {
		if s.Key == "" || s.Allowed == "" || s.Sentence == "" {
			t.Errorf("setting %+v", s)
		}
	}
	for _, p := range got.Presets {
		if p.Name == "" || len(p.Settings) != len(got.Settings) {
			t.Errorf("preset %s has %d of %d settings", p.Name, len(p.Settings), len(got.Settings))
		}
	}
	for _, w := range got.Worlds {
		if w.Name == "" || len(w.Actions) < 2 {
			t.Errorf("world %+v", w)
		}
	}
	if len(got.Worlds) == 0 || len(got.Presets) < len(got.Worlds) {
		t.Errorf("%d worlds, %d presets", len(got.Worlds), len(got.Presets))
	}
}

package site

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"impalab/server/site/api"
)

// routes are the part of the description that these tests read.
type routes struct {
	Paths map[string]map[string]struct {
		Summary, Description string
		Parameters           []struct{ Name, Description string }
	}
}

// each calls f for every route of the API, with names in the place of its parameters.
func (d *routes) each(f func(method, route, path string)) {
	names := strings.NewReplacer("{id}", "0123456789ab", "{cell}", "0", "{code}", "BCDFGH", "{number}", "1", "{task}", "x",
		"{receipt}", "x", "{track}", "late-pole")
	for route, methods := range d.Paths {
		for method := range methods {
			f(strings.ToUpper(method), route, names.Replace(route))
		}
	}
}

func TestEveryRouteRefusesInJSON(t *testing.T) {
	var lost error
	s, _ := made(t, func(o *Options) { o.Storable = func() error { return lost } })
	server := httptest.NewServer(s)
	defer server.Close()
	ask := func(method, path, body string, header ...string) *http.Response {
		r, err := http.NewRequestWithContext(t.Context(), method, server.URL+"/api/v1"+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(header); i += 2 {
			if r.Header.Set(header[i], header[i+1]); header[i] == "Host" {
				r.Host = header[i+1]
			}
		}
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { answer.Body.Close() })
		return answer
	}
	var d routes
	if err := json.NewDecoder(ask("GET", "/openapi.json", "").Body).Decode(&d); err != nil || len(d.Paths) < 25 {
		t.Fatal(err, len(d.Paths))
	}
	refused := func(what string, w *http.Response, status int) {
		t.Helper()
		var p api.Problem
		text, _ := io.ReadAll(w.Body)
		err := json.Unmarshal(text, &p)
		w.Body.Close()
		if w.StatusCode != status || err != nil || p.Fault.Code == "" || len(p.Fault.Message) < 10 ||
			w.Header.Get("Content-Type") != "application/json" || w.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %s %q, not %d: %s", what, w.StatusCode, w.Header.Get("Content-Type"), w.Header.Get("Cache-Control"),
				status, text)
		}
	}
	d.each(func(method, route, path string) {
		name := method + " " + route
		refused("a foreign page: "+name, ask(method, path, "", "Origin", "https://evil.example"), 403)
		refused("a foreign name: "+name, ask(method, path, "", "Host", "evil.example"), 421)
		refused("another method: "+name, ask("PUT", path, ""), 405)
		if method == "POST" && !strings.HasSuffix(path, "/stop") || method == "PATCH" {
			refused("a large body: "+name, ask(method, path, strings.Repeat("x", 70_000)), 413)
		}
		if method != "GET" {
			lost = errors.New("lost /srv/impalab.db")
			refused("no database: "+name, ask(method, path, "{}"), 503)
			lost = nil
		}
	})
	refused("a route that is not there", ask("GET", "/nowhere", ""), 404)
	refused("a method that nothing knows", ask("BREW", "/runs", ""), 405)
	for _, path := range []string{"/runs", "/links"} {
		w := ask("POST", path, "{}")
		for n := 0; n < 300 && w.StatusCode != 429; n++ {
			w = ask("POST", path, "{}")
		}
		refused("too fast: POST "+path, w, 429)
	}
}

func TestAServerWithoutItsDatabaseIsNotReady(t *testing.T) {
	lost := errors.New("the database does not answer")
	s, _ := made(t, func(o *Options) { o.Storable = func() error { return lost } })
	for path, want := range map[string]string{"/readyz": "503 the database does not answer\n", "/healthz": "200 ok\n"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1"+path, nil))
		if got := fmt.Sprintf("%d %s", w.Code, w.Body); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}

func TestEveryOperationIsDescribed(t *testing.T) {
	p := newProgram(t)
	var d routes
	p.call("GET", "/openapi.json", 200, "", &d)
	d.each(func(method, route, _ string) {
		o := d.Paths[route][strings.ToLower(method)]
		if o.Summary == "" || len(o.Summary) > 80 || strings.HasSuffix(o.Summary, ".") {
			t.Errorf("%s %s: the summary %q must have 1 to 80 characters and no full stop", method, route, o.Summary)
		}
		if len(o.Description) < 60 || !strings.Contains(o.Description, "Returns") {
			t.Errorf("%s %s: the description %q must have 60 characters or more, and the word Returns before the answer",
				method, route, o.Description)
		}
		for _, parameter := range o.Parameters {
			if len(parameter.Description) < 10 {
				t.Errorf("%s %s: the parameter %s has the description %q, want 10 characters or more", method, route,
					parameter.Name, parameter.Description)
			}
		}
	})
}

package site

import (
	"strings"
	"testing"

	"impalab/server/site/api"
)

func TestAnInvalidRunIsRefusedWithTheSentenceOfTheTable(t *testing.T) {
	p := newProgram(t)
	for body, words := range map[string]string{
		``:                                     "body",
		`{`:                                    "cut short",
		`[]`:                                   "must be a JSON object",
		`"x"`:                                  "must be a JSON object",
		`{"preset": "catch"} 1`:                "continues after",
		`{"preset": "catch"}`:                  "set steps",
		`{"preset": "lag-clif", "steps": 100}`: "did you mean lag-cliff?",
		`{"prest": "catch", "steps": 100}`:     `unknown field "prest"; did you mean preset?`,
		`{"preset": "catch", "rho": 2}`:        `put it into "settings"`,
		`{"preset": 3, "steps": 100}`:          "preset: a number is not allowed; must be a text",
		`[1]`:                                  "not an array",
		`{"preset": "catch", "steps": 100, "sead": 7}`:                   `unknown field "sead"; did you mean seed?`,
		`{"preset": "catch", "steps": 100, "seed": 1, "seed": 2}`:        `the key "seed" is given twice`,
		`{"preset": "catch", "steps": 100, "\u017feed": 7}`:              `unknown field "ſeed"`,
		"\ufeff" + `{"preset": "catch", "steps": 100}`:                   "at byte 0",
		`{"preset": "catch", "steps": 100, "settings": {"rh": 1}}`:       `unknown setting "rh"; did you mean rho?`,
		`{"preset": "catch", "steps": 100, "settings": {"rho": "x"}}`:    `rho="x": must be a number`,
		`{"preset": "catch", "steps": 100, "settings": {"rho": true}}`:   "a text or a number",
		`{"preset": "catch", "steps": 100, "settings": {"rho": null}}`:   "a text or a number",
		`{"preset": "catch", "steps": 100, "settings": []}`:              "must be an object",
		`{"preset": "catch", "steps": 100, "settings": {"steps": 200}}`:  "give it once",
		`{"preset": "catch", "steps": 100, "settings": {"c": 1,"c": 2}}`: `the key "c" is given twice`,
		`{"preset": "catch", "steps": -4}`:                               `steps="-4": must be a whole number`,
		`{"preset": "catch", "steps": 100, "seed": 1.5}`:                 `seed="1.5": must be a whole number`,
	} {
		status := 422
		if body == "" {
			status = 400
		}
		if code, sentence := p.refused("POST", "/runs", status, body); code != "refused" ||
			!strings.Contains(sentence, words) {
			t.Errorf("%s: %s %q does not say %q", body, code, sentence, words)
		}
	}
	if code, _ := p.refused("POST", "/runs", 413, `{"preset": "`+strings.Repeat("x", 70_000)+`"}`); code != "too_large" {
		t.Errorf("a large body: %s", code)
	}
	id := p.start(`{"preset": "catch", "steps": 1e6, "speed": 1000}`)
	for body, words := range map[string]string{
		`{"settings": {"rho": -1}}`:             `rho="-1": must be`,
		`{"settings": {"rhoo": 1}}`:             "did you mean rho?",
		`{"settings": {"world": "cartpole"}}`:   "start another with world=cartpole",
		`{"settings": {}}`:                      "the object is empty",
		`{}`:                                    "the object is empty",
		`{"settings": {"rho": 2, "lag": "no"}}`: "lag",
	} {
		if code, sentence := p.refused("PATCH", "/runs/"+id, 422, body); code != "refused" ||
			!strings.Contains(sentence, words) {
			t.Errorf("%s: %s %q does not say %q", body, code, sentence, words)
		}
	}
	if r := p.read(id); r.Settings["rho"] != "1" {
		t.Errorf("half of a patch that was refused is in force: rho=%s", r.Settings["rho"])
	}
}

func TestAWrongKeyAndAnUnknownRunAreAnsweredAlike(t *testing.T) {
	p := newProgram(t)
	id := p.start(`{"preset": "catch", "steps": 1e6, "speed": 1000}`)
	unknown, own := strings.Repeat("0", 32), p.key
	for _, way := range [][3]string{
		{"PATCH", "", `{"settings": {"rho": 2}}`}, {"POST", "/stop", ""}, {"DELETE", "", ""},
	} {
		p.key = own
		want := p.call(way[0], "/runs/"+unknown+way[1], 404, way[2], nil)
		for _, p.key = range []string{"", "0123456789abcdef", own + "x"} {
			if got := p.call(way[0], "/runs/"+id+way[1], 404, way[2], nil); got != want {
				t.Errorf("%s %s with the key %q: %s, of an unknown run %s", way[0], way[1], p.key, got, want)
			}
		}
	}
	for _, path := range []string{"", "/tape", "/curves.csv", "/events"} {
		if got := p.call("GET", "/runs/"+unknown+path, 404, "", nil); !strings.Contains(got, "not_found") {
			t.Errorf("%s of an unknown run: %s", path, got)
		}
	}
	p.call("POST", "/runs/"+unknown+"/fork", 404, `{"update": 1}`, nil)
	p.key = own
	var stopped api.Run
	p.call("POST", "/runs/"+id+"/stop", 200, "", &stopped)
	if r := p.ended(id); r.Reason != "stopped by hand" {
		t.Errorf("it ended: %s", r.Reason)
	}
	p.call("DELETE", "/runs/"+id, 204, "", nil)
	p.call("GET", "/runs/"+id, 404, "", nil)
}

func TestPagesOfOtherSitesStartNothing(t *testing.T) {
	p := newProgram(t)
	for _, header := range [][]string{
		{"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "cross-site"}, {"Origin", "null"},
	} {
		for _, way := range []string{"POST /runs", "DELETE /runs/x", "PATCH /runs/x", "POST /runs/x/fork",
			"GET /runs/x/events", "GET /presets"} {
			method, path, _ := strings.Cut(way, " ")
			if answer, body := ask(t, method, p.url+path, header...); answer.StatusCode != 403 {
				t.Errorf("%s with %v: %d %s", way, header, answer.StatusCode, body)
			}
		}
	}
	if answer, _ := ask(t, "GET", p.url+"/presets"); answer.Header.Get("Access-Control-Allow-Origin") != "" ||
		answer.Header.Get("Cross-Origin-Resource-Policy") != "same-origin" {
		t.Errorf("other pages may read it: %v", answer.Header)
	}
}

func TestALoopThatStartsRunsIsSlowedDown(t *testing.T) {
	p := newProgram(t)
	for n := 0; ; n++ {
		text, answer := p.send("POST", "/runs", `{"preset": "?"}`) // refused, and counted
		if answer.StatusCode == 429 {
			if n < 200 || answer.Header.Get("Retry-After") == "" || !strings.Contains(text, "too_fast") {
				t.Errorf("after %d: %v %s", n, answer.Header, text)
			}
			return
		}
		if n > 20*200 {
			t.Fatal("nothing slows it down")
		}
	}
}

func TestChangesAndReadingHaveARateForEachAddress(t *testing.T) {
	p := newProgram(t)
	id := p.start(`{"preset": "catch", "steps": 1000}`)
	board := strings.TrimSuffix(p.url, "api/v1") + "board"
	for _, c := range []struct {
		method, path, body string
		atOnce             int
	}{{"PATCH", "/runs/" + id, `{}`, 200}, {"GET", "/board", "", 600}, {"", board, "", 200}} {
		for n := 0; ; n++ {
			status := 0
			if c.method == "" {
				answer, _ := ask(t, "GET", c.path)
				status = answer.StatusCode
			} else {
				_, answer := p.send(c.method, c.path, c.body)
				status = answer.StatusCode
			}
			if status == 429 && n < c.atOnce || n > 20*c.atOnce {
				t.Errorf("%s %s: %d requests, the last is answered %d", c.method, c.path, n, status)
			}
			if status == 429 || n > 20*c.atOnce {
				break
			}
		}
	}
}

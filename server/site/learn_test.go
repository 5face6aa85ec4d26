package site

import (
	"encoding/json"
	"html"
	"net/url"
	"strings"
	"testing"

	"impalab/server/site/api"
	"impalab/web/lesson"
)

func TestALessonCanBeReadWithoutAScript(t *testing.T) {
	base := opened(t)
	for _, l := range lesson.All() {
		answer, body := ask(t, "GET", base+"learn/"+l.Name, "Accept", "text/html")
		if answer.StatusCode != 200 {
			t.Errorf("%s: %d", l.Name, answer.StatusCode)
		}
		for _, s := range l.Steps {
			if !strings.Contains(body, html.EscapeString(s.Title)) {
				t.Errorf("%s lacks the step %q", l.Name, s.Title)
			}
		}
		for _, words := range []string{"<noscript>", `<details class="reveal">`, "impalab train --preset", `target="live"`} {
			if l.Number == 1 && !strings.Contains(body, words) {
				t.Errorf("%s does not have %q", l.Name, words)
			}
		}
	}
}

func TestALessonThatDoesNotExistLeadsToTheListAndNamesTheNearest(t *testing.T) {
	base := opened(t)
	answer, body := ask(t, "GET", base+"learn/lat", "Accept", "text/html")
	if answer.StatusCode != 404 || !strings.Contains(body, "did you mean late?") || !strings.Contains(body, `href="/learn/late"`) {
		t.Errorf("%d %s", answer.StatusCode, body)
	}
}

func TestAChecksNumberIsJudged(t *testing.T) {
	base := opened(t)
	for number, passed := range map[string]bool{"3.02": true, "3,02": true, "5.04": false, "": false, "NaN": false,
		"1e999": false} {
		answer, body := ask(t, "GET", base+"learn/c-bar/check?number="+url.QueryEscape(number))
		var v lesson.Verdict
		err := json.Unmarshal([]byte(body), &v)
		if err != nil || answer.StatusCode != 200 || v.Passed != passed || v.Say == "" {
			t.Errorf("%q: %d %s", number, answer.StatusCode, body)
		}
	}
}

func TestAChecksRunIsJudgedByTheServersRecord(t *testing.T) {
	p := newProgram(t)
	base := strings.TrimSuffix(p.url, "api/v1") + "learn/replay/check?run="
	verdict := func(id string) (v lesson.Verdict) {
		if _, body := ask(t, "GET", base+id); json.Unmarshal([]byte(body), &v) != nil {
			t.Fatal(body)
		}
		return v
	}
	good := p.start(`{"preset": "laser-catch", "seed": 1101, "steps": 30000, "settings": {"mix": 0.875}}`)
	bad := p.start(`{"preset": "laser-catch", "seed": 1101, "steps": 30000, "settings": {"mix": 0.5}}`)
	turned := p.start(`{"preset": "laser-catch", "seed": 1101, "steps": 30000, "speed": 400, "settings": {"mix": 0.875}}`)
	p.awaits(turned, func(r api.Run) bool { return r.Steps > 400 })
	p.call("PATCH", "/runs/"+turned, 200, `{"settings": {"entropy": 0.004, "speed": "inf"}}`, nil)
	for _, id := range []string{good, bad, turned} {
		p.ended(id)
	}
	if v := verdict(good); !v.Passed {
		t.Error("the good run fails: ", v.Say)
	}
	if v := verdict(bad); v.Passed || !strings.Contains(v.Say, "is needed") {
		t.Error("the bad run: ", v)
	}
	if v := verdict(turned); v.Passed || !strings.Contains(v.Say, "on the way") {
		t.Error("a run that was turned: ", v)
	}
	if v := verdict(strings.Repeat("0", 32)); v.Passed || !strings.Contains(v.Say, "no longer has this run") {
		t.Error("an unknown run: ", v)
	}
}

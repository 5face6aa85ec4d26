package site

import (
	"fmt"
	"strings"
	"testing"

	"impalab/server/site/api"
)

func TestTheSitesPageOfARunShowsItWithoutAScript(t *testing.T) {
	p := newProgram(t)
	id := p.start(`{"preset": "catch", "seed": 7, "steps": 20000, "speed": 400, "settings": {"lag": 2}}`)
	p.awaits(id, func(r api.Run) bool { return r.Steps > 400 })
	var patched api.Patched
	p.call("PATCH", "/runs/"+id, 200, `{"settings": {"rho": 4, "speed": "inf"}}`, &patched)
	r := p.ended(id)
	page := strings.TrimSuffix(p.url, "api/v1") + "r/"
	answer, body := ask(t, "GET", page+id, "Accept", "text/html")
	if answer.StatusCode != 200 || answer.Header.Get("Content-Security-Policy") != policy ||
		!strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") || strings.Contains(body, "<script>") {
		t.Errorf("%d %v", answer.StatusCode, answer.Header)
	}
	computed := "cpu (as asked for), " + r.Arithmetic + " arithmetic; exact: the same settings give the same bytes"
	for _, words := range []string{"done", r.ParamsSHA256, computed, "rho: 1 → 4", `class="line hand pi"`,
		"/api/v1/runs/" + id + "/curves.csv",
		"/api/v1/runs/" + id + "/tape", fmt.Sprintf("/lab#fork=%s@%d", id, r.Updates), "@misc{impalab-" + id[:8], page + id,
		"--preset catch --seed 7 --steps 20000 --set lag=2 --turn "} {
		if !strings.Contains(body, words) {
			t.Errorf("it does not say %q", words)
		}
	}
	if answer, _ := ask(t, "GET", page+strings.Repeat("0", 32), "Accept", "text/html"); answer.StatusCode != 404 {
		t.Errorf("an unknown run: %d", answer.StatusCode)
	}
	var child api.Started
	p.call("POST", "/runs/"+id+"/fork", 201, `{"update": 3}`, &child)
	if _, body := ask(t, "GET", page+child.ID); !strings.Contains(body, `href="/r/`+id+`"`) {
		t.Error("a fork does not lead to its parent")
	}
}

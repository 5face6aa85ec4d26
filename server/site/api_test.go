package site

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"impalab/learner"
	"impalab/learner/device"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/server/site/api"
)

func TestARunOfTheAPIEndsWithTheBytesOfTheLearnerAlone(t *testing.T) {
	p := newProgram(t)
	id := p.start(`{"preset": "catch", "settings": {"rho": 2, "lag": "4"}, "seed": 3, "steps": 20000}`)
	r := p.ended(id)
	cfg, _, _, err := hyper.FromSettings([]hyper.Setting{{Key: "preset", Value: "catch"}, {Key: "rho", Value: "2"},
		{Key: "lag", Value: "4"}, {Key: "seed", Value: "3"}, {Key: "steps", Value: "20000"}})
	if err != nil {
		t.Fatal(err)
	}
	l, err := learner.Engine{Lower: graph.Lower}.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	alone, err := l.Run(t.Context(), learner.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if r.ParamsSHA256 != alone.ParamsSHA256 {
		t.Errorf("it ended with %s, the learner alone with %s", r.ParamsSHA256, alone.ParamsSHA256)
	}
	if r.Steps < 20000 || r.Updates == 0 || r.Episodes == 0 || math.IsNaN(float64(r.ReturnMean100)) || r.Parent != nil ||
		r.Preset != "catch" ||
		r.Settings["rho"] != "2" || r.Settings["seed"] != "3" || r.Settings["speed"] != "inf" || r.Purpose != "batch" ||
		r.Build != "test" || r.Arithmetic == "" || r.Device == nil ||
		*r.Device != (device.Choice{Name: "cpu", Exact: true, Why: "as asked for"}) || time.Since(r.Created) > time.Minute {
		t.Errorf("it is described as %+v", r)
	}
	if out := p.replayed(id); !out.Same() || out.ParamsSHA256 != r.ParamsSHA256 {
		t.Errorf("its tape comes to %+v", out)
	}
}

func TestAPatchIsInForceFromAnUpdateOnAndOnTheTape(t *testing.T) {
	p := newProgram(t)
	id := p.start(`{"preset": "catch", "steps": 20000, "speed": 400}`)
	p.awaits(id, func(r api.Run) bool { return r.Steps > 400 })
	var patched api.Patched
	p.call("PATCH", "/runs/"+id, 200, `{"settings": {"rho": "2", "lag": 3}}`, &patched)
	if patched.Settings["rho"] != "2" || patched.Settings["lag"] != "3" || patched.FromUpdate == 0 {
		t.Errorf("the patch is answered with %+v", patched)
	}
	p.call("PATCH", "/runs/"+id, 200, `{"settings": {"speed": "inf"}}`, nil)
	r := p.ended(id)
	if out := p.replayed(id); r.Settings["rho"] != "2" || !out.Same() || out.ParamsSHA256 != r.ParamsSHA256 {
		t.Errorf("it ended with %s, its tape comes to %+v", r.ParamsSHA256, out)
	}
	text := p.call("GET", "/runs/"+id+"/tape", 200, "", nil)
	if want := fmt.Sprintf(`"update":%d`, patched.FromUpdate); !strings.Contains(text, want) ||
		!strings.Contains(text, `"by":"api"`) {
		t.Errorf("the tape has no %s: %s", want, text)
	}
	code, sentence := p.refused("PATCH", "/runs/"+id, 409, `{"settings": {"rho": 3}}`)
	if code != "conflict" || !strings.Contains(sentence, "over") {
		t.Errorf("a run that is over refuses with %s: %s", code, sentence)
	}
	if code, _ := p.refused("POST", "/runs/"+id+"/stop", 409, ""); code != "conflict" {
		t.Errorf("stopped when it was over: %s", code)
	}
}

func TestTurnsAreMadeAtTheirSteps(t *testing.T) {
	p := newProgram(t)
	var ended []api.Run
	for _, turns := range []string{`"4000:rho=2,6000:lag=4"`, `["4000:rho=2", "6000:lag=4"]`} {
		id := p.start(`{"preset": "catch", "steps": 10000, "seed": 5, "turns": ` + turns + `}`)
		r := p.ended(id)
		recorded, err := tape.Read(strings.NewReader(p.call("GET", "/runs/"+id+"/tape", 200, "", nil)))
		if err != nil {
			t.Fatal(err)
		}
		var made []string
		for _, e := range recorded.Events {
			if e.Kind == tape.Changed {
				made = append(made, fmt.Sprintf("%s=%s by %s", e.Key, e.To, e.By))
				if due := map[string]uint64{"rho": 4000, "lag": 6000}[e.Key]; e.Step < due || e.Step > due+2000 {
					t.Errorf("%s is due at step %d and was made at %d", e.Key, due, e.Step)
				}
			}
		}
		if got := strings.Join(made, ", "); got != "rho=2 by turn, lag=4 by turn" {
			t.Errorf("turns %s: the tape has %s", turns, got)
		}
		if out := p.replayed(id); !out.Same() || out.ParamsSHA256 != r.ParamsSHA256 {
			t.Errorf("turns %s: its tape comes to %+v", turns, out)
		}
		ended = append(ended, r)
	}
	if ended[0].ParamsSHA256 != ended[1].ParamsSHA256 {
		t.Error("a text and a list of the same turns came to different parameters")
	}
	for turns, words := range map[string]string{
		`"4000:rho"`:                   "must be STEP:KEY=VALUE",
		`["4000:rho=2", "soon:lag=4"]`: `"soon" is not a step number`,
		`"4000:rhoo=2"`:                "did you mean rho?",
		`"4000:unroll=8"`:              "cannot change during a run",
		`"10000:rho=2"`:                "the run ends at 10000 steps",
		`4`:                            "must be a text like",
		`null`:                         "must be a text like",
		`[4]`:                          "must be a text like",
	} {
		code, sentence := p.refused("POST", "/runs", 422, `{"preset": "catch", "steps": 10000, "turns": `+turns+`}`)
		if code != "refused" || !strings.Contains(sentence, words) {
			t.Errorf("turns %s: %s %q", turns, code, sentence)
		}
	}
}

func TestAForkIsTheRunUpToItsUpdate(t *testing.T) {
	p := newProgram(t)
	id := p.start(`{"preset": "catch", "steps": 10000, "seed": 5}`)
	parent, owner := p.ended(id), p.key
	p.key = ""
	var same, other api.Started
	p.call("POST", "/runs/"+id+"/fork", 201, `{"update": 20}`, &same)
	p.call("POST", "/runs/"+id+"/fork", 201, `{"update": 20, "settings": {"entropy": 0.02, "correction": "none"}}`, &other)
	if same.Key == "" || same.Key == owner || same.ID == id {
		t.Errorf("the fork's name and key are %+v", same)
	}
	a, b := p.ended(same.ID), p.ended(other.ID)
	if a.ParamsSHA256 != parent.ParamsSHA256 || a.Parent == nil || *a.Parent != (tape.Parent{Run: id, Update: 20}) {
		t.Errorf("nothing was changed, and it ended with %s, %+v; its parent with %s", a.ParamsSHA256, a.Parent,
			parent.ParamsSHA256)
	}
	if b.ParamsSHA256 == parent.ParamsSHA256 || b.Settings["correction"] != "none" {
		t.Error("the fork's settings changed nothing")
	}
	for body, words := range map[string]string{
		`{}`:                                     "update is missing",
		`{"update": 1000000}`:                    "the run has reached update",
		`{"update": -1}`:                         "whole number",
		`{"update": 2, "settings": {"rho": -1}}`: `rho="-1": must be a number`,
		`{"update": 2, "settings": {"world": "cartpole"}}`: "cannot change",
		`{"update": 2, "settings": {"steps": 0}}`:          "steps",
	} {
		if code, sentence := p.refused("POST", "/runs/"+id+"/fork", 422, body); code != "refused" ||
			!strings.Contains(sentence, words) {
			t.Errorf("%s: %s %q", body, code, sentence)
		}
	}
}

func TestACallerListsItsOwnRunsPageByPage(t *testing.T) {
	p := newProgram(t)
	if code, _ := p.refused("GET", "/runs", 401, ""); code != "key_needed" {
		t.Errorf("without a key: %s", code)
	}
	p.key = "a key of my own!"
	_, sentence := p.refused("POST", "/runs", 422, `{"preset": "catch", "steps": 100}`)
	if !strings.Contains(sentence, "without spaces") {
		t.Errorf("a key with spaces: %s", sentence)
	}
	p.key = "a-key-of-my-own!"
	var began []string
	for range 5 {
		var started api.Started
		p.call("POST", "/runs", 201, `{"preset": "catch", "steps": 100}`, &started)
		if started.Key != p.key {
			t.Errorf("it was given the key %s", started.Key)
		}
		began = append([]string{started.ID}, began...)
	}
	p.key = ""
	p.start(`{"preset": "catch", "steps": 100}`) // with another key
	p.key = "a-key-of-my-own!"
	var listed []string
	for next := ""; ; {
		var page api.Runs
		p.call("GET", "/runs?limit=2&cursor="+next, 200, "", &page)
		for _, r := range page.Runs {
			listed = append(listed, r.ID)
		}
		if page.Next == nil {
			break
		}
		next = *page.Next
	}
	if len(listed) != 5 || strings.Join(listed[4:], " ") != began[4] {
		t.Errorf("listed are %v of %v", listed, began)
	}
	p.refused("GET", "/runs?cursor=x", 422, "")
	p.refused("GET", "/runs?limit=0", 422, "")
	var none api.Runs
	p.key = "another key entirely"
	p.key = strings.ReplaceAll(p.key, " ", "-")
	if p.call("GET", "/runs", 200, "", &none); len(none.Runs) != 0 {
		t.Errorf("a stranger sees %d runs", len(none.Runs))
	}
}

package site

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/server/site/api"
)

// program is what calls the API.
type program struct {
	t   *testing.T
	url string
	key string // that it sends; "": none
}

func newProgram(t *testing.T) *program { return &program{t: t, url: opened(t) + "api/v1"} }

// call sends a body, if any, and reads the answer into into, if any. It fails unless the status is as wanted.
func (p *program) call(method, path string, status int, body string, into any) string {
	p.t.Helper()
	text, answer := p.send(method, path, body)
	if answer.StatusCode != status {
		p.t.Fatalf("%s %s %s: %d %s, not %d", method, path, body, answer.StatusCode, text, status)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			p.t.Fatalf("%s %s: %v in %s", method, path, err, text)
		}
	}
	return text
}

func (p *program) send(method, path, body string) (string, *http.Response) {
	p.t.Helper()
	var from io.Reader
	if body != "" {
		from = strings.NewReader(body)
	}
	request, err := http.NewRequestWithContext(p.t.Context(), method, p.url+path, from)
	if err != nil {
		p.t.Fatal(err)
	}
	if p.key != "" {
		request.Header.Set("Authorization", "Bearer "+p.key)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text), answer
}

// refused is the code and the sentence of an answer that must have this status.
func (p *program) refused(method, path string, status int, body string) (code, sentence string) {
	p.t.Helper()
	var problem api.Problem
	p.call(method, path, status, body, &problem)
	return problem.Fault.Code, problem.Fault.Message
}

// start begins a run and takes its key.
func (p *program) start(body string) (id string) {
	p.t.Helper()
	var started api.Started
	p.call("POST", "/runs", 201, body, &started)
	p.key = started.Key
	return started.ID
}

func (p *program) read(id string) (r api.Run) {
	p.t.Helper()
	p.call("GET", "/runs/"+id, 200, "", &r)
	return r
}

// awaits reads a run until it suits.
func (p *program) awaits(id string, suits func(api.Run) bool) (r api.Run) {
	p.t.Helper()
	for until := time.Now().Add(30 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if r = p.read(id); suits(r) {
			return r
		}
	}
	p.t.Fatalf("run %s is %s at step %d", id, r.State, r.Steps)
	return r
}

func (p *program) ended(id string) api.Run {
	p.t.Helper()
	return p.awaits(id, func(r api.Run) bool { return r.State == "done" || r.State == "diverged" })
}

// replayed trains a run's tape again.
func (p *program) replayed(id string) tape.Outcome {
	p.t.Helper()
	recorded, err := tape.Read(strings.NewReader(p.call("GET", "/runs/"+id+"/tape", 200, "", nil)))
	if err != nil {
		p.t.Fatal(err)
	}
	outcome, err := tape.Replay(p.t.Context(), recorded, tape.Options{Engine: learner.Engine{Lower: graph.Lower}})
	if err != nil {
		p.t.Fatal(err)
	}
	return outcome
}

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
	if r.Steps < 20000 || r.Updates == 0 || r.Episodes == 0 || r.ReturnMean100 == nil || r.Parent != nil ||
		r.Preset != "catch" ||
		r.Settings["rho"] != "2" || r.Settings["seed"] != "3" || r.Settings["speed"] != "inf" || r.Purpose != "batch" ||
		r.Build != "test" || r.Arithmetic == "" || time.Since(r.Created) > time.Minute {
		t.Errorf("it is described as %+v", r)
	}
	if out := p.replayed(id); !out.Same() || out.ParamsSHA256 != r.ParamsSHA256 {
		t.Errorf("its tape comes to %+v", out)
	}
}

func TestAPatchIsInForceFromAnUpdateOnAndOnTheTape(t *testing.T) {
	p := newProgram(t)
	id := p.start(`{"preset": "catch", "steps": 20000, "speed": 20000}`)
	p.awaits(id, func(r api.Run) bool { return r.Steps > 1000 })
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
		`"4000:rho"`:                   "want STEP:KEY=VALUE",
		`["4000:rho=2", "soon:lag=4"]`: `"soon" is no step`,
		`"4000:rhoo=2"`:                "did you mean rho?",
		`"4000:unroll=8"`:              "cannot change while a run goes on",
		`"10000:rho=2"`:                "the run ends at 10000 steps",
		`4`:                            "want a text like",
		`null`:                         "want a text like",
		`[4]`:                          "want a text like",
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
	p.call("POST", "/runs/"+id+"/fork", 201, `{"update": 20, "settings": {"rho": 4, "correction": "none"}}`, &other)
	if same.Key == "" || same.Key == owner || same.ID == id {
		t.Errorf("the fork's name and key are %+v", same)
	}
	a, b := p.ended(same.ID), p.ended(other.ID)
	if a.ParamsSHA256 != parent.ParamsSHA256 || a.Parent == nil || *a.Parent != (api.Parent{Run: id, Update: 20}) {
		t.Errorf("nothing was changed, and it ended with %s, %+v; its parent with %s", a.ParamsSHA256, a.Parent,
			parent.ParamsSHA256)
	}
	if b.ParamsSHA256 == parent.ParamsSHA256 || b.Settings["correction"] != "none" {
		t.Error("the fork's settings changed nothing")
	}
	for body, words := range map[string]string{
		`{}`:                                     "update is missing",
		`{"update": 1000000}`:                    "the run has come to update",
		`{"update": -1}`:                         "whole number",
		`{"update": 2, "settings": {"rho": -1}}`: `rho="-1": want`,
		`{"update": 2, "settings": {"world": "cartpole"}}`: "cannot change",
		`{"update": 2, "settings": {"steps": 0}}`:          "steps",
	} {
		if code, sentence := p.refused("POST", "/runs/"+id+"/fork", 422, body); code != "refused" ||
			!strings.Contains(sentence, words) {
			t.Errorf("%s: %s %q", body, code, sentence)
		}
	}
}

func TestWhatCannotBeIsRefusedWithTheSentenceOfTheTable(t *testing.T) {
	p := newProgram(t)
	for body, words := range map[string]string{
		``:                                     "body",
		`{`:                                    "cut short",
		`[]`:                                   "want a JSON object",
		`"x"`:                                  "want a JSON object",
		`{"preset": "catch"} 1`:                "goes on",
		`{"preset": "catch"}`:                  "set steps",
		`{"preset": "lag-clif", "steps": 100}`: "did you mean lag-cliff?",
		`{"prest": "catch", "steps": 100}`:     `unknown field "prest"; did you mean preset?`,
		`{"preset": "catch", "rho": 2}`:        `put it into "settings"`,
		`{"preset": 3, "steps": 100}`:          "preset: a number cannot be; want a text",
		`{"preset": "catch", "steps": 100, "settings": {"rh": 1}}`:       `unknown setting "rh"; did you mean rho?`,
		`{"preset": "catch", "steps": 100, "settings": {"rho": "x"}}`:    `rho="x": want a number`,
		`{"preset": "catch", "steps": 100, "settings": {"rho": true}}`:   "a text or a number",
		`{"preset": "catch", "steps": 100, "settings": {"rho": null}}`:   "a text or a number",
		`{"preset": "catch", "steps": 100, "settings": []}`:              "want an object",
		`{"preset": "catch", "steps": 100, "settings": {"steps": 200}}`:  "give it once",
		`{"preset": "catch", "steps": 100, "settings": {"c": 1,"c": 2}}`: "c is given twice",
		`{"preset": "catch", "steps": -4}`:                               `steps="-4": want a whole number`,
		`{"preset": "catch", "steps": 100, "seed": 1.5}`:                 `seed="1.5": want a whole number`,
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
		`{"settings": {"rho": -1}}`:             `rho="-1": want`,
		`{"settings": {"rhoo": 1}}`:             "did you mean rho?",
		`{"settings": {"world": "cartpole"}}`:   "begin another with world=cartpole",
		`{"settings": {}}`:                      "there is none",
		`{}`:                                    "there is none",
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
	p.start(`{"preset": "catch", "steps": 100}`) // somebody else's
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

// event is one event of a stream.
type event struct{ id, name, data string }

// events reads a stream to its end.
func (p *program) events(id, after string) (came []event, status int) {
	p.t.Helper()
	request, _ := http.NewRequestWithContext(p.t.Context(), "GET", p.url+"/runs/"+id+"/events", nil)
	if after != "" {
		request.Header.Set("Last-Event-ID", after)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	var e event
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			e.id = value
		case "event":
			e.name = value
		case "data":
			e.data = value
		case "":
			if e.name != "" {
				came = append(came, e)
			}
			e = event{}
		}
	}
	return came, answer.StatusCode
}

func TestEventsTellARunToItsEndAndAreResumed(t *testing.T) {
	p := newProgram(t)
	id := p.start(`{"preset": "catch", "steps": 20000, "speed": 30000}`)
	p.call("PATCH", "/runs/"+id, 200, `{"settings": {"rho": 2}}`, nil)
	all, status := p.events(id, "")
	count := map[string]int{}
	last, lastStep := 0, uint64(0)
	for _, e := range all {
		count[e.name]++
		if n, err := strconv.Atoi(e.id); e.id != "" && (err != nil || n <= last) {
			t.Errorf("event %+v comes after %d", e, last)
		} else if e.id != "" {
			last = n
		}
		if e.name == "point" {
			var point api.PointEvent
			if err := json.Unmarshal([]byte(e.data), &point); err != nil || point.Step <= lastStep || len(point.Figures) == 0 {
				t.Errorf("%s after step %d: %v", e.data, lastStep, err)
			}
			lastStep = point.Step
		}
	}
	if end := all[len(all)-1]; status != 200 || end.name != "state" || !strings.Contains(end.data, `"state":"done"`) ||
		count["changed"] != 1 || count["point"] < 3 {
		t.Fatalf("%d, %v, ending with %+v", status, count, end)
	}
	again, _ := p.events(id, all[len(all)-3].id)
	if len(again) != 2 || again[0] != all[len(all)-2] || again[1] != all[len(all)-1] {
		t.Errorf("resumed it tells %+v, not %+v", again, all[len(all)-2:])
	}
	if again, status := p.events(id, all[len(all)-1].id); len(again) != 0 || status != 204 {
		t.Errorf("after the end: %d %+v", status, again)
	}
	if again, _ := p.events(id, "nonsense"); len(again) < len(all)-3 {
		t.Errorf("from the beginning again it tells %d events, not %d", len(again), len(all))
	}
}

func TestCurvesAreATableOfAllSeries(t *testing.T) {
	p := newProgram(t)
	id := p.start(`{"preset": "catch", "steps": 60000, "speed": 100000}`)
	r := p.ended(id)
	rows, err := csv.NewReader(strings.NewReader(p.call("GET", "/runs/"+id+"/curves.csv", 200, "", nil))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	if rows[0][0] != "step" || column["return_mean_100"] == 0 || column["update"] == 0 || len(rows) < 5 {
		t.Fatalf("the header is %v, of %d rows", rows[0], len(rows))
	}
	before, last := -1, ""
	for _, row := range rows[1:] {
		step, err := strconv.Atoi(row[0])
		if err != nil || step <= before {
			t.Errorf("step %s after %d", row[0], before)
		}
		before = step
		for _, cell := range row {
			if _, err := strconv.ParseFloat(cell, 64); cell != "" && err != nil {
				t.Errorf("step %d: %v", step, err)
			}
		}
		if cell := row[column["return_mean_100"]]; cell != "" {
			last = cell
		}
	}
	if v, _ := strconv.ParseFloat(last, 32); float32(v) != float32(*r.ReturnMean100) {
		t.Errorf("the last return is %s, the run's %g", last, *r.ReturnMean100)
	}
}

func TestPagesFromElsewhereStartNothing(t *testing.T) {
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
			if n < startsBurst || answer.Header.Get("Retry-After") == "" || !strings.Contains(text, "too_fast") {
				t.Errorf("after %d: %v %s", n, answer.Header, text)
			}
			return
		}
		if n > 20*startsBurst {
			t.Fatal("nothing slows it down")
		}
	}
}

func TestTheDescriptionNamesEveryRoute(t *testing.T) {
	p := newProgram(t)
	var described struct {
		Paths      map[string]map[string]any
		Components struct{ Schemas map[string]any }
	}
	p.call("GET", "/openapi.json", 200, "", &described)
	for _, route := range []string{"post /runs", "get /runs", "get /runs/{id}", "patch /runs/{id}", "delete /runs/{id}",
		"post /runs/{id}/fork", "post /runs/{id}/stop", "get /runs/{id}/tape", "get /runs/{id}/curves.csv",
		"get /runs/{id}/events", "post /links",
		"get /worlds", "get /presets", "get /settings"} {
		method, path, _ := strings.Cut(route, " ")
		if described.Paths[path][method] == nil {
			t.Errorf("it does not describe %s", route)
		}
	}
	for _, name := range []string{"Run", "Start", "Problem"} {
		if described.Components.Schemas[name] == nil {
			t.Errorf("it does not describe a %s", name)
		}
	}
	for path, least := range map[string]int{"/worlds": 5, "/presets": 5, "/settings": 20} {
		var rows []map[string]any
		if p.call("GET", path, 200, "", &rows); len(rows) < least {
			t.Errorf("%s has %d rows", path, len(rows))
		}
	}
	if code, _ := p.refused("GET", "/nothing", 404, ""); code != "not_found" {
		t.Errorf("a path that leads nowhere: %s", code)
	}
	if code, sentence := p.refused("PUT", "/runs", 405, ""); code != "not_allowed" ||
		!strings.Contains(sentence, "GET, POST") {
		t.Errorf("a method that is not there: %s %s", code, sentence)
	}
}

// TestTheExamplesOfTheDocumentationRun runs docs/api.md in a shell.
func TestTheExamplesOfTheDocumentationRun(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("this system has no curl")
	}
	text, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllSubmatch(text, -1) {
		script.Write(block[1])
	}
	command := exec.CommandContext(t.Context(), "sh", "-eu")
	command.Dir = t.TempDir()
	command.Stdin = strings.NewReader(strings.ReplaceAll(script.String(), "http://127.0.0.1:8080/", opened(t)))
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	if err := command.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, out.String(), errs.String())
	}
	for _, words := range []string{`"from_update"`, `event: state`, `"state":"done"`, "return_mean_100",
		`did you mean rho?`} {
		if !strings.Contains(out.String(), words) {
			t.Errorf("they do not come to %s: %s", words, out.String())
		}
	}
}

// What a program computes from an unroll, with the double sum as the paper prints it, is what the microscope shows.
func TestAnUnrollHasWhatItTakes(t *testing.T) {
	p := newProgram(t)
	id := p.start(`{"preset":"lag-cliff","steps":1000000}`)
	var u api.Unroll
	deadline := time.Now().Add(20 * time.Second)
	for {
		text, answer := p.send("GET", "/runs/"+id+"/unroll?trajectory=2", "")
		if answer.StatusCode == 200 {
			if err := json.Unmarshal([]byte(text), &u); err != nil {
				t.Fatal(err)
			}
			if u.Update > 8 { // the lag is whole
				break
			}
		} else if answer.StatusCode != 409 && answer.StatusCode != 429 && answer.StatusCode != 503 {
			t.Fatalf("%d %s", answer.StatusCode, text)
		}
		if time.Now().After(deadline) {
			t.Fatalf("no unroll comes: %d %s", answer.StatusCode, text)
		}
		time.Sleep(300 * time.Millisecond)
	}
	if u.Trajectory != 2 || u.Age < 8 || u.Settings["rho"] != "1" || len(u.Actions) != 2 || len(u.Steps) == 0 {
		t.Errorf("trajectory %d, age %d, settings %v, actions %v, %d steps", u.Trajectory, u.Age, u.Settings, u.Actions,
			len(u.Steps))
	}
	for i, s := range u.Steps {
		if got, want := float64(s.Ratio), s.Pi[s.Action]/s.Mu[s.Action]; got < want*0.999 || got > want*1.001 {
			t.Errorf("step %d: the ratio is %v, π/μ is %v", i, got, want)
		}
	}
	p.call("POST", "/runs/"+id+"/stop", 200, "", nil)
	deadline = time.Now().Add(20 * time.Second)
	for { // until it is over, it may still be looked at
		text, answer := p.send("GET", "/runs/"+id+"/unroll", "")
		if answer.StatusCode == 409 && strings.Contains(text, "fork it") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("a run that is over: %d %s", answer.StatusCode, text)
		}
		time.Sleep(300 * time.Millisecond)
	}
	if code, _ := p.refused("GET", "/runs/nobody/unroll", 404, ""); code != "not_found" {
		t.Errorf("a run that is not there: %s", code)
	}
}

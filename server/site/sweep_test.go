package site

import (
	"encoding/csv"
	"fmt"
	"image/png"
	"regexp"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/server/site/api"
	"impalab/server/sweep"
)

const small = `{"preset": "catch", "seeds": "1001-1003", "steps": 3000,
	"keys": [{"key": "lag", "values": [0, 4]}, {"key": "rho", "values": ["1", "inf"]}]}`

// sweepOver waits for a sweep's end.
func (p *program) sweepOver(id string) (s api.Sweep) {
	p.t.Helper()
	for until := time.Now().Add(kit.Patience); ; time.Sleep(20 * time.Millisecond) {
		if p.call("GET", "/sweeps/"+id, 200, "", &s); s.State != "running" {
			return s
		}
		if time.Now().After(until) {
			p.t.Fatalf("the sweep never ended: %+v", s)
		}
	}
}

func TestASweepIsStartedReadAndTaken(t *testing.T) {
	p := newProgram(t)
	var began api.Started
	p.call("POST", "/sweeps", 201, small, &began)
	events := p.call("GET", "/sweeps/"+began.ID+"/events", 200, "", nil)
	if last := events[strings.LastIndex(events, "data: "):]; !strings.Contains(last, `"state":"done"`) ||
		!strings.Contains(last, `"over":12`) {
		t.Errorf("the events end with %s", last)
	}
	s := p.sweepOver(began.ID)
	if s.State != "done" || s.Runs != 12 || s.Over != 12 || s.Yours || len(s.Cells) != 4 || s.Settings["lag"] != "" ||
		s.Settings["world"] != "catch" || s.Steps != 3000 || fmt.Sprint(s.Seeds) != "[1001 1002 1003]" {
		t.Errorf("%+v", s)
	}
	for i, values := range []string{"[0 1]", "[4 1]", "[0 inf]", "[4 inf]"} {
		c := s.Cells[i]
		if fmt.Sprint(c.Values) != values || c.N != 3 || !(c.Low <= c.Mean && c.Mean <= c.High) {
			t.Errorf("cell %d: %+v", i, c)
		}
		for _, r := range c.Runs {
			var of api.Run
			p.call("GET", "/runs/"+*r.ID, 200, "", &of)
			if of.ReturnMean100 != r.Return || of.Settings["seed"] != fmt.Sprint(r.Seed) ||
				fmt.Sprint([]string{of.Settings["lag"], of.Settings["rho"]}) != values {
				t.Errorf("cell %d has %+v of run %+v", i, r, of)
			}
		}
	}
	var curves sweep.Curves
	p.call("GET", "/sweeps/"+began.ID+"/cells/3", 200, "", &curves)
	if len(curves.Lines) != 3 || len(curves.Lines[0].At) != 200 || len(curves.Band) < 10 ||
		curves.Band[len(curves.Band)-1].N != 3 {
		t.Errorf("%d lines, %d points of the band", len(curves.Lines), len(curves.Band))
	}
	if code, _ := p.refused("GET", "/sweeps/"+began.ID+"/cells/4", 404, ""); code != "not_found" {
		t.Errorf("a cell that is not there: %s", code)
	}
	rows, err := csv.NewReader(strings.NewReader(p.call("GET", "/sweeps/"+began.ID+"/runs.csv", 200, "", nil))).ReadAll()
	if err != nil || len(rows) != 13 || strings.Join(rows[0], " ") != "lag rho seed run state steps return_mean_100" ||
		rows[12][0] != "4" || rows[12][1] != "inf" || rows[12][2] != "1003" || rows[12][4] != "done" {
		t.Errorf("%v, %v", rows, err)
	}
	p.key = began.Key
	if p.call("GET", "/sweeps/"+began.ID, 200, "", &s); !s.Yours {
		t.Error("with its key the sweep is not ours")
	}
}

// TestTheFiguresOfASweepAreTaken fetches every file that the page of a sweep leads to.
func TestTheFiguresOfASweepAreTaken(t *testing.T) {
	p := newProgram(t)
	var began api.Started
	p.call("POST", "/sweeps", 201, `{"preset": "catch", "seeds": "1001-1003", "steps": 3000, "settings": {"lag": 2},
		"keys": [{"key": "rho", "values": ["1", "4", "inf"]}]}`, &began)
	p.sweepOver(began.ID)
	at := strings.TrimSuffix(p.url, "/api/v1")
	kinds := map[string]int{}
	for _, query := range []string{"?cell=1", "?cell=1&view=curves"} {
		_, page := ask(t, "GET", at+"/s/"+began.ID+query)
		for _, link := range regexp.MustCompile(`href="(/s/[^"#]*\.[^"#]*)"`).FindAllStringSubmatch(page, -1) {
			answer, body := ask(t, "GET", at+strings.ReplaceAll(link[1], "&amp;", "&"))
			kind := answer.Header.Get("Content-Type")
			if kinds[kind]++; answer.StatusCode != 200 {
				t.Errorf("%s: %d %s", link[1], answer.StatusCode, body)
			}
			switch kind {
			case "image/png":
				if _, err := png.Decode(strings.NewReader(body)); err != nil {
					t.Errorf("%s: %v", link[1], err)
				}
			case "image/svg+xml":
				whole := strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(body, " ")), " ")
				for _, words := range []string{"lag 2 (the preset has 0)", "/s/" + began.ID, "1001 to 1003", "n = 3 seeds"} {
					if !strings.Contains(whole, words) {
						t.Errorf("%s does not say %q: %s", link[1], words, whole)
					}
				}
			}
		}
	}
	if fmt.Sprint(kinds) != "map[image/png:4 image/svg+xml:4 text/csv; charset=utf-8:4]" {
		t.Errorf("the links lead to %v", kinds)
	}
	for name, first := range map[string]string{
		"over.csv":         "rho,interquartile_mean,low_95,high_95,n,diverged,seed_1001,seed_1002,seed_1003\n1,",
		"curves.csv":       "rho,step,interquartile_mean,low_95,high_95,n\n1,",
		"seeds.csv?cell=2": "seed,step,return_mean_100\n1001,15,"} {
		if _, body := ask(t, "GET", at+"/s/"+began.ID+"/"+name); !strings.HasPrefix(body, first) {
			t.Errorf("%s begins with %.120s", name, body)
		}
	}
	for _, name := range []string{"nothing.svg", "over.pdf", "over"} {
		answer, body := ask(t, "GET", at+"/s/"+began.ID+"/"+name)
		if answer.StatusCode != 404 || !strings.Contains(body, "over, curves, seeds") {
			t.Errorf("%s: %d %s", name, answer.StatusCode, body)
		}
	}
	if answer, _ := ask(t, "GET", at+"/s/0123456789abcdef/over.svg"); answer.StatusCode != 404 {
		t.Errorf("a sweep that does not exist: %d", answer.StatusCode)
	}
}

func TestASweepBelongsToItsKey(t *testing.T) {
	p := newProgram(t)
	p.key = "a-key-for-this-sweep"
	var began api.Started
	p.call("POST", "/sweeps", 201, `{"preset": "catch", "seeds": "1-4", "steps": 100000000,
		"turns": ["4000:lag=8", "9000:rho=2"]}`, &began)
	own := p.key
	p.key = "another-key-of-others"
	for method, path := range map[string]string{"POST": "/stop", "DELETE": ""} {
		if code, _ := p.refused(method, "/sweeps/"+began.ID+path, 404, ""); code != "not_found" {
			t.Errorf("%s with another key: %s", method, code)
		}
	}
	p.key = own
	var s api.Sweep
	p.call("POST", "/sweeps/"+began.ID+"/stop", 200, "", &s)
	if s.State != "stopped" || s.Cells[0].N != 0 || s.Turns != "4000:lag=8,9000:rho=2" {
		t.Errorf("%+v", s)
	}
	if code, _ := p.refused("POST", "/sweeps/"+began.ID+"/stop", 409, ""); code != "conflict" {
		t.Errorf("stopped twice: %s", code)
	}
	p.call("DELETE", "/sweeps/"+began.ID, 204, "", nil)
	p.refused("GET", "/sweeps/"+began.ID, 404, "")
}

func TestASweepIsRefusedWithTheNextStep(t *testing.T) {
	p := newProgram(t)
	for body, word := range map[string]string{
		`{"preset": "catch", "steps": 1000}`:                                                           "seeds is missing",
		`{"preset": "catch", "steps": 1000, "seeds": "8-1"}`:                                           "ends before it begins",
		`{"preset": "catch", "steps": 1000, "seeds": "1-4", "key": "lag"}`:                             "unknown field",
		`{"preset": "catch", "steps": 1000, "seeds": "1-4", "keys": [{"key": "lagg", "values": [1]}]}`: "did you mean lag",
		`{"preset": "catch", "steps": 1000, "seeds": "1-4", "turns": "5:lag"}`:                         "STEP:KEY=VALUE",
		`{"preset": "catch", "seeds": "1-4", "settings": {"rhoo": 2}}`:                                 "did you mean rho",
		`{"preset": "catch", "steps": 1000, "seeds": "1-64", "keys": [{"key": "lag", "values": [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]},
			{"key": "mix", "values": [0, 0.1]}]}`: "up to 1024",
	} {
		if code, sentence := p.refused("POST", "/sweeps", 422, body); code != "refused" || !strings.Contains(sentence, word) {
			t.Errorf("%s: %s: %s", body, code, sentence)
		}
	}
}

// A sweep over lag and learning rate has its map as a figure and as numbers, which its page shows to others too.
func TestAMapIsTakenAsAFigure(t *testing.T) {
	p := newProgram(t)
	var began api.Started
	p.call("POST", "/sweeps", 201, `{"preset": "catch", "seeds": "1-2", "steps": 3000,
		"keys": [{"key": "lag", "values": [1, 4]}, {"key": "lr", "values": [0.001, 0.002]}]}`, &began)
	p.sweepOver(began.ID)
	at := strings.TrimSuffix(p.url, "api/v1") + "s/" + began.ID
	if answer, body := ask(t, "GET", at); answer.StatusCode != 200 || !strings.Contains(body, "is too late?") ||
		!strings.Contains(body, `content="`+at+`/map.png?cell=0"`) {
		t.Error("the page has no map, or no card")
	}
	answer, body := ask(t, "GET", at+"/map.csv")
	rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if answer.StatusCode != 200 || err != nil || len(rows) != 5 ||
		strings.Join(rows[0], ",") != "lag,lr,lag_times_lr,fell,n" ||
		!strings.HasPrefix(strings.Join(rows[4], ","), "4,0.002,0.008,") {
		t.Errorf("map.csv: %s, %v: %s", answer.Status, err, body)
	}
	if answer, body := ask(t, "GET", at+"/map.svg"); answer.StatusCode != 200 || !strings.Contains(body, "policy lag, ") {
		t.Errorf("map.svg: %s", answer.Status)
	}
	if answer, body := ask(t, "GET", at+"/map.png"); answer.StatusCode != 200 {
		t.Errorf("map.png: %s", answer.Status)
	} else if _, err := png.Decode(strings.NewReader(body)); err != nil {
		t.Error(err)
	}
	for _, guess := range []string{"-1", "x", "1e99", "0"} {
		if answer, body := ask(t, "GET", at+"?guess="+guess); answer.StatusCode != 200 || strings.Contains(body, "You drew") {
			t.Errorf("guess=%s: %s", guess, answer.Status)
		}
	}
}

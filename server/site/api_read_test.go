package site

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/server/site/api"
	"impalab/web/watch"
	"impalab/web/wire"
)

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
	id := p.start(`{"preset": "catch", "steps": 20000, "speed": 400}`)
	p.call("PATCH", "/runs/"+id, 200, `{"settings": {"rho": 2}}`, nil)
	p.call("PATCH", "/runs/"+id, 200, `{"settings": {"speed": "inf"}}`, nil)
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
		count["changed"] != 2 || count["point"] < 3 {
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
	if v, _ := strconv.ParseFloat(last, 32); float32(v) != float32(r.ReturnMean100) {
		t.Errorf("the last return is %s, the run's %g", last, r.ReturnMean100)
	}
}

// A program that computes the paper's double sum from an unroll gets the figures of the microscope.
func TestAnUnrollHasEveryInputOfACorrection(t *testing.T) {
	p := newProgram(t)
	id := p.start(`{"preset":"lag-cliff","steps":1000000}`)
	var u watch.Unroll
	deadline := time.Now().Add(kit.Patience)
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
	var r api.Run
	if p.call("POST", "/runs/"+id+"/stop", 200, "", &r); r.State != "done" || r.Reason != "stopped by hand" {
		t.Errorf("stopped: %+v", r)
	}
	text, answer := p.send("GET", "/runs/"+id+"/unroll", "")
	for ; answer.StatusCode == 429; text, answer = p.send("GET", "/runs/"+id+"/unroll", "") { // looks come no faster
		time.Sleep(100 * time.Millisecond)
	}
	if answer.StatusCode != 409 || !strings.Contains(text, "fork it") {
		t.Errorf("a run that is over: %d %s", answer.StatusCode, text)
	}
	if code, _ := p.refused("GET", "/runs/nobody/unroll", 404, ""); code != "not_found" {
		t.Errorf("a run that is not there: %s", code)
	}
	frame, answer := p.send("GET", "/runs/"+id+"/moments?from=2&to=4", "")
	made, err := wire.DecodeAll([]byte(frame), wire.FromServer)
	if err != nil || answer.Header.Get("Content-Type") != "application/octet-stream" || len(made) != 6 { // with frames
		t.Errorf("%d messages, %v: %v", len(made), answer.Header, err)
	}
	p.refused("GET", "/runs/"+id+"/moments?from=2&to=99", 422, "")
	p.refused("GET", "/runs/"+id+"/moments?from=2", 422, "")
}

package site

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner/correct"
	"impalab/server/class"
	"impalab/server/site/api"
	"impalab/server/sweep"
)

// asked is the body of a request for runs of a program, with more fields.
func asked(t *testing.T, program string, more map[string]any) string {
	t.Helper()
	body := map[string]any{"preset": "lag-cliff", "steps": 3000, "settings": map[string]any{"correction": "own", "lag": 8,
		"program": program}}
	for field, value := range more {
		body[field] = value
	}
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const mostBody = 64 << 10 // bytes of a request, of which the API reads no more

// A program makes a run, reads back as it was written, and goes into a fork.
func TestAnAPIRunOfAProgramReadsBackAndForks(t *testing.T) {
	p := newProgram(t)
	end := map[string]string{}
	for _, start := range correct.Starts {
		id := p.start(asked(t, start.Program, nil))
		r := p.ended(id)
		is, want := r.Settings["program"], strings.TrimSpace(start.Program)
		if out := p.replayed(id); !out.Same() || is != want || r.State != "done" {
			t.Errorf("%s is %s with the program %q; its tape: %+v", start.Name, r.State, r.Settings["program"], out)
		}
		end[start.Name] = r.ParamsSHA256
	}
	taper := correct.Starts[3]
	id := p.start(asked(t, correct.Starts[0].Program, nil))
	p.ended(id)
	settings, err := json.Marshal(map[string]string{"program": taper.Program})
	if err != nil {
		t.Fatal(err)
	}
	var forked api.Started
	p.call("POST", "/runs/"+id+"/fork", 201, fmt.Sprintf(`{"update": 0, "settings": %s}`, settings), &forked)
	r, want := p.ended(forked.ID), strings.TrimSpace(taper.Program)
	if r.ParamsSHA256 != end[taper.Name] || r.Settings["program"] != want {
		t.Errorf("the fork at the start ends with %.12s, and %s with %.12s", r.ParamsSHA256, taper.Name, end[taper.Name])
	}
}

func TestAFaultyProgramIsASentenceOfTheAPI(t *testing.T) {
	p := newProgram(t)
	good := p.start(asked(t, correct.Starts[0].Program, map[string]any{"steps": 1e7, "speed": 100}))
	key := p.key
	for _, c := range kit.FaultyPrograms {
		one, many := asked(t, c.Program, nil), asked(t, c.Program, map[string]any{"seeds": "1-2"})
		change, err := json.Marshal(map[string]any{"settings": map[string]string{"program": c.Program}})
		if err != nil {
			t.Fatal(err)
		}
		if !c.Begins {
			for path, body := range map[string]string{"POST /runs": one, "POST /sweeps": many, "POST /estimates": many,
				"PATCH /runs/" + good: string(change)} {
				method, to, _ := strings.Cut(path, " ")
				p.key = key
				text, answer := p.send(method, to, body)
				status, sentence := 422, c.Sentence
				if len(body) > mostBody {
					status, sentence = 413, "bytes"
				}
				if answer.StatusCode != status || !strings.Contains(text, sentence) || len(text) > 600 {
					t.Errorf("%s of %.80q: %d %.600s, want %d %q", path, c.Program, answer.StatusCode, text, status,
						sentence)
				}
			}
			continue
		}
		p.key = ""
		if r := p.ended(p.start(one)); r.Steps >= 3000 || !strings.Contains(r.Reason, c.Sentence) {
			t.Errorf("a run of %.80q is %s: %q, want %q", c.Program, r.State, r.Reason, c.Sentence)
		}
		var begun api.Started
		p.call("POST", "/sweeps", 201, many, &begun)
		var s sweep.Info
		kit.Until(t, "the sweep is over", func() bool {
			p.call("GET", "/sweeps/"+begun.ID, 200, "", &s)
			return s.Over == s.Runs
		})
		for _, m := range s.Cells[0].Runs {
			if m.State == "done" || !strings.Contains(m.Reason, c.Sentence) {
				t.Errorf("a sweep of %.80q: seed %d is %s: %q, want %q", c.Program, m.Seed, m.State, m.Reason, c.Sentence)
			}
		}
	}
	if r := p.read(good); r.State != "running" || r.Settings["program"] != strings.TrimSpace(correct.Starts[0].Program) {
		t.Errorf("the run whose changes were refused is %s with %q", r.State, r.Settings["program"])
	}
}

// A million bytes of a link or a body are refused in a sentence, and nothing of them is stored.
func TestAProgramOfAMegabyteIsRefused(t *testing.T) {
	p := newProgram(t)
	long := "def weight(ratio, adv, pi, mu, age): return 1 #" + strings.Repeat("x", 1<<20)
	fragment, err := json.Marshal(map[string]string{"link": "lab#v=1&p=lag-cliff&correction=own&program=" + long})
	if err != nil {
		t.Fatal(err)
	}
	for path, body := range map[string]string{"/runs": asked(t, long, nil), "/links": string(fragment),
		"/sweeps": asked(t, long, map[string]any{"seeds": "1-2"})} {
		text, answer := p.send("POST", path, body)
		if answer.StatusCode != 413 || !strings.Contains(text, "bytes") || len(text) > 600 {
			t.Errorf("%s: %d %.300s", path, answer.StatusCode, text)
		}
	}
}

// A student's program is refused with its line, or its try ends with the line.
func TestAStudentsFaultyProgramIsASentence(t *testing.T) {
	c := newTaught(t, "exercises")
	ada := c.joins("Ada")
	at := "/rooms/" + c.code + "/answers"
	begun := false
	for _, one := range kit.FaultyPrograms {
		body, err := json.Marshal(map[string]any{"task": "without-a-ratio", "kind": "try",
			"settings": map[string]string{"program": one.Program}})
		if err != nil {
			t.Fatal(err)
		}
		if len(body) > mostBody || begun && one.Begins { // one failed training takes seconds
			continue
		}
		said := ""
		begun = one.Begins
		if !one.Begins {
			_, said = ada.refused("POST", at, 422, string(body))
		} else {
			var sent api.Sent
			ada.call("POST", at, 201, string(body), &sent)
			kit.Until(t, "the try is judged", func() bool {
				var given class.Given
				ada.call("GET", fmt.Sprintf("%s/%d", at, sent.Number), 200, "", &given)
				said = given.Say
				time.Sleep(50 * time.Millisecond) // the API answers sixty times a second
				return !given.Open
			})
		}
		if !strings.Contains(said, one.Sentence) {
			t.Errorf("%.80q: %q, want %q", one.Program, said, one.Sentence)
		}
	}
}

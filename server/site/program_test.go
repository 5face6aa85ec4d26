package site

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/graph"
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
	for until := time.Now().Add(kit.Patience); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
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

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// killed is a track whose seeds take half a second each.
const killed = `title: Killed
sentence: CartPole, briefly.
preset: cartpole
settings: lag=4
steps: 100000
score: mean over the run
scale: [0, 500]
seeds: {public: 1-8, secret: 8}
allowed:
  rho: 0.1 to inf
baselines:
  - {name: the start, settings: ""}
`

// worker starts a worker and waits until it takes jobs.
func worker(t *testing.T, flags ...string) *process {
	t.Helper()
	p, line := spawn(t, nil, append([]string{"worker", "--log-level", "warn", "--workers", "1"}, flags...)...)
	if !strings.HasPrefix(line, "taking jobs of") {
		t.Fatalf("it says %q", line)
	}
	return p
}

// house is a server with its workers, each in a process that the test can kill.
type house struct {
	t       *testing.T
	data    string
	where   []string // flags for the server and its workers
	url     string
	all     []*process // the server, then its workers
	workers int
}

// openHouse starts a server that trains itself, or on PostgreSQL a server with two workers.
func openHouse(t *testing.T, tracks, database string) *house {
	h := &house{t: t, data: t.TempDir(), where: []string{"--tracks", tracks}}
	if database != "" {
		h.where, h.workers = append(h.where, "--database-url", database), 2
	}
	h.all = make([]*process, 1+h.workers)
	for i := range h.all {
		h.start(i)
	}
	return h
}

func (h *house) start(i int) {
	if i > 0 {
		h.all[i] = worker(h.t, append(h.where, "--data", h.data)...)
		return
	}
	flags := h.where
	if h.workers > 0 {
		flags = append(flags, "--workers", "0")
	}
	h.all[0] = launch(h.t, "127.0.0.1:0", h.data, flags...)
	h.url = h.all[0].url
}

func (h *house) kill(i int) {
	h.all[i].Process.Kill()
	h.all[i].Wait()
}

// ask sends a request with a key and returns the body of its answer.
func (h *house) ask(key, method, path, body string) string {
	h.t.Helper()
	request, err := http.NewRequestWithContext(h.t.Context(), method, h.url+"api/v1"+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		h.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		h.t.Fatalf("%s %s: %s, %v\n%s", method, path, answer.Status, err, text)
	}
	return string(text)
}

func (h *house) call(key, method, path, body string, into any) {
	h.t.Helper()
	if err := json.Unmarshal([]byte(h.ask(key, method, path, body)), into); err != nil {
		h.t.Fatal(err)
	}
}

// mix is work of every kind: runs, a sweep, an entry of the board, and an answer in a room.
type mix struct {
	runs                             []string
	sweep, entry, room, teacher, ada string
	answer                           int64
}

func (h *house) begin() (m mix) {
	h.t.Helper()
	var began struct{ ID, Code, Key, Secret string }
	for i, settings := range []string{`{}`, `{"correction": "none"}`, `{"mix": "0.5"}`} {
		h.call(ownKey, "POST", "/runs", fmt.Sprintf(`{"preset": "catch", "settings": %s, "seed": %d, "steps": 400000,
			"speed": 6000, "turns": "150000:lag=8"}`, settings, 10+i), &began)
		m.runs = append(m.runs, began.ID)
	}
	h.call(ownKey, "POST", "/sweeps", `{"preset": "catch", "seeds": "1-3", "steps": 600000,
		"keys": [{"key": "lag", "values": [0, 4]}]}`, &began)
	m.sweep = began.ID
	h.call(ownKey, "POST", "/board/killed/entries", `{"settings": {"rho": "2"}, "nickname": "Ada"}`, &began)
	m.entry = began.ID
	h.call(ownKey, "POST", "/rooms", `{"title": "kill", "plan": "exercises"}`, &began)
	m.room, m.teacher = began.Code, began.Key
	h.call("", "POST", "/rooms/"+m.room+"/members", `{"nickname": "Ada"}`, &began)
	m.ada = began.Secret
	var answer struct{ Number int64 }
	h.call(m.ada, "POST", "/rooms/"+m.room+"/answers", `{"kind": "hand-in", "task": "half-way-house",
		"settings": {"rho": 1.08}}`, &answer)
	m.answer = answer.Number
	return m
}

// results returns the results so far, by name, and the number of steps of the runs.
func (h *house) results(m mix) (of map[string]string, steps map[string]uint64, over bool) {
	h.t.Helper()
	of, steps, over = map[string]string{}, map[string]uint64{}, true
	type run struct {
		State  string
		Params string `json:"params_sha256"`
		Steps  uint64
	}
	look := func(name, id string) {
		var r run
		h.call(ownKey, "GET", "/runs/"+id, "", &r)
		of[name], steps[name] = fmt.Sprint(r.State, " ", r.Steps, " ", r.Params), r.Steps
		over = over && r.State == "done"
	}
	for i, id := range m.runs {
		look(fmt.Sprint("run ", i), id)
	}
	var s struct {
		State string
		Cells []struct {
			Values json.RawMessage
			Runs   []struct {
				ID    *string
				Seed  json.RawMessage
				State string
			}
		}
	}
	h.call(ownKey, "GET", "/sweeps/"+m.sweep, "", &s)
	of["sweep"], over = s.State, over && s.State == "done"
	for _, c := range s.Cells {
		for _, r := range c.Runs {
			if name := fmt.Sprintf("sweep %s %s", c.Values, r.Seed); r.ID != nil && r.State == "done" {
				look(name, *r.ID)
			} else {
				of[name] = r.State
			}
		}
	}
	var e struct {
		State  string
		Public struct {
			Params []string `json:"params_sha256"`
		}
	}
	h.call(ownKey, "GET", "/board/killed/entries/"+m.entry, "", &e)
	of["entry"], over = fmt.Sprint(e.State, e.Public.Params), over && e.State == "done"
	var a struct {
		Open   bool
		Credit json.RawMessage
		Say    string
	}
	h.call(m.ada, "GET", fmt.Sprintf("/rooms/%s/answers/%d", m.room, m.answer), "", &a)
	of["answer"], over = fmt.Sprintf("%s %s", a.Credit, a.Say), over && !a.Open
	return of, steps, over
}

// end waits until all of the work is over, and returns its results.
func (h *house) end(m mix) map[string]string {
	h.t.Helper()
	for until := time.Now().Add(15 * time.Minute); ; time.Sleep(200 * time.Millisecond) {
		of, _, over := h.results(m)
		if over {
			credits := strings.Split(strings.TrimSpace(h.ask(m.teacher, "GET", "/rooms/"+m.room+"/credits.csv", "")), "\n")
			of["credits"] = fmt.Sprint(len(credits)-1, " lines")
			return of
		}
		if time.Now().After(until) {
			h.t.Fatalf("it does not end: %v", of)
		}
	}
}

// TestTwentyKillsChangeNoResult kills the server, or on PostgreSQL the server or one of its two workers, twenty times
// with one to five seconds between. All work ends with the bytes of an undisturbed server, and each run progresses.
func TestTwentyKillsChangeNoResult(t *testing.T) {
	if !slow {
		t.Skip("it kills servers for two minutes")
	}
	tracks := t.TempDir()
	if err := os.WriteFile(filepath.Join(tracks, "killed.yaml"), []byte(killed), 0o644); err != nil {
		t.Fatal(err)
	}
	calm := openHouse(t, tracks, "")
	want := calm.end(calm.begin())
	calm.kill(0)
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			url := ""
			if engine == "postgres" {
				url = database(t)
			}
			h := openHouse(t, tracks, url)
			m := h.begin()
			chance := rand.New(rand.NewPCG(20, 1))
			_, begun, _ := h.results(m)
			still := maps.Clone(begun)
			for kill := range 20 {
				time.Sleep(time.Second + time.Duration(chance.Int64N(int64(4*time.Second))))
				i := chance.IntN(len(h.all))
				h.kill(i)
				h.start(i)
				_, steps, over := h.results(m)
				if over && kill < 5 {
					t.Error("the work was over before the sixth kill: give it more")
				}
				t.Logf("kill %d, of process %d: %v", kill, i, steps)
				still = steps
			}
			for name, steps := range still {
				if steps <= begun[name] {
					t.Errorf("%s stood at step %d after twenty kills", name, steps)
				}
			}
			got := h.end(m)
			for _, name := range slices.Sorted(maps.Keys(want)) {
				if got[name] != want[name] {
					t.Errorf("%s came to %s, and undisturbed to %s", name, got[name], want[name])
				}
			}
		})
	}
}

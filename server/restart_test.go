package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/server/site/api"
	"impalab/web/wire"
)

// asServer makes the test binary run as the program, so that a test can kill it. The program refuses unknown variables
// with its prefix.
const asServer = "AS_IMPALAB"

func TestMain(m *testing.M) {
	// A server under test starts this binary for each of its drivers. That process must not run the tests.
	if os.Getenv(asServer) != "" || len(os.Args) > 1 && os.Args[1] == "devices" {
		main()
		return
	}
	code := m.Run()
	if shared.stop != nil {
		shared.stop()
	}
	if err := endSite(); err != nil {
		fmt.Fprintln(os.Stderr, "the server of the page tests ended with", err)
		code = 1
	}
	os.Exit(code)
}

// process is a server in a process of its own.
type process struct {
	*exec.Cmd
	t   *testing.T
	url string
}

// program returns impalab with args, which writes its errors to stderr.
func program(stderr io.Writer, env []string, args ...string) *exec.Cmd {
	p := exec.Command(os.Args[0], args...)
	p.Env, p.Stderr = append(append(os.Environ(), asServer+"=1"), env...), stderr
	return p
}

// begin starts a program and returns the first line of its output. A program without one has ended.
func begin(p *exec.Cmd) (line string, err error) {
	out, err := p.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := p.Start(); err != nil {
		return "", err
	}
	if line, err = bufio.NewReader(out).ReadString('\n'); err != nil {
		return "", fmt.Errorf("%q says %q: %w", p.Args, line, err)
	}
	return strings.TrimSpace(line), nil
}

// spawn starts impalab with args, kills it when the test ends, and returns the first line of its output.
func spawn(t *testing.T, env []string, args ...string) (*process, string) {
	t.Helper()
	p := &process{t: t, Cmd: program(t.Output(), env, args...)}
	t.Cleanup(func() {
		if p.Process != nil {
			p.Process.Kill()
			p.Wait()
		}
	})
	line, err := begin(p.Cmd)
	if err != nil {
		t.Fatal(err)
	}
	return p, line
}

// launch starts a server with a data folder and waits until it listens on addr.
func launch(t *testing.T, addr, data string, more ...string) *process {
	t.Helper()
	p, url := spawn(t, nil, append([]string{"serve", "--addr", addr, "--data", data, "--log-level", "warn"}, more...)...)
	p.url = url
	return p
}

const ownKey = "a-key-for-all-of-them"

// call sends a request with the key of all runs.
func (p *process) call(method, path, body string, into any) {
	p.t.Helper()
	request, err := http.NewRequestWithContext(p.t.Context(), method, p.url+"api/v1"+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+ownKey)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 300 {
		text, _ := io.ReadAll(answer.Body)
		p.t.Fatalf("%s %s: %s %s", method, path, answer.Status, text)
	}
	if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
		p.t.Fatal(err)
	}
}

// slowly is the speed of a run that must not be over before a test has done something to it, on any machine. release
// lets it go.
const slowly = 400 // steps a second

// release lets a run train to its end as fast as it can.
func (p *process) release(id string) {
	p.t.Helper()
	var patched api.Patched
	p.call("PATCH", "/runs/"+id, `{"settings": {"speed": "inf"}}`, &patched)
}

// awaits lists the runs until a condition holds that stays: what passes may be over before it looks.
func (p *process) awaits(what string, suits func(runs map[string]api.Run) bool) map[string]api.Run {
	p.t.Helper()
	for until := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		var page api.Runs
		p.call("GET", "/runs", "", &page)
		runs := map[string]api.Run{}
		for _, r := range page.Runs {
			runs[r.ID] = r
		}
		if suits(runs) {
			return runs
		}
		if time.Now().After(until) {
			p.t.Fatalf("%s: never came: %+v", what, runs)
		}
	}
}

// TestRunsOutliveTheServer ends the server in the middle of ten runs: some wait, some learn and some are done.
func TestRunsOutliveTheServer(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			data := t.TempDir()
			server := launch(t, "127.0.0.1:0", data)
			alone := map[string]hyper.Config{}
			var steered string // by hand, during the run
			for i := range 10 {
				settings := fmt.Sprintf(`"rho": %d, "lag": %d, "correction": %q`, 1+i%3, i%4, []string{"vtrace", "none"}[i%2])
				steps, speed := 12_000, 20_000
				if i == 0 {
					steps, speed = 80_000, slowly // it still learns when the test steers it, and when the server ends
				}
				var began api.Started
				server.call("POST", "/runs", fmt.Sprintf(
					`{"preset": "catch", "seed": %d, "steps": %d, "speed": %d, "settings": {%s}}`, 100+i, steps, speed, settings),
					&began)
				var r api.Run
				server.call("GET", "/runs/"+began.ID, "", &r)
				var all []hyper.Setting
				for key, value := range r.Settings {
					all = append(all, hyper.Setting{Key: key, Value: value})
				}
				cfg, err := hyper.FromRecord(all)
				if err != nil {
					t.Fatal(err)
				}
				alone[began.ID] = cfg
				if i == 0 {
					steered = began.ID
				}
			}
			server.awaits("it learns", func(runs map[string]api.Run) bool { return runs[steered].Steps > slowly })
			var patched api.Patched
			server.call("PATCH", "/runs/"+steered, `{"settings": {"lr": 0.002}}`, &patched)
			before := server.awaits("all are listed", func(runs map[string]api.Run) bool { return len(runs) == 10 })
			if r := before[steered]; r.State == "done" {
				t.Fatalf("it had ended before the server did: %+v", r)
			}
			server.Process.Signal(signal)
			server.Wait()

			server = launch(t, "127.0.0.1:0", data)
			server.awaits("all are listed again", func(runs map[string]api.Run) bool { return len(runs) == 10 })
			server.release(steered)
			after := server.awaits("all come to their ends", func(runs map[string]api.Run) bool {
				for _, r := range runs {
					if r.State != "done" {
						return false
					}
				}
				return true
			})
			for id, cfg := range alone {
				cfg.Speed = math.Inf(1)
				l, err := learner.Engine{Lower: graph.Lower}.New(cfg)
				if err != nil {
					t.Fatal(err)
				}
				result, err := l.Run(t.Context(), learner.Hooks{Between: func(l *learner.Learner) error {
					if id == steered && l.Updates() == patched.FromUpdate {
						change, err := hyper.ParseChange("lr", "0.002")
						if err != nil {
							return err
						}
						_, err = l.Apply(change)
						return err
					}
					return nil
				}})
				l.Close()
				if err != nil {
					t.Fatal(err)
				}
				if after[id].ParamsSHA256 != result.ParamsSHA256 {
					t.Errorf("run %s, which was %s at step %d, ended with %s; undisturbed with %s", id, before[id].State,
						before[id].Steps, after[id].ParamsSHA256, result.ParamsSHA256)
				}
			}
		})
	}
}

// TestAChangeOutlivesKill9TheMomentItIsConfirmed kills the server when a page has received the confirmation of its
// change.
func TestAChangeOutlivesKill9TheMomentItIsConfirmed(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	server := launch(t, "127.0.0.1:0", data)
	page := hail(t, server.url, &wire.Hello{Key: ownKey, Settings: []wire.Setting{{Key: "p", Value: "catch"}}})
	run := ""
	for asked := uint32(0); ; {
		switch m := page.hear().(type) {
		case *wire.Welcome:
			run = m.Run
		case *wire.XRay:
			if asked < 3 {
				asked++
				page.say(&wire.Set{Seq: asked, Key: "rho", Value: fmt.Sprint(asked + 1)})
			}
		case *wire.Changed:
			if m.To != "4" {
				continue
			}
			server.Process.Kill()
			server.Wait()
			server = launch(t, "127.0.0.1:0", data)
			var r api.Run
			if server.call("GET", "/runs/"+run, "", &r); r.Settings["rho"] != "4" {
				t.Errorf("ρ̄ was confirmed to be 4, and is %s", r.Settings["rho"])
			}
			return
		}
	}
}

// TestTheCommandOfARunTrainsItAgain gives the command of a run's page to the program.
func TestTheCommandOfARunTrainsItAgain(t *testing.T) {
	t.Parallel()
	server := launch(t, "127.0.0.1:0", t.TempDir())
	var began api.Started
	server.call("POST", "/runs", fmt.Sprintf(`{"preset": "catch", "seed": 7, "steps": 20000, "speed": %d,
		"settings": {"world": "catch:rows=7"}}`, slowly), &began)
	server.awaitsOf(began.ID, "it learns", func(r *api.Run) bool { return r.Steps > slowly })
	var patched api.Patched
	server.call("PATCH", "/runs/"+began.ID, `{"settings": {"rho": 4, "lr": "0.003"}}`, &patched)
	server.release(began.ID)
	want := server.awaitsOf(began.ID, "it is done", done).ParamsSHA256
	words := regexp.MustCompile(`impalab (train [^<]*)`).FindSubmatch(fetch(t, server.url+"r/"+began.ID))
	command := exec.CommandContext(t.Context(), os.Args[0], append(strings.Fields(string(words[1])), "--json")...)
	command.Env = append(os.Environ(), asServer+"=1")
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v", words[0], err)
	}
	if !strings.Contains(string(out), want) {
		t.Errorf("%s came to %s, the run to %s", words[0], out, want)
	}
}

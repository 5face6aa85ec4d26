package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"impalab/internal/natstest"
	"impalab/server/site/api"
	"impalab/web/wire"
)

const natsToken = "a-token-of-a-NATS-server-in-a-test"

// freeAddress returns an unused address of this machine.
func freeAddress(t *testing.T) string {
	t.Helper()
	address, err := natstest.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// launchCluster starts a server that trains for front ends.
func launchCluster(t *testing.T, addr, data, nats string) *process {
	t.Helper()
	return launch(t, addr, data, "--cluster", "--nats-url", nats, "--nats-token", natsToken)
}

// launchFront starts a front end and waits until it reaches its server.
func launchFront(t *testing.T, nats string, server *process) *process {
	t.Helper()
	p, url := spawn(t, []string{"IMPALAB_NATS_TOKEN=" + natsToken}, "front", "--addr", "127.0.0.1:0", "--log-level",
		"warn", "--nats-url", nats, "--server-url", server.url)
	p.url = url
	p.ready()
	return p
}

// get returns the answer of a path.
func (p *process) get(path string) (status int, text string) {
	p.t.Helper()
	answer, err := http.Get(p.url + path)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// ready waits until the server is ready.
func (p *process) ready() {
	p.t.Helper()
	for until := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		status, text := p.get("readyz")
		if status == http.StatusOK {
			return
		}
		if time.Now().After(until) {
			p.t.Fatalf("it is not ready: %s", text)
		}
	}
}

// hears reads messages up to one of the given kind.
func hears[M wire.Message](k *talk) M {
	k.t.Helper()
	for {
		if m, ok := k.hear().(M); ok {
			return m
		}
	}
}

// A front end gives the server's answers, with the same keys and rules, and the pages of both see the same run.
func TestAFrontEndShowsTheRunsOfTheServer(t *testing.T) {
	t.Parallel()
	const forkedAfter = 5 // updates
	nats := natstest.Start(t, "", natstest.Config(natsToken)).URL
	server := launchCluster(t, "127.0.0.1:0", t.TempDir(), nats)
	front := launchFront(t, nats, server)

	// A page of the front end starts a run, and a page of the server watches it.
	mine := hail(t, front.url, &wire.Hello{Key: ownKey, Settings: []wire.Setting{{Key: "preset", Value: "catch"},
		{Key: "speed", Value: "4000"}, {Key: "steps", Value: "400000"}}})
	w := hears[*wire.Welcome](mine)
	if !w.Steers || w.Run == "" {
		t.Fatalf("welcomed with %+v", w)
	}
	other := hail(t, server.url, &wire.Hello{Run: w.Run})
	if w := hears[*wire.Welcome](other); w.Steers {
		t.Error("who has no key steers")
	}
	mine.say(&wire.Set{Seq: 1, Key: "rho", Value: "3"})
	if c := hears[*wire.Changed](mine); c.Intent != 1 || c.To != "3" {
		t.Errorf("who asked is told %+v", c)
	}
	if c := hears[*wire.Changed](other); c.Intent != 0 || c.To != "3" {
		t.Errorf("a page of the server is told %+v", c)
	}
	at, there := hears[*wire.Point](mine), hears[*wire.Point](other)
	for ; at.Event < there.Event; at = hears[*wire.Point](mine) {
	}
	for ; there.Event < at.Event; there = hears[*wire.Point](other) {
	}
	if at.Step != there.Step || at.Return != there.Return {
		t.Errorf("event %d is %+v here and %+v there", at.Event, at, there)
	}

	// Programs call the front end as they call the server.
	var patched api.Patched
	front.call("PATCH", "/runs/"+w.Run, `{"settings": {"lag": 2}}`, &patched)
	if patched.Settings["lag"] != "2" || patched.Settings["rho"] != "3" {
		t.Errorf("patched to %v", patched.Settings)
	}
	for at.Update < forkedAfter {
		at = hears[*wire.Point](mine)
	}
	mine.say(&wire.Do{Seq: 2, Verb: wire.VerbPause})
	for s := hears[*wire.Status](mine); s.State != wire.StatePaused; s = hears[*wire.Status](mine) {
	}
	var forked api.Started
	front.call("POST", "/runs/"+w.Run+"/fork", fmt.Sprintf(`{"update": %d, "settings": {"speed": "inf"}}`, forkedAfter),
		&forked)
	server.awaits("the fork ends", func(runs map[string]api.Run) bool { return runs[forked.ID].State == "done" })
	for _, path := range []string{"lab", "r/" + forked.ID, "r/" + forked.ID + "/return.svg", "api/v1/runs/" + forked.ID,
		"api/v1/runs/" + forked.ID + "/tape", "api/v1/runs/" + forked.ID + "/events", "api/v1/nothing", "nothing", "learn",
		"board", "static/nothing"} {
		status, here := front.get(path)
		want, there := server.get(path)
		here = strings.ReplaceAll(here, front.url, server.url) // pages name themselves
		if status != want || here != there {
			t.Errorf("%s: the front end answers %d with %d bytes, the server %d with %d: %.300q", path, status, len(here), want,
				len(there), here)
		}
	}
	for _, c := range []struct {
		method, path, key, host, origin string
		want                            int
	}{
		{"PATCH", "api/v1/runs/" + forked.ID, "somebody-elses-key", "", "", 404},
		{"DELETE", "api/v1/runs/" + forked.ID, "somebody-elses-key", "", "", 404},
		{"GET", "api/v1/runs/" + forked.ID, "", "evil.example", "", 421},
		{"GET", "lab", "", "evil.example", "", 421},
		{"GET", "api/v1/runs/" + forked.ID, "", "", "http://evil.example", 403},
		{"GET", "api/v1/runs/" + forked.ID + "/events", "", "", "http://evil.example", 403},
		{"GET", "ws", "", "", "http://evil.example", 403},
	} {
		request, err := http.NewRequest(c.method, front.url+c.path, strings.NewReader(`{"settings": {"rho": 9}}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+c.key)
		if c.host != "" {
			request.Host = c.host
		}
		if c.origin != "" {
			request.Header.Set("Origin", c.origin)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != c.want {
			t.Errorf("%+v is answered %s", c, answer.Status)
		}
	}
}

// TestARunOutlivesItsFrontEndAndItsServer kills the front end, and then the server, in the middle of a run.
func TestARunOutlivesItsFrontEndAndItsServer(t *testing.T) {
	t.Parallel()
	nats := natstest.Start(t, "", natstest.Config(natsToken)).URL
	data, addr := t.TempDir(), freeAddress(t)
	server := launchCluster(t, addr, data, nats)
	first, second := launchFront(t, nats, server), launchFront(t, nats, server)
	page := hail(t, first.url, &wire.Hello{Key: ownKey, Settings: []wire.Setting{{Key: "preset", Value: "catch"},
		{Key: "speed", Value: "4000"}}})
	run := hears[*wire.Welcome](page).Run
	last := hears[*wire.Point](page)
	first.Process.Kill()
	first.Wait()
	page = hail(t, second.url, &wire.Hello{Run: run, Key: ownKey, After: last.Event})
	if w := hears[*wire.Welcome](page); w.Fresh || !w.Steers || w.State != wire.StateRunning {
		t.Errorf("on another front end it is welcomed with %+v", w)
	}
	if m := hears[wire.Event](page); *m.EventNumber() != last.Event+1 {
		t.Errorf("event %d came after %d", *m.EventNumber(), last.Event)
	}
	page.say(&wire.Set{Seq: 1, Key: "rho", Value: "3"})
	hears[*wire.Changed](page)

	server.Process.Kill()
	server.Wait()
	if bye := hears[*wire.Bye](page); !strings.Contains(bye.Reason, "cannot be reached") {
		t.Errorf("it is told %q", bye.Reason)
	}
	status, text := second.get("lab")
	if status != http.StatusServiceUnavailable || !strings.Contains(text, "cannot be reached") {
		t.Errorf("the Lab answers %d: %.200q", status, text)
	}
	if status, _ := second.get("healthz"); status != http.StatusOK {
		t.Errorf("the front end itself answers %d", status)
	}
	launchCluster(t, addr, data, nats)
	second.ready()
	page = hail(t, second.url, &wire.Hello{Run: run, Key: ownKey, After: last.Event})
	w := hears[*wire.Welcome](page)
	if w.Run != run || !w.Steers {
		t.Errorf("afterwards it is welcomed with %+v", w)
	}
	for _, s := range w.Settings {
		if s.Key == "rho" && s.Value != "3" {
			t.Errorf("what was confirmed is lost: rho=%s", s.Value)
		}
	}
	for p := hears[*wire.Point](page); p.Step <= last.Step; p = hears[*wire.Point](page) { // the history, and more
	}
}

// TestRunsContinueWhileNATSIsAway stops the NATS server until a run has made 1200 more steps.
func TestRunsContinueWhileNATSIsAway(t *testing.T) {
	t.Parallel()
	addr := freeAddress(t)
	begin := func() *natstest.Server { return natstest.Start(t, addr, natstest.Config(natsToken)) }
	outside := begin()
	server := launchCluster(t, "127.0.0.1:0", t.TempDir(), outside.URL)
	front := launchFront(t, outside.URL, server)
	page := hail(t, front.url, &wire.Hello{Key: ownKey, Settings: []wire.Setting{{Key: "preset", Value: "catch"},
		{Key: "speed", Value: fmt.Sprint(slowly)}}})
	run := hears[*wire.Welcome](page).Run
	last := hears[*wire.Point](page)
	outside.Close()
	if bye := hears[*wire.Bye](page); !strings.Contains(bye.Reason, "cannot be reached") {
		t.Errorf("the page is told %q", bye.Reason)
	}
	if status, text := front.get("r/" + run); status != http.StatusOK || !strings.Contains(text, run) {
		t.Errorf("its page, which needs no NATS, answers %d: %.200q", status, text)
	}
	r := server.awaitsOf(run, "a run of which no page is told continues", func(r *api.Run) bool {
		return r.State == "running" && r.Steps > last.Step+1200
	})
	begin()
	front.ready()
	page = hail(t, front.url, &wire.Hello{Run: run, Key: ownKey, After: last.Event})
	if w := hears[*wire.Welcome](page); w.Fresh || w.State != wire.StateRunning {
		t.Errorf("afterwards the page is welcomed with %+v", w)
	}
	next := last.Event
	for {
		m := hears[wire.Event](page)
		if next++; *m.EventNumber() != next {
			t.Fatalf("event %d came where %d belongs", *m.EventNumber(), next)
		}
		if p, ok := m.(*wire.Point); ok && p.Step > r.Steps {
			break
		}
	}
}

func TestTheClusterRefusesWhatCannotWork(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"serve --cluster", "--nats-url"},
		{"serve --nats-url nats://127.0.0.1:1", "add it"},
		{"serve --cluster --nats-url nats://127.0.0.1:1", "NATS cannot be reached"},
		{"serve --cluster --nats-url nats://%secret@127.0.0.1:1", "NATS cannot be reached"},
		{"front", "--nats-url is missing"},
		{"front --nats-url nats://127.0.0.1:1", "--server-url is missing"},
		{"front --nats-url nats://127.0.0.1:1 --server-url http://127.0.0.1:1", "NATS cannot be reached"},
		{"front --nats-url nats://127.0.0.1:1 --addr here", "must be HOST:PORT"},
	} {
		args := strings.Fields(c.args)
		if args[0] == "serve" {
			args = append(args, "--addr", "127.0.0.1:0", "--data", t.TempDir())
		}
		p := exec.Command(os.Args[0], args...)
		p.Env = append(os.Environ(), asServer+"=1")
		said, err := p.CombinedOutput()
		if err == nil || !strings.Contains(string(said), c.says) || strings.Contains(string(said), "secret") {
			t.Errorf("%s: %v, %s", c.args, err, fmt.Sprintf("%.300q without %q", said, c.says))
		}
	}
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"impalab/server/session"
	"impalab/static"
	"impalab/web/wire"
)

// running is a whole server on a free port.
type running struct {
	url    string
	stop   context.CancelFunc
	done   chan int
	stdout *buffer
	stderr *buffer
}

// buffer is written by the server and read by the test.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) { b.mu.Lock(); defer b.mu.Unlock(); return b.b.Write(p) }
func (b *buffer) String() string              { b.mu.Lock(); defer b.mu.Unlock(); return b.b.String() }

// started runs serve with more arguments and waits until it listens.
func started(t *testing.T, args ...string) *running {
	t.Helper()
	r := &running{done: make(chan int, 1), stdout: &buffer{}, stderr: &buffer{}}
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	opened := make(chan string, 1)
	m := NewMain(nil, r.stdout, r.stderr)
	m.Opened = func(url string) { opened <- url }
	go func() {
		r.done <- m.Exec(ctx, append([]string{"serve", "--addr", "127.0.0.1:0", "--data", t.TempDir()}, args...))
	}()
	t.Cleanup(cancel)
	select {
	case r.url = <-opened:
	case code := <-r.done:
		t.Fatalf("serve ended with %d: %s", code, r.stderr)
	}
	return r
}

// ask sends a request and gives the answer with its body.
func ask(t *testing.T, method, url string, header ...string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultTransport.RoundTrip(request) // follows nothing
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

func TestServePrintsOneLineToClickOnAndEndsWhenTold(t *testing.T) {
	r := started(t)
	if !regexp.MustCompile(`^http://127\.0\.0\.1:\d+/\n$`).MatchString(r.stdout.String()) {
		t.Errorf("standard output %q", r.stdout)
	}
	if answer, _ := ask(t, "GET", r.url); answer.StatusCode != 200 {
		t.Errorf("the printed address answers %d", answer.StatusCode)
	}
	r.stop()
	if code := <-r.done; code != exitOK {
		t.Errorf("exit code %d: %s", code, r.stderr)
	}
	if _, err := http.Get(r.url); err == nil {
		t.Error("it still answers")
	}
}

func TestTheSiteAnswers(t *testing.T) {
	r := started(t)
	for _, c := range []struct {
		method, path, accept string
		status               int
		kind, part           string
	}{
		{"GET", "", "text/html", 200, "text/html; charset=UTF-8", "<title>impalab"},
		{"GET", "stage", "text/html", 200, "text/html; charset=UTF-8", `class="stage"`},
		{"GET", "healthz", "", 200, "text/plain", "ok"},
		{"GET", "readyz", "", 200, "text/plain", "ready"},
		{"GET", "api/table", "", 200, "application/json", `"key":"rho-pg"`},
		{"GET", "static/page.css", "", 200, "text/css", "{"},
		{"GET", "static/nothing.css", "", 404, "text/plain", "reload the page"},
		{"POST", "static/page.css", "", 405, "text/plain", "GET"},
		{"GET", "nowhere", "text/html", 404, "text/html; charset=UTF-8", "There is no page here"},
		{"GET", "nowhere", "", 404, "text/plain", "the Lab is at"},
		{"POST", "", "", 405, "text/plain", "Method Not Allowed"},
		{"POST", "api/send", "", 410, "text/plain", "open another"},
	} {
		answer, body := ask(t, c.method, r.url+c.path, "Accept", c.accept)
		if answer.StatusCode != c.status || !strings.HasPrefix(answer.Header.Get("Content-Type"), c.kind) || !strings.Contains(body, c.part) {
			t.Errorf("%s /%s: %d %s %.80q, want %d %s with %q", c.method, c.path,
				answer.StatusCode, answer.Header.Get("Content-Type"), body, c.status, c.kind, c.part)
		}
		h := answer.Header
		if !strings.Contains(h.Get("Content-Security-Policy"), "'wasm-unsafe-eval'") ||
			strings.Contains(h.Get("Content-Security-Policy"), "unsafe-inline") ||
			h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") == "" {
			t.Errorf("%s /%s lacks a header of protection: %v", c.method, c.path, h)
		}
	}
}

func TestEveryFileThePagesNameIsThereAndKeptForEver(t *testing.T) {
	r := started(t)
	found := 0
	for _, page := range []string{"", "stage"} {
		_, body := ask(t, "GET", r.url+page)
		for _, m := range regexp.MustCompile(`(?:href|src|data-client)="/(static/[^"]+)"`).FindAllStringSubmatch(body, -1) {
			found++
			answer, _ := ask(t, "HEAD", r.url+m[1])
			if answer.StatusCode != 200 || !strings.Contains(answer.Header.Get("Cache-Control"), "immutable") {
				t.Errorf("/%s: %d, Cache-Control %q", m[1], answer.StatusCode, answer.Header.Get("Cache-Control"))
			}
		}
	}
	if found < 4 {
		t.Errorf("the pages name %d files", found)
	}
}

func TestAPageIsNotSentTwice(t *testing.T) {
	r := started(t)
	answer, _ := ask(t, "GET", r.url, "Accept-Encoding", "gzip")
	if answer.Header.Get("Content-Encoding") != "gzip" || answer.Header.Get("Cache-Control") != "no-cache" {
		t.Errorf("headers %v", answer.Header)
	}
	if again, _ := ask(t, "GET", r.url, "If-None-Match", answer.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
		t.Errorf("the second time: %d", again.StatusCode)
	}
}

func TestAForeignPageMayNotConnect(t *testing.T) {
	r := started(t)
	for _, c := range []struct {
		method, path, origin string
		foreign              bool
	}{
		{"GET", "ws", "https://example.org", true},
		{"GET", "api/stream", "https://example.org", true},
		{"POST", "api/send", "https://example.org", true},
		{"GET", "api/table", "null", true},
		{"GET", "api/table", "http://127.0.0.1:1", true},
		{"GET", "api/table", strings.TrimSuffix(r.url, "/"), false},
	} {
		answer, body := ask(t, c.method, r.url+c.path, "Origin", c.origin)
		if (answer.StatusCode == http.StatusForbidden) != c.foreign {
			t.Errorf("%s /%s from %s: %d", c.method, c.path, c.origin, answer.StatusCode)
		}
		if c.foreign && !strings.Contains(body, "--base-url") {
			t.Errorf("%s /%s from %s: %q does not say what to do behind a proxy", c.method, c.path, c.origin, body)
		}
	}
}

func TestBehindAProxyThePagesLiveUnderTheirPath(t *testing.T) {
	r := started(t, "--base-url", "https://example.org/lab")
	if !strings.HasSuffix(r.url, "/lab/") {
		t.Fatalf("address %s", r.url)
	}
	answer, body := ask(t, "GET", r.url)
	if answer.StatusCode != 200 || !strings.Contains(body, `"/lab/static/page.`) || strings.Contains(body, `"/static/`) {
		t.Errorf("%d, %.300s", answer.StatusCode, body)
	}
	sheet := regexp.MustCompile(`/lab/(static/page\.[^"]+)`).FindStringSubmatch(body)
	if answer, _ := ask(t, "GET", r.url+sheet[1]); answer.StatusCode != 200 {
		t.Errorf("%s: %d", sheet[1], answer.StatusCode)
	}
	if answer, _ := ask(t, "GET", strings.TrimSuffix(r.url, "/")); answer.Header.Get("Location") != "/lab/" {
		t.Errorf("without its slash: %d to %q", answer.StatusCode, answer.Header.Get("Location"))
	}
	if answer, _ := ask(t, "GET", r.url+"api/table", "Origin", "https://example.org"); answer.StatusCode != 200 {
		t.Errorf("from the proxy's own page: %d", answer.StatusCode)
	}
	if answer, body := ask(t, "GET", strings.TrimSuffix(r.url, "lab/"), "Accept", "text/html"); answer.StatusCode != 404 || !strings.Contains(body, `"/lab/"`) {
		t.Errorf("outside its path: %d, %s", answer.StatusCode, body)
	}
}

func TestATakenPortIsNamedWithTheWayOut(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	addr := taken.Addr().String()
	for _, flag := range []string{"--addr", "--metrics-addr"} {
		code, stdout, stderr := run(t, nil, "serve", "--data", t.TempDir(), "--addr", "127.0.0.1:0", flag, addr)
		if code != exitFailed || stdout != "" || !strings.Contains(stderr, addr+" is taken") || !strings.Contains(stderr, flag+" 127.0.0.1:0") {
			t.Errorf("%s: exit code %d, %q, %s", flag, code, stdout, stderr)
		}
	}
}

func TestADataFolderThatCannotBeIsNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := run(t, nil, "serve", "--addr", "127.0.0.1:0", "--data", filepath.Join(file, "data"))
	if code != exitFailed || !strings.Contains(stderr, file) || !strings.Contains(stderr, "--data") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestAServerWithoutItsClientSaysHowToBuildIt(t *testing.T) {
	r := started(t)
	_, stage := ask(t, "GET", r.url+"stage")
	logged := strings.Contains(r.stderr.String(), "make wasm")
	if shown := strings.Contains(stage, "make wasm"); shown == static.ClientBuilt() || logged != shown {
		t.Errorf("built %v, the log says so %v, the page says so %v", static.ClientBuilt(), logged, shown)
	}
}

func TestHealthcheckTellsAServerThatIsReadyFromOneThatIsNot(t *testing.T) {
	r := started(t, "--base-url", "/lab/")
	addr := strings.TrimSuffix(strings.TrimPrefix(r.url, "http://"), "/lab/")
	if code, stdout, stderr := run(t, nil, "healthcheck", "--addr", addr, "--base-url", "/lab"); code != exitOK || stdout != "ready\n" {
		t.Errorf("ready: exit code %d, %q, %s", code, stdout, stderr)
	}
	if code, _, stderr := run(t, nil, "healthcheck", "--addr", addr); code != exitFailed || !strings.Contains(stderr, "404") {
		t.Errorf("another path: exit code %d, %s", code, stderr)
	}
	r.stop()
	<-r.done
	if code, _, stderr := run(t, nil, "healthcheck", "--addr", addr, "--base-url", "/lab"); code != exitFailed || !strings.Contains(stderr, "no server answers") {
		t.Errorf("gone: exit code %d, %s", code, stderr)
	}
}

func TestMetricsHaveAnAddressOfTheirOwn(t *testing.T) {
	r := started(t, "--metrics-addr", "127.0.0.1:0")
	url := regexp.MustCompile(`http://127\.0\.0\.1:\d+/metrics`).FindString(r.stderr.String())
	if url == "" {
		t.Fatalf("the log does not name the address: %s", r.stderr)
	}
	_, body := ask(t, "GET", url)
	for _, name := range []string{"impalab_sessions 0", "impalab_runs 0", "impalab_runs_watched 0", "impalab_steps 0", "impalab_build_info{", "go_goroutines"} {
		if !strings.Contains(body, "\n"+name) {
			t.Errorf("no %s", name)
		}
	}
	if answer, _ := ask(t, "GET", r.url+"metrics"); answer.StatusCode != 404 {
		t.Errorf("the public address shows them too: %d", answer.StatusCode)
	}
}

func TestTheTablesOfTheAPIAreWhole(t *testing.T) {
	r := started(t)
	_, body := ask(t, "GET", r.url+"api/table")
	var got struct {
		Settings []struct{ Key, Allowed, Sentence string }
		Presets  []struct {
			Name     string
			Settings map[string]string
		}
		Worlds []struct {
			Name    string
			Actions []string
		}
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	for _, s := range got.Settings {
		if s.Key == "" || s.Allowed == "" || s.Sentence == "" {
			t.Errorf("setting %+v", s)
		}
	}
	for _, p := range got.Presets {
		if p.Name == "" || len(p.Settings) != len(got.Settings) {
			t.Errorf("preset %s has %d of %d settings", p.Name, len(p.Settings), len(got.Settings))
		}
	}
	for _, w := range got.Worlds {
		if w.Name == "" || len(w.Actions) < 2 {
			t.Errorf("world %+v", w)
		}
	}
	if len(got.Worlds) == 0 || len(got.Presets) < len(got.Worlds) {
		t.Errorf("%d worlds, %d presets", len(got.Worlds), len(got.Presets))
	}
}

// TestAStoppingServerSaysGoodbye follows a page from its greeting to its end, over the stream.
func TestAStoppingServerSaysGoodbye(t *testing.T) {
	r := started(t)
	answer, err := http.Get(r.url + "api/stream")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	events := bufio.NewScanner(answer.Body)
	events.Buffer(nil, 1<<20)
	data := func() (string, bool) {
		for events.Scan() {
			if text, ok := strings.CutPrefix(events.Text(), "data: "); ok {
				return text, true
			}
		}
		return "", false
	}
	secret, _ := data()
	hello, err := wire.Append(nil, &wire.Hello{Settings: []wire.Setting{{Key: "world", Value: "catch"}}})
	if err != nil {
		t.Fatal(err)
	}
	post, err := http.NewRequest("POST", r.url+"api/send", bytes.NewReader(hello))
	if err != nil {
		t.Fatal(err)
	}
	post.Header.Set(session.SecretHeader, secret)
	taken, err := http.DefaultClient.Do(post)
	if err != nil {
		t.Fatal(err)
	}
	taken.Body.Close()
	if taken.StatusCode != http.StatusNoContent {
		t.Fatalf("hello: %s", taken.Status)
	}
	var welcomed bool
	var last wire.Message
	for {
		text, more := data()
		if !more {
			break
		}
		frame, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		messages, err := wire.DecodeAll(frame, wire.FromServer)
		if err != nil {
			t.Fatal(err)
		}
		last = messages[len(messages)-1]
		if w, ok := messages[0].(*wire.Welcome); ok && !welcomed {
			welcomed = true
			if !strings.Contains(w.Build, "-") {
				t.Errorf("build %q", w.Build)
			}
			r.stop()
		}
	}
	if !welcomed {
		t.Fatal("no Welcome")
	}
	if bye, ok := last.(*wire.Bye); !ok || !strings.Contains(bye.Reason, "stopping") {
		t.Errorf("the last message was %T %+v", last, last)
	}
	if code := <-r.done; code != exitOK {
		t.Errorf("exit code %d: %s", code, r.stderr)
	}
}

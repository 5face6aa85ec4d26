package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"impalab/internal/kit"
	"impalab/server/session"
	"impalab/server/store"
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

// opened opens a server whose flags may be changed first, and runs it.
func opened(t *testing.T, change ...func(*Serve)) *running {
	t.Helper()
	flags := Defaults()
	flags.Addr, flags.Data = "127.0.0.1:0", t.TempDir()
	for _, f := range change {
		f(flags)
	}
	r := &running{done: make(chan int, 1), stderr: &buffer{}}
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	t.Cleanup(cancel)
	server, err := flags.Open(ctx, slog.New(slog.NewTextHandler(r.stderr, nil)))
	if err != nil {
		t.Fatal(err)
	}
	r.url = server.URL()
	begun := make(chan struct{})
	go func() {
		err := server.Run(ctx, func() { close(begun) })
		server.Close()
		r.done <- ExitCode(err)
	}()
	select {
	case <-begun:
	case code := <-r.done:
		t.Fatalf("the server ended with %d: %s", code, r.stderr)
	}
	return r
}

// started runs serve with more arguments and waits until it has printed its address.
func started(t *testing.T, args ...string) *running {
	t.Helper()
	r := &running{done: make(chan int, 1), stdout: &buffer{}, stderr: &buffer{}}
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	prog := &Program{Stdout: r.stdout, Stderr: r.stderr}
	go func() {
		r.done <- execute(ctx, prog, append([]string{"serve", "--addr", "127.0.0.1:0", "--data", t.TempDir()}, args...))
	}()
	t.Cleanup(cancel)
	kit.Until(t, "the server prints its address", func() (printed bool) {
		select {
		case code := <-r.done:
			t.Fatalf("serve ended with %d: %s", code, r.stderr)
		default:
		}
		r.url, _, printed = strings.Cut(r.stdout.String(), "\n")
		return printed
	})
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
	if answer, _ := ask(t, "GET", r.url); answer.StatusCode >= 400 {
		t.Errorf("the printed address answers %d", answer.StatusCode)
	}
	r.stop()
	if code := <-r.done; code != ExitOK {
		t.Errorf("exit code %d: %s", code, r.stderr)
	}
	if !regexp.MustCompile(`^http://127\.0\.0\.1:\d+/\n$`).MatchString(r.stdout.String()) {
		t.Errorf("standard output %q", r.stdout)
	}
	if _, err := http.Get(r.url); err == nil {
		t.Error("it still answers")
	}
}

func TestBehindAProxyThePagesLiveUnderTheirPath(t *testing.T) {
	r := opened(t, func(s *Serve) { s.BaseURL = "https://example.org/lab" })
	if !strings.HasSuffix(r.url, "/lab/") {
		t.Fatalf("address %s", r.url)
	}
	answer, body := ask(t, "GET", r.url+"lab")
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
	if answer, _ := ask(t, "GET", r.url+"api/v1/settings", "Origin", "https://example.org"); answer.StatusCode != 200 {
		t.Errorf("from the proxy's own page: %d", answer.StatusCode)
	}
	answer, body = ask(t, "GET", strings.TrimSuffix(r.url, "lab/"), "Accept", "text/html")
	if answer.StatusCode != 404 || !strings.Contains(body, `"/lab/lab"`) {
		t.Errorf("outside its path: %d, %s", answer.StatusCode, body)
	}
}

func TestAServerThatCannotOpenLeavesItsAddressFree(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free.Close()
	flags := Defaults()
	flags.Addr, flags.Data = free.Addr().String(), filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(flags.Data, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := flags.Open(t.Context(), slog.New(slog.DiscardHandler)); err == nil ||
		!strings.Contains(err.Error(), "cannot be made") {
		t.Fatalf("a file in place of the data folder: %v", err)
	}
	again, err := net.Listen("tcp", flags.Addr)
	if err != nil {
		t.Fatal("it still listens: ", err)
	}
	again.Close()
}

func TestATakenPortIsNamedWithTheWayOut(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	addr := taken.Addr().String()
	for _, flag := range []string{"--addr", "--metrics-addr"} {
		code, stdout, stderr := run(t, "serve", "--data", t.TempDir(), "--addr", "127.0.0.1:0", flag, addr)
		if code != ExitFailed || stdout != "" || !strings.Contains(stderr, addr+" is taken") ||
			!strings.Contains(stderr, flag+" 127.0.0.1:0") {
			t.Errorf("%s: exit code %d, %q, %s", flag, code, stdout, stderr)
		}
	}
}

func TestADataFolderThatCannotBeIsNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := run(t, "serve", "--addr", "127.0.0.1:0", "--data", filepath.Join(file, "data"))
	if code != ExitFailed || !strings.Contains(stderr, file) || !strings.Contains(stderr, "--data") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestAServerWithoutItsClientSaysHowToBuildIt(t *testing.T) {
	r := opened(t)
	_, stage := ask(t, "GET", r.url+"stage")
	logged := strings.Contains(r.stderr.String(), "make wasm")
	if shown := strings.Contains(stage, "make wasm"); shown == static.ClientBuilt() || logged != shown {
		t.Errorf("built %v, the log says so %v, the page says so %v", static.ClientBuilt(), logged, shown)
	}
}

func TestHealthcheckTellsAServerThatIsReadyFromOneThatIsNot(t *testing.T) {
	r := opened(t, func(s *Serve) { s.BaseURL = "/lab/" })
	addr := strings.TrimSuffix(strings.TrimPrefix(r.url, "http://"), "/lab/")
	if code, stdout, stderr := run(t, "healthcheck", "--addr", addr, "--base-url", "/lab"); code != ExitOK ||
		stdout != "ready\n" {
		t.Errorf("ready: exit code %d, %q, %s", code, stdout, stderr)
	}
	if code, _, stderr := run(t, "healthcheck", "--addr", addr); code != ExitFailed || !strings.Contains(stderr, "404") {
		t.Errorf("another path: exit code %d, %s", code, stderr)
	}
	r.stop()
	<-r.done
	if code, _, stderr := run(t, "healthcheck", "--addr", addr, "--base-url", "/lab"); code != ExitFailed ||
		!strings.Contains(stderr, "no server answers") {
		t.Errorf("gone: exit code %d, %s", code, stderr)
	}
}

func TestMetricsHaveAnAddressOfTheirOwn(t *testing.T) {
	r := opened(t, func(s *Serve) { s.MetricsAddr = "127.0.0.1:0" })
	url := regexp.MustCompile(`http://127\.0\.0\.1:\d+/metrics`).FindString(r.stderr.String())
	if url == "" {
		t.Fatalf("the log does not name the address: %s", r.stderr)
	}
	_, body := ask(t, "GET", url)
	for _, name := range []string{"impalab_sessions 0", "impalab_runs 0", "impalab_runs_watched 0", "impalab_steps 0",
		"impalab_build_info{", "go_goroutines"} {
		if !strings.Contains(body, "\n"+name) {
			t.Errorf("no %s", name)
		}
	}
	if answer, _ := ask(t, "GET", r.url+"metrics"); answer.StatusCode != 404 {
		t.Errorf("the public address shows them too: %d", answer.StatusCode)
	}
}

// TestAStoppingServerSaysGoodbye follows a page from its greeting to its end, over the stream.
func TestAStoppingServerSaysGoodbye(t *testing.T) {
	r := opened(t)
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
	if code := <-r.done; code != ExitOK {
		t.Errorf("exit code %d: %s", code, r.stderr)
	}
}

// A visitor whose request never ends, here one whose body does not come, takes no time from the runs at the server's
// end: each still stores where it is.
func TestAVisitorWhoKeepsARequestOpenCostsNoRunItsEnd(t *testing.T) {
	dir := t.TempDir()
	r := opened(t, func(s *Serve) { s.Data = dir })
	answer, err := http.Post(r.url+"api/v1/runs", "", strings.NewReader(`{"preset": "catch", "steps": 1e9}`))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var begun struct{ ID string }
	if err := json.NewDecoder(answer.Body).Decode(&begun); err != nil {
		t.Fatal(err)
	}
	kit.Until(t, "the run trains", func() bool {
		_, text := ask(t, "GET", r.url+"api/v1/runs/"+begun.ID)
		return strings.Contains(text, `"running"`) && !strings.Contains(text, `"updates":0,`)
	})
	host := strings.Trim(strings.TrimPrefix(r.url, "http:"), "/")
	line, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close()
	fmt.Fprintf(line, "POST /api/v1/runs HTTP/1.1\r\nHost: %s\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n", host)
	if said, err := bufio.NewReader(line).ReadString('\n'); err != nil || !strings.Contains(said, "100") {
		t.Fatalf("the server does not wait for a body: %q, %v", said, err)
	}
	r.stop()
	<-r.done
	kept, err := store.Open(t.Context(), store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	if err := kept.View(t.Context(), func(tx *store.Tx) error {
		run, err := tx.Run(begun.ID)
		if err != nil {
			return err
		}
		last, err := tx.SnapshotHead(begun.ID, math.MaxInt64)
		if err == nil && last.Update != run.Updates {
			t.Errorf("the run made %d updates, and its newest snapshot is of update %d", run.Updates, last.Update)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
}

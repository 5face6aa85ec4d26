//go:build linux && slow

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// firefox is a window of Firefox, driven by WebDriver BiDi.
type firefox struct {
	t       *testing.T
	conn    *websocket.Conn
	context string
	calls   int
}

// firefoxWindow opens a window on a screen of its own; without a screen Firefox has no WebGL. Without the browser the
// test is skipped, or fails if NEED_BROWSER is set.
func firefoxWindow(t *testing.T) *firefox {
	t.Helper()
	if testing.Short() {
		t.Skip("the tests of the page take long; they run without -short")
	}
	path, noBrowser := exec.LookPath("firefox-esr")
	screen, noScreen := exec.LookPath("Xvfb")
	if noBrowser != nil || noScreen != nil {
		if os.Getenv("NEED_BROWSER") == "" {
			t.Skip("no Firefox or no Xvfb on this machine: install Debian's firefox-esr and xvfb")
		}
		t.Fatal("no Firefox or no Xvfb on this machine, and NEED_BROWSER is set")
	}
	home := t.TempDir()
	settings := []byte(`user_pref("webgl.force-enabled", true);` + "\n")
	if err := os.WriteFile(filepath.Join(home, "user.js"), settings, 0o600); err != nil {
		t.Fatal(err)
	}
	said, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	program := exec.Command(path, "--no-remote", "--profile", home, "--remote-debugging-port", "0")
	program.Stderr = to
	start(t, program, append(os.Environ(), "HOME="+home, "DISPLAY=:"+display(t, screen), "LIBGL_ALWAYS_SOFTWARE=1"))
	f := &firefox{t: t}
	lines := bufio.NewScanner(said)
	address := ""
	for address == "" && lines.Scan() {
		if _, at, ok := strings.Cut(lines.Text(), "WebDriver BiDi listening on "); ok {
			address = at
		}
	}
	go func() { // the browser would wait for a full pipe
		for lines.Scan() {
		}
		said.Close()
	}()
	if f.conn, _, err = websocket.DefaultDialer.Dial(address+"/session", nil); err != nil {
		t.Fatalf("Firefox at %q: %v", address, err)
	}
	t.Cleanup(func() { f.conn.Close() })
	f.call("session.new", map[string]any{"capabilities": map[string]any{}}, nil)
	var tree struct{ Contexts []struct{ Context string } }
	f.call("browsingContext.getTree", map[string]any{}, &tree)
	f.context = tree.Contexts[0].Context
	f.call("browsingContext.setViewport", map[string]any{"context": f.context,
		"viewport": map[string]int{"width": 1366, "height": 650}}, nil)
	return f
}

// call sends a command and waits for its result. It fails if the browser does not answer.
func (f *firefox) call(method string, params, into any) {
	f.t.Helper()
	f.calls++
	f.conn.SetReadDeadline(time.Now().Add(patience))
	if err := f.conn.WriteJSON(map[string]any{"id": f.calls, "method": method, "params": params}); err != nil {
		f.t.Fatal(err)
	}
	for {
		var answer struct {
			ID      int
			Type    string
			Message string
			Result  json.RawMessage
		}
		if err := f.conn.ReadJSON(&answer); err != nil {
			f.t.Fatalf("Firefox does not answer %s: %v", method, err)
		}
		if answer.ID != f.calls { // an event
			continue
		}
		if answer.Type == "error" {
			f.t.Fatalf("%s %v: %s", method, params, answer.Message)
		}
		if into != nil {
			if err := json.Unmarshal(answer.Result, into); err != nil {
				f.t.Fatalf("%s: %v in %s", method, err, answer.Result)
			}
		}
		return
	}
}

func (f *firefox) open(url string) {
	f.call("browsingContext.navigate", map[string]any{"context": f.context, "url": url, "wait": "complete"}, nil)
}

func (f *firefox) text(expression string) string {
	f.t.Helper()
	var answer struct {
		Type             string
		Result           struct{ Value string }
		ExceptionDetails struct{ Text string }
	}
	f.call("script.evaluate", map[string]any{"expression": fmt.Sprintf("String(%s)", expression),
		"target": map[string]string{"context": f.context}, "awaitPromise": false}, &answer)
	if answer.Type != "success" {
		f.t.Fatalf("%s: %s", expression, answer.ExceptionDetails.Text)
	}
	return answer.Result.Value
}

func TestTheLabRunsInFirefox(t *testing.T)  { theLabRuns(t, firefoxWindow(t)) }
func TestPagesAnswerInFirefox(t *testing.T) { pagesAnswer(t, firefoxWindow(t)) }

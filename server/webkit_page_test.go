//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// WebKit, the engine of Safari, through WebKitGTK's driver. tools/webkit.sh installs it.

// webkit is a window of WebKitGTK's small browser.
type webkit struct {
	t       *testing.T
	session string // its address at the driver
}

// webkitWindow opens a window on a screen of its own. Without the driver the test is skipped, or fails if NEED_BROWSER
// is set.
func webkitWindow(t *testing.T) *webkit {
	t.Helper()
	if testing.Short() {
		t.Skip("the tests of the page take long; they run without -short")
	}
	driver, noDriver := exec.LookPath("WebKitWebDriver")
	screen, noScreen := exec.LookPath("Xvfb")
	browsers, _ := filepath.Glob("/usr/lib*/*/webkit2gtk-4.1/MiniBrowser")
	if noDriver != nil || noScreen != nil || len(browsers) == 0 {
		if os.Getenv("NEED_BROWSER") == "" {
			t.Skip("no WebKit with a driver on this machine: make webkit installs Debian's where it may")
		}
		t.Fatal("no WebKit with a driver on this machine, and NEED_BROWSER is set")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	free.Close()
	family := append(os.Environ(), "DISPLAY=:"+display(t, screen), "LIBGL_ALWAYS_SOFTWARE=1", "HOME="+t.TempDir())
	start(t, exec.Command(driver, "--host=127.0.0.1", "--port="+port), family)
	w := &webkit{t: t, session: "http://127.0.0.1:" + port + "/session"}
	for until := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if conn, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			conn.Close()
			break
		}
		if time.Now().After(until) {
			t.Fatal("WebKitWebDriver does not listen")
		}
	}
	var opened struct{ SessionID string }
	w.call("", fmt.Sprintf(`{"capabilities":{"alwaysMatch":{"webkitgtk:browserOptions":{"binary":%q,
		"args":["--automation"]}}}}`, browsers[0]), &opened)
	w.session += "/" + opened.SessionID
	return w
}

// start starts a program and kills it with its children when the test ends: a frozen page does not end by itself.
func start(t *testing.T, program *exec.Cmd, env []string) {
	t.Helper()
	program.Env = env
	if program.Stderr == nil {
		program.Stderr = t.Output()
	}
	program.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-program.Process.Pid, syscall.SIGKILL)
		program.Wait()
	})
}

// display starts a screen and returns its number.
func display(t *testing.T, path string) string {
	t.Helper()
	number, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer number.Close()
	screen := exec.Command(path, "-displayfd", "3", "-nolisten", "tcp", "-screen", "0", "1400x900x24")
	screen.ExtraFiles = []*os.File{to}
	start(t, screen, os.Environ())
	to.Close()
	line, err := bufio.NewReader(number).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb has no screen: %v", err)
	}
	return strings.TrimSpace(line)
}

// call sends a command to the driver. It fails if the browser does not answer.
func (w *webkit) call(path, body string, into any) {
	w.t.Helper()
	ctx, stop := context.WithTimeout(w.t.Context(), patience)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, "POST", w.session+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		w.t.Fatalf("WebKit does not answer: %v", err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		w.t.Fatalf("%s %s: %v %s", path, body, err, text)
	}
	value := struct{ Value any }{into}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&value); err != nil {
		w.t.Fatalf("%s: %v in %s", path, err, text)
	}
}

func (w *webkit) open(url string) { w.call("/url", fmt.Sprintf(`{"url":%q}`, url), nil) }

func (w *webkit) text(expression string) (value string) {
	w.t.Helper()
	script, err := json.Marshal(map[string]any{"script": "return String(" + expression + ")", "args": []int{}})
	if err != nil {
		w.t.Fatal(err)
	}
	w.call("/execute/sync", string(script), &value)
	return value
}

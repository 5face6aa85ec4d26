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

// The Lab in WebKit, the engine of Safari, through WebKitGTK's driver. tools/webkit.sh installs it.

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
	program.Env, program.Stderr = env, t.Output()
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

// text returns the value of a JavaScript expression.
func (w *webkit) text(expression string) (value string) {
	w.t.Helper()
	script, err := json.Marshal(map[string]any{"script": "return String(" + expression + ")", "args": []int{}})
	if err != nil {
		w.t.Fatal(err)
	}
	w.call("/execute/sync", string(script), &value)
	return value
}

// until waits for a JavaScript expression to be true.
func (w *webkit) until(what, expression string) {
	w.t.Helper()
	for until := time.Now().Add(patience); w.text("!!("+expression+")") != "true"; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(until) {
			w.t.Fatalf("%s: not within %v; the page is in the state %s", what, patience, w.text(state))
		}
	}
}

func TestTheLabRunsInWebKit(t *testing.T) {
	t.Parallel()
	w := webkitWindow(t)
	folder, _ := host(t)
	for name, lab := range map[string]string{"server": serve(t) + "lab",
		"two runs of the static site": folder + "lab/#v=1&p=catch&b=correction%3Dnone"} {
		w.call("/url", fmt.Sprintf(`{"url":%q}`, lab), nil)
		w.text(`[window, document.querySelector("#stage").contentWindow].forEach(shown => { // a few frames, as in Chromium
			const soon = shown.requestAnimationFrame.bind(shown);
			shown.requestAnimationFrame = draw => setTimeout(() => soon(draw), 130);
		})`)
		w.until(name+": the Lab appears", `document.documentElement.dataset.ready === "true"`)
		w.until(name+": the first picture", `Number(document.documentElement.dataset.frames) > 0`)
		w.until(name+": it runs", `document.body.dataset.state === "running"`)
		w.text(`globalThis.mark = [...document.querySelectorAll(".ask")].find(mark => mark.checkVisibility()), mark.click()`)
		const definition = `document.getElementById(mark.getAttribute("popovertarget"))`
		w.until(name+": a definition opens", definition+`.matches(":popover-open")`)
		const gap = `(m => d => Math.min(Math.abs(d.top - m.bottom), Math.abs(m.top - d.bottom)))
			(mark.getBoundingClientRect())(` + definition + `.getBoundingClientRect())`
		if far := w.text(gap); w.text(gap+` < 8`) != "true" {
			t.Errorf("%s: the definition is %s px above or below its mark", name, far)
		}
		const updates = `document.querySelector('[data-text="updates"]').textContent`
		w.text(`globalThis.before = ` + updates)
		w.until(name+": the run continues", updates+` !== before`)
	}
}

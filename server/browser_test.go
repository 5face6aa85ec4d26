package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"impalab/internal/kit"
	"impalab/static"
)

// The base of the page tests. They run in parallel, with one server in a process of its own, and each has its own
// windows in one browser. A test that stops its server, or reads what all visitors did, launches a server of its own.

// site is the server that page tests share. endSite ends it.
var site struct {
	sync.Mutex
	*exec.Cmd
	data, url string
	ended     chan struct{} // closed when the server has ended, with err
	err       error
}

// serve returns the address of the shared server.
func serve(t *testing.T) string {
	t.Helper()
	chromePath(t) // a test that is left out starts no server
	if !static.ClientBuilt() {
		t.Fatal("the client is not built: run make wasm first (make test does)")
	}
	site.Lock()
	defer site.Unlock()
	if site.Cmd == nil {
		site.data, site.ended = filepath.Join(os.TempDir(), fmt.Sprint("impalab-server-", os.Getpid())), make(chan struct{})
		site.Cmd = program(os.Stderr, nil, "serve", "--addr", "127.0.0.1:0", "--data", site.data, "--log-level", "warn")
		if site.url, site.err = begin(site.Cmd); site.err != nil {
			close(site.ended)
		} else {
			go func() { // ends with the server
				site.err = site.Wait()
				close(site.ended)
			}()
		}
	}
	select {
	case <-site.ended:
		t.Fatalf("the server of the page tests has ended: %v", site.err)
	default:
	}
	return site.url
}

// endSite stops the shared server as an operator does, and returns its error.
func endSite() error {
	if site.Cmd == nil {
		return nil
	}
	defer os.RemoveAll(site.data)
	if site.Process != nil {
		site.Process.Signal(syscall.SIGTERM)
	}
	<-site.ended
	return site.err
}

// chromePath returns the path of the browser. Without a browser the test is skipped, or fails if NEED_BROWSER is set.
func chromePath(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("the tests of the page take long; they run without -short")
	}
	// The shell is Chromium without its windows: a test costs it a third of the processor's time.
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			return found
		}
	}
	if os.Getenv("NEED_BROWSER") == "" {
		t.Skip("no chromium on this machine: make chromium installs Debian's where it may")
	}
	t.Fatal("no chromium on this machine, and NEED_BROWSER is set")
	return ""
}

// startChrome starts a browser that keeps its files in data; stop ends it.
func startChrome(path, data string, more ...chromedp.ExecAllocatorOption) (
	ctx context.Context, stop func(), err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(data), chromedp.WindowSize(1280, 900),
		chromedp.Flag("disable-gpu", true), chromedp.Flag("enable-unsafe-swiftshader", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
	)
	alloc, stopAlloc := chromedp.NewExecAllocator(context.Background(), append(options, more...)...)
	ctx, stopBrowser := chromedp.NewContext(alloc)
	stop = func() { stopBrowser(); stopAlloc() }
	if err := chromedp.Do(ctx); err != nil {
		stop()
		return nil, nil, fmt.Errorf("%s does not start: %w", path, err)
	}
	return ctx, stop, nil
}

// shared is the browser of all tests. TestMain ends it.
var shared struct {
	sync.Mutex
	ctx  context.Context
	stop func()
}

// browser opens a window in which a run that falls continues, as if the visitor had switched the pause off.
func browser(t *testing.T) context.Context {
	t.Helper()
	ctx := window(t)
	onEachPage(t, ctx, `try { localStorage.setItem("impalab-pauses", "off") } catch {}`)
	return ctx
}

// onEachPage runs a script in each page that a window opens, before the page runs its own.
func onEachPage(t *testing.T, ctx context.Context, script string) {
	t.Helper()
	if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
		t.Fatal(err)
	}
}

// atLeisure leaves a test to make check: pages take long, and other tests find most of the same faults.
func atLeisure(t *testing.T) {
	t.Helper()
	if !slow {
		t.Skip("left to make check")
	}
}

// window opens a window that shares neither storage nor focus with other tests. Every error in its console fails the
// test.
func window(t *testing.T) context.Context {
	t.Helper()
	ctx := unwatched(t)
	watchConsole(t, ctx)
	return ctx
}

// unwatched opens a window without a check of its console, for a test that kills the server.
func unwatched(t *testing.T) context.Context {
	t.Helper()
	path := chromePath(t)
	shared.Lock()
	defer shared.Unlock()
	if shared.ctx == nil {
		data, err := os.MkdirTemp("", "impalab-browser")
		if err != nil {
			t.Fatal(err)
		}
		// Every window compiles the client again. Optimising it each time would take half of the time.
		ctx, stop, err := startChrome(path, data, chromedp.Flag("js-flags", "--liftoff-only"))
		if err != nil {
			t.Fatal(err)
		}
		shared.ctx, shared.stop = ctx, func() { stop(); os.RemoveAll(data) }
	}
	ctx, stop := chromedp.NewContext(shared.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(stop)
	onEachPage(t, ctx, fewFrames)
	if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled,
		emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// fewFrames is a script that draws some seven frames a second. Without a graphics card sixty take most of both cores.
const fewFrames = `{
	const soon = requestAnimationFrame;
	window.requestAnimationFrame = draw => setTimeout(() => soon(draw), 130);
	window.cancelAnimationFrame = clearTimeout;
}`

// ownBrowser starts a browser for one test, with flags that the others do not have.
func ownBrowser(t *testing.T, more ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	ctx, stop, err := startChrome(chromePath(t), t.TempDir(), more...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	watchConsole(t, ctx)
	return ctx
}

// expected are Chromium's own messages: about pages with WebGL in its software renderer, a websocket that the page
// gives up without an answer, a Lab in a lesson's frame that leaves the focus there, a font that a busy machine uses
// late, a missing unroll, a taken nickname, and a sweep that is refused while it is typed.
var expected = []string{"GPU stall due to ReadPixels", "WebSocket is closed before the connection is established",
	"Page entered Back-Forward Cache",
	"Autofocus processing was blocked because a document already has a focused element",
	"was preloaded using link preload but not used within a few seconds",
	"/api/v1/runs/nobody/unroll?", "/members", "/api/v1/estimates"}

func watchConsole(t *testing.T, ctx context.Context) {
	said := chromedp.Console(ctx)
	done := make(chan struct{})
	go func() { // ends with the browser
		defer close(done)
		for m, err := range said {
			if err != nil {
				return
			}
			if !slices.ContainsFunc(expected, func(part string) bool { return strings.Contains(m.Text+" "+m.URL, part) }) {
				t.Errorf("the console is not empty: %v %s", m, m.URL)
			}
		}
	}()
	t.Cleanup(func() {
		chromedp.Cancel(ctx)
		<-done
	})
}

// patience is the longest wait for one thing on the page. A page takes milliseconds, and a run that must fall on a busy
// machine takes minutes.
const patience = kit.Patience

// do runs actions and fails with their description.
func do(t *testing.T, ctx context.Context, what string, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	bounded, stop := context.WithTimeout(ctx, patience)
	defer stop()
	if err := chromedp.Do(bounded, actions...); err != nil {
		t.Fatalf("%s: %v; the page is in the state %s", what, err, text(t, ctx, state))
	}
}

// press presses keys as a keyboard does. A page that takes a key prevents its letter; chromedp's own events send the
// letter all the same, to the element that has the focus by then.
func press(keys string) chromedp.Action[chromedp.Void] {
	return chromedp.KeyEvent(keys, func(k *input.DispatchKeyEventParams) {
		if k.Type == input.DispatchKeyEventTypeKeyDown {
			k.Type = input.DispatchKeyEventTypeRawKeyDown
		}
	})
}

// state is a script that returns the data attributes of a page's body, and its address.
const state = `location.href + " " + JSON.stringify(document.body?.dataset)`

// js runs a script for its effect.
func js(script string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](script)
}

// choose picks a preset, which starts a new run.
func choose(preset string) chromedp.Action[chromedp.Void] {
	return js(fmt.Sprintf(`{
		const list = document.querySelector("#preset");
		list.value = %q;
		list.dispatchEvent(new Event("change"));
	}`, preset))
}

// until waits for a JavaScript expression to be true, on this page or on a page that follows it. An expression that
// throws is not yet true: a page that has just begun lacks its elements.
func until(expression string) chromedp.Action[chromedp.Void] {
	poll := chromedp.Poll[chromedp.Void](expression, chromedp.WithPollingInterval(10*time.Millisecond),
		chromedp.WithPollingTimeout(patience))
	return func(ctx context.Context, target *chromedp.Target) (none chromedp.Void, err error) {
		for {
			if _, err = poll(ctx, target); err == nil {
				return none, nil
			}
			select {
			case <-ctx.Done():
				return none, fmt.Errorf("%s is not true: %w", expression, err)
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
}

// lands waits for a complete page on which an expression is true, also after a click that leads to it. It asks from
// outside of the page, whose own scripts may be switched off.
func lands(t *testing.T, ctx context.Context, expression string) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		there, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`document.readyState === "complete" && `+expression))
		if err == nil && there {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s is not true: %v", expression, err)
		}
	}
}

// open loads url and waits for the first drawn frame.
func open(t *testing.T, ctx context.Context, url string) {
	t.Helper()
	do(t, ctx, "open "+url, chromedp.Navigate(url),
		until(`document.documentElement.dataset.ready === "true"`),
		until(`Number(document.documentElement.dataset.frames) > 0`))
}

func text(t *testing.T, ctx context.Context, expression string) string {
	t.Helper()
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	s, err := chromedp.Run(ctx, chromedp.Evaluate[string]("String("+expression+")"))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return s
}

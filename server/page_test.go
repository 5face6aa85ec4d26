package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"impalab/server/command"
	"impalab/static"
)

// The page in a real browser: what a visitor sees and does, against a real server.

// serve runs a whole server on a free port of this machine and returns its address.
func serve(t *testing.T) string {
	t.Helper()
	return serveOn(t, "127.0.0.1")
}

func serveOn(t *testing.T, host string) string {
	t.Helper()
	if assets, err := static.Embedded(); err != nil || !assets.ClientBuilt() {
		t.Fatal("the client is not built: run make wasm first (make test does)")
	}
	ctx, stop := context.WithCancel(context.Background())
	opened, done := make(chan string, 1), make(chan int, 1)
	m := NewMain(nil, io.Discard, io.Discard)
	m.Opened = func(url string) { opened <- url }
	go func() {
		done <- m.Exec(ctx, []string{"serve", "--addr", net.JoinHostPort(host, "0"), "--data", t.TempDir()})
	}()
	t.Cleanup(func() {
		stop()
		if code := <-done; code != command.ExitOK {
			t.Errorf("the server ended with %d", code)
		}
	})
	select {
	case url := <-opened:
		return url
	case code := <-done:
		done <- code
		t.Fatalf("the server ended with %d before it listened", code)
		return ""
	}
}

// browser starts chromium; every complaint in its console fails the test.
func browser(t *testing.T, more ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	switch {
	case testing.Short():
		t.Skip("the tests of the page take long; they run without -short")
	case path == "" && os.Getenv("NEED_BROWSER") == "":
		t.Skip("no chromium on this machine: make chromium installs Debian's where it may")
	case path == "":
		t.Fatal("no chromium on this machine, and NEED_BROWSER is set")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1280, 900),
		chromedp.Flag("disable-gpu", true), chromedp.Flag("enable-unsafe-swiftshader", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
	)
	alloc, stopAlloc := chromedp.NewExecAllocator(context.Background(), append(options, more...)...)
	ctx, stop := chromedp.NewContext(alloc)
	t.Cleanup(func() { stop(); stopAlloc() })
	watchConsole(t, ctx)
	return ctx
}

// expected is what Chromium says of itself: of any page with WebGL that its software renderer draws, and of a websocket
// that the page gives up because it was never answered.
var expected = []string{"GPU stall due to ReadPixels", "WebSocket is closed before the connection is established"}

func watchConsole(t *testing.T, ctx context.Context) {
	said := chromedp.Console(ctx)
	done := make(chan struct{})
	go func() { // ends with the browser
		defer close(done)
		for m, err := range said {
			if err != nil {
				return
			}
			if !slices.ContainsFunc(expected, func(part string) bool { return strings.Contains(m.Text, part) }) {
				t.Errorf("the console is not empty: %v %s", m, m.URL)
			}
		}
	}()
	t.Cleanup(func() {
		chromedp.Cancel(ctx)
		<-done
	})
}

// patience is how long one thing on the page may take before the test gives up; a working page takes milliseconds.
const patience = 60 * time.Second

// do runs actions and fails with what was tried.
func do(t *testing.T, ctx context.Context, what string, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// js runs a script for its effect.
func js(script string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](script)
}

// until waits for a JavaScript expression to be true.
func until(expression string) chromedp.Action[chromedp.Void] {
	return chromedp.Poll[chromedp.Void](expression, chromedp.WithPollingInterval(5*time.Millisecond),
		chromedp.WithPollingTimeout(patience))
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

const force = `document.querySelector('[data-key="%s"] [data-part="force"]').textContent`

func TestThePageTrainsBeforeAnyoneTouchesItAndTheKeyboardMovesRho(t *testing.T) {
	url, ctx := serve(t), browser(t)
	began := time.Now()
	open(t, ctx, url+"lab")
	t.Logf("first drawn frame after %v; first paint at %s ms", time.Since(began).Round(time.Millisecond),
		text(t, ctx, `performance.getEntriesByName("first-contentful-paint")[0]?.startTime.toFixed(0)`))
	do(t, ctx, "it trains", until(`Number(document.querySelector('[data-text="updates"]').textContent.replace(/\D/g, "")) > 20`))

	do(t, ctx, "focus ρ̄", chromedp.Focus(`[data-key="rho"] [data-part="slider"]`))
	var waits []time.Duration
	for range 15 {
		before := text(t, ctx, fmt.Sprintf(force, "rho"))
		pressed := time.Now()
		do(t, ctx, "ρ̄ by keyboard", chromedp.KeyEvent(kb.ArrowRight),
			until(fmt.Sprintf(force+` !== %q`, "rho", before)),
			until(`document.querySelector('[data-key="rho"]').dataset.state === "idle"`))
		waits = append(waits, time.Since(pressed))
	}
	slices.Sort(waits)
	t.Logf("ρ̄ confirmed on the page after %v (median of %d key presses, the browser driver's own time included)",
		waits[len(waits)/2], len(waits))
	do(t, ctx, "the change is marked", until(`document.querySelector('[data-chart="return"] .mark') !== null`))

	do(t, ctx, "pause by keyboard", js(`document.activeElement.blur()`), chromedp.KeyEvent(" "),
		until(`document.body.dataset.state === "paused"`))
	steps := text(t, ctx, `document.querySelector('[data-text="updates"]').textContent`)
	do(t, ctx, "one step", chromedp.KeyEvent("."),
		until(fmt.Sprintf(`document.querySelector('[data-text="updates"]').textContent !== %q`, steps)))
}

func TestAShareLinkRestoresTheSettings(t *testing.T) {
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=catch&lag=8&rho=4&seed=77")
	for key, want := range map[string]string{"lag": "8", "rho": "4", "seed": "77"} {
		if got := text(t, ctx, fmt.Sprintf(force, key)); !strings.HasPrefix(got, want) {
			t.Errorf("the link's %s is %q on the page, want %s", key, got, want)
		}
	}
	do(t, ctx, "c̄ by keyboard", chromedp.Focus(`[data-key="c"] [data-part="number"]`),
		js(`document.activeElement.select()`), chromedp.KeyEvent("0.25\r"),
		until(fmt.Sprintf(force+`.startsWith("0.25")`, "c")))
	do(t, ctx, "share", chromedp.Click(`[data-verb="share"]`),
		until(`document.querySelector('#share [data-part="link"]').value !== ""`))
	link := text(t, ctx, `document.querySelector('#share [data-part="link"]').value`)
	for _, want := range []string{"#v=1&", "p=catch", "lag=8", "rho=4", "c=0.25", "seed=77"} {
		if !strings.Contains(link, want) {
			t.Errorf("the link %s lacks %s", link, want)
		}
	}
	do(t, ctx, "leave", chromedp.Navigate("about:blank"))
	open(t, ctx, link)
	for key, want := range map[string]string{"lag": "8", "rho": "4", "c": "0.25", "seed": "77"} {
		// c̄ was turned on the way, and is turned again at the same step
		do(t, ctx, "opened again, "+key+" is "+want, until(fmt.Sprintf(force+`.startsWith(%q)`, key, want)))
	}
}

// TestALinkAtTheRootOpensTheLab keeps what was shared before the Lab had a path of its own.
func TestALinkAtTheRootOpensTheLab(t *testing.T) {
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"#v=1&p=catch&lag=8")
	if at := text(t, ctx, "location.pathname"); at != "/lab" {
		t.Errorf("the link opens %s", at)
	}
	do(t, ctx, "its settings are in force", until(fmt.Sprintf(force+`.startsWith("8")`, "lag")),
		until(`location.hash.startsWith("#v=1&p=catch&lag=8")`))
}

func TestAValueOutOfRangeIsRefusedOnThePageAndNothingIsLost(t *testing.T) {
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab")
	before := text(t, ctx, fmt.Sprintf(force, "mix"))
	do(t, ctx, "mix 3", chromedp.Focus(`[data-key="mix"] [data-part="number"]`),
		js(`document.activeElement.select()`), chromedp.KeyEvent("3\r"),
		until(`document.querySelector('[data-key="mix"]').dataset.state === "refused"`))
	if said := text(t, ctx, `document.querySelector('[data-key="mix"] [data-part="error"]').textContent`); !strings.Contains(said, "from 0 to 1") {
		t.Errorf("the refusal says %q", said)
	}
	if after := text(t, ctx, fmt.Sprintf(force, "mix")); after != before {
		t.Errorf("the value in force went from %q to %q", before, after)
	}
}

func TestTracesShowForAnAlgorithmThatHasThem(t *testing.T) {
	url, ctx := serve(t), browser(t)
	shown := func(of string) string {
		return `document.querySelector('[data-lane="trace-` + of + `"]').checkVisibility()`
	}
	open(t, ctx, url+"lab#v=1&p=vmpo&seed=7")
	do(t, ctx, "V-MPO's KL stands beside its bound", until(shown("kl-policy")),
		until(`document.querySelector('[data-chart="trace-kl-policy"] .truth') !== null`),
		until(`document.querySelector('#story-trace-kl-policy').textContent.includes("Its bound is 0.002")`))
	if text(t, ctx, shown("gamma")) != "false" {
		t.Error("V-MPO shows STAC's γ")
	}
	do(t, ctx, "CartPole with IMPALA",
		js(`document.querySelector("#preset").value = "cartpole"; document.querySelector("#preset").dispatchEvent(new Event("change"))`),
		until("!"+shown("kl-policy")))
}

func TestThePageShowsTheAlgorithmsOwnSettingsAndWhatTheyGiveUp(t *testing.T) {
	url, ctx := serve(t), browser(t)
	shown := func(group string) string {
		return `document.querySelector('[data-group="` + group + `"]').checkVisibility()`
	}
	open(t, ctx, url+"lab#v=1&p=vmpo&seed=7")
	do(t, ctx, "V-MPO's settings", js(`document.querySelector(".all").click()`), until(shown("V-MPO")), until("!"+shown("STAC")))
	do(t, ctx, "ρ̄ below c̄", chromedp.Focus(`[data-key="rho"] [data-part="number"]`),
		js(`document.activeElement.select()`), chromedp.KeyEvent("0.5\r"),
		until(`document.querySelector('[data-text="warnings"]').textContent.startsWith("ρ̄ = 0.5 is below c̄ = 1")`))
	do(t, ctx, "and back", chromedp.Focus(`[data-key="rho"] [data-part="number"]`), js(`document.activeElement.select()`),
		chromedp.KeyEvent("1\r"),
		until(`document.querySelector('[data-text="warnings"]').textContent === ""`))
	do(t, ctx, "STAC", js(`document.querySelector("#preset").value = "stac"; document.querySelector("#preset").dispatchEvent(new Event("change"))`),
		until("!"+shown("V-MPO")), until(shown("STAC")), until(`!document.querySelector('[data-key="heads"]').checkVisibility()`))
}

func TestANarrowScreenNeverScrollsSideways(t *testing.T) {
	url, ctx := serve(t), browser(t)
	do(t, ctx, "a phone", chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile))
	open(t, ctx, url+"lab")
	if width := text(t, ctx, `document.documentElement.scrollWidth`); width != "390" {
		t.Errorf("the page is %s wide on a screen of 390", width)
	}
	do(t, ctx, "six controls", until(`document.querySelectorAll('.control').length >= 6`))
}

// noWebsocket is a browser behind a proxy that lets no websocket through: each one closes without ever having been
// open.
const noWebsocket = `window.WebSocket = class extends EventTarget {
	constructor() { super(); this.readyState = 0; setTimeout(() => this.fail(), 10) }
	fail() { this.readyState = 3; const e = new CloseEvent("close", { code: 1006 }); this.onerror?.(e); this.onclose?.(e); this.dispatchEvent(e) }
	send() {}
	close() {}
}`

func TestWithoutWebsocketsThePageStillWorks(t *testing.T) {
	url, ctx := serve(t), browser(t)
	do(t, ctx, "a page to begin with", chromedp.Navigate("about:blank"))
	if _, err := chromedp.Call(ctx, cdppage.AddScriptToEvaluateOnNewDocument,
		cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: noWebsocket}); err != nil {
		t.Fatal(err)
	}
	open(t, ctx, url+"lab")
	do(t, ctx, "lag by keyboard", chromedp.Focus(`[data-key="lag"] [data-part="number"]`),
		js(`document.activeElement.select()`), chromedp.KeyEvent("8\r"), until(fmt.Sprintf(force+`.startsWith("8")`, "lag")))
}

// TestThePageWorksForOthersOnTheNetwork opens it in a browser as they see it: by plain http, under an address that the
// browser does not trust as its own. Its console stays empty.
func TestThePageWorksForOthersOnTheNetwork(t *testing.T) {
	list, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		if prefix, err := netip.ParsePrefix(a.String()); err == nil && prefix.Addr().IsGlobalUnicast() {
			open(t, browser(t), serveOn(t, prefix.Addr().String())+"lab")
			return
		}
	}
	t.Skip("this machine has no address on a network")
}

package main

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The page in a real browser against a real server, as a visitor uses it.

const force = `document.querySelector('[data-key="%s"] [data-part="force"]').textContent`

const updates = `Number(document.querySelector('[data-text="updates"]').textContent.replace(/\D/g, ""))`

func TestThePageTrainsBeforeAnyoneTouchesItAndTheKeyboardMovesRho(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	began := time.Now()
	open(t, ctx, url+"lab#v=1&p=cartpole")
	t.Logf("first drawn frame after %v; first paint at %s ms", time.Since(began).Round(time.Millisecond),
		text(t, ctx, `performance.getEntriesByName("first-contentful-paint")[0]?.startTime.toFixed(0)`))
	do(t, ctx, "it trains", until(updates+" > 20"))

	do(t, ctx, "focus ρ̄", chromedp.Focus(`[data-key="rho"] [data-part="slider"]`))
	var waits []time.Duration
	for range 5 {
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

	do(t, ctx, "a value out of range", chromedp.Focus(`[data-key="mix"] [data-part="number"]`),
		js(`document.activeElement.select()`), chromedp.KeyEvent("3\r"),
		until(`document.querySelector('[data-key="mix"]').dataset.state === "refused" &&
			document.querySelector('[data-key="mix"] [data-part="error"]').textContent.includes("from 0 to 1")`))

	do(t, ctx, "pause by keyboard", js(`document.activeElement.blur()`), chromedp.KeyEvent(" "),
		until(`document.body.dataset.state === "paused"`))
	steps := text(t, ctx, `document.querySelector('[data-text="updates"]').textContent`)
	do(t, ctx, "one step", chromedp.KeyEvent("."),
		until(fmt.Sprintf(`document.querySelector('[data-text="updates"]').textContent !== %q`, steps)))
}

// The first link is older than the Lab's own path.
func TestAShareLinkRestoresTheSettings(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	onEachPage(t, ctx, `document.addEventListener("DOMContentLoaded", () => {
		const list = document.querySelector("#preset"), about = document.querySelector("[data-text=preset]");
		if (list) top.early ??= [list.value, about.textContent]; // the stage in the page has none
	})`)
	open(t, ctx, url+"#v=1&p=catch&lag=8&rho=4&seed=77")
	lands(t, ctx, `location.pathname === "/lab"`)
	if early := text(t, ctx, "top.early"); early != "catch," {
		t.Errorf("before the client is there the page shows %q", early)
	}
	do(t, ctx, "the preset", until(`document.querySelector("#preset").value === "catch" &&
		document.querySelector("[data-text=preset]").textContent.startsWith("8 updates behind. V-trace")`))
	for key, want := range map[string]string{"lag": "8", "rho": "4", "seed": "77"} {
		do(t, ctx, "the link's "+key+" is "+want, until(fmt.Sprintf(force+`.startsWith(%q)`, key, want)))
	}
	do(t, ctx, "c̄ by keyboard", openRow("cut-c"), chromedp.Focus(`[data-key="c"] [data-part="number"]`),
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
	do(t, ctx, "make it short", chromedp.Click(`#share [data-part="shorten"]`),
		until(`document.querySelector('#share [data-part="link"]').value.includes("/l/")`))
	short := text(t, ctx, `document.querySelector('#share [data-part="link"]').value`)
	do(t, ctx, "leave", chromedp.Navigate("about:blank"))
	open(t, ctx, short)
	if opened := text(t, ctx, "location.pathname"); opened != "/lab" {
		t.Errorf("%s leads to %s", short, opened)
	}
	for key, want := range map[string]string{"lag": "8", "rho": "4", "c": "0.25", "seed": "77"} {
		// c̄ changed during the run, and changes again at the same step
		do(t, ctx, "opened again, "+key+" is "+want, until(fmt.Sprintf(force+`.startsWith(%q)`, key, want)))
	}
}

func TestTracesShowForAnAlgorithmThatHasThem(t *testing.T) {
	atLeisure(t)
	t.Parallel()
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
		choose("cartpole"),
		until("!"+shown("kl-policy")))
}

func TestThePageShowsTheAlgorithmsOwnSettingsAndWhatTheyGiveUp(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	shown := func(group string) string {
		return `document.querySelector('[data-group="` + group + `"]').checkVisibility()`
	}
	open(t, ctx, url+"lab#v=1&p=vmpo&seed=7")
	do(t, ctx, "V-MPO's settings", js(`document.querySelector(".all").click()`),
		until(shown("V-MPO")), until("!"+shown("STAC")))
	do(t, ctx, "ρ̄ below c̄", openRow("cut-rho"), chromedp.Focus(`[data-key="rho"] [data-part="number"]`),
		js(`document.activeElement.select()`), chromedp.KeyEvent("0.5\r"),
		until(`document.querySelector('[data-text="warnings"]').textContent.startsWith("ρ̄ = 0.5 is below c̄ = 1")`))
	do(t, ctx, "and back", chromedp.Focus(`[data-key="rho"] [data-part="number"]`), js(`document.activeElement.select()`),
		chromedp.KeyEvent("1\r"),
		until(`document.querySelector('[data-text="warnings"]').textContent === ""`))
	do(t, ctx, "STAC", choose("stac"),
		until("!"+shown("V-MPO")), until(shown("STAC")),
		until(`!document.querySelector('[data-key="heads"]').checkVisibility()`))
}

// noWebsocket is a browser behind a proxy that closes every websocket before it opens.
const noWebsocket = `window.WebSocket = class extends EventTarget {
	constructor() { super(); this.readyState = 0; setTimeout(() => this.fail(), 10) }
	fail() {
		this.readyState = 3;
		const e = new CloseEvent("close", { code: 1006 });
		this.onerror?.(e); this.onclose?.(e); this.dispatchEvent(e);
	}
	send() {}
	close() {}
}`

func TestWithoutWebsocketsThePageStillWorks(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	do(t, ctx, "a page to begin with", chromedp.Navigate("about:blank"))
	onEachPage(t, ctx, noWebsocket)
	open(t, ctx, url+"lab#v=1&p=cartpole")
	do(t, ctx, "lag by keyboard", chromedp.Focus(`[data-key="lag"] [data-part="number"]`),
		js(`document.activeElement.select()`), chromedp.KeyEvent("8\r"), until(fmt.Sprintf(force+`.startsWith("8")`, "lag")))
}

// TestThePageWorksForOthersOnTheNetwork opens the page as other machines see it: by plain http, under an address that
// the browser does not trust. Its console stays empty.
func TestThePageWorksForOthersOnTheNetwork(t *testing.T) {
	t.Parallel()
	list, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		if prefix, err := netip.ParsePrefix(a.String()); err == nil && prefix.Addr().IsGlobalUnicast() {
			ctx := browser(t)
			server := launch(t, net.JoinHostPort(prefix.Addr().String(), "0"), t.TempDir())
			open(t, ctx, server.url+"lab#v=1&p=cartpole")
			return
		}
	}
	t.Skip("this machine has no address on a network")
}

package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The watched world in a real browser, played by an agent and by a visitor.

// countMessages counts the messages of the websocket by the type byte of package wire; 32 joins several messages.
const countMessages = `top.came ??= {};
window.WebSocket = class extends WebSocket {
	constructor(url) {
		super(url);
		this.addEventListener("message", (e) => {
			const count = (type) => { top.came[type] = (top.came[type] ?? 0) + 1 };
			const v = new DataView(e.data);
			if (v.getUint8(1) !== 32) return count(v.getUint8(1));
			for (let at = 2; at < v.byteLength; at += 4 + v.getUint32(at, true)) count(v.getUint8(at + 4));
		});
	}
}`

// unfold shows the folded parts on the left.
var unfold = js(`document.querySelector(".detail").open = true`)

const framesCame, weightsCame = "(came[21] ?? 0)", "(came[25] ?? 0)"

// counting returns a browser that counts messages in every page.
func counting(t *testing.T, ctx context.Context) {
	t.Helper()
	do(t, ctx, "a page to begin with", chromedp.Navigate("about:blank"))
	onEachPage(t, ctx, countMessages)
}

func TestThePagePlaysTheWorldWithReceivedParameters(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	counting(t, ctx)
	open(t, ctx, url+"lab#v=1&p=catch")
	do(t, ctx, "unfold", unfold)
	do(t, ctx, "parameters come", until(weightsCame+" > 1"), until(`document.querySelector("#watch").value === "here"`))
	before := text(t, ctx, framesCame)
	shown := text(t, ctx, "document.documentElement.dataset.frames")
	do(t, ctx, "it plays", until(fmt.Sprintf(`Number(document.documentElement.dataset.frames) > %s + 20`, shown)),
		until(`document.querySelector('[data-text="ratio"]').textContent === "1.00"`))
	if after := text(t, ctx, framesCame); after != before {
		t.Errorf("the server's frames went from %s to %s while the page played", before, after)
	}
	do(t, ctx, "the server's copy", chromedp.Focus("#watch"), chromedp.KeyEvent("o"),
		until(`document.querySelector("#watch").value === "server"`),
		until(framesCame+" > 10"))
	lent := text(t, ctx, weightsCame)
	do(t, ctx, "frames go on", until(fmt.Sprintf("%s > %s + 20", framesCame, text(t, ctx, framesCame))))
	if after := text(t, ctx, weightsCame); after != lent {
		t.Errorf("parameters were lent %s times, then %s, to a page that watches the server", lent, after)
	}
}

func TestANetworkTooLargeToTravelIsPlayedByTheServerAndThePageSaysSo(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=catch&hidden=1024-800")
	do(t, ctx, "it says so",
		until(`document.querySelector('[data-part="watch-note"]').textContent.includes("parameters")`),
		until(`document.querySelector("#watch").disabled`))
}

func TestAPersonPlaysAndThePagesOwnKeysRest(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	const length = `document.querySelector('[data-text="episode-length"]').textContent`
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=four-rooms&seed=5")
	do(t, ctx, "play", chromedp.KeyEvent("p"), until(`!document.querySelector('[data-panel="hand"]').hidden`),
		until(length+` === "0"`))
	do(t, ctx, "Space, N and R do nothing to the run", chromedp.KeyEvent(" "), chromedp.KeyEvent("n"),
		chromedp.KeyEvent("r"))
	if steps := text(t, ctx, length); steps != "0" {
		t.Errorf("they made %s steps in the world", steps)
	}
	moves := func(what string, press chromedp.Action[chromedp.Void]) { // a key that stays down moves twice
		steps := text(t, ctx, length)
		do(t, ctx, what, press, until(fmt.Sprintf("Number(%s) > %s", length, steps)))
	}
	moves("up", chromedp.KeyEvent(kb.ArrowUp))
	moves("left", chromedp.KeyEvent(kb.ArrowLeft))
	state, seed := text(t, ctx, "document.body.dataset.state"), text(t, ctx, fmt.Sprintf(force, "seed"))
	if state != "running" || seed != "5" {
		t.Errorf("the run is %s with seed %s", state, seed)
	}
	moves("a button", js(`document.querySelector('[data-part="hand-pad"] button').click()`))
	do(t, ctx, "leave", chromedp.KeyEvent(kb.Escape), until(`document.querySelector('[data-panel="hand"]').hidden`))
	do(t, ctx, "the page's keys are back", js(`document.activeElement.blur()`), chromedp.KeyEvent(" "),
		until(`document.body.dataset.state === "paused"`))
}

func TestAGameCountsOnANarrowScreen(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	do(t, ctx, "a phone", chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile))
	open(t, ctx, url+"lab#v=1&p=bandit")
	do(t, ctx, "play", js(`document.querySelector('[data-verb="hand"]').click()`),
		until(`!document.querySelector('[data-panel="hand"]').hidden`),
		js(`document.querySelectorAll('[data-part="hand-pad"] button')[1].click()`),
		until(`document.querySelector('[data-text="hand-best"]').textContent === "5.00"`))
	if width := text(t, ctx, `document.documentElement.scrollWidth`); width != "390" {
		t.Errorf("the page is %s wide on a screen of 390", width)
	}
}

func TestAWorldsOptionsAreFieldsAndALinkCarriesThem(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	const field = `[data-options="chain"] [data-option="length"] input`
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=chain&lag=3")
	typed := func(value string) {
		do(t, ctx, "length "+value, chromedp.Focus(field), js(`document.activeElement.select()`),
			chromedp.KeyEvent(value+"\r"))
	}
	typed("2")
	do(t, ctx, "it is refused by name",
		until(`document.querySelector('[data-options="chain"] [data-part="error"]').textContent.includes("chain:length")`))
	typed("9")
	do(t, ctx, "the world is another",
		until(`document.querySelector('[data-text="world"]').textContent === "Chain, length 9"`),
		until(`location.hash.includes("world=chain:length=9")`),
		until(fmt.Sprintf(force+`.startsWith("3")`, "lag")), // and everything else stays
		until(`document.querySelector('[data-options="t-maze"]').hidden`))
}

func TestAFiniteWorldShowsThePolicyAndTheValueOfEveryState(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	counting(t, ctx)
	open(t, ctx, url+"lab#v=1&p=cliff")
	do(t, ctx, "unfold", unfold)
	do(t, ctx, "the server's copy",
		js(`const w = document.querySelector("#watch"); w.value = "server"; w.dispatchEvent(new Event("change"))`),
		until(framesCame+" > 2"))
	const shown = `document.querySelector('[data-part="map-range"]').textContent.startsWith("V from")`
	do(t, ctx, "both from the start", until(`!document.querySelector('[data-part="maps"]').hidden`), until(shown))
	do(t, ctx, "neither, by keyboard", chromedp.Focus(`[data-part="arrows"]`), chromedp.KeyEvent(" "),
		chromedp.Focus(`[data-part="values"]`), chromedp.KeyEvent(" "), until("!"+shown))
	lent := text(t, ctx, weightsCame)
	do(t, ctx, "values again", chromedp.KeyEvent(" "), until(shown), until(fmt.Sprintf("%s > %s", weightsCame, lent)))
	if state := text(t, ctx, "document.body.dataset.state"); state != "running" {
		t.Errorf("Space on a box made the run %s", state)
	}
	do(t, ctx, "a world without one", chromedp.Navigate("about:blank"))
	open(t, ctx, url+"lab#v=1&p=t-maze")
	do(t, ctx, "offers none", until(`document.querySelector('[data-part="maps"]').hidden`))
}

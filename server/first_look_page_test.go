package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// The pictures of the first page, without its words.

// waiting is a script that counts the poses on each lane of the belt, as "left right".
const waiting = `[...document.querySelectorAll("[data-part=belt] .waiting")].map(lane =>
	[...lane.querySelectorAll(".pose:not(.fill, .cart, .empty)")].map(p => p.getAttribute("d").split("M").length - 1)
		.reduce((a, b) => a + b, 0)).join(" ")`

func TestTheBeltHoldsAsManyPosesAsTheLagByEveryHandle(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 390, 844)
	lead(t, ctx, url+"#first&speed=20000")
	do(t, ctx, "the actors have a past", until(`Number(document.querySelector('[data-part="score"]').textContent) > 20`))
	for stop, lag := range map[int]int{1: 1, 4: 8, 7: 64, 0: 0} {
		do(t, ctx, fmt.Sprintf("lag %d", lag), js(fmt.Sprintf(turn, stop)), until(fmt.Sprintf(waiting+` === "%d %d"`, lag, lag)))
	}
	x, y := stopAt(t, ctx, 4)
	do(t, ctx, "a click on the track", chromedp.MouseClickXY(x, y), until(waiting+` === "8 8"`),
		until(`document.querySelector(".caption").textContent.includes("8 updates ago")`))
	do(t, ctx, "a drag of the marked words", js(`{
		const words = document.querySelector('[data-say="when"]'), b = words.getBoundingClientRect();
		const event = (name, x) => words.dispatchEvent(new PointerEvent(name, {clientX: b.left + x, clientY: b.top,
			pointerId: 1, bubbles: true}));
		event("pointerdown", 5); event("pointermove", 5 + 3 * 33); event("pointerup", 5 + 3 * 33);
	}`), until(waiting+` === "64 64"`))
	do(t, ctx, "Why?", js(`document.querySelector('[data-verb="why"]').click()`), until(`!document.querySelector("#why").hidden`))
	at := text(t, ctx, `document.querySelector("#why").scrollTop + " " + document.activeElement.id`)
	if at != "0 why-title" {
		t.Errorf("it opens at %s", at)
	}
	do(t, ctx, "the underlined words lead to the slider", js(`document.querySelector('[data-verb="back"]').click()`),
		js(`document.querySelector('[data-say="when"]').click()`), until(`document.activeElement.id === "lag"`))
}

// The hand that drags the lens sees the waiting steps in the same task, and their weights in the next picture. No
// learner has felt the lag by then: the page sends it later.
func TestTheWeightsAnswerTheHandBeforeTheLearner(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	lead(t, ctx, url+"#first&speed=20000")
	do(t, ctx, "the actors have a past", until(`Number(document.querySelector('[data-part="score"]').textContent) > 20`),
		until(`document.querySelector(".aside").dataset.about === "belt"`), js(`{
		const slider = document.querySelector("#lag"), key = document.querySelector(".aside .key");
		const fresh = key.innerHTML;
		slider.value = 7;
		slider.dispatchEvent(new Event("input", {bubbles: true}));
		top.waits = `+waiting+`;
		requestAnimationFrame(() => requestAnimationFrame(() => {
			top.about = document.querySelector(".aside").dataset.about;
			top.weighed = key.innerHTML !== fresh;
		}));
	}`), until(`top.about !== undefined`))
	if got := text(t, ctx, `[top.waits, top.about, top.weighed].join()`); got != "64 64,key,true" {
		t.Errorf("under the hand: %s", got)
	}
}

func TestTheFirstPaintHasEverythingInItsPlace(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	do(t, ctx, "without the client", chromedp.Navigate(url+"?stage=0"), until(`!!document.querySelector(".belt .early .lens")`))
	if text(t, ctx, `document.body.textContent.includes("Connecting")`) != "false" {
		t.Error("it says Connecting")
	}
	for _, what := range []string{"h1", ".learner .early .rod", ".belt", ".story", ".steps [data-step=now]", `[data-part="act"]`} {
		if text(t, ctx, fmt.Sprintf(`document.querySelectorAll(%q).length > 0`, what)) != "true" {
			t.Errorf("the page lacks %s", what)
		}
	}
	const top = `document.querySelector(".first").getBoundingClientRect().top`
	before := text(t, ctx, top)
	do(t, ctx, "a notice", js(`{
		const notice = document.querySelector("#notice");
		notice.hidden = false;
		notice.querySelector("p").textContent = "A notice.";
	}`))
	if after := text(t, ctx, top); after != before {
		t.Errorf("a notice moves the page from %s to %s", before, after)
	}
	do(t, ctx, "the drawn poles move without a canvas", until(`Number(document.querySelector('[data-part="score"]').textContent) > 0`),
		until(`(rod => rod.getAttribute("x2") !== rod.getAttribute("x1"))(document.querySelector("[data-learner=left] .rod"))`))
}

// A client whose server has not answered yet has a canvas, but no world for it. The drawn poles stay until then.
func TestTheDrawnPolesStayUntilTheCanvasHasAWorld(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	onEachPage(t, ctx, `{
		const real = WebSocket;
		window.WebSocket = class { // connects once the test lets it
			constructor(url) {
				top.asked = true;
				this.wait = setInterval(() => {
					if (!top.lets) return;
					clearInterval(this.wait);
					this.real = new real(url);
					this.real.binaryType = "arraybuffer";
					for (const name of ["onopen", "onmessage", "onclose"]) this.real[name] = (event) => this[name]?.(event);
				}, 20);
			}
			get readyState() { return this.real?.readyState ?? 0; }
			send(data) { this.real?.send(data); }
			close() { this.real?.close(); }
		};
	}`)
	do(t, ctx, "no answer yet", chromedp.Navigate(url), until(`top.asked && document.querySelector("#stage").contentDocument
		.querySelector("canvas")`), js(`top.then = performance.now(); 0`))
	const hidden = `getComputedStyle(document.querySelector("#stage")).opacity === "0" &&
		document.querySelectorAll(".learner .early .rod").length === 2`
	do(t, ctx, "the poles stay", js(`top.gone = 0; (function look() {
		if (!(`+hidden+`)) top.gone++;
		if (!top.lets) requestAnimationFrame(look);
	})()`), until(`performance.now() > top.then + 1000`))
	if gone := text(t, ctx, "top.gone"); gone != "0" {
		t.Errorf("the poles are missing in %s pictures before the server answers", gone)
	}
	do(t, ctx, "the server answers", js(`top.lets = true`), until(`Number(document.documentElement.dataset.frames) > 0`),
		until(`getComputedStyle(document.querySelector("#stage")).opacity === "1"`))
}

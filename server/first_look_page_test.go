package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"strconv"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"impalab/web/palette"
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
	open(t, ctx, url+"#first&speed=20000")
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
}

// falls counts the falls of the right learner, and measures how long each was held.
const falls = `{
	top.falls = 0; top.held = []; top.wrong = "";
	const learner = document.querySelector("[data-learner=right]"), unit = learner.querySelector('[data-part="unit"]');
	let since = 0;
	new MutationObserver(() => {
		const down = learner.dataset.down === "true";
		if (down && !since) { since = performance.now(); top.falls++ }
		if (!down && since) { top.held.push(performance.now() - since); since = 0 }
		setTimeout(() => {
			if (unit.textContent.includes("fell") !== (learner.dataset.down === "true")) top.wrong = unit.textContent;
		});
	}).observe(learner, {attributes: true});
}`

func TestAFallIsHeldOnTheFloorAndNoPoleStandsBesideIt(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	open(t, ctx, url+slowly+"&theme=light")
	do(t, ctx, "they have learned", js(fmt.Sprintf(turn, 0)), learned, js(falls), js(fmt.Sprintf(turn, 7)), at("held"))
	early := text(t, ctx, `top.held.length`) // an episode may end in a fall before both hold
	judged := 0
	for range 40 {
		do(t, ctx, "it lies", until(`document.querySelector("[data-learner=right]").dataset.down === "true"`))
		before := text(t, ctx, `top.falls`)
		picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		after := text(t, ctx, `top.falls + document.querySelector("[data-learner=right]").dataset.down`)
		if after != before+"true" {
			continue // it was put up meanwhile
		}
		judged++
		lies(t, picture, text(t, ctx, `(() => { const b = document.querySelector("[data-learner=right]").getBoundingClientRect();
			return [b.left, b.top, b.right, b.bottom].map(Math.round).join(" ") })()`))
		if judged == 3 {
			break
		}
	}
	if judged == 0 {
		t.Fatal("no picture was taken while it lay")
	}
	if up := text(t, ctx, `top.held.length`); up != early {
		t.Errorf("it was put up %s times, %s of them before both hold", up, early)
	}
	// At 32 updates it may get up, and the story is over; at 64 it never does.
	do(t, ctx, "both continue, and it falls again and again", js(fmt.Sprintf(turn, 6)), js(fmt.Sprintf(turn, 7)),
		until(`top.held.length > 1+`+early))
	if held, err := strconv.ParseFloat(text(t, ctx, `Math.min(...top.held)`), 64); err != nil || held < 600 {
		t.Errorf("a fall was held for %v ms, want at least 600", held)
	}
	if wrong := text(t, ctx, `top.wrong`); wrong != "" {
		t.Errorf("the stage says %q at the wrong time", wrong)
	}
}

// lies looks at the right stage: the floor of one that lies, the colour of a fall near the ground, and nothing upright.
func lies(t *testing.T, picture []byte, corners string) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	var b [4]int
	for i, v := range strings.Fields(corners) {
		b[i], _ = strconv.Atoi(v)
	}
	high := b[3] - b[1]
	above := image.Rect(b[0]+4, b[1]+high*36/100, b[2]-4, b[1]+high*66/100) // under the words, over the cart
	ground := image.Rect(b[0]+4, b[1]+high*66/100, b[2]-4, b[3]-4)
	if n := pixels(img, ground, palette.Cut); n < 300 {
		t.Errorf("%d pixels of a lying pole", n)
	}
	if n := pixels(img, above, palette.Strong); n > 20 {
		t.Errorf("%d pixels of ink stand where a pole would stand", n)
	}
	if n, all := pixels(img, above, palette.Sore), above.Dx()*above.Dy(); n < all/2 {
		t.Errorf("%d of %d pixels have the colour of a stage whose agent lies", n, all)
	}
}

// screenshot returns a picture of the page.
func screenshot(t *testing.T, ctx context.Context) image.Image {
	t.Helper()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// pixels counts the pixels of a colour in a part of a picture.
func pixels(img image.Image, in image.Rectangle, role palette.Role) (n int) {
	want := palette.Of(role, false)
	near := func(a uint32, b uint8) bool { d := int(a>>8) - int(b); return d > -4 && d < 4 }
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			if r, g, b, _ := img.At(x, y).RGBA(); near(r, want.R) && near(g, want.G) && near(b, want.B) {
				n++
			}
		}
	}
	return n
}

// The other stage has its own colours at the same time: which learner stands is seen without words.
func TestLeftAndRightDifferInStageChartAndBelt(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	open(t, ctx, url+byHand+"&theme=light")
	do(t, ctx, "drawn", js(fmt.Sprintf(turn, 0)), learned, js(fmt.Sprintf(turn, 7)), at("held"))
	colour := func(what string) string { return text(t, ctx, what) }
	for name, pair := range map[string][2]string{
		"score": {`getComputedStyle(document.querySelector("[data-learner=left] b")).color`,
			`getComputedStyle(document.querySelector("[data-learner=right] b")).color`},
		"curve": {`getComputedStyle(document.querySelector(".story .line.hand:not(.alike)")).stroke`,
			`getComputedStyle(document.querySelector(".story .line.other:not(.alike)")).stroke`},
		"belt": {`getComputedStyle(document.querySelector(".actor.pi .cart")).fill`,
			`getComputedStyle(document.querySelector(".actor.strong .cart")).fill`},
	} {
		if left, right := colour(pair[0]), colour(pair[1]); left == right {
			t.Errorf("%s: both are %s", name, left)
		}
	}
	img := screenshot(t, ctx)
	left := image.Rect(30, 150, 500, 300)
	if n := pixels(img, left, palette.Target); n < 500 {
		t.Errorf("the left stage has %d pixels of its learner's colour", n)
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
	do(t, ctx, "the drawn poles move without a canvas", until(`Number(document.querySelector('[data-part="score"]').textContent) > 0`),
		until(`(rod => rod.getAttribute("x2") !== rod.getAttribute("x1"))(document.querySelector("[data-learner=left] .rod"))`))
}

// A client whose server has not answered yet has a canvas, but no world for it. The drawn poles stay until then.
func TestTheDrawnPolesStayUntilTheCanvasHasAWorld(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	late := cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: `{
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
	}`}
	if _, err := chromedp.Call(ctx, cdppage.AddScriptToEvaluateOnNewDocument, late); err != nil {
		t.Fatal(err)
	}
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

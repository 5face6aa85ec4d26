package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The belt under every kind of hand, and the first page for visitors without motion and without WebGL.

// placed is a script that counts the places on each lane of the belt, those without a pose too, as "left right".
const placed = `[...document.querySelectorAll("[data-part=belt] .waiting")].map(lane =>
	[...lane.querySelectorAll(".pose:not(.fill, .cart)")].map(p => p.getAttribute("d").split("M").length - 1)
		.reduce((a, b) => a + b, 0)).join(" ")`

// stopAt returns the place of a stop of the belt in the window, in pixels.
func stopAt(t *testing.T, ctx context.Context, stop int) (x, y float64) {
	t.Helper()
	var v [4]float64
	for i, word := range strings.Fields(text(t, ctx, `(() => {
		const b = document.querySelector("#lag").getBoundingClientRect();
		return [b.left, b.width, b.top + b.height / 2, innerWidth <= 700 ? 44 : 48].join(" ");
	})()`)) {
		v[i], _ = strconv.ParseFloat(word, 64)
	}
	left, width, lens := v[0], v[1], v[3]
	return left + lens/2 + (width-lens)*float64(stop)/7, v[2]
}

// touch sends one event of a finger; no place lifts it.
func touch(t *testing.T, ctx context.Context, kind input.DispatchTouchEventType, place ...float64) {
	t.Helper()
	points := []*input.TouchPoint{}
	if len(place) == 2 {
		points = append(points, &input.TouchPoint{X: place[0], Y: place[1]})
	}
	if _, err := chromedp.Call(ctx, input.DispatchTouchEvent,
		input.DispatchTouchEventParams{Type: kind, TouchPoints: points}); err != nil {
		t.Fatal(err)
	}
}

func TestAFingerAMouseAndTheKeyboardMoveTheLens(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	do(t, ctx, "a phone", chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	open(t, ctx, url+"#first&speed=20000")
	do(t, ctx, "the actors have a past", until(`Number(document.querySelector('[data-part="score"]').textContent) > 20`))
	drag := func(from, to int, begin, move func(x, y float64)) {
		x, y := stopAt(t, ctx, from)
		end, _ := stopAt(t, ctx, to)
		begin(x, y)
		for i := 1.; i <= 8; i++ {
			move(x+(end-x)*i/8, y)
		}
	}
	drag(0, 4, func(x, y float64) { touch(t, ctx, input.DispatchTouchEventTypeTouchStart, x, y) },
		func(x, y float64) { touch(t, ctx, input.DispatchTouchEventTypeTouchMove, x, y) })
	do(t, ctx, "the poses fan out under the finger", until(placed+` === "8 8"`))
	touch(t, ctx, input.DispatchTouchEventTypeTouchEnd)
	do(t, ctx, "a finger", until(waiting+` === "8 8"`), until(saying+`.includes("8 updates ago")`))
	x, y := stopAt(t, ctx, 7)
	touch(t, ctx, input.DispatchTouchEventTypeTouchStart, x, y)
	touch(t, ctx, input.DispatchTouchEventTypeTouchEnd)
	do(t, ctx, "a tap on the track", until(waiting+` === "64 64"`))

	do(t, ctx, "the keyboard", chromedp.Focus("#lag"), chromedp.KeyEvent(kb.Home), until(waiting+` === "0 0"`),
		chromedp.KeyEvent(kb.ArrowRight), until(waiting+` === "1 1"`), chromedp.KeyEvent(kb.End), until(waiting+` === "64 64"`),
		chromedp.KeyEvent(kb.ArrowLeft), until(waiting+` === "32 32"`))

	do(t, ctx, "a laptop", chromedp.EmulateViewport(1366, 650), until(`innerWidth === 1366`))
	mouse := func(kind input.DispatchMouseEventType) func(x, y float64) {
		return func(x, y float64) { do(t, ctx, "the mouse", chromedp.MouseEvent(kind, x, y, chromedp.ButtonLeft)) }
	}
	drag(6, 3, mouse(input.DispatchMouseEventTypeMousePressed), mouse(input.DispatchMouseEventTypeMouseMoved))
	x, y = stopAt(t, ctx, 3)
	mouse(input.DispatchMouseEventTypeMouseReleased)(x, y)
	do(t, ctx, "a mouse", until(waiting+` === "4 4"`), until(saying+`.includes("4 updates ago")`))
}

// A thumb alone leads the whole story, on the belt and on the button.
func TestAThumbLeadsTheWholeStory(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	do(t, ctx, "a phone", chromedp.EmulateViewport(360, 640, chromedp.EmulateMobile, chromedp.EmulateTouch))
	lead(t, ctx, url+byHand)
	tap := func(selector string) {
		t.Helper()
		var x, y float64
		fmt.Sscan(text(t, ctx, `(() => { const b = document.querySelector(`+strconv.Quote(selector)+
			`).getBoundingClientRect(); return (b.left + b.right) / 2 + " " + (b.top + b.bottom) / 2; })()`), &x, &y)
		touch(t, ctx, input.DispatchTouchEventTypeTouchStart, x, y)
		touch(t, ctx, input.DispatchTouchEventTypeTouchEnd)
	}
	do(t, ctx, "they learn", learned)
	tap(`[data-learner="right"] [data-verb="push"]`)
	do(t, ctx, "a push", until(`document.querySelector("#notice").textContent.includes("You pushed the copy")`),
		js(`document.querySelector('#notice [data-part="close"]').click()`))
	x, y := stopAt(t, ctx, 7)
	touch(t, ctx, input.DispatchTouchEventTypeTouchStart, x, y)
	touch(t, ctx, input.DispatchTouchEventTypeTouchEnd)
	do(t, ctx, "old data", until(saying+`.includes("64 updates ago")`), at("held"))
	tap(`[data-part="act"]`)
	do(t, ctx, "V-trace", at("mended"), at("over"), until(`document.body.dataset.state === "paused"`))
	told := text(t, ctx, now)
	do(t, ctx, "reload", chromedp.Reload(), at("over"), until(fmt.Sprintf(now+` === %q`, told)))
	seed := text(t, ctx, `location.hash`)
	tap(`[data-part="act"]`)
	do(t, ctx, "another seed", at("learning"), until(fmt.Sprintf(`location.hash !== %q`, seed)))
}

// The belt and the chart at a moment at which the right learner lies and the left one stands, without their words. Each
// is told apart by its colour, its place and its shape.
const (
	beltTells = `(() => {
		const [left, right] = ["pi", "strong"].map(c => document.querySelector(".actor." + c + " .pole"));
		const up = e => Math.abs(e.x2.baseVal.value - e.x1.baseVal.value) < e.y1.baseVal.value - e.y2.baseVal.value;
		return right.matches(".lies") && !left.matches(".lies") && up(left) && !up(right) &&
			getComputedStyle(right).stroke === cut && getComputedStyle(left).stroke !== cut;
	})()`
	chartTells = `(() => {
		const end = c => { const p = document.querySelector(".story .line." + c + ":not(.alike)");
			return p.getPointAtLength(p.getTotalLength()).y };
		const cross = document.querySelector(".story .cross"), high = document.querySelector(".story svg").clientHeight;
		return end("other") - end("hand") > high / 3 && getComputedStyle(cross).stroke === cut;
	})()`
	poleTells = `(() => {
		const rod = side => [...document.querySelectorAll("[data-learner=" + side + "] .rod")].at(-1);
		const left = rod("left"), right = rod("right");
		return right.matches(".lies") && !left.matches(".lies") && getComputedStyle(right).stroke === cut &&
			getComputedStyle(left).stroke !== cut && right.y2.baseVal.value > right.y1.baseVal.value;
	})()`
	cutColour = `{
		const probe = document.body.appendChild(document.createElement("i"));
		probe.style.color = "var(--cut)";
		top.cut = getComputedStyle(probe).color;
		probe.remove();
	}`
)

// leans collects how far the right learner's drawn pole has leant, in degrees, and counts the belt's animations.
const leans = `{
	top.leans = []; top.moved = 0;
	const pole = document.querySelector("[data-learner=right] [data-part=pole]");
	new MutationObserver(() => {
		const rod = [...pole.querySelectorAll(".rod")].at(-1), v = n => rod[n].baseVal.value;
		if (rod) top.leans.push(Math.abs(Math.atan2(v("x2") - v("x1"), v("y1") - v("y2"))) * 180 / Math.PI);
	}).observe(pole, {childList: true});
	const belt = document.querySelector("[data-part=belt]");
	new MutationObserver(() => { top.moved += belt.getAnimations({subtree: true}).length })
		.observe(belt, {childList: true});
}`

// between is a script that counts the drawn poles that neither stand nor lie. Such a pole is on its way to the floor.
const between = `top.leans.filter(a => a > 25 && a < 95).length`

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

// The page draws its own poles where the address asks for no canvas: they show each moment of a fall.
func TestWithoutMotionAPoleLiesAtOnceAndTheBeltStandsStill(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	for _, motion := range []string{"no-preference", "reduce"} {
		url, ctx := serve(t), browser(t)
		if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: motion}}}); err != nil {
			t.Fatal(err)
		}
		do(t, ctx, "open", chromedp.Navigate(url+"?stage=0"+byHand), until(`document.documentElement.dataset.ready === "true"`))
		do(t, ctx, "they learn", js(fmt.Sprintf(turn, 0)), learned, js(leans), js(fmt.Sprintf(turn, 7)))
		do(t, ctx, "it falls", at("held"), js(falls), js(cutColour), until(poleTells))
		do(t, ctx, "both continue, and it falls again", js(fmt.Sprintf(turn, 6)), until(`top.held.length > 2`))
		if held, _ := strconv.ParseFloat(text(t, ctx, `Math.min(...top.held)`), 64); held < 600 {
			t.Errorf("%s: a fall was held for %v ms, want at least 600", motion, held)
		}
		moving := text(t, ctx, between) != "0"
		if moving != (motion == "no-preference") {
			t.Errorf("%s: %s poles were drawn on their way to the floor", motion, text(t, ctx, between))
		}
		if moved := text(t, ctx, "top.moved") != "0"; moved && motion == "reduce" {
			t.Error("the belt moves for a visitor who wants no motion")
		}
	}
}

func TestWithoutWebGLTheDrawnPoleFalls(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), ownBrowser(t, chromedp.Flag("disable-3d-apis", true))
	resize(t, ctx, 1366, 650)
	do(t, ctx, "open", chromedp.Navigate(url+fast+"&theme=light"), until(`document.documentElement.dataset.ready === "true"`),
		js(cutColour))
	do(t, ctx, "the page turns the lag, and the right one falls", at("held"))
	do(t, ctx, "its drawn pole lies", until(poleTells))
	do(t, ctx, "the belt and the chart lose nothing", until(beltTells), until(chartTells))
	do(t, ctx, "the page gives it V-trace", at("mended"))
	if n := text(t, ctx, `document.documentElement.dataset.frames ?? "none"`); n != "none" {
		t.Errorf("a canvas drew %s frames without WebGL", n)
	}
}

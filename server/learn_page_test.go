package main

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// lessonPage opens a page of the lessons and waits for its script.
func lessonPage(t *testing.T, url, path string) (string, chromedp.Action[chromedp.Void]) {
	t.Helper()
	return url + path, until(`document.readyState === "complete" &&
		(!document.body.dataset.lesson || "walked" in document.body.dataset)`)
}

func TestACurveIsDrawnBeforeItIsTaken(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	page, ready := lessonPage(t, url, "learn/late")
	do(t, ctx, "open the lesson", chromedp.Navigate(page), ready)
	guess := js(`document.querySelector("#step-1 button[type=submit]").click()`)
	state := `(() => {
		const step = document.querySelector("#step-1");
		return step.querySelector("[data-part=said]").textContent + "|" + step.querySelector(".reveal").open;
	})()`
	do(t, ctx, "guess nothing", guess)
	if got := text(t, ctx, state); got != "Draw your curve first: drag across the picture.|false" {
		t.Errorf("a curve that nobody drew: %q", got)
	}
	do(t, ctx, "draw, and guess", js(`{
		const point = document.querySelector("#step-1 .handles input");
		point.value = 80;
		point.dispatchEvent(new Event("input", { bubbles: true }));
	}`), guess)
	do(t, ctx, "the runs go on, and then the answer opens", until(state+` === "|true"`))
}

func TestALessonIsPredictedRunRevealedAndCheckedByKeyboard(t *testing.T) {
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	page, ready := lessonPage(t, url, "learn/late")
	do(t, ctx, "open the lesson", chromedp.Navigate(page), ready)
	short := text(t, ctx, `document.querySelector("#step-2").hidden && !document.querySelector("#step-3").hidden`)
	if short != "true" {
		t.Error("the short path is not the default")
	}
	do(t, ctx, "move the bar and guess", js(`document.querySelector("#step-3 input[type=range]").focus()`),
		chromedp.KeyEvent(kb.ArrowRight+kb.Tab+kb.Tab+"\r"))
	do(t, ctx, "the answer", until(`document.querySelector("#step-3 .reveal").open`))
	said := text(t, ctx, `document.querySelector("#step-3 [data-part=verdict]").textContent`)
	if !strings.HasPrefix(said, "You said 25") || !strings.Contains(said, "It is 9.38") {
		t.Errorf("the guess is answered by %q", said)
	}
	do(t, ctx, "drag a curve by keyboard", js(`document.querySelector("#step-1 .handles input").focus()`),
		chromedp.KeyEvent(kb.ArrowUp))
	if at := text(t, ctx, `document.querySelector("#step-1 .handles input").value`); at != "51" {
		t.Errorf("the first point of the curve is at %s", at)
	}
	const inner = `document.querySelector("iframe").contentDocument`
	do(t, ctx, "run it", js(`document.querySelector("#step-3 a.turn").click()`),
		until(inner+`?.documentElement?.dataset.ready === "true" && `+inner+`?.body?.dataset.embed === "1"`),
		until(`(localStorage.getItem("impalab-run") || "").includes("lag-cliff")`))
	do(t, ctx, "check it", js(`document.querySelector("#check button").click()`),
		until(`document.querySelector("#check [data-part=said]").textContent !== ""`))
	said = text(t, ctx, `document.querySelector("#check [data-part=said]").textContent`)
	if !strings.Contains(said, "judged from 250\u2009000 on") {
		t.Errorf("a run that has just begun: %q", said)
	}
	do(t, ctx, "come back", chromedp.Navigate(url+"learn"), until(`document.readyState === "complete"`))
	kept := text(t, ctx, `document.querySelector("[data-lesson=late] [data-part=progress]").textContent`)
	if kept != "1 of 7 steps" {
		t.Errorf("progress is %q", kept)
	}
}

// figured is a script about the figure of a lesson's step: its plot, its second stick and its form.
const figured = `(() => {
	const figure = document.querySelector('[data-figure="3"]'), form = document.querySelector("#step-3 form");
	const plot = figure.querySelector(".plot"), stick = figure.querySelectorAll(".stick")[1];
	const most = (e) => Math.max(...[...e.getAttribute("d").matchAll(/[ML]([\d.]+)/g)].map(m => Number(m[1])));
	return (%s);
})()`

// The figure of a lesson plays up to the question. The rest is drawn once the reader has guessed.
func TestALessonsFigurePlaysUpToTheQuestionAndOnFromTheGuess(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	page, ready := lessonPage(t, url, "learn/late")
	is := func(what string) string { return fmt.Sprintf(figured, what) }
	do(t, ctx, "open the lesson", chromedp.Navigate(page), ready,
		until(`document.querySelectorAll('[data-figure="1"] .rod').length > 0`),
		js(`document.querySelector("#step-3 form").scrollIntoView({ block: "center" })`),
		until(is(`!figure.hidden && stick.querySelectorAll(".rod").length > 0 && plot.querySelectorAll(".run").length === 2`)),
		js(`top.first = `+is(`stick.outerHTML`)),
		until(`top.first !== `+is(`stick.outerHTML`)))
	for range 20 {
		late := text(t, ctx, is(`[...plot.querySelectorAll(".run")].some(
			e => most(e) > plot.querySelector(".question").x1.baseVal.value + 1)`))
		if late == "true" {
			t.Fatal("the figure shows what comes after the question")
		}
	}
	got := text(t, ctx, is(`form.querySelector("[type=submit]").disabled + " " + figure.hasAttribute("data-muted")`))
	if got != "true true" {
		t.Errorf("before a guess: %s", got)
	}
	do(t, ctx, "the slider moves the ring", js(`top.ring = `+is(`plot.querySelector(".ring").cy.baseVal.value`)),
		js(`{
			const range = document.querySelector("#step-3 [type=range]");
			range.value = 400;
			range.dispatchEvent(new Event("input", { bubbles: true }));
		}`),
		until(is(`plot.querySelector(".ring").cy.baseVal.value < top.ring - 20 && plot.textContent.includes("your guess 400")`)),
		js(`document.querySelector("#step-3 [type=submit]").click()`),
		until(is(`!figure.hasAttribute("data-muted") && !plot.querySelector(".field")`)),
		until(is(`stick.hasAttribute("data-down") && stick.querySelectorAll(".image:not([data-off])").length > 5`)),
		until(is(`/^39\d too hopeful$/.test(plot.querySelector(".note")?.textContent)`)),
		until(`document.querySelector("#step-3 .reveal").open`))
	leans := text(t, ctx, is(`[...stick.querySelectorAll(".rod:not(.image)")].filter(rod => rod.checkVisibility()).map(
		rod => rod.getAttribute("transform")).join()`))
	lean, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimLeft(leans, "rotae(-"), ")"), 64)
	if err != nil || lean < 60 {
		t.Errorf("beside a fall the sticks are turned by %q", leans)
	}
}

// A reader draws runs and sees how often all of them stand. The exact curve waits for the guess.
func TestALessonDrawsRunsAndCoversTheExactCurve(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	page, ready := lessonPage(t, url, "learn/how-sure")
	const read = `document.querySelector("[data-figure='1'] [data-part=read]").textContent`
	const covered = `document.querySelector("[data-figure='1'] g[data-line='0.0']").hasAttribute("data-off")`
	press := func(button string) chromedp.Action[chromedp.Void] {
		return js(`document.querySelector("[data-figure='1'] [data-does=` + button + `]").click()`)
	}
	do(t, ctx, "open the lesson", chromedp.Navigate(page), ready)
	do(t, ctx, "draw the first run, which stands", js(`Math.random = () => 0`), press("draw"),
		until(read+`.includes("All 8 stand") && `+read+`.includes("in 1 of 1 draws of 8")`))
	if got := text(t, ctx, `document.querySelector(".cart[data-drawn] [data-part=times]").textContent`); got != "×8" {
		t.Errorf("a run that was drawn eight times has the mark %q", got)
	}
	do(t, ctx, "draw the fifth run, which fell", js(`Math.random = () => 4.5 / 24`), press("twenty"),
		until(read+`.includes("8 of 8 fell") && `+read+`.includes("in 1 of 21 draws of 8")`))
	do(t, ctx, "one run fewer by keyboard", js(`document.querySelector("[data-figure='1'] .lens").focus()`),
		chromedp.KeyEvent(kb.ArrowLeft), until(`document.querySelector("[data-does=draw]").textContent === "Draw 7"`))
	if got := text(t, ctx, covered); got != "true" {
		t.Error("the exact curve is drawn before the guess")
	}
	do(t, ctx, "guess", js(`{
		const range = document.querySelector("#step-1 [type=range]");
		range.dispatchEvent(new Event("input", { bubbles: true }));
		document.querySelector("#step-1 [type=submit]").click();
	}`), until(`!`+covered+` && `+read+`.includes("In the long run it is 0.279 of all draws")`))
}

// The figure of actors and a learner lets a reader turn the number of actors, and shows no lag before the guess.
func TestALessonsQueueFillsWithTheFifthActor(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	page, ready := lessonPage(t, url, "learn/actors-and-learners")
	const of = `document.querySelector("[data-figure='2']").querySelector`
	const lags = of + `("[data-race=lags]").textContent`
	do(t, ctx, "open the lesson", chromedp.Navigate(page), ready,
		js(`document.querySelector("#step-2").scrollIntoView({ block: "center" })`),
		until(`!document.querySelector("[data-figure='2']").hidden`),
		js(`top.flat = `+of+`("[data-race=queue]").getBoundingClientRect().height`),
		js(of+`(".lens").focus()`), chromedp.KeyEvent(kb.ArrowRight),
		until(of+`("[data-race=queue]").getBoundingClientRect().height > top.flat + 10`))
	if got := text(t, ctx, lags); got != "" {
		t.Errorf("before the guess the updates say their lag: %q", got)
	}
	do(t, ctx, "guess", js(`{
		const range = document.querySelector("#step-2 [type=range]");
		range.dispatchEvent(new Event("input", { bubbles: true }));
		document.querySelector("#step-2 [type=submit]").click();
	}`), until(lags+`.endsWith("9")`), until(of+`("[data-part=read]").textContent.includes("the lag is 9 updates")`))
}

// The maps of four rooms wait for the guess with their curves, and the lens colours them.
func TestALessonsMapsWaitForTheGuess(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	page, ready := lessonPage(t, url, "learn/c-bar")
	const seen = `[...document.querySelectorAll("[data-figure='3'] .rooms")].filter(e => e.checkVisibility()).length`
	const shade = `document.querySelector("[data-figure='3'] .rooms [data-state='0']").getAttribute("fill-opacity")`
	do(t, ctx, "open the lesson", chromedp.Navigate(page), ready, until(shade+` !== null`))
	if got := text(t, ctx, seen); got != "1" {
		t.Errorf("%s maps before the guess, want 1", got)
	}
	do(t, ctx, "more updates", js(`top.early = `+shade), js(`document.querySelector("[data-figure='3'] .lens").focus()`),
		chromedp.KeyEvent(kb.End), until(`Number(`+shade+`) > Number(top.early)`))
	do(t, ctx, "the answer", js(`document.querySelector("#step-3 .reveal").open = true`), until(seen+` === 3`))
}

func TestLessonsHaveNoViolationAndNeverScrollSideways(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	paths := []string{"learn/late", "learn/how-sure", "learn/actors-and-learners", "learn/errata"}
	if slow {
		paths = append(paths, "learn", "learn/ratios", "learn/rho-bar")
	}
	for _, path := range paths {
		page, ready := lessonPage(t, url, path)
		do(t, ctx, "open "+path, chromedp.Navigate(page), ready,
			js(`document.querySelector("[data-course=whole]")?.click();
				for (const d of document.querySelectorAll("details")) d.open = true`))
		for _, size := range looked() {
			resize(t, ctx, size.wide, size.high)
			do(t, ctx, "drawn", until(fmt.Sprintf(`innerWidth === %d`, size.wide)))
			fits(t, ctx, size.wide, fmt.Sprintf("%s at %dx%d", path, size.wide, size.high))
		}
	}
}

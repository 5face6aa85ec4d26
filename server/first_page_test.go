package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The first experiment in a real browser, at eight times the speed that visitors see, and at their speed where a hand
// leads the story: a hand that comes hundreds of thousands of steps late may not make the right one fall.

const (
	fast   = "#first&speed=80000"
	byHand = "#first&speed=10000"
	saying = `document.querySelector(".caption").textContent`
	now    = `document.querySelector('[data-step="now"]').textContent`
)

// at waits until a story has come to a phase, and may have passed it: no phase but the last stays by itself.
func at(phase string) chromedp.Action[chromedp.Void] {
	passed := map[string]string{"learning": "learning held unaided mended", "held": "held unaided mended over",
		"unaided": "unaided over", "mended": "mended over", "over": "over"}[phase]
	return until(fmt.Sprintf(`%q.split(" ").includes(document.body.dataset.phase)`, passed))
}

// everSaid is a script that keeps each hint and each sentence of the present step: the next one comes by itself.
const everSaid = `if (top === self) {
	top.said = new Set();
	new MutationObserver(() => {
		for (const at of ['[data-part="hint"]', '[data-step="now"]']) top.said.add(document.querySelector(at)?.textContent);
	}).observe(document, {subtree: true, childList: true, characterData: true});
}`

// wasSaid waits until the page has had a hint or a present step with these words.
func wasSaid(words string) chromedp.Action[chromedp.Void] {
	return until(fmt.Sprintf(`[...top.said].some(said => said?.includes(%q))`, words))
}

// first is a script that touches the slider of a page as soon as its world is drawn. From then on a hand leads the
// story, and the page waits for it.
var first = fmt.Sprintf(`if (top === self) {
	const wait = setInterval(() => {
		if (!(Number(document.documentElement?.dataset.frames) > 0)) return;
		clearInterval(wait);
		if (sessionStorage.led) return; // after a reload the hand has been there
		%s
		sessionStorage.led = true;
	}, 10);
}`, fmt.Sprintf(turn, 0))

// lead opens the first page with a hand at its slider.
func lead(t *testing.T, ctx context.Context, url string) {
	t.Helper()
	onEachPage(t, ctx, first)
	open(t, ctx, url)
	do(t, ctx, "a hand is there", until(`sessionStorage.led`))
}

// learned waits until both poles stand so long that old data make the right one fall: a lag that comes earlier does not
// always. Before it a hand must touch the slider, or the page makes the data old by itself.
var learned = until(`[...document.querySelectorAll('[data-part="score"]')].every(s => Number(s.textContent) > 350)`)

func TestTheFirstPageTellsItsStoryByItselfAndWaits(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	onEachPage(t, ctx, everSaid)
	open(t, ctx, url+fast)
	do(t, ctx, "the page moves the slider", until(saying+`.includes("Both study what they did 64 updates ago")`))
	do(t, ctx, "the right one falls", at("held"), wasSaid("the page does it by itself"),
		until(`document.querySelector(".story .cross") !== null`), wasSaid("The right one fell: "))
	do(t, ctx, "the page gives it V-trace", at("mended"))
	do(t, ctx, "the story ends", at("over"))
	// On a slow machine the page hears of the fall late, and a run that lay for long may not get up.
	do(t, ctx, "it says how",
		until(`/it got up, on data as old as before|did not get up|did not recover|got up late/.test(`+now+`)`))
	do(t, ctx, "it waits", until(`document.querySelector('[data-part="act"]').checkVisibility()`))
	do(t, ctx, "the address is a link to it",
		until(`/^#first&speed=80000&a=\d+:lag=64&b=\d+:lag=64,\d+:correction=vtrace$/.test(location.hash)`))
	ids := text(t, ctx, `localStorage["impalab-first"].split(" ")[0]`)
	do(t, ctx, "to the Lab", js(`{
		const lab = document.querySelector('[data-part="lab"]');
		lab.addEventListener("click", e => e.preventDefault());
		lab.click();
	}`))
	do(t, ctx, "the Lab", chromedp.Navigate(text(t, ctx, `document.querySelector('[data-part="lab"]').href`)), columns(2))
	if lab := text(t, ctx, kept+"[0]"); lab != ids {
		t.Errorf("the Lab has the runs %s, the first page had %s", lab, ids)
	}
}

func TestLinksLeadToEachExperimentAndBack(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+fast)
	follow := func(link string) chromedp.Action[chromedp.Void] {
		return js(fmt.Sprintf(`document.querySelector('.then a[href$="%s"]').click()`, link))
	}
	const measure = `document.querySelector('[data-part="measure"]').textContent`
	do(t, ctx, "the body", follow("#second"), until(`document.body.dataset.experiment === "second"`),
		until(`location.hash.startsWith("#second")`), until(measure+`.includes("each metre a second")`),
		until(`document.querySelector('[data-part="hint"]').textContent.includes("at 100")`),
		until(`Number(document.querySelector('[data-part="score"]').textContent) > 20`),
		until(`document.querySelector('[data-part="unit"]').textContent.endsWith("m/s")`),
		until(`document.querySelectorAll("[data-part=belt] .wheel").length === 0`)) // a body has none
	do(t, ctx, "the writers", follow("#third"), until(`document.body.dataset.experiment === "third"`),
		until(`location.hash.startsWith("#third")`), until(measure+` === "Share of the answer that is right"`),
		until(`/^[0-8]\/8$/.test(document.querySelector('[data-part="score"]').textContent)`),
		until(`document.querySelectorAll("[data-part=belt] .actor .tile").length === 2`),
		until(`document.querySelectorAll("[data-part=belt] .wheel").length === 0`))
	do(t, ctx, "the poles", follow("#first"), until(`document.body.dataset.experiment === "first"`),
		until(measure+` === "Steps the pole stays up"`), until(`document.querySelectorAll("[data-part=belt] .wheel").length > 0`))
}

// The third experiment, at several times its speed: one agent forgets how to spell, its tiles are outlines, and its
// score is the number of its right symbols. While the page waits, all is on one screen.
func TestTheThirdExperimentTellsOfTwoAgentsThatWrite(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	onEachPage(t, ctx, everSaid)
	open(t, ctx, url+"#third&speed=200000&theme=light")
	do(t, ctx, "a hand leads", until(`Number(document.documentElement.dataset.frames) > 0`), js(fmt.Sprintf(turn, 0)))
	do(t, ctx, "both have learned",
		until(`document.querySelector('[data-part="story"]').ariaLabel.match(/(0\.[89]|1\.0)\d/g)?.length === 2`))
	do(t, ctx, "the data become old", js(`document.querySelector('[data-part="act"]').click()`), at("held"),
		wasSaid("forgot how to spell"), until(`/^[0-8]\/8$/.test(document.querySelector('[data-learner=right] [data-part="score"]').textContent)`),
		until(`document.querySelector("[data-learner=right]").dataset.down === "true"`),
		until(`document.querySelector('[data-part="act"]').textContent === "Weigh its bad steps"`))
	for _, size := range []screen{{390, 844}, {360, 640}, {1024, 700}, {1366, 650}, {1920, 1080}} {
		resize(t, ctx, size.wide, size.high)
		do(t, ctx, "drawn", until(fmt.Sprintf(`innerWidth === %d`, size.wide)))
		if lost := text(t, ctx, whole); lost != "" {
			t.Errorf("%d×%d: not in sight: %s", size.wide, size.high, lost)
		}
	}
	do(t, ctx, "axe", js(axe))
	for _, theme := range []string{"light", "dark"} {
		do(t, ctx, theme, js(fmt.Sprintf(`top.axed = ""; document.documentElement.dataset.theme = %q`, theme)),
			js(violations+"; 0"), until(`!!top.axed`))
		if found := text(t, ctx, "top.axed"); found != "none" {
			t.Errorf("%s:\n%s", theme, found)
		}
	}
	do(t, ctx, "its bad steps are weighed", js(`document.querySelector('[data-part="act"]').click()`), at("mended"),
		until(`location.hash.includes(":correction=taper")`))
}

// turn is a script that moves the slider to a stop by hand.
const turn = `{
	const slider = document.querySelector("#lag");
	slider.value = %d;
	for (const event of ["input", "change"]) slider.dispatchEvent(new Event(event, {bubbles: true}));
}`

// whole is a script that returns which of hero, chart, belt, present step and button are not wholly in the window.
const whole = `["h1", ".story svg", ".belt", "#lag", '[data-step="now"]', '[data-part="act"]', '[data-part="lab"]'].filter(s => {
	const b = document.querySelector(s).getBoundingClientRect();
	return b.width < 40 || b.height < 20 || b.top < 0 || b.left < 0 || b.bottom > innerHeight + 1 ||
		b.right > innerWidth + 1;
}).join("; ") + (e => e.scrollHeight > e.clientHeight + 2 ? "; the present step is cut" : "")(
	document.querySelector('[data-step="now"]')) + (document.documentElement.scrollWidth > innerWidth ? "; scrolls sideways" : "")`

// While the page waits at the fall, it is on one screen and axe finds nothing.
func TestTheFirstPageByKeyboardAlone(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	lead(t, ctx, url+byHand+"&theme=light")
	focused := func(selector string) string { return `document.activeElement.matches('` + selector + `')` }
	tab := func(selector string) {
		t.Helper()
		for range 20 {
			if text(t, ctx, focused(selector)) == "true" {
				return
			}
			do(t, ctx, "Tab", chromedp.KeyEvent(kb.Tab))
		}
		t.Fatalf("Tab does not reach %s", selector)
	}
	tab("#lag")
	do(t, ctx, "they have learned", learned)
	for range 7 {
		do(t, ctx, "a stop on", chromedp.KeyEvent(kb.ArrowRight))
	}
	do(t, ctx, "the slider says it", until(`document.activeElement.getAttribute("aria-valuetext") === "64 updates"`),
		at("held"), until(`document.querySelector("#announce").textContent.includes("fell")`),
		until(`document.querySelector('[data-part="hint"]').textContent.includes("wait for you")`))
	for _, size := range []screen{{390, 844}, {360, 640}, {844, 390}, {683, 325}, {1024, 700}, {1366, 650},
		{1920, 1080}} {
		resize(t, ctx, size.wide, size.high)
		do(t, ctx, "drawn", until(fmt.Sprintf(`innerWidth === %d`, size.wide)))
		if lost := text(t, ctx, whole); lost != "" {
			t.Errorf("%d×%d: not in sight: %s", size.wide, size.high, lost)
		}
	}
	do(t, ctx, "axe", js(axe))
	for _, theme := range []string{"light", "dark"} {
		do(t, ctx, theme, js(fmt.Sprintf(`top.axed = ""; document.documentElement.dataset.theme = %q`, theme)),
			js(violations+"; 0"), until(`!!top.axed`))
		if found := text(t, ctx, "top.axed"); found != "none" {
			t.Errorf("%s:\n%s", theme, found)
		}
	}
	tab(`[data-part="act"]`)
	do(t, ctx, "Enter", chromedp.KeyEvent(kb.Enter), at("mended"))
	tab(`[data-verb="why"]`)
	do(t, ctx, "Why?", chromedp.KeyEvent(kb.Enter), until(`!document.querySelector("#why").hidden`),
		chromedp.KeyEvent(kb.Escape), until(`document.querySelector("#why").hidden`),
		until(`document.activeElement.matches('[data-verb="why"]')`))
}

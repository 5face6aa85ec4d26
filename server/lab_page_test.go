package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The Lab's second design in a real browser: it opens on two runs that part, the return is never low, and a fall moves
// nothing.

// pointAt moves the pointer to the middle of an element.
func pointAt(t *testing.T, ctx context.Context, selector string) {
	t.Helper()
	var x, y float64
	fmt.Sscan(text(t, ctx, `(() => { const b = document.querySelector(`+strconv.Quote(selector)+
		`).getBoundingClientRect(); return (b.left + b.right) / 2 + " " + (b.top + b.bottom) / 2; })()`), &x, &y)
	do(t, ctx, "point at "+selector, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
}

// openRows is a script that returns the rows of the Lab that are open, in reading
// order.
const openRows = `[...document.querySelectorAll("[data-row]")].filter(e => e.checkVisibility()).map(e => e.dataset.row).join()`

// openRow is a script that opens a folded row by its chip.
func openRow(row string) chromedp.Action[chromedp.Void] {
	return js(`document.querySelector('.shelf [data-unfold="` + row + `"]').click()`)
}

func TestTheLabOpensOnTwoRunsThatPart(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), window(t)
	resize(t, ctx, 1366, 650)
	open(t, ctx, url+"lab")
	const number = `Number(document.querySelector('[data-text="%s"]').textContent)`
	a, b := fmt.Sprintf(number, "return"), fmt.Sprintf(number, "beside-return-1")
	do(t, ctx, "two runs", columns(2),
		until(differ+` === "A and B have the same settings and seed" || `+differ+`.includes("orrection V-trace | none")`))
	do(t, ctx, "they part", until(a+" > 300 && "+b+" < 30"))
	t.Logf("they have parted %s s after the page was asked for", text(t, ctx, `(performance.now() / 1000).toFixed(1)`))
	boxes := `[...document.querySelectorAll(".plot, .row, .toolbar, .world, section.hand")].filter(e => e.checkVisibility()).map(
		e => Object.values(e.getBoundingClientRect().toJSON()).map(Math.round)).join(";")`
	before := text(t, ctx, boxes)
	do(t, ctx, "B is noted", until(noted), until(cross))
	if after := text(t, ctx, boxes); after != before {
		t.Errorf("the note moved something:\n%s\n%s", before, after)
	}
	if said := text(t, ctx, `document.querySelector('[data-text="fell"]').textContent`); !strings.HasPrefix(said, "B fell: 3") ||
		!strings.HasSuffix(said, " → 9") {
		t.Errorf("beside the cross it says %q", said)
	}
	if marks := text(t, ctx, `document.querySelector('[data-chart="return"]').textContent`); !strings.Contains(marks,
		"policy lag 0 → 8") || !strings.Contains(marks, "B: correction V-trace → none") {
		t.Errorf("the changes are named in %q", marks)
	}
	if got := text(t, ctx, openRows); got != "age-mean,cut-rho,correction-size,ess" {
		t.Errorf("the rows %s are open", got)
	}
}

// The belt above the knobs of a large Lab is a slider of the lag.
func TestALargeLabHasTheBeltAboveItsKnobs(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1440, 900)
	open(t, ctx, url+"lab#v=1&p=lag-cliff")
	const belt = `[data-at="knobs"] input`
	shows := func(poses string) chromedp.Action[chromedp.Void] {
		return until(`[...document.querySelectorAll('[data-at="knobs"] .waiting')].map(lane =>
			[...lane.querySelectorAll(".pose:not(.fill, .cart, .empty)")].map(p => p.getAttribute("d").split("M").length - 1)
				.reduce((a, b) => a + b, 0)).join() === "` + poses + `"`)
	}
	do(t, ctx, "one lane", shows("8"), chromedp.Focus(belt), chromedp.KeyEvent(kb.ArrowRight),
		until(fmt.Sprintf(force+` === "16"`, "lag")), shows("16"))
	resize(t, ctx, 1366, 650)
	do(t, ctx, "a laptop has no room for it", until(`!document.querySelector('`+belt+`').checkVisibility()`))
}

func TestATurnedKnobUnfoldsItsRow(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	open(t, ctx, url+"lab#v=1&p=lag-cliff&speed=4000")
	rows := func(want string) chromedp.Action[chromedp.Void] { return until(openRows + ` === "` + want + `"`) }
	do(t, ctx, "four", rows("age-mean,cut-rho,correction-size,ess"))
	do(t, ctx, "a chip", chromedp.Click(`[data-unfolds="kl"]`), rows("age-mean,cut-rho,correction-size,kl"))
	do(t, ctx, "c̄ of the histogram, by its link", chromedp.Click(`[data-unfolds="cut-c"]`),
		rows("age-mean,cut-rho,cut-c,kl"), until(`document.activeElement.closest("[data-row]")?.dataset.row === "cut-c"`))
	do(t, ctx, "the knob is in the row of its line", chromedp.KeyEvent(kb.ArrowRight), until(`(() => {
		const [a, b] = ['[data-chart="cut-c"]', '[data-key="c"] [data-part="slider"]'].map(
			s => document.querySelector(s).getBoundingClientRect());
		return a.top < b.bottom && b.top < a.bottom;
	})()`))
	do(t, ctx, "the search finds a knob that is folded", js(`document.querySelector(".shelf .all").click()`),
		chromedp.Focus(`[data-part="find"]`), chromedp.KeyEvent("replay mix"), until(`(`+openRows+`).includes("ess")`))
}

func TestAtMostOneQuestionMarkIsVisible(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	open(t, ctx, url+"lab#v=1&p=lag-cliff")
	asks := `[...document.querySelectorAll(".ask")].filter(e => e.checkVisibility({ visibilityProperty: true })).length`
	do(t, ctx, "none", until(asks+" === 0"))
	for _, at := range []string{`.row[data-row="cut-rho"] .knob`, `.return .gutter .small`, `.hand [data-key="algo"]`} {
		pointAt(t, ctx, at)
		do(t, ctx, at, until(asks+" === 1"))
	}
	pointAt(t, ctx, ".masthead")
	do(t, ctx, "by keyboard", chromedp.Focus(`[data-key="lag"] [data-part="number"]`),
		chromedp.KeyEvent(kb.Tab), until(`document.activeElement.dataset.help === "lag"`), until(asks+" === 1"))
}

func TestWatchShowsTheWorldsAndTheBeltInPlaceOfTheLanes(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1440, 900)
	open(t, ctx, url+"lab#v=1&p=lag-cliff&b=correction=none")
	do(t, ctx, "W", chromedp.KeyEvent("w"), until(`document.querySelector(".belted .belt").checkVisibility()`),
		until(`document.querySelectorAll(".belted .waiting").length === 2`),
		until(`document.querySelector(".belted input").getAttribute("aria-valuetext") === "8 updates"`),
		until(`[...document.querySelectorAll(".lane")].every(e => !e.checkVisibility())`),
		until(`document.querySelector('.row [data-key="lag"] [data-part="slider"]').checkVisibility()`))
	do(t, ctx, "Esc", chromedp.KeyEvent(kb.Escape), until(`!document.querySelector(".belted .belt").checkVisibility()`),
		until(`document.querySelector('[data-verb="watch"]').getAttribute("aria-pressed") === "false"`))
}

// A pointer over a chart reads it and holds nothing. A drag along the steps shows a part of them.
func TestThePointerReadsAChartAndEnlargesAPart(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	open(t, ctx, url+"lab#v=1&p=lag-cliff&b=correction=none&seed=6&speed=20000")
	do(t, ctx, "it learns", passes("20000"))
	const under, free = `document.querySelector('[data-part="under"]')`, `document.querySelector('[data-part="held"]').hidden`
	pointAt(t, ctx, `[data-chart="return"]`)
	do(t, ctx, "the return", until(`/^at [0-9.]+.?k: A [0-9.]+ B [0-9.]+$/.test(`+under+`.textContent)`), until(free))
	pointAt(t, ctx, `[data-chart="ess"]`)
	do(t, ctx, "a lane", until(`/^at [0-9.]+.?k: A [0-9]+% B [0-9]+%$/.test(`+under+`.textContent)`), until(free))
	pointAt(t, ctx, ".masthead")
	do(t, ctx, "away", until(under+".hidden"))

	const labels = `[...document.querySelectorAll('[data-chart="return"] .label')].map(e => e.textContent).join()`
	do(t, ctx, "a logarithmic scale", chromedp.KeyEvent("l"), until(`/,20,50,100,200/.test(`+labels+`)`),
		until(`document.querySelector('[data-verb="log"]').getAttribute("aria-pressed") === "true"`),
		chromedp.KeyEvent("l"), until(`!/,20,50,100,200/.test(`+labels+`)`))

	do(t, ctx, "drag", js(`{
		const axis = document.querySelector('[data-part="brush"]'), b = axis.getBoundingClientRect();
		const at = (type, share) => axis.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, buttons: 1,
			clientX: b.left + share * b.width, clientY: b.top + 5 }));
		at("pointerdown", .25); at("pointermove", .5); at("pointerup", .5);
	}`), until(`document.querySelector('[data-verb="whole"]').checkVisibility()`), until(`!`+labels+`.includes("0 steps,")`),
		until(free))
	do(t, ctx, "all of it", chromedp.Click(`[data-verb="whole"]`), until(labels+`.includes("0 steps")`),
		until(`document.querySelector('[data-verb="whole"]').hidden`))
}

package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Eight seeds and a heat map in a real browser, by keyboard alone.

const seedsSay = `document.querySelector('[data-text="seeds"]').textContent`

const sweepDone = `document.querySelector("#figure")?.dataset.state === "done"`

const onSweepsPage = `location.pathname.startsWith("/s/") && !!document.querySelector("#figure")`

// clean fails if axe finds something or a text is too small.
func clean(t *testing.T, url string) {
	t.Helper()
	ctx := browser(t)
	for _, size := range screens {
		resize(t, ctx, size.wide, size.high)
		do(t, ctx, "open", chromedp.Navigate(url), until(`document.readyState === "complete"`),
			js(`document.querySelector("#table").open = true`))
		fits(t, ctx, size.wide, fmt.Sprintf("the sweep at %dx%d", size.wide, size.high))
		if got := text(t, ctx, screenNames); got != leadsTo {
			t.Errorf("at %d it leads to %q, not %q", size.wide, got, leadsTo)
		}
	}
}

func TestEightSeedsAreDrawnWithTheirBandByKeyboard(t *testing.T) {
	atLeisure(t)
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=catch&seed=11")
	do(t, ctx, "8, and no curves come until all is over", js(`const get = window.fetch; window.fetch = (...what) =>
		String(what[0]).includes("/cells/") && !window.mended ? Promise.reject(new TypeError("lost")) : get(...what)`),
		press("8"), until(seedsSay+` === "8 seeds"`), js(`window.mended = true`),
		until(seedsSay+`.startsWith("8 seeds: ")`))
	do(t, ctx, "F5", chromedp.Reload(), until(`document.documentElement.dataset.ready === "true"`),
		until(seedsSay+`.startsWith("8 seeds: ")`),
		until(`document.querySelectorAll('[data-chart="return"] .line.seed').length === 8`))
	for what, want := range map[string]string{"area.ink": "1", "line.other": "1"} {
		got := text(t, ctx, fmt.Sprintf(`document.querySelectorAll('[data-chart="return"] .%s').length`, what))
		if got != want {
			t.Errorf("the Lab's chart has %s of %s, not %s", got, what, want)
		}
	}
	for _, size := range [][2]int64{{1366, 650}, {390, 844}} {
		resize(t, ctx, size[0], size[1])
		do(t, ctx, "resized", until(fmt.Sprintf(`innerWidth === %d`, size[0])))
		covers := text(t, ctx, `(() => {
			const legend = document.querySelector('[data-part="seeds"]').getBoundingClientRect();
			const curves = document.querySelector('[data-chart="return"]').getBoundingClientRect();
			return legend.height > 0 && legend.bottom > curves.top && legend.top < curves.bottom;
		})()`)
		if written := text(t, ctx, `document.querySelector('[data-chart="return"]').textContent`); covers != "false" ||
			strings.Contains(written, "seeds") {
			t.Errorf("%d×%d: the legend covers the curves: %s; in the chart: %q", size[0], size[1], covers, written)
		}
	}
	do(t, ctx, "their page", chromedp.Focus(`[data-part="seeds"] a`), chromedp.KeyEvent("\r"))
	lands(t, ctx, onSweepsPage)
	do(t, ctx, "it is filled", until(sweepDone))
	for what, want := range map[string]string{
		`document.querySelectorAll('.broad .seed').length`:                                            "8",
		`document.querySelectorAll('.broad .area').length`:                                            "1",
		`document.querySelectorAll('aside .members a').length`:                                        "8",
		`document.querySelector('aside .members a').textContent`:                                      "11",
		`document.querySelector("#title").textContent`:                                                "Catch over 8 seeds",
		`document.querySelector("progress").value`:                                                    "8",
		`document.querySelector(".caption").textContent.includes("n = 8 seeds, never over episodes")`: "true",
	} {
		if got := text(t, ctx, what); got != want {
			t.Errorf("%s is %q, not %q", what, got, want)
		}
	}
	clean(t, text(t, ctx, "location.href"))
}

// sweepFields returns a function that types a value into a field of the dialog for sweeps.
func sweepFields(t *testing.T, ctx context.Context) func(part, value string) {
	return func(part, value string) {
		t.Helper()
		do(t, ctx, part, chromedp.Focus(`[data-part="sweep-`+part+`"]`), js(`document.activeElement.select()`),
			chromedp.KeyEvent(value))
	}
}

func TestAHeatMapFillsAndIsWalkedByKeyboard(t *testing.T) {
	atLeisure(t)
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=catch&seed=3")
	field := sweepFields(t, ctx)
	do(t, ctx, "G", press("g"), until(`document.querySelector("#sweep").open`))
	if got := text(t, ctx, `document.querySelector('[data-part="sweep-values-1"]').value`); got != "0, 1, 4, 16, 64" {
		t.Errorf("values %q are proposed for the lag", got)
	}
	field("values-1", "0, -4")
	field("values-2", "0.5, inf")
	field("seeds", "1-2")
	field("steps", "30000\r")
	do(t, ctx, "it is refused", until(`document.querySelector('[data-part="sweep-error"]').textContent.includes('lag="-4"')`))
	field("values-1", "0, 4, 16\r")
	lands(t, ctx, onSweepsPage)
	do(t, ctx, "its page",
		until(`document.querySelectorAll("[data-number]").length === 6`),
		until(`document.querySelector('[data-state="done"] rect') !== null`), until(sweepDone),
		until(`document.querySelectorAll('.heat [data-state="done"]').length === 6`))
	do(t, ctx, "to a cell", chromedp.Focus("#cell-3"), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowDown),
		until(`document.activeElement.id === "cell-1"`), chromedp.KeyEvent("\r"),
		until(`document.querySelector("aside h2").textContent === "Policy lag 4, ρ̄ 0.5"`),
		until(`document.activeElement.id === "cell-1"`))
	if link := text(t, ctx, "location.search"); link != "?cell=1" {
		t.Errorf("the address says %q", link)
	}
	run := text(t, ctx, `document.querySelector("aside .members a").getAttribute("href")`)
	if !strings.HasPrefix(run, "/r/") {
		t.Errorf("the cell leads to %q", run)
	}
	do(t, ctx, "F5", chromedp.Reload(), until(`document.querySelector("aside h2")?.textContent === "Policy lag 4, ρ̄ 0.5"`))
	clean(t, text(t, ctx, "location.href"))
}

func TestAChartOverASettingIsWalkedByKeyboard(t *testing.T) {
	atLeisure(t)
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=catch&seed=3")
	field := sweepFields(t, ctx)
	do(t, ctx, "G", press("g"), until(`document.querySelector("#sweep").open`))
	do(t, ctx, "the size of the proposal", until(`document.querySelector('[data-part="sweep-runs"]').textContent === "200 runs"`))
	field("values-1", "0, 4, 16")
	do(t, ctx, "no second setting", js(`const second = document.querySelector('[data-part="sweep-key-2"]');
		second.value = ""; second.dispatchEvent(new Event("change", { bubbles: true }))`),
		until(`document.querySelector('[data-part="sweep-runs"]').textContent === "24 runs"`))
	field("seeds", "1-3")
	field("steps", "30000\r")
	lands(t, ctx, onSweepsPage)
	const shown = `[...document.querySelectorAll("[data-chart=over]")].filter((c) => c.getClientRects().length > 0)[0]`
	do(t, ctx, "it is filled", until(sweepDone),
		until(shown+`.querySelectorAll(".interval").length === 3`))
	do(t, ctx, "to the second value and the third", js(shown+`.querySelector("[aria-current]").focus()`),
		chromedp.KeyEvent(kb.ArrowRight), until(`document.querySelector("aside h2").textContent === "Policy lag 4"`),
		until(`document.activeElement.dataset.number === "1" && document.activeElement.getAttribute("aria-current") === "true"`),
		chromedp.KeyEvent(kb.ArrowRight), until(`document.querySelector("aside h2").textContent === "Policy lag 16"`),
		until(`document.querySelectorAll("#figure .chosen").length === 3`))
	do(t, ctx, "the curves", js(`document.querySelector("[data-view=curves][href]").click()`),
		until(`document.querySelectorAll(".broad[data-chart=curves] .line:not(.seed)").length === 3`),
		until(`location.search === "?cell=2&view=curves"`), chromedp.Reload(),
		until(`document.querySelector("[data-view=curves][aria-current]") !== null`))
	clean(t, text(t, ctx, `location.href.replace("&view=curves", "")`))
}

func TestASweepIsCancelledByKeyboard(t *testing.T) {
	atLeisure(t)
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=cartpole&steps=100000000")
	do(t, ctx, "8 in the Lab", press("8"), until(seedsSay+`.startsWith("0 of 8 seeds done")`),
		chromedp.Focus(`[data-part="seeds-cancel"]`), chromedp.KeyEvent("\r"), until(seedsSay+`.includes("stopped")`),
		until(`document.querySelector('[data-part="seeds-cancel"]').hidden`))
	do(t, ctx, "8 once more, on its page", press("8"), until("!"+seedsSay+`.includes("stopped")`),
		chromedp.Focus(`[data-part="seeds"] a`), chromedp.KeyEvent("\r"))
	lands(t, ctx, onSweepsPage)
	do(t, ctx, "X", until(`document.querySelector("#cancel")?.hidden === false`), press("x"),
		until(`document.querySelector("#figure").dataset.state === "stopped"`),
		until(`document.querySelector("#cancel") === null`))
}

// A visitor guesses by keyboard where agents fall, and the map that its runs make compares the guess. Runs are short
// here.
func TestAGuessIsMadeBeforeTheMap(t *testing.T) {
	url, ctx := serve(t), browser(t)
	do(t, ctx, "the empty map", chromedp.Navigate(url+"staleness"),
		until(`document.querySelector('[data-part="size"]').textContent.includes("112 M steps")`))
	do(t, ctx, "the line is moved", chromedp.Focus("#line"), chromedp.KeyEvent(kb.Home),
		until(`document.querySelector('[data-part="product"]').textContent === ".00049"`),
		until(`document.querySelector('[data-part="means"]').textContent.includes("not even fresh data")`))
	for range 16 * 5 {
		do(t, ctx, "a step", chromedp.KeyEvent(kb.ArrowRight))
	}
	do(t, ctx, "five doublings on", until(`document.querySelector('[data-part="run"]').textContent === "My line is .016: run them"`))
	do(t, ctx, "the server is gone", js(`const get = window.fetch; window.asks = window.fetch; window.fetch = () => Promise.reject(new TypeError("lost")); 0`),
		chromedp.Focus(`[data-part="run"]`), chromedp.KeyEvent("\r"),
		until(`document.querySelector('[data-part="refused"]').textContent === "The server does not answer. Try again."`))
	do(t, ctx, "four cells of short runs", js(`window.fetch = (where, what) => {
		const keys = JSON.parse(what.body).keys.map((a) => ({ ...a, values: a.values.slice(0, 2) }));
		const body = JSON.stringify({ ...JSON.parse(what.body), keys, steps: 1000, seeds: "1-2" });
		return window.asks(where, { ...what, body });
	}; 0`), chromedp.KeyEvent("\r"))
	lands(t, ctx, onSweepsPage)
	do(t, ctx, "its map", until(sweepDone), until(`document.querySelectorAll(".broad [data-number]").length === 4`))
	if search := text(t, ctx, "location.search"); search != "?guess=.016" {
		t.Errorf("the address says %q", search)
	}
	if says := text(t, ctx, `document.querySelector("aside .says").textContent`); !strings.HasPrefix(says, "You drew .016: ") {
		t.Errorf("it says %q", says)
	}
	do(t, ctx, "a cell", js(`[...document.querySelectorAll('.broad [aria-current="true"]')][0].focus()`),
		chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.ArrowRight),
		until(`document.querySelector("#cell").textContent === "Policy lag 2, learning rate 0.00025"`),
		until(`document.activeElement.dataset.number === "3"`))
	clean(t, text(t, ctx, "location.href"))
}

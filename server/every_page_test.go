package main

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Promises that every page keeps.

// visit opens a page and waits until it is complete. A page with a client waits for the client too.
func visit(t *testing.T, ctx context.Context, url string) {
	t.Helper()
	do(t, ctx, "leave", chromedp.Navigate("about:blank"))
	do(t, ctx, "open "+url, chromedp.Navigate(url))
	lands(t, ctx, `!!document.querySelector(".masthead") && (!document.querySelector("#stage, script[data-client]") ||
		document.documentElement.dataset.ready === "true")`)
}

func TestAxeFindsNothingAndNoTextIsSmallOnAnyPage(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	for _, path := range sites(t, url) {
		for _, size := range []screen{screens[0], screens[2]} {
			resize(t, ctx, size.wide, size.high)
			visit(t, ctx, url+path)
			fits(t, ctx, size.wide, fmt.Sprintf("/%s at %dx%d", path, size.wide, size.high))
		}
	}
}

// shifts is a script that adds up how far a page's parts move without a visitor's doing.
const shifts = `if (top === self) { top.shifted = 0; top.shiftedBy = new Set(); new PerformanceObserver(list => {
	for (const e of list.getEntries()) if (!e.hadRecentInput) {
		top.shifted += e.value;
		for (const s of e.sources) top.shiftedBy.add(s.node?.outerHTML?.slice(0, 60) ?? s.node?.textContent);
	}
}).observe({type: "layout-shift", buffered: true}) }`

func TestNoPageShiftsAsItOpens(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	const most = .02
	url, ctx := serve(t), browser(t)
	onEachPage(t, ctx, shifts)
	for _, path := range sites(t, url) {
		for _, size := range []screen{screens[0], screens[2]} {
			resize(t, ctx, size.wide, size.high)
			visit(t, ctx, url+path)
			do(t, ctx, "it settles", js(`top.frames = 0; (function more() { if (++top.frames < 90) requestAnimationFrame(more) })()`),
				until(`top.frames === 90`))
			if moved, err := strconv.ParseFloat(text(t, ctx, `top.shifted`), 64); err != nil || moved >= most {
				t.Errorf("/%s at %dx%d shifts by %.3f: %s", path, size.wide, size.high, moved,
					text(t, ctx, `[...top.shiftedBy].join("; ")`))
			}
		}
	}
}

// stops marks the elements that Tab should reach. A radio group and a group with one tab stop have one such element.
const stops = `(() => {
	const seen = new Set();
	const all = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]");
	top.stops = [...all].filter(e => {
		if (e.tabIndex < 0 || e.disabled || !e.checkVisibility({visibilityProperty: true})) return false;
		if (e.type !== "radio") return true;
		const group = document.querySelector('input[name="' + e.name + '"]:checked') ?? e.name;
		return group === e || typeof group === "string" && !seen.has(group) && seen.add(group);
	});
	return top.stops.length;
})()`

// unreached is a script that returns the elements that Tab should have reached.
const unreached = `top.stops.filter(e => !top.reached.has(e) && e.isConnected && e.checkVisibility()).map(
	e => e.outerHTML.slice(0, 80)).join("; ")`

func TestTabReachesEverythingOnEveryPage(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	for _, path := range sites(t, url) {
		visit(t, ctx, url+path)
		n, _ := strconv.Atoi(text(t, ctx, stops))
		do(t, ctx, "watch the focus", js(`top.reached = new Set(); top.unseen = new Set();
			document.addEventListener("focusin", e => {
				top.reached.add(e.target);
				if (!e.target.matches(":focus-visible")) top.unseen.add(e.target.outerHTML.slice(0, 80));
			})`))
		for range n + n/2 + 8 { // some appear meanwhile
			do(t, ctx, "Tab", chromedp.KeyEvent(kb.Tab))
		}
		if lost := text(t, ctx, unreached); lost != "" {
			t.Errorf("/%s: Tab does not reach %s", path, lost)
		}
		if unseen := text(t, ctx, `[...top.unseen].join("; ")`); unseen != "" {
			t.Errorf("/%s: the focus is not seen on %s", path, unseen)
		}
	}
}

package main

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// axe-core 4.10.2 as published, by Deque Systems under the Mozilla Public License 2.0: the usual rules for pages that
// everybody can use.
//
//go:embed testdata/axe.min.js
var axe string

// violations is a script that returns the violations that axe finds on the page.
const violations = `axe.run(document, { resultTypes: ["violations"], iframes: false }).then(r => top.axed =
	r.violations.map(v => v.id + ": " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 120)).join(" | ")).join("\n") ||
	"none")`

// looked returns the tested screens: a laptop and a phone, and in make check all of them.
func looked() []screen {
	if slow {
		return screens
	}
	return []screen{screens[0], screens[2]}
}

func TestAxeFindsNothing(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	for _, size := range looked() {
		resize(t, ctx, size.wide, size.high)
		do(t, ctx, "leave", chromedp.Navigate("about:blank"))
		open(t, ctx, url+"lab#v=1&p=cartpole&lag=4&theme=light")
		fits(t, ctx, size.wide, fmt.Sprintf("the Lab at %dx%d", size.wide, size.high))
	}
}

// smallText is a script that returns the visible texts smaller than 13 pixels. A scaled drawing scales its texts too.
const smallText = `(() => {
	const out = new Set();
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let n; n = walk.nextNode();) {
		const e = n.parentElement;
		if (!n.data.trim() || /^(SCRIPT|NOSCRIPT|STYLE|OPTION)$/.test(e.tagName)) continue;
		let size = parseFloat(getComputedStyle(e).fontSize);
		if (e.closest("svg")) {
			if (!e.checkVisibility()) continue;
			size *= e.getScreenCTM().a;
		}
		if (size < 12.9) out.add(size + "px: " + n.data.trim().slice(0, 40));
	}
	return [...out].slice(0, 8).join("; ");
})()`

// beyond is a script that returns the elements that reach beyond a width and are not in a scrolling part. A page that
// is too wide also makes the viewport of an emulated phone wider, so the page's width alone does not show it.
const beyond = `(() => {
	const scrolls = e => e && e !== document.body &&
		(getComputedStyle(e).overflowX !== "visible" || scrolls(e.parentElement));
	return [...document.querySelectorAll("body *")].filter(e => e.offsetParent && !scrolls(e.parentElement) &&
		!e.closest(".visually-hidden") && e.getBoundingClientRect().right > %d + 1)
		.map(e => e.outerHTML.slice(0, 80)).slice(0, 3).join(" | ");
})()`

// fits fails if axe finds something, a text is too small, or the page reaches beyond a screen of this width.
func fits(t *testing.T, ctx context.Context, wide int64, what string) {
	t.Helper()
	do(t, ctx, "axe", js(axe))
	themes := []string{"light"} // they differ in colours only: the dark one is tested on laptops alone
	if wide == screens[0].wide {
		themes = append(themes, "dark")
	}
	for _, theme := range themes {
		do(t, ctx, theme, js(fmt.Sprintf(`top.axed = ""; document.documentElement.dataset.theme = %q`, theme)),
			js(violations+"; 0"), until(`!!top.axed`))
		if found := text(t, ctx, "top.axed"); found != "none" {
			t.Errorf("%s, %s:\n%s", what, theme, strings.TrimSpace(found))
		}
	}
	if out := text(t, ctx, fmt.Sprintf(beyond, wide)); out != "" {
		t.Errorf("%s reaches beyond the screen: %s", what, out)
	}
	if small := text(t, ctx, smallText); small != "" {
		t.Errorf("%s: below 13 px: %s", what, small)
	}
}

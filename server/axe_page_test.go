package main

import (
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

// themes returns the themes to test on a screen of this width. They differ in colours only, so the dark one is tested
// on laptops alone.
func themes(wide int64) []string {
	if wide == screens[0].wide {
		return []string{"light", "dark"}
	}
	return []string{"light"}
}

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
		do(t, ctx, "axe", js(axe))
		for _, theme := range themes(size.wide) {
			do(t, ctx, theme, until(fmt.Sprintf(`document.documentElement.dataset.theme === %q`, theme)),
				js(violations+"; 0"), until(`!!top.axed`))
			if found := text(t, ctx, "top.axed"); found != "none" {
				t.Errorf("%s at %dx%d:\n%s", theme, size.wide, size.high, strings.TrimSpace(found))
			}
			do(t, ctx, "the next theme", js(`top.axed = ""; document.querySelector('[data-verb="theme"]').click()`))
		}
	}
}

//go:build slow

package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A visitor finds a world in the gallery by a word and starts its run by keyboard. axe finds nothing in either theme.
func TestTheGalleryLeadsToARun(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	for _, size := range looked() {
		resize(t, ctx, size.wide, size.high)
		do(t, ctx, "gallery", chromedp.Navigate(url+"gallery"), until(`!document.querySelector('[data-part="find"]').hidden`))
		fits(t, ctx, size.wide, fmt.Sprintf("the gallery at %dx%d", size.wide, size.high))
	}
	do(t, ctx, "a word", chromedp.SendKeys(`[type=search]`, "treasure"),
		until(`document.querySelectorAll("main li:not([hidden])").length === 1`),
		until(`document.querySelector('[data-part="found"]').textContent === "1 found"`))
	open(t, ctx, text(t, ctx, `document.querySelector("main li:not([hidden]) a").href`))
	if at := text(t, ctx, "location.hash"); !strings.Contains(at, "p=deep-sea") {
		t.Errorf("the run is %q", at)
	}
}

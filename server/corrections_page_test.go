package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The page of the corrections by keyboard, on a laptop and on a phone.
func TestTheCorrectionsMoveWithTheLagAndWithTheirNumbers(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	say := func(row string) string {
		return fmt.Sprintf(`document.querySelector('#%s [data-part="counts"]').textContent`, row)
	}
	curve := `document.querySelector('#band [data-part="good"]').getAttribute("d")`
	do(t, ctx, "open", chromedp.Navigate(url+"corrections"), until(`document.readyState === "complete"`))
	late, first := text(t, ctx, say("clip")), text(t, ctx, curve)
	do(t, ctx, "lag 0", chromedp.Focus("#lag"), chromedp.KeyEvent(kb.Home),
		until(say("clip")+` === "160 as likely"`), until(say("none")+` === "160 as likely"`),
		until(say("moment")+` === "160 as likely"`))
	do(t, ctx, "lag 64", chromedp.KeyEvent(kb.End), until(`location.search === "?lag=64"`),
		until(say("clip")+` !== "160 as likely"`), until(say("clip")+fmt.Sprintf(` !== %q`, late)))
	do(t, ctx, "floor", chromedp.Focus(`#band [data-key="floor"]`), chromedp.KeyEvent(kb.ArrowRight),
		until(curve+fmt.Sprintf(` !== %q`, first)), until(`location.search === "?lag=64&band.floor=0.53"`),
		until(`document.querySelector('#band [data-part="run"]').hash.includes("lag=64&correction=band&floor=0.53&b=")`))
	do(t, ctx, "the address restores it", chromedp.Reload(), until(`document.readyState === "complete"`),
		until(`document.querySelector('#band [data-of="floor"]').textContent === "0.53"`),
		until(`document.querySelector("#lag").value === "7"`))
	do(t, ctx, "back", chromedp.Click(`#band [data-act="default"]`), until(curve+fmt.Sprintf(` === %q`, first)))
	do(t, ctx, "filter", chromedp.Click(`[data-look="difference"]`),
		until(`[...document.querySelectorAll("#rows article:not(.off)")].map(e => e.id).join() === "shift"`),
		chromedp.Click(`[data-look=""]`), until(`!document.querySelector("#rows article.off")`))
	level := func(name string) chromedp.Action[chromedp.Void] {
		return js(`[...document.querySelectorAll('[data-to="` + name + `"]')].find(e => e.checkVisibility()).click()`)
	}
	aka := `document.querySelector("#band .aka > span:not([hidden])").textContent.trim()`
	step := text(t, ctx, say("band"))
	do(t, ctx, "the product of a response", level("response"), until(aka+` === "Seq-MIS"`),
		until(`location.search.includes("level=response")`), until(say("band")+fmt.Sprintf(` !== %q`, step)),
		until(`document.querySelector("#none").matches(".lacks") && document.querySelector('#band [data-part="under"]').textContent.startsWith("+")`),
		until(`document.querySelector('#band [data-part="run"]').hash.includes("ratio=response")`),
		until(`document.querySelector("#one-step .returns").innerText.includes("CartPole") && document.querySelector("#band .returns").innerText.includes("not measured yet")`))
	do(t, ctx, "a number of it", chromedp.Focus(`#band [data-key="floor"]`), chromedp.KeyEvent(kb.ArrowRight),
		until(`document.querySelector('#band [data-part="run"]').hash.includes("floor=0.53&")`),
		until(`document.querySelector('#band [data-part="run"]').hash.includes("ratio=response")`))
	do(t, ctx, "the mean", level("mean"), until(aka+` === "geometric MIS"`),
		until(`document.querySelector('#band [data-of="floor"]').textContent === "0.53"`),
		chromedp.Click(`#band [data-act="default"]`), level("step"), until(say("band")+fmt.Sprintf(` === %q`, step)))
	dots := `[...document.querySelectorAll("#band .big [data-dots]")].reduce((n, p) => n + (p.getAttribute("d").match(/h0/g) ?? []).length, 0)`
	do(t, ctx, "a row opens", chromedp.Focus(`#band [data-act="open"]`), chromedp.KeyEvent(kb.Enter),
		until(dots+` === 160`), until(`location.search.includes("open=band")`),
		until(`document.querySelector('#band [data-act="open"]').getAttribute("aria-expanded") === "true"`),
		until(`document.querySelector("#band .opened").innerText.includes("slime")`))
	do(t, ctx, "another", js(`document.querySelector('#clip [data-act="open"]').click()`),
		until(`document.querySelectorAll(".opened:not([hidden])").length === 1 && document.querySelector("#band .big") === null`))
	do(t, ctx, "T", press("t"), until(`document.querySelector("#table").open && document.activeElement.matches("#table summary")`),
		until(`document.querySelector('#table [data-form="clip"] [data-part="counts"]').textContent === `+say("clip")))
	do(t, ctx, "names for screen readers",
		until(`[...document.querySelectorAll(".plot")].every(e => e.getAttribute("aria-label").includes("Of a batch 64 updates old: "))`),
		until(`document.querySelector('#clip [data-key="clip-high"]').getAttribute("aria-valuetext").startsWith("0.28, ")`))
	fits(t, ctx, 1366, "the corrections")
	if n := pages(t, ctx); n != 2 {
		t.Errorf("the print has %d pages, want 2", n)
	}
	if got := text(t, ctx, `performance.getEntriesByType("resource").filter(e => /wasm/.test(e.name)).length`); got != "0" {
		t.Errorf("the page fetches the client")
	}
	resize(t, ctx, 390, 844)
	fits(t, ctx, 390, "the corrections on a phone")

	const address = `document.querySelector('[data-part="address"]').textContent`
	for query, want := range map[string]string{
		"lag=5":        "lag=5: there are batches of the lags 0, 1, 2, 4, 8, 16, 32, 64; 16 is shown.",
		"lag=":         "lag=: there are batches",
		"level=token":  "level=token: a ratio is of a step, response, mean; that of a step is shown.",
		"looks=x":      "looks=x: there is no such filter; all corrections are shown.",
		"open=icepop":  "open=icepop: there is no such correction; their names are none, clip,",
		"icepop.x=1":   "icepop.x=1: there is no such correction",
		"band.rho=1":   "band.rho=1: this correction has band.floor and band.ceiling.",
		"none.floor=1": "none.floor=1: this correction has no numbers.",
	} {
		do(t, ctx, query, chromedp.Navigate(url+"corrections?"+query), until(fmt.Sprintf(address+`.startsWith(%q)`, want)))
	}

	const refused = `document.querySelector('#band [data-part="refused"]')`
	unheard := unwatched(t) // the refusal is an error in its console
	do(t, unheard, "a senseless number", chromedp.Navigate(url+"corrections?band.floor=9"),
		until(refused+`.checkVisibility() && `+refused+`.textContent.includes("set a floor of at most the ceiling")`),
		until(`!document.querySelector("#band .opened").hidden && document.querySelector('#band [data-of="floor"]').textContent === "0.5"`))
}

// pages returns how many pages the print of a page has.
func pages(t *testing.T, ctx context.Context) (n int) {
	t.Helper()
	do(t, ctx, "print", chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		printed, err := cdp.Call(ctx, target, page.PrintToPDF, page.PrintToPDFParams{PrintBackground: new(true),
			PreferCSSPageSize: new(true)})
		if err != nil {
			return err
		}
		n = strings.Count(string(printed.Data), "/Type /Page\n")
		return nil
	}))
	return n
}

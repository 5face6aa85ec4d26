package main

import (
	"fmt"
	"testing"

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
	fits(t, ctx, 1366, "the corrections")
	resize(t, ctx, 390, 844)
	fits(t, ctx, 390, "the corrections on a phone")

	const refused = `document.querySelector('#band [data-part="refused"]')`
	unheard := unwatched(t) // the refusal is an error in its console
	do(t, unheard, "a senseless number", chromedp.Navigate(url+"corrections?band.floor=9"),
		until(refused+`.checkVisibility() && `+refused+`.textContent.includes("set a floor of at most the ceiling")`))
}

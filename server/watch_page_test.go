package main

import (
	"context"
	"fmt"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// The watched world in a real browser: where it is played, and who plays it.

// countMessages counts what comes over the websocket, by the type byte of package wire.
const countMessages = `top.came ??= {};
window.WebSocket = class extends WebSocket {
	constructor(url) {
		super(url);
		this.addEventListener("message", (e) => { const t = new Uint8Array(e.data)[1]; top.came[t] = (top.came[t] ?? 0) + 1 });
	}
}`

const framesCame, weightsCame = "(came[21] ?? 0)", "(came[25] ?? 0)"

// counting makes a browser that counts messages in every page it opens.
func counting(t *testing.T, ctx context.Context) {
	t.Helper()
	do(t, ctx, "a page to begin with", chromedp.Navigate("about:blank"))
	script := cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: countMessages}
	if _, err := chromedp.Call(ctx, cdppage.AddScriptToEvaluateOnNewDocument, script); err != nil {
		t.Fatal(err)
	}
}

func TestThePagePlaysTheWorldItselfWithLentParameters(t *testing.T) {
	url, ctx := serve(t), browser(t)
	counting(t, ctx)
	open(t, ctx, url+"#v=1&p=catch")
	do(t, ctx, "parameters come", until(weightsCame+" > 1"), until(`document.querySelector("#watch").value === "here"`))
	before := text(t, ctx, framesCame)
	shown := text(t, ctx, "document.documentElement.dataset.frames")
	do(t, ctx, "it plays", until(fmt.Sprintf(`Number(document.documentElement.dataset.frames) > %s + 20`, shown)),
		until(`document.querySelector('[data-text="ratio"]').textContent === "1.00"`))
	if after := text(t, ctx, framesCame); after != before {
		t.Errorf("the server's frames went from %s to %s while the page played", before, after)
	}
	do(t, ctx, "the server's copy", chromedp.Focus("#watch"), chromedp.KeyEvent("t"), until(`document.querySelector("#watch").value === "server"`),
		until(framesCame+" > 10"))
	lent := text(t, ctx, weightsCame)
	do(t, ctx, "frames go on", until(fmt.Sprintf("%s > %s + 20", framesCame, text(t, ctx, framesCame))))
	if after := text(t, ctx, weightsCame); after != lent {
		t.Errorf("parameters were lent %s times, then %s, to a page that watches the server", lent, after)
	}
}

func TestANetworkTooLargeToTravelIsPlayedByTheServerAndThePageSaysSo(t *testing.T) {
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"#v=1&p=catch&hidden=512-512")
	do(t, ctx, "it says so", until(`document.querySelector('[data-part="watch-note"]').textContent.includes("parameters")`),
		until(`document.querySelector("#watch").disabled`))
}

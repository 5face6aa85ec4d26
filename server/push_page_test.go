package main

import (
	"testing"

	"github.com/chromedp/chromedp"
)

func TestAClickPushesTheBodyThatThePagePlays(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	const notice = `document.querySelector("#notice").textContent`
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=impala-walker&speed=4000")
	do(t, ctx, "the page plays", until(`document.querySelector("#watch").value === "here"`),
		until(`Number(document.documentElement.dataset.frames) > 20`))
	if hidden := text(t, ctx, `document.querySelector("#notice").hidden`); hidden != "true" {
		t.Errorf("before the click the page says %q", text(t, ctx, notice))
	}
	click := js(`{
		const inside = document.querySelector("#stage").contentDocument;
		inside.querySelector("canvas").dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: 40, clientY: 90 }));
	}`)
	do(t, ctx, "a click", click, until(notice+`.includes("You pushed the copy that you watch")`))
	do(t, ctx, "the server's copy", unfold, chromedp.Focus("#watch"), chromedp.KeyEvent("o"),
		until(`document.querySelector("#watch").value === "server"`), click,
		until(notice+`.includes("a click pushes the agent")`))
}

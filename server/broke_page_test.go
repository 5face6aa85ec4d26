package main

import (
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A run that falls pauses itself, in the Lab alone, and leads to what came before.
func TestTheLabPausesWhereARunFalls(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), window(t)
	open(t, ctx, url+"lab#v=1&p=lag-cliff&correction=none&seed=7&speed=40000")
	words := func(name string) string {
		return text(t, ctx, `document.querySelector('[data-text="`+name+`"]').textContent`)
	}
	do(t, ctx, "it falls", until(`document.querySelector('[data-part="broke"]').checkVisibility()`),
		until(`document.body.dataset.state === "paused"`), until(`document.querySelector("#announce") !== null`),
		until(`/^It fell: [0-9.]+ → [0-9.]+, from update \d+ on\.$/.test(document.querySelector('[data-text="broke"]').textContent)`))
	if sign := words("sign"); sign == "" {
		t.Error("it does not say what could be seen first")
	}
	fell, _ := strconv.Atoi(text(t, ctx, `document.querySelector('[data-text="broke"]').textContent.match(/update (\d+)/)[1]`))
	do(t, ctx, "before", chromedp.Click(`[data-verb="look-back"]`),
		until(`document.querySelector('[data-text="moment"]').textContent.endsWith("held")`))
	held := `document.querySelector('[data-part="tape"]').getAttribute("aria-valuetext").match(/update (\d+)/)[1]`
	at, _ := strconv.Atoi(text(t, ctx, held))
	if at > fell-18 || at < fell-30 {
		t.Errorf("it fell from update %d on, and leads to update %d", fell, at)
	}
	next := strconv.Itoa(at + 1)
	do(t, ctx, "the next update, before it has been made again", chromedp.KeyEvent(kb.ArrowRight),
		until(held+` === "`+next+`"`))
	do(t, ctx, "it was made again", until(`document.querySelector('[data-text="updates"]').textContent ===
		document.querySelector('[data-text="moment"]').textContent.match(/update ([0-9 ]+)/)[1]`))
	do(t, ctx, "axe", js(axe), js(violations+"; 0"), until(`!!top.axed`))
	if found := text(t, ctx, "top.axed"); found != "none" {
		t.Error(found)
	}
	do(t, ctx, "it goes on, and is not paused again", chromedp.Click(`[data-verb="put-away"]`),
		until(`!document.querySelector('[data-part="broke"]').checkVisibility()`), chromedp.Click(`[data-verb="play"]`),
		until(`document.body.dataset.state === "running"`), js(`top.then = Date.now(); 0`),
		until(`Date.now() > top.then + 1500 && document.body.dataset.state === "running"`))
}

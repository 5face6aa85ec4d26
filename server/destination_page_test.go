package main

import (
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// figureOf is the number that the ruler writes for a flag.
func figureOf(tone string) string {
	return `document.querySelector("[data-part=ruler] .figure.` + tone + `")?.textContent`
}

// Three exact values and the present one stand on a ruler. Turning ρ̄, by its slider or by its ring, moves the green
// flag in the same frame.
func TestTheRulerOfDestinationsFollowsRhoBar(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	open(t, ctx, url+"lab#v=1&p=destination&speed=8000")
	do(t, ctx, "the exact values", until(figureOf("mu")+` === ".127"`), until(figureOf("corrected")+` === ".277"`),
		until(figureOf("pi")+` === ".485"`), until(`/^now \.\d{3}$/.test(document.querySelector("[data-part=ruler] .says").textContent)`))
	if got := text(t, ctx, `document.querySelector("[data-lane=return]").checkVisibility()`); got != "false" {
		t.Error("the return of a fixed policy is in view")
	}
	do(t, ctx, "ρ̄ goes down", js(`{
		const slider = document.querySelector('[data-key="rho"] [data-part=slider]');
		slider.value = 0;
		slider.dispatchEvent(new Event("input", { bubbles: true }));
		requestAnimationFrame(() => { top.next = `+figureOf("corrected")+` });
	}`), until(`"next" in top`))
	if drawn := text(t, ctx, "top.next"); drawn >= ".277" {
		t.Errorf("a frame after ρ̄ went down the green flag says %s", drawn)
	}
	do(t, ctx, "ρ̄ 1", chromedp.Focus(`[data-key="rho"] [data-part="number"]`), js(`document.activeElement.select()`),
		chromedp.KeyEvent("1\r"), until(figureOf("corrected")+` === ".277"`))
	place := func(of string) float64 {
		x, err := strconv.ParseFloat(text(t, ctx, `(() => {
			const b = document.querySelector("[data-part=ring]").getBoundingClientRect();
			return `+of+`;
		})()`), 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	x, y := place("b.x + b.width / 2"), place("b.y + b.height / 2")
	do(t, ctx, "drag the ring", chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x, y, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x+60, y, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x+60, y, chromedp.ButtonLeft),
		until(`Number(document.querySelector('[data-key="rho"] [data-part="number"]').value) > 1`),
		until(`document.querySelector('[data-key="rho"]').dataset.state === "idle"`), until(figureOf("corrected")+` > ".3"`))
	do(t, ctx, "the return", chromedp.Click("[data-part=returns]"),
		until(`document.querySelector("[data-lane=return]").checkVisibility()`), chromedp.Click("[data-part=ruler-back]"),
		until(`!document.querySelector("[data-lane=return]").checkVisibility()`))
	do(t, ctx, "axe", js(axe), js(violations+"; 0"), until(`!!top.axed`))
	if found := text(t, ctx, "top.axed"); found != "none" {
		t.Error(found)
	}
	do(t, ctx, "a policy that learns has its return", js(`location.hash = "#v=1&p=catch"`),
		until(`document.body.dataset.policy === "learns" && document.querySelector("[data-lane=return]").checkVisibility() &&
			!document.querySelector("[data-part=destination]").checkVisibility()`))
}

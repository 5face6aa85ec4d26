package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The Lab's view of a moment, of a chart in words, and of several columns.

// settled is a script that reports whether the gauge has not moved for half a second.
const settled = `(() => {
	const now = document.querySelector('[data-text="v-learned"]').textContent;
	if (top.gauge !== now) [top.gauge, top.since] = [now, Date.now()];
	return Date.now() - top.since > 500;
})()`

const lives = `[...document.querySelectorAll('[data-part="live"]')].filter(e => !e.hidden).length`

func TestALinkOpensAtItsMomentAndOtherPartsSayLive(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=destination&seed=3&at=12")
	do(t, ctx, "it comes to its update", until(`document.querySelector('[data-text="moment"]').textContent === "update 12, held"`),
		// the nearest moment was shown until this one arrived, and the gauge follows its x-ray
		until(`document.querySelector('[data-text="updates"]').textContent === "12"`), until(settled))
	if got := text(t, ctx, lives); got != "3" { // the world, its episode, the speed
		t.Errorf("%s parts say that they are live", got)
	}
	learned := text(t, ctx, `document.querySelector('[data-text="v-learned"]').textContent`)
	do(t, ctx, "the run goes on", chromedp.Sleep(patience/100))
	if now := text(t, ctx, `document.querySelector('[data-text="v-learned"]').textContent`); now != learned {
		t.Errorf("the gauge went from %s to %s while the moment was held", learned, now)
	}
	do(t, ctx, "share", chromedp.KeyEvent("s"),
		until(`document.querySelector('#share [data-part="link"]').value.includes("&at=12")`), chromedp.KeyEvent("\x1b"))
	do(t, ctx, "Esc", until(`!document.querySelector("#share").open`), chromedp.KeyEvent("\x1b"), until(lives+" === 0"),
		until(`document.querySelector('[data-text="v-learned"]').textContent !== `+fmt.Sprintf("%q", learned)))
}

func TestALinkTravelsToItsMomentAsFastAsItCan(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=destination&seed=3&speed=100&at=4000")
	do(t, ctx, "it says how far it is", until(`/^on the way to update 4000: \d+ %$/.test(`+
		`document.querySelector('[data-text="state"]').textContent)`))
	if address := text(t, ctx, "location.hash"); !strings.Contains(address, "speed=100") {
		t.Errorf("the address on the way is %s", address)
	}
	do(t, ctx, "it is there, and slow again",
		until(`document.querySelector('[data-text="moment"]').textContent.includes(", held")`),
		until(`/^\d{1,3}$/.test(document.querySelector('[data-text="rate"]').textContent)`))
}

func TestAnyChartIsReadAsATableByKeyboard(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=catch&seed=3&speed=4000&b=lag=8")
	do(t, ctx, "T", columns(2), until(`document.querySelectorAll('[data-chart="return"] .sign').length === 2`),
		until(`document.querySelectorAll('[data-chart="age"], [data-chart="age-mean"] .line.other').length > 0`),
		chromedp.KeyEvent("t"), until(`document.querySelector("#tables").open`))
	head := `[...document.querySelectorAll("#tables th")].map(e => e.textContent).join(", ")`
	if got := text(t, ctx, head); got != "Step, Mean of 100, Mean of 10, Column B" {
		t.Errorf("the return's table is headed %q", got)
	}
	for _, name := range []string{"ratios", "kl", "tape"} {
		before := text(t, ctx, `document.querySelector("#tables caption").textContent`)
		do(t, ctx, name, js(fmt.Sprintf(`{ const choice = document.querySelector("#tables-chart");
			choice.value = %q; choice.dispatchEvent(new Event("change")) }`, name)),
			until(fmt.Sprintf(`document.querySelector("#tables caption").textContent !== %q`, before)))
		if name != "tape" && text(t, ctx, `document.querySelectorAll("#tables tbody tr").length`) == "0" {
			t.Errorf("the table of %s is empty", name)
		}
	}
	do(t, ctx, "axe", js(axe), js(violations+"; 0"), until(`!!top.axed`))
	if found := text(t, ctx, "top.axed"); found != "none" {
		t.Error(strings.TrimSpace(found))
	}
}

func TestALimitIsDraggedOnTheHistogram(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=cartpole&seed=3&speed=2000&lag=8")
	do(t, ctx, "a batch", until(`document.querySelector('[data-chart="ratios"] .grip.cut') !== null`))
	do(t, ctx, "drag ρ̄ to the right", js(`{
		const svg = document.querySelector('[data-chart="ratios"]');
		const box = svg.querySelector(".grip.cut").getBoundingClientRect();
		const y = box.top + box.height / 2, from = box.left + box.width / 2;
		const tell = (name, x, buttons) => svg.dispatchEvent(new PointerEvent(name,
			{ clientX: x, clientY: y, buttons, pointerId: 1, bubbles: true, cancelable: true }));
		tell("pointerdown", from, 1);
		tell("pointermove", from + 20, 1);
		tell("pointermove", from + 40, 1);
		tell("pointerup", from + 40, 0);
	}`), until(fmt.Sprintf(`parseFloat(`+force+`) > 1.2`, "rho")))
	if tape := text(t, ctx, `document.querySelector('[data-chart="tape"] .mark') !== null`); tape != "true" {
		t.Error("the tape does not know of it")
	}
	if c := text(t, ctx, fmt.Sprintf(force, "c")); !strings.HasPrefix(c, "1") {
		t.Errorf("c̄ went along: %s", c)
	}
}

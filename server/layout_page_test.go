package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The Lab's layout in a real browser: cause and effect on one screen, one axis, one cursor.

// screens are the sizes at which a knob and the return must be visible together: the commonest school laptop without
// its browser's bars, a small tablet, two phones. screen is a window, in pixels.
type screen struct{ wide, high int64 }

var screens = []screen{{1366, 650}, {1024, 700}, {390, 844}, {360, 640}}

// resize gives the window this size; narrow windows are phones.
func resize(t *testing.T, ctx context.Context, wide, high int64) {
	t.Helper()
	var options []chromedp.EmulateViewportOption
	if wide < 900 {
		options = append(options, chromedp.EmulateMobile)
	}
	do(t, ctx, fmt.Sprintf("a screen of %d by %d", wide, high), chromedp.EmulateViewport(wide, high, options...))
}

const seen = `document.querySelector('[data-text="steps"]').textContent`

// withoutScripts opens the next pages of a window without their scripts.
func withoutScripts(t *testing.T, ctx context.Context) {
	t.Helper()
	if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
}

func TestTheCursorSetsEveryFigureToItsMoment(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=cartpole&lag=4&seed=7")
	do(t, ctx, "it learns", until(updates+" > 40"),
		until(`document.querySelector('[data-text="return"]').textContent !== "–"`))
	do(t, ctx, "back by keyboard", js(`document.activeElement.blur()`), chromedp.KeyEvent(kb.ArrowLeft),
		until(`document.querySelector('[data-text="moment"]').textContent.endsWith("held")`), until(computed))
	figures := `["steps", "updates", "return", "kl", "ess"].map(
		n => document.querySelector('[data-text="' + n + '"]').textContent).join()`
	before := text(t, ctx, figures)
	playhead := `document.querySelector(".playhead").getAttribute("cx")`
	do(t, ctx, "the run goes on", chromedp.Sleep(patience/300))
	if after := text(t, ctx, figures); after != before {
		t.Errorf("held figures went from %s to %s", before, after)
	}
	at := text(t, ctx, seen)
	do(t, ctx, "one more", chromedp.KeyEvent(kb.ArrowLeft), until(fmt.Sprintf(seen+" !== %q", at)))
	do(t, ctx, "the tape says so",
		until(`document.querySelector('[data-part="tape"]').getAttribute("aria-valuetext").startsWith("held at")`),
		until(playhead+" !== null"))
	do(t, ctx, "let go", chromedp.KeyEvent(kb.Escape),
		until(`document.querySelector('[data-text="moment"]').textContent === "the newest"`),
		until(fmt.Sprintf(seen+" !== %q", at)))

	do(t, ctx, "point at a lane", js(`(() => {
		const plot = document.querySelector('[data-lane="ess"] .plot'), b = plot.getBoundingClientRect();
		const at = { bubbles: true, clientX: b.left + b.width / 4, clientY: b.top + 5 };
		plot.dispatchEvent(new PointerEvent("pointermove", at));
	})()`), until(`!document.querySelector('[data-part="under"]').hidden`),
		until(`document.querySelector('[data-text="moment"]').textContent === "the newest"`))
	do(t, ctx, "and away",
		js(`document.querySelector('[data-part="bench"]').dispatchEvent(new PointerEvent("pointerleave"))`),
		until(`document.querySelector('[data-part="under"]').hidden`))
}

// computed is a script that reports whether the held moment is shown: the nearest is until it has been computed again.
const computed = `document.querySelector('[data-text="moment"]').textContent ===
	"update " + document.querySelector('[data-text="updates"]').textContent + ", held"`

const ghostDrawn = `document.querySelector('[data-chart="return"] path.ghost') !== null`

func TestAMarkCanBeRewoundToAndForkedFrom(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=cartpole&seed=5")
	do(t, ctx, "it learns", until(updates+" > 20"))
	lag := func(value string) {
		do(t, ctx, "lag "+value, chromedp.Focus(`[data-key="lag"] [data-part="number"]`),
			js(`document.activeElement.select()`), chromedp.KeyEvent(value+"\r"),
			until(fmt.Sprintf(force+` === %q`, "lag", value)), js(`document.activeElement.blur()`))
	}
	lag("8")
	do(t, ctx, "a diamond", until(`document.querySelectorAll('[data-chart="tape"] path.mark').length === 1`))
	do(t, ctx, "to the mark", chromedp.KeyEvent(kb.PageUp), until(`!document.querySelector('[data-part="held"]').hidden`),
		until(computed))
	mark := text(t, ctx, seen)
	do(t, ctx, "rewind", js(`document.querySelector('[data-verb="rewind"]').click()`),
		until(fmt.Sprintf(force+` === "0"`, "lag")),
		until(`document.querySelector('[data-chart="tape"] .fork') !== null`), until(ghostDrawn))
	do(t, ctx, "back to what was", chromedp.KeyEvent("z"), until(fmt.Sprintf(force+` === "8"`, "lag")))
	do(t, ctx, "the mark again", until(`document.querySelectorAll('[data-chart="tape"] path.mark').length === 1`),
		chromedp.KeyEvent(kb.PageUp), until(fmt.Sprintf(seen+` === %q`, mark)))
	lag("16")
	do(t, ctx, "fork", js(`document.querySelector('[data-verb="fork"]').click()`),
		until(`document.querySelector('[data-chart="tape"] .fork') !== null`),
		until(fmt.Sprintf(force+` === "16"`, "lag")))
}

func TestASettingIsFoundByAWord(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=cartpole")
	shown := func(key string) string {
		return fmt.Sprintf(`document.querySelector('[data-key="%s"]').checkVisibility()`, key)
	}
	do(t, ctx, "more", js(`document.querySelector(".all").click()`),
		until(`document.querySelector("#more").matches(":popover-open")`),
		chromedp.Focus(`[data-part="find"]`), chromedp.KeyEvent("discount"), until(shown("gamma")), until("!"+shown("lr")))
	do(t, ctx, "closed", js(`document.activeElement.blur()`), chromedp.KeyEvent(kb.Escape),
		until(`!document.querySelector("#more").matches(":popover-open")`))
}

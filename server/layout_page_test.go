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

// inSight is a script that returns which of the return and the focused slider are covered or not wholly within the
// window.
const inSight = `(() => {
	const out = [];
	const both = { return: document.querySelector('[data-chart="return"]'), slider: document.activeElement };
	for (const [name, e] of Object.entries(both)) {
		const b = e.getBoundingClientRect();
		if (b.top < 0 || b.left < 0 || b.bottom > innerHeight || b.right > innerWidth || b.width < 40 || b.height < 20)
			out.push(name + " at " + [b.left, b.top, b.right, b.bottom].map(Math.round));
		const over = document.elementFromPoint((b.left + b.right) / 2, (b.top + b.bottom) / 2);
		if (!over || !(e.contains(over) || over.closest(".plot")?.contains(e)))
			out.push(name + " is covered by " + over?.outerHTML.slice(0, 80));
	}
	return out.join("; ");
})()`

// chip is a script that clicks the control that brings a key's row to the front. focused then focuses the key's slider,
// once it is visible.
const (
	chip = `{
		const row = document.querySelector('[data-key="%s"]').closest("[data-row]").dataset.row;
		document.querySelector('[data-chip="' + row + '"]').click();
	}`
	focused = `(() => {
		const slider = document.querySelector('[data-key="%s"] [data-part="slider"]');
		if (slider.checkVisibility()) slider.focus();
		return document.activeElement === slider;
	})()`
)

func TestAKnobAndTheReturnAreOnOneScreen(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	presets := []string{"cartpole"}
	if slow {
		presets = append(presets, "vmpo")
	}
	for _, size := range looked() {
		resize(t, ctx, size.wide, size.high)
		do(t, ctx, "leave", chromedp.Navigate("about:blank"))
		open(t, ctx, url+"lab#v=1&p=cartpole")
		for _, preset := range presets {
			if preset != "cartpole" {
				do(t, ctx, preset, choose(preset), until(fmt.Sprintf(`location.hash.includes("p=%s")`, preset)))
			}
			for _, key := range []string{"lag", "rho", "c", "alpha", "mix"} {
				do(t, ctx, "the knob of "+key, js(fmt.Sprintf(chip, key)), until(fmt.Sprintf(focused, key)))
				if lost := text(t, ctx, inSight); lost != "" {
					t.Errorf("%s at %dx%d, %s: %s", preset, size.wide, size.high, key, lost)
				}
			}
			if width := text(t, ctx, `document.documentElement.scrollWidth`); width != fmt.Sprint(size.wide) {
				t.Errorf("%s: the page is %s wide on a screen of %d", preset, width, size.wide)
			}
		}
		do(t, ctx, "turn it", chromedp.KeyEvent(kb.ArrowRight),
			until(`document.querySelector('[data-chart="return"] .label.halo:not(.inside)') !== null`))
		if covered := text(t, ctx, headed); covered != "" {
			t.Errorf("%dx%d: over the return stand in one place %s", size.wide, size.high, covered)
		}
	}
}

// headed is a script that returns the words in the chart of the return that overlap its name or its figures.
const headed = `(() => {
	const out = [];
	for (const word of document.querySelectorAll('[data-chart="return"] text')) {
		for (const one of document.querySelectorAll(".return h2, .return .readings > *")) {
			const text = document.createRange();
			text.selectNodeContents(one);
			const [a, b] = [word, text].map(e => e.getBoundingClientRect());
			if (a.width && b.width && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
				out.push(word.textContent + " and " + one.textContent);
		}
	}
	return out.join("; ");
})()`

// The Lab in a student's page on a phone has no knobs.
func TestALabInAnotherPageShowsItsReturn(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 357, 320)
	open(t, ctx, url+"lab#v=1&p=cartpole")
	keys := text(t, ctx, `[...document.querySelectorAll("[data-key]")].map(e => e.dataset.key).join()`)
	do(t, ctx, "leave", chromedp.Navigate("about:blank"))
	open(t, ctx, url+"lab#v=1&p=cartpole&embed=1&hide="+keys)
	do(t, ctx, "without a knob", until(`document.body.dataset.embed === "bare"`),
		js(`document.querySelector('[data-verb="pause"]').focus()`))
	if lost := text(t, ctx, inSight); lost != "" {
		t.Error(lost)
	}
	const below = `document.querySelector('[data-chart="return"]').getBoundingClientRect().bottom -
		document.querySelector(".foot").getBoundingClientRect().top`
	if covered := text(t, ctx, `Math.max(0, `+below+`)`); covered != "0" {
		t.Errorf("the tape covers %s pixels of the return", covered)
	}
}

// smallText is a script that returns the visible texts smaller than 13 pixels. A scaled drawing scales its texts too.
const smallText = `(() => {
	const out = new Set();
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let n; n = walk.nextNode();) {
		const e = n.parentElement;
		if (!n.data.trim() || /^(SCRIPT|NOSCRIPT|STYLE|OPTION)$/.test(e.tagName)) continue;
		let size = parseFloat(getComputedStyle(e).fontSize);
		if (e.closest("svg")) {
			if (!e.checkVisibility()) continue;
			size *= e.getScreenCTM().a;
		}
		if (size < 12.9) out.add(size + "px: " + n.data.trim().slice(0, 40));
	}
	return [...out].slice(0, 8).join("; ");
})()`

func TestNoTextIsSmallerThanThirteenPixels(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	for _, size := range screens[1:3] {
		resize(t, ctx, size.wide, size.high)
		do(t, ctx, "leave", chromedp.Navigate("about:blank"))
		open(t, ctx, url+"lab#v=1&p=destination")
		do(t, ctx, "all of it", js(`document.querySelectorAll("details").forEach(d => d.open = true)`),
			until(`!document.querySelector('[data-panel="gauge"]').hidden`),
			js(`document.querySelector("[data-part=returns]").click()`), // the ruler had its place
			chromedp.KeyEvent("n"), until(`document.querySelector('[data-chart="return"] .ghost') !== null`))
		if small := text(t, ctx, smallText); small != "" {
			t.Errorf("at %dx%d: %s", size.wide, size.high, small)
		}
	}
}

// cutNames is a script that returns the visible texts that do not fit their button, field, page or clipping element.
const cutNames = `(() => {
	const out = new Set();
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let n; n = walk.nextNode();) {
		const e = n.parentElement, text = n.data.trim();
		if (!text || e.closest("svg, select, .masthead .name") || !e.checkVisibility({ visibilityProperty: true })) continue;
		const range = document.createRange();
		range.selectNodeContents(n);
		const is = range.getBoundingClientRect();
		for (let a = e; a; a = a.parentElement) {
			const style = getComputedStyle(a), box = a.getBoundingClientRect();
			if (style.clipPath !== "none" || style.opacity === "0") break; // for readers of the screen only
			if (style.display === "contents" || style.overflowX === "visible" && !a.matches("html, button, .name, .gutter"))
				continue;
			if (is.left < box.left - 1 || is.right > box.right + 1) {
				out.add(text.slice(0, 40) + " in " + (a.className || a.dataset.part || a.tagName));
				break;
			}
			if (style.position === "fixed" || a.matches("[popover]")) break;
		}
	}
	return [...out].join("; ");
})()`

func TestNoNameInTheLabIsCut(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	presets := []string{"cartpole"}
	if slow {
		presets = append(presets, "vmpo", "stac", "destination", "vmpo-pendulum")
	}
	for _, size := range looked() {
		resize(t, ctx, size.wide, size.high)
		do(t, ctx, "leave", chromedp.Navigate("about:blank"))
		open(t, ctx, url+"lab#v=1&p=cartpole")
		for _, preset := range presets {
			if preset != "cartpole" {
				do(t, ctx, preset, choose(preset), until(fmt.Sprintf(`location.hash.includes("p=%s")`, preset)))
			}
			names := func(where string) {
				if cut := text(t, ctx, cutNames); cut != "" {
					t.Errorf("at %dx%d, %s, %s: %s", size.wide, size.high, preset, where, cut)
				}
			}
			do(t, ctx, "all lines", js(`document.querySelectorAll("details").forEach(d => d.open = true)`))
			for _, key := range []string{"lag", "rho", "c", "alpha", "mix"} {
				do(t, ctx, "the knob of "+key, js(fmt.Sprintf(chip, key)), until(fmt.Sprintf(focused, key)))
				names("the knob of " + key)
			}
			do(t, ctx, "at a moment", js(`document.activeElement.blur()`), chromedp.KeyEvent(kb.ArrowLeft),
				until(`!document.querySelector('[data-part="held"]').hidden`))
			names("at a moment")
			do(t, ctx, "let go", chromedp.KeyEvent(kb.Escape),
				js(`document.querySelector("#more").showPopover()`))
			names("all settings")
			do(t, ctx, "away", js(`document.querySelector("#more").hidePopover()`))
		}
	}
}

// cutOptions is a script that returns the presets whose names do not fit the select beside its arrow of 22 pixels.
const cutOptions = `(() => {
	const select = document.querySelector("#preset"), style = getComputedStyle(select);
	const pen = document.createElement("canvas").getContext("2d");
	pen.font = style.font;
	const room = select.clientWidth - parseFloat(style.paddingLeft) - 22;
	return [...select.options].map(o => o.text).filter(text => pen.measureText(text).width > room).join("; ");
})()`

func TestNoNameOfAPresetIsCut(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=cartpole")
	for _, size := range screens {
		resize(t, ctx, size.wide, size.high)
		if cut := text(t, ctx, cutOptions); cut != "" {
			t.Errorf("at %dx%d: %s", size.wide, size.high, cut)
		}
	}
}

// oneAxis is a script that returns the distance between the left ends, and between the right ends, of the charts over
// time.
const oneAxis = `(() => {
	const plots = [...document.querySelectorAll(".plot")].filter(e => e.checkVisibility());
	if (document.querySelector(".rulers").open && plots.length < 8) return false;
	const boxes = plots.map(e => e.getBoundingClientRect());
	const apart = (list) => Math.max(...list) - Math.min(...list);
	return boxes.length >= 6 && apart(boxes.map(b => b.left)) < 1 && apart(boxes.map(b => b.right)) < 1;
})()`

func TestAllChartsOverTimeHaveOneAxis(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	url, ctx := serve(t), browser(t)
	resize(t, ctx, 1366, 650)
	open(t, ctx, url+"lab#v=1&p=vmpo")
	for _, size := range [][2]int64{{1366, 650}, {1440, 900}, {1024, 700}} {
		resize(t, ctx, size[0], size[1])
		do(t, ctx, "one axis", until(oneAxis))
		do(t, ctx, "with all lines", js(`document.querySelector(".rulers").open = true`), until(oneAxis))
	}
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

// A page that waits for its client has no moment to show.
func TestNoCursorIsDrawnBeforeTheClientIsThere(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	withoutScripts(t, ctx)
	const line = `[...document.querySelectorAll(".plot, .rulers > summary")].filter(
		e => getComputedStyle(e, "::after").display !== "none").length`
	do(t, ctx, "open without a client", chromedp.Navigate(url+"lab"))
	if n := text(t, ctx, line); n != "0" {
		t.Errorf("%s charts show a cursor", n)
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
		until(`document.querySelector('[data-text="moment"]').textContent.endsWith("held")`),
		// another moment is shown until this one is computed again
		until(`document.querySelector('[data-text="moment"]').textContent ===
			"update " + document.querySelector('[data-text="updates"]').textContent + ", held"`))
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

const ghostDrawn = `document.querySelector('[data-chart="return"] path.ghost') !== null`

func TestAnotherSeedLeavesAGhostAndUndoBringsTheRunBack(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=cartpole&seed=5")
	do(t, ctx, "it learns", until(`document.querySelector('[data-text="return"]').textContent !== "–"`),
		until(`document.querySelector('[data-verb="undo"]').hidden`),
		until(updates+" > 20"))
	do(t, ctx, "another seed", js(`document.activeElement.blur()`), chromedp.KeyEvent("n"),
		until(fmt.Sprintf(force+` !== "5"`, "seed")), until(ghostDrawn),
		until(`document.querySelector('[data-chart="return"]').textContent.includes("before: seed 5")`),
		until(`document.querySelector('[data-chart="ess"] path.ghost') !== null`))
	do(t, ctx, "undo", chromedp.KeyEvent("z"), until(fmt.Sprintf(force+` === "5"`, "seed")),
		until(`document.querySelector('[data-verb="undo"]').hidden`),
		until(updates+" > 20"))
}

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
	do(t, ctx, "to the mark", chromedp.KeyEvent(kb.PageUp), until(`!document.querySelector('[data-part="held"]').hidden`))
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

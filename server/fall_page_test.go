package main

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// fallingRun learns to balance the pole. Without a correction it falls when its data are old, from step 40 000 on.
const fallingRun = "#v=1&p=cartpole&correction=none&seed=3&speed=inf&t=40000:lag=64"

const (
	noted  = `document.querySelector('[data-part="halt"]').checkVisibility()`
	note   = `document.querySelector('[data-text="halt"]').textContent`
	fell   = `/^It fell at update [0-9\u2009]+: the mean return of 100 episodes went from [0-9.]+ to [0-9.]+\.$/.test(` + note + `)`
	paused = `document.body.dataset.state === "paused"`
	cross  = `document.querySelectorAll('[data-chart="return"] .cross').length === 2`
)

// The Lab pauses a run that falls and says so, also to a page that comes later, until a visitor presses Play.
func TestTheLabPausesWhereARunFalls(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), window(t)
	open(t, ctx, url+"lab"+fallingRun)
	do(t, ctx, "it falls", until(noted), until(paused), until(fell), until(cross),
		until(`document.querySelector('[data-text="bearing"]').textContent === "fell"`))
	said := text(t, ctx, note)
	do(t, ctx, "reload", chromedp.Reload(), until(`document.documentElement?.dataset.ready === "true"`), until(noted),
		until(paused), until(cross))
	if now := text(t, ctx, note); now != said {
		t.Errorf("after a reload the note is %q, before it was %q", now, said)
	}
	here := text(t, ctx, "location.href")
	tab, closeTab := chromedp.NewContext(ctx)
	defer closeTab()
	if _, err := chromedp.Run(tab, chromedp.Evaluate[string]("''")); err != nil { // opens it, for longer than one wait
		t.Fatal(err)
	}
	comesBack(t, tab, here, url+"learn", said)
	leadsBefore(t, ctx, said)
	do(t, ctx, "axe", js(axe), js(violations+"; 0"), until(`!!top.axed`))
	if found := text(t, ctx, "top.axed"); found != "none" {
		t.Error(found)
	}
	do(t, ctx, "Play removes the note, and the cross stays", chromedp.Click(`[data-verb="play"]`),
		until(`document.body.dataset.state === "running"`), until("!"+noted), js(`top.then = Date.now(); 0`),
		until(`Date.now() > top.then + 1500 && document.body.dataset.state === "running" && `+cross))
}

// comesBack opens a run that has fallen in a second tab, leaves and returns with Back. Chromium then shows the page
// that it kept in memory, and gives a headless tab no frames, so nothing here waits for a frame.
func comesBack(t *testing.T, ctx context.Context, page, elsewhere, said string) {
	t.Helper()
	const shown = `document.documentElement?.dataset.ready === "true" && ` + noted + " && " + paused + " && " + cross
	do(t, ctx, "a second tab", chromedp.Navigate(page))
	lands(t, ctx, shown)
	do(t, ctx, "away", chromedp.Navigate(elsewhere), js(`setTimeout(() => history.back())`))
	lands(t, ctx, `location.pathname.endsWith("/lab") && `+shown)
	if now := text(t, ctx, note); now != said {
		t.Errorf("after Back the note is %q, before it was %q", now, said)
	}
}

// leadsBefore follows the note's button to an update before the fall, and walks on from there.
func leadsBefore(t *testing.T, ctx context.Context, said string) {
	t.Helper()
	number := func(words string) int {
		n, err := strconv.Atoi(strings.Map(func(r rune) rune {
			if r < '0' || r > '9' {
				return -1
			}
			return r
		}, words))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	update, _, _ := strings.Cut(strings.TrimPrefix(said, "It fell at update "), ":")
	down := number(update)
	do(t, ctx, "before", chromedp.Click(`[data-verb="look-back"]`),
		until(`document.querySelector('[data-text="moment"]').textContent.endsWith("held")`))
	held := `document.querySelector('[data-part="tape"]').getAttribute("aria-valuetext").match(/update ([0-9\u2009]+)/)[1]`
	at := number(text(t, ctx, held))
	if lag := 64 * 3 / 2; at > down-lag+2 || at < down-lag-12 {
		t.Errorf("it fell at update %d, and the note leads to update %d", down, at)
	}
	do(t, ctx, "the next update, before it has been made again", chromedp.KeyEvent(kb.ArrowRight),
		until(held+`.replace(/\D/g, "") === "`+strconv.Itoa(at+1)+`"`))
	do(t, ctx, "it was made again", until(`document.querySelector('[data-text="updates"]').textContent ===
		document.querySelector('[data-text="moment"]').textContent.match(/update ([0-9\u2009]+)/)[1]`))
}

// A knob that changes during a pause says in its row that it waits, until the run continues.
func TestAKnobTurnedInAPauseSaysThatItWaits(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	open(t, ctx, url+"lab#v=1&p=catch&seed=3&speed=4000")
	waits := `document.querySelector('.row [data-key="lag"] [data-part="waits"]').checkVisibility()`
	do(t, ctx, "it runs", passes("1000"), chromedp.Click(`[data-verb="pause"]`), until(paused), until("!"+waits))
	do(t, ctx, "it is turned", js(`{
		const field = document.querySelector('.row [data-key="lag"] [data-part="number"]');
		field.focus(); field.value = "4"; field.dispatchEvent(new Event("input")); field.blur();
	}`), until(waits))
	if said := text(t, ctx, `document.querySelector('.row [data-key="lag"] [data-part="waits"]').textContent`); said !=
		"applies when you press Play" {
		t.Errorf("it says %q", said)
	}
	do(t, ctx, "it continues", chromedp.Click(`[data-verb="play"]`), until("!"+waits))
}

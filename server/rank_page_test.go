package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The panel Rank mine: knobs and the field with all settings are one thing.
func TestRankMineIsMadeOfKnobs(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	const field, button, said = `document.querySelector("#settings").value`, `document.querySelector("#hand-in button.main").disabled`,
		`document.querySelector("[data-part=differ]").textContent`
	resize(t, ctx, 1366, 650)
	do(t, ctx, "nothing differs", chromedp.Navigate(url+"board/late-pole"), until(button),
		until(said+` === "Change at least one setting"`))
	do(t, ctx, "a knob by keyboard", chromedp.Focus("#knob-mix"), chromedp.KeyEvent(kb.ArrowRight),
		until(`/^mix=[\d.]+$/.test(`+field+`)`), until("!"+button), until(said+` === "1 setting differs from the start"`))
	do(t, ctx, "the start again", chromedp.KeyEvent(kb.ArrowLeft), until(field+` === ""`), until(button))
	do(t, ctx, "an algorithm", js(`{ const s = document.querySelector("#knob-algo"); s.value = "laser";
		s.dispatchEvent(new Event("change")); }`), until(field+` === "algo=laser"`), until("!"+button))
	do(t, ctx, "the field moves the knobs", js(`{ const f = document.querySelector("#settings"); f.value = "rho=inf unroll=8";
		f.dispatchEvent(new Event("input")); }`), until(said+` === "2 settings differ from the start"`),
		until(`document.querySelector("#number-rho").value === "∞"`),
		until(`document.querySelector("#number-unroll").value === "8"`),
		until(`document.querySelectorAll("[data-knob][data-differs]").length === 2`),
		until(`document.querySelector("#knob-algo").value === "impala"`))
	do(t, ctx, "a setting without a knob opens the field", js(`document.querySelector("[data-part=every]").hidden = true;
		document.querySelector("#settings").value = "trust=0.1";
		document.querySelector("#settings").dispatchEvent(new Event("input"))`),
		until(`!document.querySelector("[data-part=every]").hidden`),
		until(`document.querySelector("[data-part=differing]").textContent === "trust 0.1"`))
	do(t, ctx, "the panel names what differs", js(`document.querySelector("#settings").value = "rho=2 algo=laser";
		document.querySelector("#settings").dispatchEvent(new Event("input"))`),
		until(`document.querySelector("[data-part=differing]").textContent === "ρ̄ 1 → 2, LASER"`),
		until(`document.querySelector("[data-part=differing] .corrected").textContent === "ρ̄ 1 → 2"`))
	do(t, ctx, "a link sets them", chromedp.Navigate(url+"board/late-pole?settings=c%3D4#hand-in"),
		until(`document.querySelector("#number-c")?.value === "4"`), until("!"+button),
		until(`document.activeElement.closest("#hand-in") !== null`))
	for _, size := range looked() {
		resize(t, ctx, size.wide, size.high)
		do(t, ctx, "drawn", until(fmt.Sprintf(`innerWidth === %d`, size.wide)))
		fits(t, ctx, size.wide, fmt.Sprintf("a track at %dx%d", size.wide, size.high))
	}
}

// A knob stops at round numbers and takes typed ones. What the track refuses is said beside it while a person types.
func TestNumbersAreTypedAndRefusedAtTheirKnobs(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	const field, button = `document.querySelector("#settings").value`, `document.querySelector("#hand-in button.main").disabled`
	says := func(key, part string) chromedp.Action[chromedp.Void] {
		return until(fmt.Sprintf(`document.getElementById("refused-%s").textContent.includes(%q)`, key, part))
	}
	resize(t, ctx, 1366, 650)
	do(t, ctx, "round numbers", chromedp.Navigate(url+"board/late-pole"), until(button), chromedp.Focus("#knob-rho"),
		chromedp.KeyEvent(kb.ArrowRight), until(field+` === "rho=1.5"`), chromedp.KeyEvent(kb.ArrowRight),
		until(field+` === "rho=2"`), until(`document.querySelector("#number-rho").value === "2"`))
	do(t, ctx, "another number", chromedp.Focus("#number-rho"), js(`document.activeElement.select()`),
		chromedp.KeyEvent("2.2"), until(field+` === "rho=2.2"`), until("!"+button))
	do(t, ctx, "a number outside", js(`document.activeElement.select()`), chromedp.KeyEvent("0.05"),
		says("rho", "rho=0.05: must be a number from 0.1 to inf"), until(button),
		until(`document.activeElement.id === "number-rho" && document.activeElement.value === "0.05" &&
			document.activeElement.ariaInvalid === "true"`))
	fits(t, ctx, 1366, "a refused number")
	do(t, ctx, "no number", js(`document.activeElement.select()`), chromedp.KeyEvent("two"), says("rho", `rho="two"`),
		until(button))
	do(t, ctx, "the start, in other digits", js(`document.activeElement.select()`), chromedp.KeyEvent("1.0"),
		until(field+` === ""`), until(`document.getElementById("refused-rho").textContent === ""`))
	do(t, ctx, "a share", chromedp.Focus("#number-mix"), js(`document.activeElement.select()`), chromedp.KeyEvent("7/8"),
		until(field+` === "mix=7/8"`), until(`document.querySelector("#knob-mix").ariaValueText === "7/8"`), until("!"+button))
	do(t, ctx, "an unknown key", js(`document.querySelector("[data-part=more-settings]").click()`),
		js(`document.querySelector("#settings").select()`), chromedp.KeyEvent("rhoo=2"), says("", `unknown setting "rhoo"; did you mean rho?`),
		until(button), until(`document.querySelector("#settings").ariaInvalid === "true"`))
	do(t, ctx, "a fixed key", js(`document.querySelector("#settings").select()`), chromedp.KeyEvent("lag=0"),
		says("", "lag is fixed at 16 on Late pole"), until(button))
	do(t, ctx, "settings that contradict", js(`document.querySelector("#settings").select()`),
		chromedp.KeyEvent("algo=vmpo reduce=sum"), says("", "set reduce=mean"), until(button))
	do(t, ctx, "a good one", js(`document.querySelector("#settings").select()`), chromedp.KeyEvent("rho=2"),
		until(`document.getElementById("refused-").textContent === ""`), until("!"+button))
	do(t, ctx, "letters of a name", chromedp.Focus("#nickname"), chromedp.KeyEvent("Ada"),
		until(`document.getElementById("letters").textContent === "3 of 24 letters"`))
}

// Rank mine stays on the board: its bar, its row and the earlier tries are there at once. The test has a server of its
// own, so that the training ends with the test.
func TestRankMineStaysOnTheBoard(t *testing.T) {
	t.Parallel()
	chromePath(t)
	url, ctx := launch(t, "127.0.0.1:0", t.TempDir()).url, browser(t)
	const tries = `document.querySelectorAll("#tries li").length`
	hand := func(settings string) []chromedp.Action[chromedp.Void] {
		return []chromedp.Action[chromedp.Void]{js(fmt.Sprintf(`document.getElementById("settings").value = %q;
			document.getElementById("settings").dispatchEvent(new Event("input"))`, settings)),
			until(`!document.querySelector("#hand-in button.main").disabled`), chromedp.Click("#hand-in button.main")}
	}
	resize(t, ctx, 1366, 650)
	do(t, ctx, "the board", chromedp.Navigate(url+"board/late-pole"), until(`document.readyState === "complete"`),
		js(`top.same = true; localStorage.setItem("impalab-entries", JSON.stringify(["of-another-track"]))`))
	do(t, ctx, "a try", hand("rho=2")...)
	do(t, ctx, "its bar", until(`top.same && !!document.querySelector("#tries .newest progress")?.checkVisibility()`), until(tries+" === 1"),
		until(`/^(Waiting|Being trained)$/.test(document.querySelector("#tries h2").textContent)`),
		until(`document.querySelector("#hand-in button.main").textContent === "Turn a knob, rank again"`),
		until(`document.querySelector("#hand-in button.main").disabled`),
		until(`document.querySelectorAll("#rows tr.own").length === 1`))
	for _, size := range looked() {
		resize(t, ctx, size.wide, size.high)
		do(t, ctx, "drawn", until(fmt.Sprintf(`innerWidth === %d`, size.wide)))
		fits(t, ctx, size.wide, fmt.Sprintf("a try in training at %dx%d", size.wide, size.high))
	}
	resize(t, ctx, 1366, 650)
	do(t, ctx, "the next try", hand("unroll=8 rho=2")...)
	do(t, ctx, "both, the newest first", until(tries+" === 2"), until(`document.querySelector("#tries li").value === 2`),
		until(`document.querySelectorAll("#tries li")[1].textContent.includes("ρ̄ 1 → 2")`))
	do(t, ctx, "after a reload", chromedp.Reload(), until(tries+" === 2"),
		until(`document.querySelectorAll("#rows tr.own").length === 2`))
	do(t, ctx, "an earlier try's settings", js(`document.querySelector("#tries li:last-child a").click()`),
		until(`document.querySelector("#settings")?.value === "rho=2"`))
	do(t, ctx, "another track has none", chromedp.Navigate(url+"board/catch-in-a-hurry"),
		until(`document.readyState === "complete"`), until(`document.querySelector("#tries")?.childElementCount === 0`))
}

// A visitor finds the rows that this browser submitted.
func TestOwnRowsAreMarked(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	do(t, ctx, "a row", chromedp.Navigate(url+"board/late-pole"), until(`document.querySelectorAll("#rows tbody tr").length > 2`),
		js(`localStorage.setItem("impalab-entries", JSON.stringify([document.querySelectorAll("#rows tbody tr")[2].id.slice(4)]))`),
		chromedp.Reload())
	lands(t, ctx, `document.querySelectorAll("#rows tbody tr.own").length === 1 &&
		getComputedStyle(document.querySelector("tr.own th a"), "::after").content.includes("yours")`)
	do(t, ctx, "a try with its low end", until(`document.querySelectorAll("#tries li").length === 1 &&
		document.querySelector("#tries .low").textContent === document.querySelector("tr.own td.low b").textContent`))
}

// The large number of a row ranks it: from row to row it falls.
func TestTheLargeNumbersOfTheBoardFall(t *testing.T) {
	t.Parallel()
	url, ctx := serve(t), browser(t)
	for _, track := range []string{"late-pole", "write-a-correction"} {
		do(t, ctx, track, chromedp.Navigate(url+"board/"+track), until(`document.querySelectorAll("#rows td.low b").length > 2`))
		if got := text(t, ctx, `(all => all.every((v, i) => !i || v <= all[i - 1]) && all.every(v => v > 0))(
			[...document.querySelectorAll("#rows td.low b")].map(b => Number(b.textContent.replace(/[^\d.]/g, ""))))`); got != "true" {
			t.Errorf("the numbers of %s do not fall: %s", track, text(t, ctx,
				`[...document.querySelectorAll("#rows td.low b")].map(b => b.textContent)`))
		}
	}
}

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
		until(`document.querySelector("[data-knob=rho] output").textContent === "∞"`),
		until(`document.querySelector("[data-knob=unroll] output").textContent === "8"`),
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
		until(`document.querySelector("[data-knob=c] output")?.textContent === "4"`), until("!"+button),
		until(`document.activeElement.closest("#hand-in") !== null`))
	for _, size := range looked() {
		resize(t, ctx, size.wide, size.high)
		do(t, ctx, "drawn", until(fmt.Sprintf(`innerWidth === %d`, size.wide)))
		fits(t, ctx, size.wide, fmt.Sprintf("a track at %dx%d", size.wide, size.high))
	}
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
}

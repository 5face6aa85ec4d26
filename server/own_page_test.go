package main

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// A person writes a correction in the Lab. A fault is a sentence with its line: the text stays to be mended, and the
// run goes on with the function before. A good text is in the link.
func TestAnOwnCorrectionIsWrittenInTheLab(t *testing.T) {
	t.Parallel()
	const (
		program = `document.querySelector("[data-key=program]")`
		written = program + `.querySelector("textarea")`
		said    = program + `.querySelector("[data-part=error]").textContent`
	)
	url, ctx := serve(t), browser(t)
	write := func(text string) chromedp.Action[chromedp.Void] {
		return js(written + `.value = ` + "`" + text + "`" + `;` + written + `.dispatchEvent(new Event("input", { bubbles: true }));` +
			written + `.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true }))`)
	}
	open(t, ctx, url+"lab#v=1&p=lag-cliff&lag=16&correction=own&speed=2000")
	do(t, ctx, "it trains", until(`document.querySelector("[data-text=state]").textContent === "running"`))
	do(t, ctx, "a start", js(`{
		const starts = `+program+`.querySelector("[data-part=starts]");
		starts.value = [...starts.options].find(one => one.textContent === "taper").value;
		starts.dispatchEvent(new Event("change", { bubbles: true }));
	}`), until(`decodeURIComponent(location.hash).includes("if adv >= 0:")`))
	const wrong = "def weight(ratio, adv, pi, mu, age):\n    return min(1, agee)"
	do(t, ctx, "a fault", write(wrong), until(said+`.includes("line 2: there is no agee here")`))
	if kept := text(t, ctx, written+`.value`); kept != wrong {
		t.Errorf("the faulty text became %q", kept)
	}
	if state := text(t, ctx, `document.querySelector("[data-text=state]").textContent`); state != "running" {
		t.Errorf("a text that is not taken: the run is %s", state)
	}
	do(t, ctx, "mended", write("def weight(ratio, adv, pi, mu, age):\n    return min(1, age)"),
		until(`decodeURIComponent(location.hash).includes("min(1, age)")`), until(said+` === ""`))
	do(t, ctx, "a fault of a call", write("def weight(ratio, adv, pi, mu, age):\n    return 1 / (age - age)"),
		until(`document.body.textContent.includes("your own correction stopped the run: line 2: floating-point division by zero")`))
}

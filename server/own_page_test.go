package main

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"impalab/internal/kit"
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
	address, ctx := serve(t), browser(t)
	write := func(text string) chromedp.Action[chromedp.Void] {
		return js(written + `.value = ` + "`" + text + "`" + `;` + written + `.dispatchEvent(new Event("input", { bubbles: true }));` +
			written + `.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true }))`)
	}
	open(t, ctx, address+"lab#v=1&p=lag-cliff&lag=16&correction=own&speed=2000")
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

// A link's program goes into the eight seeds of a run, and a text that is none is a sentence of the page.
func TestALinkOfAnOwnCorrection(t *testing.T) {
	t.Parallel()
	const program = "def weight(ratio, adv, pi, mu, age):\n    return min(1, ratio) if adv < 0 else 1"
	base, ctx := serve(t), browser(t)
	link := func(text string) string {
		return base + "lab#v=1&p=lag-cliff&lag=8&steps=4000&correction=own&program=" +
			strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
	}
	open(t, ctx, link(program))
	do(t, ctx, "8", press("8"), until(seedsSay+`.startsWith("8 seeds: ")`))
	sweep := text(t, ctx, `document.querySelector('[data-part="seeds"] a').pathname.split("/").pop()`)
	do(t, ctx, "the sweep has it", js(`fetch("api/v1/sweeps/`+sweep+`").then(a => a.json()).then(s => window.swept = s); 0`),
		until(fmt.Sprintf(`window.swept?.settings.program === %q && swept.over === 8 && swept.runs === 8`, program)))
	for _, c := range kit.FaultyPrograms {
		text := c.Program
		switch { // one of each kind: the Lab's own tests have the others
		case strings.Contains(c.Sentence, "of at most"):
			text += strings.Repeat("x", 900_000) // a megabyte
		case strings.Contains(c.Sentence, "agee"), strings.Contains(c.Sentence, "division"):
		default:
			continue
		}
		do(t, ctx, "a faulty link", chromedp.Navigate("about:blank"), chromedp.Navigate(link(text)),
			until(fmt.Sprintf(`document.body.textContent.includes(%q)`, c.Sentence)))
	}
}

//go:build linux

package main

import (
	"fmt"
	"testing"
	"time"
)

// The pages in the engines of Safari and of Firefox.

// engine is a window of another browser than Chromium. Both methods fail its test where the browser does not answer.
type engine interface {
	open(url string)
	text(expression string) string // the value of a JavaScript expression
}

// holds waits for a JavaScript expression to be true.
func holds(t *testing.T, w engine, what, expression string) {
	t.Helper()
	for until := time.Now().Add(patience); w.text("!!("+expression+")") != "true"; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("%s: not within %v; the page is in the state %s", what, patience, w.text(state))
		}
	}
}

func TestTheLabRunsInWebKit(t *testing.T) {
	t.Parallel()
	theLabRuns(t, webkitWindow(t))
}

func theLabRuns(t *testing.T, w engine) {
	folder, _ := host(t)
	for name, lab := range map[string]string{"server": serve(t) + "lab",
		"two runs of the static site": folder + "lab/#v=1&p=catch&b=correction%3Dnone"} {
		w.open(lab)
		w.text(`[window, document.querySelector("#stage").contentWindow].forEach(shown => { // a few frames, as in Chromium
			const soon = shown.requestAnimationFrame.bind(shown);
			shown.requestAnimationFrame = draw => setTimeout(() => soon(draw), 130);
		})`)
		holds(t, w, name+": the Lab appears", `document.documentElement.dataset.ready === "true"`)
		holds(t, w, name+": the first picture", `Number(document.documentElement.dataset.frames) > 0`)
		holds(t, w, name+": it runs", `document.body.dataset.state === "running"`)
		w.text(`globalThis.mark = [...document.querySelectorAll(".ask")].find(mark => mark.checkVisibility()), mark.click()`)
		const definition = `document.getElementById(mark.getAttribute("popovertarget"))`
		holds(t, w, name+": a definition opens", definition+`.matches(":popover-open")`)
		const gap = `(m => d => Math.min(Math.abs(d.top - m.bottom), Math.abs(m.top - d.bottom)))
			(mark.getBoundingClientRect())(` + definition + `.getBoundingClientRect())`
		if far := w.text(gap); w.text(gap+` < 8`) != "true" {
			t.Errorf("%s: the definition is %s px above or below its mark", name, far)
		}
		const updates = `document.querySelector('[data-text="updates"]').textContent`
		w.text(`globalThis.before = ` + updates)
		holds(t, w, name+": the run continues", updates+` !== before`)
	}
}

// touched are pages, each with something that a hand moves and a text that answers in the page itself.
var touched = []struct{ page, ready, hand, answers string }{
	{"", drawsFirst, stepUp("#lag"), valueText("#lag")},
	{"#second", drawsFirst, stepUp("#lag"), valueText("#lag")},
	{"#third", drawsFirst, stepUp("#lag"), valueText("#lag")},
	{"corrections", `document.querySelector('[data-part="counts"]').textContent`, stepUp("#lag"),
		`document.querySelector('[data-part="counts"]').textContent`},
	{"staleness", valueText("#line"), stepUp("#line"), `document.querySelector('[data-part="means"]').textContent`},
	{"learn/how-sure", `document.querySelector('[data-does="draw"]')`, `document.querySelector('[data-does="draw"]').click()`,
		`document.querySelector("figure.exact").textContent`},
	{"class", `document.querySelector("[name=code]")`, ``, ``},
	{"papers", `document.querySelector("main")`, ``, ``},
	{"board", `document.querySelector("main")`, ``, ``},
}

const drawsFirst = `Number(document.documentElement.dataset.frames) > 0`

// stepUp moves a slider by one step.
func stepUp(slider string) string {
	return fmt.Sprintf(`(s => { s.value = Number(s.value) < Number(s.max) ? Number(s.value) + Number(s.step || 1) : s.min;
		for (const name of ["input", "change"]) s.dispatchEvent(new Event(name, {bubbles: true})); })
		(document.querySelector(%q))`, slider)
}

func valueText(slider string) string {
	return fmt.Sprintf(`document.querySelector(%q)?.getAttribute("aria-valuetext")`, slider)
}

func TestPagesAnswerInWebKit(t *testing.T) {
	t.Parallel()
	pagesAnswer(t, webkitWindow(t))
}

func pagesAnswer(t *testing.T, w engine) {
	url := serve(t)
	for _, p := range touched {
		w.open("about:blank") // otherwise the next page may be another place of the same document
		w.open(url + p.page)
		holds(t, w, p.page+" appears", p.ready)
		if w.text(`document.documentElement.scrollWidth > innerWidth`) != "false" {
			t.Errorf("%s is wider than the window", p.page)
		}
		if p.answers == "" {
			continue
		}
		before := w.text(p.answers)
		w.text(p.hand)
		holds(t, w, p.page+" answers", fmt.Sprintf("%s !== %q", p.answers, before))
	}
}

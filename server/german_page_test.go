package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"impalab/learner/hyper"
	lessons "impalab/web/lesson"
	"impalab/web/words"
)

// spoken is a script: every text that a reader of a German page sees or hears, and of the Lab in a lesson's frame: of
// each text where it stands. What stands the same in every language is left out as in the pages' translation.
const spoken = `(() => {
	const found = {};
	const apart = ".symbol, .formula, .source, .build, script, style, noscript, template, [lang=en], code, kbd";
	const walk = document => {
		const note = (of, text) => {
			if (/[A-Za-z]{2}/.test(text)) found[text.trim().replace(/\s+/g, " ")] ??= of;
		};
		const place = e => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") +
			(e.getAttribute("class") ? "." + e.getAttribute("class") : "") +
			["data-text", "data-part", "data-key", "data-chart", "data-verb"].map(
				a => e.closest("[" + a + "]")?.getAttribute(a)).filter(Boolean).map(a => " " + a).join("");
		const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
		while (texts.nextNode()) {
			const e = texts.currentNode.parentElement;
			if (!e.closest(apart)) note(place(e), texts.currentNode.data);
		}
		for (const e of document.querySelectorAll("*")) {
			if (e.closest(apart)) continue;
			for (const a of ["title", "aria-label", "aria-valuetext", "aria-description", "placeholder", "alt"]) {
				if (e.hasAttribute(a)) note(place(e) + " @" + a, e.getAttribute(a));
			}
			if (e.tagName === "IFRAME" && e.contentDocument) walk(e.contentDocument);
		}
	};
	walk(document);
	return JSON.stringify(found);
})()`

var letters = regexp.MustCompile(`\p{L}{2,}`)

// vocabulary is every word of the German catalogue and of the lessons in German, and those of the English one alone.
func vocabulary(t *testing.T) (german, english map[string]bool) {
	t.Helper()
	body, err := os.ReadFile(filepath.FromSlash("../web/words/de.txt"))
	if err != nil {
		t.Fatal(err)
	}
	parts, err := words.Parse(string(body))
	if err != nil {
		t.Fatal(err)
	}
	german, english = map[string]bool{}, map[string]bool{}
	learn := func(words map[string]bool, text string) {
		for _, word := range letters.FindAllString(text, -1) {
			words[strings.ToLower(word)] = true
		}
	}
	for _, part := range parts {
		for from, to := range part.Pairs {
			learn(english, from)
			learn(german, to)
		}
	}
	texts, err := filepath.Glob(filepath.FromSlash("../web/lesson/text/de/*"))
	if err != nil || len(texts) < len(lessons.InGerman()) {
		t.Fatalf("%d lessons in German: %v", len(texts), err)
	}
	for _, path := range texts {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		learn(german, string(body))
	}
	told, err := json.Marshal(lessons.German)
	if err != nil {
		t.Fatal(err)
	}
	learn(german, string(told))
	for i := range hyper.Presets { // these are names
		learn(german, hyper.Presets[i].Name)
	}
	maps.DeleteFunc(english, func(word string, _ bool) bool { return german[word] })
	return german, english
}

// Every word that a German reader of the first experiment, the Lab and the lessons meets is one of the catalogue's or
// of the lessons'.
func TestAGermanReaderMeetsNoEnglish(t *testing.T) {
	atLeisure(t)
	t.Parallel()
	german, english := vocabulary(t)
	url, ctx := serve(t), window(t)
	told := map[string]bool{}
	look := func(where string) {
		t.Helper()
		found := map[string]string{}
		if err := json.Unmarshal([]byte(text(t, ctx, spoken)), &found); err != nil {
			t.Fatal(err)
		}
		if len(found) < 20 {
			t.Errorf("%s: only %d texts", where, len(found))
		}
		for _, text := range slices.Sorted(maps.Keys(found)) {
			var strange []string
			for _, word := range letters.FindAllString(text, -1) {
				if word = strings.ToLower(word); !german[word] {
					if english[word] {
						word += " (English)"
					}
					strange = append(strange, word)
				}
			}
			if strange != nil && !told[text] {
				told[text] = true
				t.Errorf("%s, %s: %q: %s", where, found[text], text, strings.Join(strange, ", "))
			}
		}
	}
	open(t, ctx, url+"de/"+fast)
	look("the first experiment begins")
	do(t, ctx, "the right one falls", at("held"), until(`document.querySelector(".story .cross") !== null`))
	look("it holds")
	do(t, ctx, "why", js(`document.querySelector('[data-verb="why"]').click()`))
	look("why")
	do(t, ctx, "to the end", at("over"))
	look("its end")

	open(t, ctx, url+"de/lab#v=1&p=catch&seed=3&speed=2000")
	do(t, ctx, "it learns", until(updates+" > 20"))
	look("the Lab")
	turn := func(key, value string) {
		t.Helper()
		do(t, ctx, key, js(fmt.Sprintf(`{
			const n = document.querySelector('[data-key="%s"] [data-part="number"], [data-key="%[1]s"] select');
			n.value = %q;
			for (const event of ["input", "change", "blur"]) n.dispatchEvent(new Event(event, {bubbles: true}));
		}`, key, value)), chromedp.Sleep(patience/100))
	}
	for key, value := range map[string]string{"lag": "8", "rho": "0.5", "c": "2", "mix": "0.5", "correction": "none",
		"entropy": "0.02", "lr": "0.002"} {
		turn(key, value)
		look(key + " is turned")
	}
	turn("mix", "3")
	look("a value is refused")
	do(t, ctx, "C", chromedp.KeyEvent("c"), columns(2))
	turn("lag", "16")
	look("two columns")
	do(t, ctx, "pause", js(`document.activeElement.blur()`), chromedp.KeyEvent(" "),
		until(`document.body.dataset.state === "paused"`))
	look("a pause")
	do(t, ctx, "a moment", chromedp.KeyEvent("\u2190"), js(`document.querySelector('[data-part="tape"]').focus()`),
		chromedp.KeyEvent("T"), until(`document.querySelector("#tables").open`))
	look("a table")
	do(t, ctx, "share", js(`document.querySelector("#tables").close()`), chromedp.KeyEvent("s"))
	look("share")

	open(t, ctx, url+"de/lab#v=1&p=lag-cliff&correction=none&seed=7&speed=40000")
	do(t, ctx, "it falls", until(`document.querySelector('[data-part="broke"]').checkVisibility()`))
	look("a fall")
	do(t, ctx, "before", chromedp.Click(`[data-verb="look-back"]`), chromedp.Sleep(patience/50))
	look("before the fall")
	for _, preset := range []string{"destination", "stac-lag", "vmpo", "laser"} {
		do(t, ctx, preset, choose(preset), chromedp.Sleep(patience/20))
		look(preset)
	}
	for _, l := range lessons.InGerman() {
		page, ready := lessonPage(t, url, "learn/de/"+l.Name)
		do(t, ctx, "open "+page, chromedp.Navigate(page), ready, js(`document.querySelector("[data-course=whole]")?.click()`))
		look(page)
		do(t, ctx, "its guesses", js(`for (const b of document.querySelectorAll("form button")) b.click();
			for (const d of document.querySelectorAll("details")) d.open = true;
			document.querySelector("a.turn")?.click()`), chromedp.Sleep(patience/15))
		look(page + ", answered")
	}
}

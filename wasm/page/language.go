//go:build js && wasm

package page

import (
	"strings"
	"syscall/js"

	"impalab/web/words"
)

// language is what the page is written in, and nil in English. What the program says is translated as the last thing
// before it is written; a page has one language for as long as it is open, and it is set before anything is written.
var language *words.Catalogue

// learnLanguage reads the texts that a page in another language brings along, and has its link to the same page in the
// other one take the state along.
func (p *Page) learnLanguage() {
	if brought := p.body.Get("dataset").Get("words"); brought.Truthy() {
		entries := js.Global().Get("Object").Call("entries", js.Global().Get("JSON").Call("parse", brought))
		pairs := map[string]string{}
		for i := range entries.Length() {
			pairs[entries.Index(i).Index(0).String()] = entries.Index(i).Index(1).String()
		}
		if read, err := words.New(pairs); err == nil { // else it stays English: a test reads the file
			language = read
			p.stage.Speak(language.Say)
		}
	}
	link := find(p.body, `[data-part="language"]`)
	on(link, "click", func(js.Value) { link.Set("hash", p.window.Get("location").Get("hash")) })
}

// sayAll says several things in the page's language.
func sayAll(texts []string, between string) string {
	said := make([]string, len(texts))
	for i := range texts {
		said[i] = language.Say(texts[i])
	}
	return strings.Join(said, between)
}

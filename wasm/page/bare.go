//go:build js && wasm

package page

import (
	"net/url"
	"strconv"
	"strings"
	"syscall/js"

	"impalab/wasm/browser"
	"impalab/wasm/microscope"
	charts "impalab/web/chart"
)

// bare is a page that needs only the program: no frame, no run, no connection.
type bare struct{ host }

// Bare runs the open page if it is one of the microscope's, and reports whether it is.
func Bare() bool {
	b := bare{hostOf(js.Global())}
	begin, ok := map[string]func(bare){"microscope": openMicroscope, "two-states": openTwoStates,
		"proposition-2": openButtons}[b.data("screen")]
	if !ok {
		return false
	}
	// Ebitengine dresses every page that loads it for a game.
	for _, canvas := range findAll(b.document, "canvas") {
		canvas.Call("remove")
	}
	b.body.Call("removeAttribute", "style")
	b.root.Call("removeAttribute", "style")
	begin(b)
	return true
}

// theme shows the theme of the link, and returns it, or "".
func (b *bare) theme() string {
	values, _ := url.ParseQuery(strings.TrimPrefix(b.hash(), "#"))
	theme := values.Get("theme")
	if theme != "light" && theme != "dark" {
		return ""
	}
	b.root.Get("dataset").Set("theme", theme)
	return theme
}

func (b *bare) text(name, words string) { b.textOf(name).Set("textContent", words) }

// number writes a number with three decimals, and all of its figures for programs.
func (b *bare) number(name string, v float64) { b.markup(name, microscope.Exactly(v)) }

// markup writes markup of numbers and fixed words.
func (b *bare) markup(name, inner string) { b.textOf(name).Set("innerHTML", inner) }

func (b *bare) textOf(name string) js.Value { return find(b.body, `[data-text="`+name+`"]`) }

// say shows a problem; "": none.
func (b *bare) say(words string) {
	note := text(find(b.body, "#note"))
	note.say(words)
}

// ready tells a test that the page shows something.
func (b *bare) ready() { b.root.Get("dataset").Set("ready", "true") }

// openButtons runs the page /microscope/proposition-2.
func openButtons(b bare) {
	b.theme()
	state := microscope.NewButtons()
	svg := part(b.body, "pays")
	draw := func() {
		var said []any
		for _, words := range state.Say() {
			said = append(said, b.element("p", words))
		}
		part(b.body, "said").Call("replaceChildren", said...)
		for name, v := range map[string]float64{"push": state.Push, "frozen": state.Frozen, "remade": state.Remade,
			"enough": state.Enough} {
			b.number(name, v)
		}
		for _, h := range microscope.Hands {
			value := strconv.FormatFloat(state.Get(h.Name), 'f', 2, 64)
			setValue(find(b.body, "#hand-"+h.Name), value)
			find(b.body, `output[for="hand-`+h.Name+`"]`).Set("textContent", value)
		}
		w, h := size(svg)
		svg.Set("innerHTML", charts.DrawPays(state.Chart(), w, h))
	}
	for _, h := range microscope.Hands {
		slider := find(b.body, "#hand-"+h.Name)
		browser.On(slider, "input", func(js.Value) {
			v, _ := strconv.ParseFloat(value(slider), 64)
			state.Set(h.Name, v)
			draw()
		})
	}
	clicks(find(b.body, `[data-act="reset"]`), func() {
		state = microscope.NewButtons()
		draw()
	})
	browser.On(b.window, "resize", func(js.Value) { draw() })
	b.say("")
	draw()
	b.ready()
}

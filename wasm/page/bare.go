//go:build js && wasm

package page

import (
	"net/url"
	"strconv"
	"strings"
	"syscall/js"

	"impalab/learner/hyper"
	"impalab/wasm/microscope"
	"impalab/wasm/run"
	charts "impalab/web/chart"
)

// bare is a page that needs only the program: no frame, no run, no connection.
type bare struct{ host }

// Bare runs such a page, if one is open.
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

func (b *bare) text(name, words string) { b.place(name).Set("textContent", words) }

// number writes a number with three decimals, and all of its figures for programs.
func (b *bare) number(name string, v float64) { b.markup(name, microscope.Exactly(v)) }

// markup writes markup of numbers and fixed words.
func (b *bare) markup(name, inner string) { b.place(name).Set("innerHTML", inner) }

func (b *bare) place(name string) js.Value { return find(b.body, `[data-text="`+name+`"]`) }

// say shows a problem; "": none.
func (b *bare) say(words string) {
	note := find(b.body, "#note")
	note.Set("textContent", words)
	hide(note, words == "")
}

// ready tells a test that the page shows something.
func (b *bare) ready() { b.root.Get("dataset").Set("ready", "true") }

// knobs are the controls of settings on a page that computes their effect at once, without a server.
type knobs struct {
	within js.Value
	keys   []string
	config func() *hyper.Config
	used   func(key string) bool
	set    func(key, value string) error
	draw   func()
}

// each visits the settings that have a control.
func (k *knobs) each(visit func(row *hyper.Row, root js.Value)) {
	for _, key := range k.keys {
		if row, err := hyper.Lookup(key); err == nil {
			if root := find(k.within, `[data-key="`+key+`"]`); root.Truthy() {
				visit(row, root)
			}
		}
	}
}

func (k *knobs) bind() {
	k.each(func(row *hyper.Row, root js.Value) {
		turn := func(value string) { k.turn(row.Key, value) }
		slider := part(root, "slider")
		on(slider, "input", func(js.Value) { turn(run.Slide(row, whole(slider))) })
		onNudge(slider, row, func() string { return k.config().Get(row.Key) }, turn)
		for _, input := range [...]js.Value{part(root, "number"), part(root, "choice")} {
			on(input, "change", func(js.Value) { turn(value(input)) })
		}
	})
}

func (k *knobs) turn(key, value string) {
	words := ""
	if err := k.set(key, value); err != nil {
		words = err.Error()
	}
	box := part(find(k.within, `[data-key="`+key+`"]`), "error")
	box.Set("textContent", words)
	hide(box, words == "")
	k.draw()
}

func (k *knobs) show() {
	k.each(func(row *hyper.Row, root js.Value) {
		value := k.config().Get(row.Key)
		slider := part(root, "slider")
		put(slider, strconv.Itoa(run.Position(row, value)))
		put(part(root, "number"), value)
		put(part(root, "choice"), value)
		part(root, "force").Set("textContent", value)
		if slider.Truthy() {
			slider.Call("setAttribute", "aria-valuetext", value)
		}
		used := k.used(row.Key)
		root.Get("dataset").Set("used", used)
		hide(part(root, "unused"), used)
	})
}

// openButtons runs the page /microscope/proposition-2.
func openButtons(b bare) {
	b.theme()
	state := microscope.NewButtons()
	svg := part(b.body, "pays")
	draw := func() {
		list := part(b.body, "said")
		list.Set("textContent", "")
		for _, words := range state.Say() {
			list.Call("append", b.element("p", words))
		}
		for name, v := range map[string]float64{"push": state.Push, "frozen": state.Frozen, "remade": state.Remade,
			"enough": state.Enough} {
			b.number(name, v)
		}
		for _, h := range microscope.Hands {
			value := strconv.FormatFloat(state.Get(h.Name), 'f', 2, 64)
			put(find(b.body, "#hand-"+h.Name), value)
			find(b.body, `output[for="hand-`+h.Name+`"]`).Set("textContent", value)
		}
		w, h := size(svg)
		svg.Set("innerHTML", charts.DrawPays(state.Chart(), w, h))
	}
	for _, h := range microscope.Hands {
		slider := find(b.body, "#hand-"+h.Name)
		on(slider, "input", func(js.Value) {
			v, _ := strconv.ParseFloat(value(slider), 64)
			state.Set(h.Name, v)
			draw()
		})
	}
	on(find(b.body, `[data-act="reset"]`), "click", func(js.Value) {
		state = microscope.NewButtons()
		draw()
	})
	on(b.window, "resize", func(js.Value) { draw() })
	b.say("")
	draw()
	b.ready()
}

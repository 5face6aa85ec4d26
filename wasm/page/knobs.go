//go:build js && wasm

package page

import (
	"strconv"
	"syscall/js"

	"impalab/learner/hyper"
	"impalab/wasm/run"
)

// knobs are the controls of some settings on a page that computes at once what they do: no server has to confirm them.
type knobs struct {
	within js.Value
	keys   []string
	get    func(key string) string
	used   func(key string) bool
	turn   func(key, value string) error // draws, too
}

func (k *knobs) root(key string) js.Value { return find(k.within, `[data-key="`+key+`"]`) }

func (k *knobs) bind() {
	for _, key := range k.keys {
		root := k.root(key)
		row, err := hyper.Lookup(key)
		if err != nil || !root.Truthy() {
			continue
		}
		slider, field, choice := find(root, `[data-part="slider"]`), find(root, `[data-part="number"]`),
			find(root, `[data-part="choice"]`)
		on(slider, "input", func(js.Value) {
			at, _ := strconv.Atoi(slider.Get("value").String())
			k.set(key, run.Slide(row, at))
		})
		on(slider, "keydown", func(event js.Value) {
			name := event.Get("key").String()
			up := name == "ArrowUp" || name == "ArrowRight"
			if up || name == "ArrowDown" || name == "ArrowLeft" {
				event.Call("preventDefault") // a thousandth of the way is no step
				k.set(key, run.Nudge(row, k.get(key), up))
			}
		})
		on(field, "change", func(js.Value) { k.set(key, field.Get("value").String()) })
		on(choice, "change", func(js.Value) { k.set(key, choice.Get("value").String()) })
	}
}

// set turns a setting, and says under it why that cannot be.
func (k *knobs) set(key, value string) {
	words := ""
	if err := k.turn(key, value); err != nil {
		words = err.Error()
	}
	box := find(k.root(key), `[data-part="error"]`)
	box.Set("textContent", words)
	hide(box, words == "")
}

func (k *knobs) draw() {
	for _, key := range k.keys {
		root := k.root(key)
		row, err := hyper.Lookup(key)
		if err != nil || !root.Truthy() {
			continue
		}
		value := k.get(key)
		put(find(root, `[data-part="slider"]`), strconv.Itoa(run.Position(row, value)))
		put(find(root, `[data-part="number"]`), value)
		put(find(root, `[data-part="choice"]`), value)
		find(root, `[data-part="force"]`).Set("textContent", value)
		if slider := find(root, `[data-part="slider"]`); slider.Truthy() {
			slider.Call("setAttribute", "aria-valuetext", value)
		}
		used := k.used(key)
		root.Get("dataset").Set("used", used)
		hide(find(root, `[data-part="unused"]`), used)
	}
}

//go:build js && wasm

package page

import (
	"strings"
	"syscall/js"
)

// A run that trains in the Lab's worker is gone as soon as the Lab is left, so the Lab leaves what the microscope is to
// look at in the tab's own storage: all trajectories of one batch.

// unrollsName is what they lie under, behind the name of their run.
const unrollsName = "impalab-unrolls"

// leaveUnrolls has the worker look at a run behind an update, 0 for the newest, and goes on once its unrolls lie ready.
func (c *desk) leaveUnrolls(run string, update uint64, goOn func()) {
	c.model.Notice("The unroll is being learned again.")
	c.scheduleDraw()
	c.home.Unrolls(run, update, func(array js.Value, why string) {
		if why == "" && !attempt(func() {
			text := js.Global().Get("JSON").Call("stringify", array).String()
			c.window.Get("sessionStorage").Call("setItem", unrollsName, run+" "+text)
		}) {
			why = "this browser keeps nothing for a page that follows: allow this site its storage"
		}
		if why != "" {
			c.model.Notice(sentence(why))
			c.scheduleDraw()
			return
		}
		goOn()
	})
}

// leftUnroll is a trajectory of those that the Lab has left of a run, behind an update, 0 for any; or what the API
// would answer in its place.
func leftUnroll(window js.Value, run string, update uint64, column int) (answer js.Value) {
	missing := func(why string) js.Value {
		return js.ValueOf(map[string]any{"error": map[string]any{"message": why}})
	}
	answer = missing("this run was trained in a browser, which does not have this unroll any more: go to the Lab and " +
		"look at the run from there")
	attempt(func() {
		text := window.Get("sessionStorage").Call("getItem", unrollsName)
		if text.IsNull() {
			return
		}
		its, array, _ := strings.Cut(text.String(), " ")
		if its != run {
			return
		}
		all := js.Global().Get("JSON").Call("parse", array)
		switch first := all.Index(0); {
		case update > 0 && uint64(first.Get("update").Float()) != update:
		case column >= all.Length():
			answer = missing("this run's batches have fewer trajectories")
		default:
			answer = all.Index(column)
		}
	})
	return answer
}

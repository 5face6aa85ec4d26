//go:build js && wasm

package main

import (
	"syscall/js"

	"impalab/wasm/page"
	"impalab/wasm/view"
)

func main() {
	if page.Bare() {
		select {} // callbacks go on
	}
	var lab *page.Page
	stage := view.New(func(frames int) { lab.CountFrames(frames) })
	lab = page.Open(cells{stage})
	if err := stage.Run(); err != nil {
		// The page works without its picture.
		document := js.Global().Get("document")
		if canvas := document.Call("querySelector", "canvas"); canvas.Truthy() {
			canvas.Call("remove")
		}
		if note := document.Call("getElementById", "note"); note.Truthy() {
			note.Set("textContent", "This browser cannot draw the world: "+err.Error())
		}
	}
	select {} // callbacks go on
}

// cells are the stage as the page needs it.
type cells struct{ *view.Stage }

func (c cells) Cell(number int) page.Picture { return c.Stage.Cell(number) }

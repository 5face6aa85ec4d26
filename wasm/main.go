//go:build js && wasm

package main

import (
	"syscall/js"
	"time"

	"impalab/wasm/page"
	"impalab/wasm/view"
)

func main() {
	breathe()
	if page.Bare() {
		select {} // callbacks go on
	}
	var lab *page.Page
	stage := view.New(func(frames int) { lab.CountFrames(frames) })
	breathe()
	lab = page.Open(stage)
	if !lab.Drawn() {
		undrawn("The world is not drawn: the address says stage=0.")
	} else if err := stage.Run(); err != nil {
		undrawn("This browser cannot draw the world: " + err.Error())
	}
	select {} // callbacks go on
}

// breathe lets the browser do what waits for its thread: packages were set up in one go, and whoever reads scrolls.
func breathe() { time.Sleep(time.Millisecond) }

// undrawn says why there is no picture. The page works without it.
func undrawn(why string) {
	document := js.Global().Get("document")
	if canvas := document.Call("querySelector", "canvas"); canvas.Truthy() {
		canvas.Call("remove")
	}
	if note := document.Call("getElementById", "note"); note.Truthy() {
		note.Set("textContent", why)
	}
}

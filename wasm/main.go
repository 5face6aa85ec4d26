//go:build js && wasm

// Command wasm is the client: the program inside the page. It puts the picture (view) and the page around it (page)
// together. Build it with GOOS=js GOARCH=wasm.
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
		select {} // callbacks continue
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
	select {} // callbacks continue
}

// breathe yields the browser's thread, which the packages' init functions blocked, so that a reader can scroll.
func breathe() { time.Sleep(time.Millisecond) }

// undrawn says why the world cannot be drawn. The page works without it.
func undrawn(why string) {
	document := js.Global().Get("document")
	if canvas := document.Call("querySelector", "canvas"); canvas.Truthy() {
		canvas.Call("remove")
	}
	if note := document.Call("getElementById", "note"); note.Truthy() {
		note.Set("textContent", why)
	}
}

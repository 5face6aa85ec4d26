//go:build js && wasm

// Command exercise runs a student's Starlark program in a web worker of the student's page, and judges exercises there
// where no server does. static/exercise.js loads it. Build it with GOOS=js GOARCH=wasm.
package main

import (
	"encoding/json"
	"syscall/js"

	"impalab/wasm/homework"
)

// main calls the worker's function ended with the answer to its request asked, both JSON.
func main() {
	var asked homework.Asked
	told := homework.Told{Error: "The request of this page cannot be read; reload the page."}
	if err := json.Unmarshal([]byte(js.Global().Get("asked").String()), &asked); err == nil {
		told = homework.Do(&asked)
	}
	text, err := json.Marshal(told)
	if err != nil {
		panic(err) // Do returns finite numbers only
	}
	js.Global().Call("ended", string(text))
}

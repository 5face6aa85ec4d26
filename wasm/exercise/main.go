//go:build js && wasm

// Command exercise runs a student's Starlark program in a web worker of the student's page. static/exercise.js loads
// it. Build it with GOOS=js GOARCH=wasm.
package main

import (
	"encoding/json"
	"syscall/js"

	"impalab/wasm/starlark"
)

// main calls the worker's function ended with the result of its program on its unrolls, both JSON.
func main() {
	var unrolls []starlark.Unroll
	var result starlark.Result
	if err := json.Unmarshal([]byte(js.Global().Get("unrolls").String()), &unrolls); err != nil {
		result.Error = "The unrolls of the server cannot be read; reload the page."
	} else {
		result = starlark.Run(js.Global().Get("source").String(), unrolls)
	}
	text, err := json.Marshal(result)
	if err != nil {
		panic(err) // Run returns finite numbers only
	}
	js.Global().Call("ended", string(text))
}

//go:build !(js && wasm)

// Command worker trains a page's runs in a web worker, and is an actor there for a class's run. static/worker.js loads
// it; package trainer does its work. Build it with GOOS=js GOARCH=wasm.
package main

import "os"

func main() {
	os.Stderr.WriteString("the worker runs in a browser: build it with GOOS=js GOARCH=wasm\n")
	os.Exit(2)
}

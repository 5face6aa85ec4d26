//go:build !(js && wasm)

// Command worker trains a page's runs in a web worker, and acts there for a class's run. It is built with GOOS=js
// GOARCH=wasm
// and carried in by static/worker.js; main.go is all there is of it, and what it does is package trainer's. Built for
// anything else it only says so.
package main

import "os"

func main() {
	os.Stderr.WriteString("the worker runs in a browser: build it with GOOS=js GOARCH=wasm\n")
	os.Exit(2)
}

//go:build !(js && wasm)

// Command exercise runs a student's Starlark program in a web worker of the student's page. static/exercise.js loads
// it. Build it with GOOS=js GOARCH=wasm.
package main

import "os"

func main() {
	os.Stderr.WriteString("this program runs in a browser: build it with GOOS=js GOARCH=wasm\n")
	os.Exit(2)
}

//go:build !(js && wasm)

// Command wasm is the client: the program inside the page. It is built with GOOS=js GOARCH=wasm; main.go puts the
// picture (view) and the page around it (page) together. Built for anything else it only says so.
package main

import "os"

func main() {
	os.Stderr.WriteString("the client runs in a browser: build it with GOOS=js GOARCH=wasm\n")
	os.Exit(2)
}

// Command simd writes static/kernels.js: the kernels of a browser on vectors of four float32s, which the Go compiler
// does not make. From tools/:
//
//	go run ./simd -out ../static/kernels.js
//
// learner/kernel/simd_wasm.go imports them, and has plain Go beside each, with the same bits.
package main

import (
	_ "embed"
	"encoding/base64"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

//go:embed kernels.js
var script string

// kernels are all functions, in the order of their table.
func kernels() []*function {
	return slices.Concat([]*function{product(), transpose(), addRows(), biasReLU(), dots()}, flat(), elementary())
}

func main() {
	out := flag.String("out", "", "file to write")
	flag.Parse()
	list := kernels()
	text := script
	for placeholder, module := range map[string][]byte{"DOOR": door(list), "KERNELS": behind(list)} {
		text = strings.Replace(text, placeholder, base64.StdEncoding.EncodeToString(module), 1)
	}
	if err := os.WriteFile(*out, []byte(text), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "simd:", err)
		os.Exit(1)
	}
}

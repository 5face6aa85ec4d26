// Package page makes the pages: HTML by templ, which people can read before any program runs. The texts of settings
// come from hyper's table, the words of metrics from metric.go, and colours from web/palette. The client (package
// wasm) finds its elements by data attributes.
package page

//go:generate go tool -modfile=../../tools/pins.mod templ generate

// Package web is the pages: HTML by templ, complete and readable before any program runs. What it says about a
// setting comes from hyper's table, about a metric from its own (metric.go); colours come from web/palette
// through the style sheets. The client (package wasm) finds its places by data attributes and fills them in.
package web

//go:generate go tool -modfile=../tools/pins.mod templ generate

package page

import (
	"strings"

	"github.com/a-h/templ"
)

// Browser has the addresses that a run in the visitor's browser needs, as seen from the page.
type Browser struct {
	Worker   string // static/worker.js
	Exec     string // static/wasm_exec.js
	Kernels  string // static/kernels.js
	Program  string // wasm/worker, built
	Programs string // stored programs; "": none
	Makes    string // where a server makes other programs; "": nowhere
}

// Alone describes a copy of the site in a folder, without a server.
type Alone struct {
	Networks string // hyper.Config.NetworkKey of each stored program, separated by spaces
	Keeper   string // address of the service worker, which stores the site for use without a network
	Server   string // address of a server's pages where runs can continue; ends with a slash, "": none
}

// home tells the client how runs can train in the browser.
func (d *Data) home() templ.Attributes {
	if d.Browser == nil {
		return nil
	}
	of := templ.Attributes{
		"data-worker": d.Browser.Worker, "data-exec": d.Browser.Exec, "data-kernels": d.Browser.Kernels,
		"data-program": d.Browser.Program, "data-programs": d.Browser.Programs, "data-makes": d.Browser.Makes,
	}
	if d.Alone != nil {
		of["data-alone"], of["data-networks"], of["data-server"] = "true", d.Alone.Networks, d.Alone.Server
	}
	return of
}

// judges are the addresses of the program that runs a student's program and judges exercises in the page.
func (d *Data) judges() templ.Attributes {
	return templ.Attributes{"data-runner": d.Asset("exercise.js"), "data-runner-module": d.Asset("exercise.wasm")}
}

// where says where runs train.
func (d *Data) where() string {
	switch {
	case d.Alone != nil:
		return "in this browser"
	case d.Devices != "":
		return "on the server, with " + d.Devices
	}
	return "on the server"
}

// alonePath returns the address of a path on a host of files: a page is a folder there.
func (d *Data) alonePath(path string) string {
	path, fragment, _ := strings.Cut(path, "#")
	if path != "" {
		path = strings.TrimSuffix(path, "/") + "/"
	}
	if fragment != "" {
		path += "#" + fragment
	}
	return d.Base + path
}

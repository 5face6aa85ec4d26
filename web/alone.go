package web

import "github.com/a-h/templ"

// Browser is what runs need that train in the visitor's browser. All of it is addresses, seen from the page.
type Browser struct {
	Worker   string // static/worker.js
	Exec     string // static/wasm_exec.js
	Program  string // wasm/worker, built
	Programs string // those that are stored; "": none
	Makes    string // where a server makes others; "": nowhere
}

// Alone is what a page needs that has no server behind it: a copy of the site in a folder, for any host of files.
type Alone struct {
	Networks string // of the stored programs: hyper.Config.NetworkKey of each, with spaces between
	Keeper   string // the service worker, which keeps the site for when there is no network
	Server   string // the address of the pages of a server, which runs may go on at; ends with a slash, "": there is none
}

// home is where the client is told that runs can train in the browser, and with what.
func (d *Data) home() templ.Attributes {
	if d.Browser == nil {
		return nil
	}
	of := templ.Attributes{
		"data-worker": d.Browser.Worker, "data-exec": d.Browser.Exec, "data-program": d.Browser.Program,
		"data-programs": d.Browser.Programs, "data-makes": d.Browser.Makes,
	}
	if d.Alone != nil {
		of["data-alone"], of["data-networks"], of["data-server"] = "true", d.Alone.Networks, d.Alone.Server
	}
	return of
}

// where says where a run trains.
func (d *Data) where() string {
	switch {
	case d.Alone != nil:
		return "in this browser"
	case d.Devices != "":
		return "on the server, with " + d.Devices
	}
	return "on the server"
}

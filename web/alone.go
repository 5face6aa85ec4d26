package web

import "github.com/a-h/templ"

// Alone is what a page needs that has no server behind it: a copy of the site in a folder, for any host of files. Its
// runs train in the browser. All of it is addresses, seen from the page.
type Alone struct {
	Worker   string // static/worker.js
	Exec     string // static/wasm_exec.js
	Program  string // wasm/worker, built
	Programs string // the stored ones
	Networks string // of those programs: design.Key of each, with spaces between
	Keeper   string // the service worker, which keeps the site for when there is no network
}

// home is where the client is told that its runs train in the browser, and with what.
func (d *Data) home() templ.Attributes {
	if d.Alone == nil {
		return nil
	}
	return templ.Attributes{
		"data-worker": d.Alone.Worker, "data-exec": d.Alone.Exec, "data-program": d.Alone.Program,
		"data-programs": d.Alone.Programs, "data-networks": d.Alone.Networks,
	}
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

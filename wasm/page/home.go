//go:build js && wasm

package page

import (
	"strings"
	"syscall/js"

	"impalab/wasm/conn"
	"impalab/wasm/run"
)

// home trains runs in this browser, in workers. A page without a server trains all its runs there; a page with one
// trains the runs that were moved.
type home struct {
	conn.Workers
	run.Browser
	server string // the address of a server where runs may continue; "": the page knows none
}

// newHome returns nil if this page cannot train runs.
func (p *Page) newHome() *home {
	if p.data("worker") == "" {
		return nil
	}
	address := func(name string) string {
		if p.data(name) == "" {
			return ""
		}
		return p.resolve(p.data(name))
	}
	most := 2 // runs that continue at once; more take turns
	if cores := p.window.Get("navigator").Get("hardwareConcurrency"); cores.Truthy() {
		most = min(most, cores.Int())
	}
	return &home{
		Workers: conn.Workers{Script: address("worker"), Most: most, Start: map[string]any{
			"exec": address("exec"), "kernels": address("kernels"), "program": address("program"),
			"programs": address("programs"), "makes": address("makes"), "build": p.data("build"),
		}},
		Browser: run.Browser{Networks: strings.Fields(p.data("networks")), Alone: p.data("alone") != ""},
		server:  p.data("server"),
	}
}

// alone reports whether the page has no server.
func (p *Page) alone() bool { return p.home != nil && p.home.Alone }

// A run that trains in the Lab's worker ends when the Lab is left. So the Lab leaves all trajectories of a batch in the
// tab's storage, for the microscope.

// unrollsName is the key of these trajectories in the storage. Their value begins with the id of the run.
const unrollsName = "impalab-unrolls"

// leaveUnrolls stores the unrolls of a run after an update, 0 for the newest, and then calls leave.
func (c *desk) leaveUnrolls(id string, update uint64, leave func()) {
	c.notice("The unroll is being recomputed.")
	c.home.Unrolls(id, update, func(array js.Value, why string) {
		if why == "" && !attempt(func() {
			c.window.Get("sessionStorage").Call("setItem", unrollsName, id+" "+stringify(array))
		}) {
			why = "this browser passes nothing to the next page: allow this site its storage"
		}
		if why != "" {
			c.notice(why)
			return
		}
		leave()
	})
}

// leftUnroll returns a trajectory that the Lab has left of a run, after an update, 0 for any; or why there is none.
func (h *host) leftUnroll(id string, update uint64, column int) (unroll js.Value, why string) {
	why = "this run was trained in a browser, which no longer has this unroll: open it again from the Lab"
	attempt(func() {
		text := h.window.Get("sessionStorage").Call("getItem", unrollsName)
		of, array, _ := strings.Cut(text.String(), " ")
		if text.IsNull() || of != id {
			return
		}
		all := js.Global().Get("JSON").Call("parse", array)
		switch first := all.Index(0); {
		case update > 0 && uint64(first.Get("update").Float()) != update:
		case column >= all.Length():
			why = "this run's batches have fewer trajectories"
		default:
			unroll, why = all.Index(column), ""
		}
	})
	return unroll, why
}

//go:build js && wasm

package page

import (
	"errors"
	"slices"
	"strings"
	"syscall/js"

	"impalab/learner/hyper"
	"impalab/wasm/link"
	"impalab/wasm/model"
)

// home is where runs train in this browser: in workers. All runs of a page without a server do; of a page of a server
// those that were moved here.
type home struct {
	link.Workers
	networks []string // that it has programs for: hyper.Config.NetworkKey of each; a server makes others
	alone    bool     // there is no server behind the page…
	server   string   // …and this is the address of one that runs may go on at; "": none is known
}

// maxWorkers: two runs side by side go on at once; more take turns.
const maxWorkers = 2

// atHome finds out whether runs can train in this browser; nil: they cannot.
func (p *Page) atHome() *home {
	data := p.body.Get("dataset")
	if !data.Get("worker").Truthy() {
		return nil
	}
	named := func(name string) string {
		if v := data.Get(name); v.Truthy() {
			return v.String()
		}
		return ""
	}
	address := func(name string) string {
		if named(name) == "" {
			return ""
		}
		return js.Global().Get("URL").New(named(name), p.document.Get("baseURI")).Get("href").String()
	}
	most := maxWorkers
	if cores := p.window.Get("navigator").Get("hardwareConcurrency"); cores.Truthy() && cores.Int() < most {
		most = 1
	}
	return &home{
		Workers: link.Workers{Script: address("worker"), Most: most, Start: map[string]any{
			"exec": address("exec"), "program": address("program"), "programs": address("programs"),
			"makes": address("makes"), "build": named("build"),
		}},
		networks: strings.Fields(named("networks")), alone: named("alone") != "", server: named("server"),
	}
}

// alone reports whether there is no server behind the page.
func (p *Page) alone() bool { return p.home != nil && p.home.alone }

// fits says why a configuration cannot be trained in this browser, if it cannot.
func (h *home) fits(cfg *hyper.Config) error {
	switch key, err := cfg.NetworkKey(); {
	case err != nil:
		return err
	case cfg.Mode == hyper.Live && h.alone:
		return errors.New("actors that race the learner need a server, and this page has none")
	case cfg.Mode == hyper.Live:
		return errors.New("actors that race the learner train on the server only")
	case cfg.Arithmetic == hyper.Fused:
		return errors.New("a browser computes in plain arithmetic")
	case !h.alone && cfg.Torso != hyper.FlatTorso:
		return errors.New("networks that look at pictures are too much for a browser")
	case h.alone && !slices.Contains(h.networks, key):
		return errors.New("this network needs a program that only a server makes, and this page has none; there are those " +
			"of the small worlds' presets")
	}
	return nil
}

// needsServer are the deeds that a page without one cannot do, and why.
var needsServer = map[model.Act]string{
	model.Runs: "Only a server keeps runs. This page has none: a link keeps the settings, the seed and what was changed.",
	model.OverSeeds: "Eight seeds at once need a server, and this page has none. Open the link to this run on one: " +
		"impalab serves it from any machine.",
	model.Sweep: "A sweep needs a server, and this page has none. Open the link to this run on one: impalab serves it " +
		"from any machine.",
}

//go:build js && wasm

package page

import (
	"errors"
	"slices"
	"strings"
	"syscall/js"

	"impalab/learner/design"
	"impalab/learner/hyper"
	"impalab/wasm/link"
	"impalab/wasm/model"
)

// home is where the runs of a page without a server train: in workers of this browser.
type home struct {
	link.Workers
	networks []string // that it has programs for: design.Key of each
}

// maxWorkers: two runs side by side go on at once; more take turns.
const maxWorkers = 2

// atHome finds out whether the page has no server; nil: it has one.
func (p *Page) atHome() *home {
	data := p.body.Get("dataset")
	if !data.Get("worker").Truthy() {
		return nil
	}
	address := func(name string) string {
		return js.Global().Get("URL").New(data.Get(name).String(), p.document.Get("baseURI")).Get("href").String()
	}
	most := maxWorkers
	if cores := p.window.Get("navigator").Get("hardwareConcurrency"); cores.Truthy() && cores.Int() < most {
		most = 1
	}
	return &home{
		Workers: link.Workers{Script: address("worker"), Most: most, Start: map[string]any{
			"exec": address("exec"), "program": address("program"), "programs": address("programs"),
			"build": data.Get("build").String(),
		}},
		networks: strings.Fields(data.Get("networks").String()),
	}
}

// fits says why a configuration cannot be trained here, if it cannot.
func (h *home) fits(cfg *hyper.Config) error {
	switch key, err := design.Key(cfg); {
	case err != nil:
		return err
	case cfg.Mode == hyper.Live:
		return errors.New("actors that race the learner need a server, and this page has none")
	case !slices.Contains(h.networks, key):
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
	model.Microscope: "The microscope takes the unroll of a run from a server, and this page has none. On an example it " +
		"works at microscope/, below this site's address.",
	model.Sweep: "A sweep needs a server, and this page has none. Open the link to this run on one: impalab serves it " +
		"from any machine.",
}

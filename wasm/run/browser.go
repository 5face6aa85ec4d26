package run

import (
	"errors"
	"slices"
	"strings"

	"impalab/learner/hyper"
)

// browserPrefix begins the ids of a browser's runs; a server's ids are hexadecimal.
const browserPrefix = "here"

// OfBrowser reports whether an id names a run of a browser.
func OfBrowser(id string) bool { return strings.HasPrefix(id, browserPrefix) }

// Browser is what this browser can train.
type Browser struct {
	Networks []string // with stored programs: hyper.Config.NetworkKey of each; a server makes others
	Alone    bool     // the page has no server
}

// Fits refuses a configuration that this browser cannot train.
func (b *Browser) Fits(c *hyper.Config) error {
	switch key, err := c.NetworkKey(); {
	case err != nil:
		return err
	case c.Init == hyper.InitLearned && b.Alone:
		return errors.New("the parameters of a learned agent need a server, and this page has none")
	case c.Init == hyper.InitLearned:
		return errors.New("a learned agent starts on the server only")
	case c.Mode == hyper.Live && b.Alone:
		return errors.New("actors that race the learner need a server, and this page has none")
	case c.Mode == hyper.Live:
		return errors.New("actors that race the learner train on the server only")
	case c.Arithmetic == hyper.Fused:
		return errors.New("a browser computes in plain arithmetic")
	case b.Alone && !slices.Contains(b.Networks, key):
		return errors.New("this network needs a program that only a server makes, and this page has none; it has the " +
			"programs of the presets")
	}
	return nil
}

package api

import (
	"context"
	"strings"

	"impalab/web/link"
)

// ShortLink is the body of a request for a short link.
type ShortLink struct {
	Link string `json:"link" doc:"The part of a Lab address behind the #, like v=1&p=catch&lag=8. It must open as it is written: known settings and turns only, and no fork."`
}

// Shortened is a short link.
type Shortened struct {
	Code string `json:"code" doc:"The same link always has the same code."`
	Path string `json:"path" doc:"Path on this server that leads to the link."`
}

func (a *api) shorten(ctx context.Context, in *struct{ Body ShortLink }) (Shortened, error) {
	fragment, err := link.Storable(in.Body.Link)
	if err != nil {
		return Shortened{}, refuse(err)
	}
	code, err := a.Runs.Shorten(ctx, fragment)
	return Shortened{code, a.pages() + "l/" + code}, err
}

// pages returns the path of the pages.
func (a *api) pages() string { return strings.TrimSuffix(a.Base, "api/v1") }

// Opens returns the path, below the base, of the page that a fragment belongs to.
func Opens(fragment string) string {
	if link.IsFirst(fragment) {
		return ""
	}
	return "lab"
}

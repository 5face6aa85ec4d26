package api

import (
	"context"
	"net/http"
	"strings"

	"impalab/wasm/firstpage"
	"impalab/wasm/run"
)

// ShortLink is the body that asks for a short link.
type ShortLink struct {
	Link string `json:"link" doc:"What stands behind the # of an address of the Lab: v=1&p=catch&lag=8. It must open as it is written: known settings and turns alone, and no fork."`
}

// Shortened is the answer.
type Shortened struct {
	Code string `json:"code" doc:"The same for the same link."`
	Path string `json:"path" doc:"Below the server's address: GET leads to the link."`
}

// How often one address may ask for short links.
const (
	LinksEvery = 1.0 // a second
	LinksBurst = 20
)

// asksLink reports whether a request asks for a short link.
func asksLink(r *http.Request) bool {
	return r.Method == http.MethodPost && r.URL.Path == "/links"
}

func (a *api) shorten(ctx context.Context, in *struct{ Body ShortLink }) (*body[Shortened], error) {
	fragment, err := ToKeep(in.Body.Link)
	if err != nil {
		return nil, problem(http.StatusUnprocessableEntity, err.Error())
	}
	code, err := a.Runs.Shorten(ctx, fragment)
	if err != nil {
		return nil, a.said(err)
	}
	return answer(Shortened{code, strings.TrimSuffix(a.Base, "api/v1") + "l/" + code}), nil
}

// ToKeep is a link of the Lab or of the first page as it may be kept, or why it may not.
func ToKeep(fragment string) (string, error) {
	if Opens(strings.TrimPrefix(fragment, "#")) == "" {
		return firstpage.ToKeep(fragment)
	}
	return run.ToKeep(fragment)
}

// Opens is the path below the base of the page that a fragment belongs to.
func Opens(fragment string) string {
	if name, _, _ := strings.Cut(fragment, "&"); name == firstpage.Name {
		return ""
	}
	return "lab"
}

package api

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"

	"impalab/server/firewall"
)

// Limit is how often one address may send one kind of request.
type Limit struct {
	rate   *firewall.Rate
	what   string // subject of the refusal
	reason string // label in the metrics; "": not counted
}

// Limits are the limits of the API and of the pages. A class of sixty students has one address.
type Limits struct {
	Starts, Links, Rooms, Curves, Unrolls, Changes, Requests *Limit // of the API
	Board, Rows                                              *Limit // of both
	Pages, Files, Programs                                   *Limit // of the pages
}

// NewLimits returns the limits, with no request counted yet.
func NewLimits() *Limits {
	limit := func(perSecond float64, atOnce int, reason, what string) *Limit {
		return &Limit{firewall.NewRate(perSecond, atOnce), what, reason}
	}
	return &Limits{
		Starts:   limit(20, 200, firewall.StartsTooFast, "runs are started"), // so many pages of an address may open at once
		Links:    limit(1, 20, firewall.LinksTooFast, "short links are asked for"),
		Rooms:    limit(60, 600, "", "messages to rooms are sent"),
		Curves:   limit(60, 600, firewall.RunPagesTooFast, "tapes and curves are asked for"),
		Unrolls:  limit(4, 8, "", "unrolls and moments are asked for"),              // each costs the run a forward pass
		Changes:  limit(20, 200, firewall.RequestsTooFast, "changes are asked for"), // each waits for the store
		Requests: limit(60, 600, firewall.RequestsTooFast, "requests are sent"),
		Board:    limit(20, 200, "", "pages of the board are asked for"),       // a class that watches its entries
		Rows:     limit(2, 60, "", "further pages of the board are asked for"), // each is read from the store
		Pages:    limit(20, 200, firewall.RunPagesTooFast, "pages of runs are asked for"),
		Files:    limit(2, 60, firewall.FilesTooFast, "files of runs are asked for"), // drawn for each request
		Programs: limit(2, 60, firewall.FilesTooFast, "programs of runs are asked for"),
	}
}

// of returns the limit of an API request. The request's path is under Base.
func (l *Limits) of(r *http.Request) *Limit {
	switch at, name := r.URL.Path, path.Base(r.URL.Path); {
	case r.Method == http.MethodPost && at == "/links":
		return l.Links
	case Reads(r) && strings.HasPrefix(at, "/rooms"):
		return l.Rooms
	case Reads(r) && r.Method == http.MethodPost:
		return l.Starts
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return l.Changes
	case strings.HasPrefix(at, "/board/") && name != "events":
		return l.OfBoard(r)
	case strings.HasPrefix(at, "/runs/") && (name == "unroll" || name == "moments"):
		return l.Unrolls
	case slices.Contains([]string{"tape", "curves.csv", "runs.csv"}, name) || strings.Contains(at, "/cells/"):
		return l.Curves
	}
	return l.Requests
}

// OfBoard returns the limit of a request for rows of the board. All visitors share the drawn first page of the newest
// season.
func (l *Limits) OfBoard(r *http.Request) *Limit {
	if q := r.URL.Query(); q.Has("page") || q.Has("season") || path.Base(r.URL.Path) == "entries" {
		return l.Rows
	}
	return l.Board
}

// Exceeded counts a request of an address. It returns why the request is refused, or "".
func (l *Limit) Exceeded(address string, refused firewall.Refused) string {
	if l == nil || l.rate.Allow(address) {
		return ""
	}
	if l.reason != "" {
		refused(l.reason)
	}
	return fmt.Sprintf("%s too fast from your address: %s; wait a second, then try again", l.what, l.rate)
}

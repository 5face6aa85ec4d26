// Package api is /api/v1: runs for programs. They are started, steered, forked and read here as the page does it, by
// the same lab, with the same table of settings and the same sentences. The OpenAPI description at openapi.json is made
// from the types that answer. Look at New first, then at runs.go.
package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"impalab/server/board"
	"impalab/server/class"
	"impalab/server/firewall"
	"impalab/server/lab"
)

// Options are what an API is made of.
type Options struct {
	Runs    *lab.Lab
	Rooms   *class.Rooms
	Board   *board.Contest
	Host    string                     // who makes rooms must send it; "": everybody may
	Base    string                     // path that the API lives under, without a slash at its end, like /api/v1
	Build   string                     //
	Address func(*http.Request) string // whom a request counts for
	Starts  *firewall.Rate             // how often an address may start a run…
	Links   *firewall.Rate             // …and ask for a short link
	Refused firewall.Refused           // told of each start that came too soon
	Closing context.Context            // event streams end with it
	Log     *slog.Logger

	Storable func() error // why nothing can be stored, so that every change is refused; nil: it can

	Beat time.Duration // between two signs of life of an event stream; 0: 15 s
}

// Beat is the usual time between two signs of life of an event stream.
const Beat = 15 * time.Second

type api struct {
	Options
	looks *firewall.Rate // how often an address may look at an unroll: each costs the run a forward pass
	sends *firewall.Rate // how often an address may send something to a room
	tales *firewall.Rate // how often an address may read all that a run or a cell of a sweep has told
}

// maxBody is how many bytes a request may bring: all settings there are take 4 kB.
const maxBody = 64 << 10

// New makes the API. It expects paths under Base.
func New(o Options) http.Handler {
	if o.Beat == 0 {
		o.Beat = Beat
	}
	if o.Storable == nil {
		o.Storable = func() error { return nil }
	}
	a := &api{o, firewall.NewRate(looksEvery, looksBurst), firewall.NewRate(sendsEvery, sendsBurst),
		firewall.NewRate(talesEvery, talesBurst)}
	mux := http.NewServeMux()
	described := humago.New(mux, config(&o))
	a.register(described)
	for path, item := range described.OpenAPI().Paths {
		mux.HandleFunc(path, notAllowed(item))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		Write(w, http.StatusNotFound, fmt.Sprintf("no route %.100q; %s/openapi.json lists all routes", r.URL.Path, o.Base))
	})
	return http.StripPrefix(o.Base, a.admit(mux))
}

// Reads reports whether a request is one whose body is read; its path is under Base.
func Reads(r *http.Request) bool {
	return r.Method == http.MethodPatch || r.Method == http.MethodPost && !strings.HasSuffix(r.URL.Path, "/stop")
}

// starts reports whether a request asks for a new run.
func starts(r *http.Request) bool {
	return r.Method == http.MethodPost && Reads(r) && !ofRooms(r) && !asksLink(r)
}

func ofRooms(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/rooms") }

// What one address may send to rooms: a class of sixty shares one.
const (
	sendsEvery = 60. // a second
	sendsBurst = 600
)

// What one address may read of tapes and curves: the pages of a class of sixty follow their seeds through one.
const (
	talesEvery = 60. // a second
	talesBurst = 600
)

// told reports whether a request is for a whole tape, or for all of some curves.
func told(r *http.Request) bool {
	return r.Method == http.MethodGet && (slices.Contains([]string{"tape", "curves.csv", "runs.csv"},
		path.Base(r.URL.Path)) || strings.Contains(r.URL.Path, "/cells/"))
}

// tooFast says what an address does more often than it may, and how often that is; "" where it does not.
func (a *api) tooFast(r *http.Request, address string) (reason, sentence string) {
	switch {
	case starts(r) && !a.Starts.Allow(address):
		return firewall.StartsTooFast, fmt.Sprintf("runs are started too fast from your address: %s; wait a second, then "+
			"try again", a.Starts)
	case asksLink(r) && !a.Links.Allow(address):
		return firewall.LinksTooFast, fmt.Sprintf("short links are asked for too fast from your address: %s; wait a second, "+
			"then try again", a.Links)
	case told(r) && !a.tales.Allow(address):
		return firewall.RunPagesTooFast, fmt.Sprintf("tapes and curves are asked for too fast from your address: %s; wait a "+
			"second, then try again", a.tales)
	}
	return "", ""
}

// admit reads bodies, up to a limit, and holds who starts runs or asks for links to a rate.
func (a *api) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store") // answers have keys, or change
		address := a.Address(r)
		if reason, sentence := a.tooFast(r, address); reason != "" {
			a.Refused(reason)
			firewall.Unread(w)
			w.Header().Set("Retry-After", "1")
			Write(w, http.StatusTooManyRequests, sentence)
			return
		}
		if Reads(r) && ofRooms(r) && !a.sends.Allow(address) {
			firewall.Unread(w)
			w.Header().Set("Retry-After", "1")
			Write(w, http.StatusTooManyRequests, fmt.Sprintf("too much comes from your address: %s; wait a second, then "+
				"try again", a.sends))
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead && a.Storable() != nil {
			firewall.Unread(w)
			w.Header().Set("Retry-After", "10")
			Write(w, http.StatusServiceUnavailable, unstored)
			return
		}
		if Reads(r) {
			body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
			if err != nil {
				firewall.Unread(w)
				if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
					Write(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body has more than %d bytes; send only the settings "+
						"that differ from the preset", maxBody))
				} else {
					Write(w, http.StatusBadRequest, "the body did not arrive completely; send it again")
				}
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			r.Header.Set("Content-Type", "application/json") // nothing else is read here, and curl -d calls it a form
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), addressKey{}, address)))
	})
}

// addressKey is where the context of a request has the address that it counts for.
type addressKey struct{}

// notAllowed answers methods that a path does not have.
func notAllowed(item *huma.PathItem) http.HandlerFunc {
	var known []string
	for method, op := range map[string]*huma.Operation{
		http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodPatch: item.Patch, http.MethodDelete: item.Delete,
	} {
		if op != nil {
			known = append(known, method)
		}
	}
	slices.Sort(known)
	allow := strings.Join(known, ", ")
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", allow)
		Write(w, http.StatusMethodNotAllowed, fmt.Sprintf("method %.20s not allowed on %.100s; use %s", r.Method, r.URL.Path,
			strings.ReplaceAll(allow, ", ", " or ")))
	}
}

func config(o *Options) huma.Config {
	json := huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: decode}
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{Title: "impalab", Version: "1",
				Description: "Runs of off-policy actor-critic agents, for programs. " +
					"Whoever has the id of a run may read and fork it; to steer, stop or delete it takes its key, as " +
					"Authorization: Bearer KEY. The board takes configurations and trains them. A room has a key for its " +
					"teacher, and one for each student. " +
					"Served by build " + o.Build + "."},
			Servers: []*huma.Server{{URL: o.Base}},
			Components: &huma.Components{
				Schemas:         huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer),
				SecuritySchemes: map[string]*huma.SecurityScheme{"key": {Type: "http", Scheme: "bearer"}},
			},
		},
		OpenAPIPath:   "/openapi",
		Formats:       map[string]huma.Format{"application/json": json, "json": json},
		DefaultFormat: "application/json",
	}
}

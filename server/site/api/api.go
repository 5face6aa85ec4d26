// Package api is /api/v1: runs, sweeps, rooms and the board for programs. It uses the same lab and the same table of
// settings as the pages, and refuses with the same sentences. The types of the answers also give the OpenAPI
// description at openapi.json. Start with routes.go.
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
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"impalab/learner/trial"
	"impalab/server/board"
	"impalab/server/class"
	"impalab/server/firewall"
	"impalab/server/lab"
	"impalab/server/places"
	"impalab/server/sweep"
)

// Options configure an API.
type Options struct {
	Runs    *lab.Lab
	Sweeps  *sweep.Sweeps
	Rooms   *class.Rooms
	Board   *board.Contest
	Host    string // token that opening a room needs; "": none
	Base    string // path of the API, without a slash at its end, like /api/v1
	Build   string
	Address func(*http.Request) string // returns the address that a request counts for
	Limits  *Limits
	Refused firewall.Refused // counts requests that came too fast
	Closing context.Context  // ends event streams
	Log     *slog.Logger

	Storable func() error  // returns why the server can store nothing; nil: it always can
	Beat     time.Duration // between two heartbeats of an event stream; 0: Beat
	Keep     int           // bytes of answers that are kept for the next who asks for them
}

// Beat is the usual time between two heartbeats of an event stream.
const Beat = 15 * time.Second

type api struct {
	Options
	kept *places.Made // curves and moments
}

// maxBody limits a request's body, in bytes. All settings together take 4 kB.
const maxBody = 64 << 10

// New returns the API. It expects paths under Base.
func New(o Options) http.Handler {
	if o.Beat == 0 {
		o.Beat = Beat
	}
	if o.Storable == nil {
		o.Storable = func() error { return nil }
	}
	a := &api{o, places.NewMade(o.Keep)}
	mux := http.NewServeMux()
	described := humago.New(mux, config(&o))
	a.register(described)
	for path, item := range described.OpenAPI().Paths {
		mux.HandleFunc(path, describeItem(item))
	}
	unknown := func(w http.ResponseWriter, r *http.Request) {
		Write(w, http.StatusNotFound, fmt.Sprintf("no route %.100q; %s/openapi.json lists all routes", r.URL.Path, o.Base))
	}
	mux.HandleFunc("/", unknown)
	routes := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path.Clean("/"+r.URL.Path) { // mux would redirect to a path without Base
			unknown(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
	return http.StripPrefix(o.Base, a.admit(routes))
}

// Reads reports whether the API reads the body of a request. The request's path is under Base.
func Reads(r *http.Request) bool {
	return r.Method == http.MethodPatch || r.Method == http.MethodPost && !strings.HasSuffix(r.URL.Path, "/stop")
}

// admit refuses requests that come too fast, and changes while nothing can be stored. It reads bodies up to maxBody.
func (a *api) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		refuse := func(status int, retry, sentence string) {
			firewall.Unread(w)
			if retry != "" {
				w.Header().Set("Retry-After", retry)
			}
			Write(w, status, sentence)
		}
		w.Header().Set("Cache-Control", "no-store") // answers change, and some contain keys
		address := a.Address(r)
		if sentence := a.Limits.of(r).Exceeded(address, a.Refused); sentence != "" {
			refuse(http.StatusTooManyRequests, "1", sentence)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead && a.Storable() != nil {
			refuse(http.StatusServiceUnavailable, "10", unstored)
			return
		}
		if Reads(r) {
			body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
			if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
				refuse(http.StatusRequestEntityTooLarge, "", fmt.Sprintf("the body has more than %d bytes; send only the "+
					"settings that differ from the preset", maxBody))
				return
			}
			if err != nil {
				refuse(http.StatusBadRequest, "", "the body did not arrive completely; send it again")
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			r.Header.Set("Content-Type", "application/json") // curl -d says that JSON is a form
		}
		next.ServeHTTP(w, r.WithContext(places.By(r.Context(), address)))
	})
}

// describeItem describes the refusals of a path's operations, and returns the handler of all other methods.
func describeItem(item *huma.PathItem) http.HandlerFunc {
	var known []string
	for method, op := range map[string]*huma.Operation{
		http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodPatch: item.Patch, http.MethodDelete: item.Delete,
	} {
		if op == nil {
			continue
		}
		known = append(known, method)
		for status, sentence := range refusals {
			if answer := op.Responses[strconv.Itoa(status)]; answer != nil {
				answer.Description = sentence
			}
		}
	}
	slices.Sort(known)
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", strings.Join(known, ", "))
		Write(w, http.StatusMethodNotAllowed, fmt.Sprintf("method %.20s not allowed on %.100s; use %s", r.Method,
			r.URL.Path, strings.Join(known, " or ")))
	}
}

func config(o *Options) huma.Config {
	json := huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: decode}
	schemas := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	schemas.RegisterTypeAlias(reflect.TypeFor[trial.Number](), reflect.TypeFor[*float64]()) // may be null
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{Title: "impalab", Version: "1",
				Description: "Runs of off-policy actor-critic agents, for programs. " +
					"The id of a run is enough to read and fork it. " +
					"To steer, stop or delete it, send its key as Authorization: Bearer KEY. " +
					"The board trains configurations and ranks them. " +
					"A room of a class has one key for its teacher and one secret for each student. " +
					"Served by build " + o.Build + "."},
			Servers: []*huma.Server{{URL: o.Base}},
			Components: &huma.Components{
				Schemas:         schemas,
				SecuritySchemes: map[string]*huma.SecurityScheme{"key": {Type: "http", Scheme: "bearer"}},
			},
		},
		OpenAPIPath:   "/openapi",
		Formats:       map[string]huma.Format{"application/json": json, "json": json},
		DefaultFormat: "application/json",
	}
}

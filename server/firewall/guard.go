// Package firewall is what stands between the network and the site: which names the server answers to, which pages may
// call, how many connections there may be, and how long a request may take. Start with Listener for connections, Hosts
// and SameOrigin for requests, and Bodies and Downloads for what is slow on purpose.
package firewall

import (
	"encoding/json"
	"net/http"
	"strings"
)

// Refused is told of each refusal, for the metrics, with one of Reasons. It is called from many goroutines.
type Refused func(reason string)

// Why something is refused, as the metrics name it.
const (
	WrongHost     = "host"                // Host is not one of the server's names
	ForeignOrigin = "origin"              // a page from elsewhere called
	UnreadBody    = "unread_body"         // a request brought a body where none is read
	AllTaken      = "connections"         // as many connections as there may be, and all are busy
	AddressFull   = "address_connections" // as many as one address may have, and all are busy
	MadeRoom      = "made_room"           // a connection without a request was closed for a new one
	AllPages      = "pages"               // as many pages as there may be
	AddressPages  = "address_pages"       // as many as one address may have
	StartsTooFast = "starts"              // an address starts runs faster than it may
	LinksTooFast  = "links"               // it asks for short links faster than it may
	FilesTooFast  = "files"               // an address has files of runs made faster than it may…

	RunPagesTooFast = "run_pages" // …or their pages and curves
)

// Reasons are all of them.
var Reasons = []string{WrongHost, ForeignOrigin, UnreadBody, AllTaken, AddressFull, MadeRoom, AllPages, AddressPages,
	StartsTooFast, LinksTooFast, FilesTooFast, RunPagesTooFast}

// OfAPI reports whether a request is for a route of the API, wherever the pages live.
func OfAPI(r *http.Request) bool {
	return strings.HasSuffix(r.URL.Path, "/api/v1") || strings.Contains(r.URL.Path, "/api/v1/")
}

// refuse answers with one sentence: as the API's JSON under /api/v1, and as text elsewhere.
func refuse(w http.ResponseWriter, r *http.Request, status int, sentence string) {
	Unread(w)
	if !OfAPI(r) {
		http.Error(w, sentence, status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	fault := map[string]string{"code": "forbidden", "message": sentence}
	json.NewEncoder(w).Encode(map[string]any{"error": fault}) // a broken connection needs no answer
}

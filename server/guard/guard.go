// Package guard is what stands between the network and the site: which names the server answers to, which pages may
// call, how many connections there may be, and how long a request may take. Start with Listener for connections, Hosts
// and SameOrigin for requests, and Bodies and Downloads for what is slow on purpose.
package guard

import "net/http"

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

// refuse answers with one sentence.
func refuse(w http.ResponseWriter, status int, sentence string) {
	Unread(w)
	http.Error(w, sentence, status)
}

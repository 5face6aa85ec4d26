// Package firewall stands between the network and the site: the host names that the server answers to, the pages that
// may call it, the number of connections, and how long a request may take. Start with Listener for connections, Hosts
// and SameOrigin for requests, and Bodies and Answers for clients that are slow on purpose.
package firewall

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Refused is called from many goroutines, for each refusal, with one of Reasons. Metrics count it.
type Refused func(reason string)

// Reasons of refusals, as metrics name them.
const (
	WrongHost       = "host"                // Host is not one of the server's names
	ForeignOrigin   = "origin"              // a page of another site called
	UnreadBody      = "unread_body"         // a request brought a body that its path does not read
	AllTaken        = "connections"         // all connections are open and busy
	AddressFull     = "address_connections" // all connections of the address are open and busy
	MadeRoom        = "made_room"           // a connection without a request was closed for a new one
	AllPages        = "pages"               // all pages are open
	AddressPages    = "address_pages"       // all pages of the address are open
	AddressAnswers  = "address_answers"     // the address has not taken its earlier answers
	AllAnswers      = "answers"             // an answer was cut, or refused, because too many are under way
	StartsTooFast   = "starts"              // the address starts runs too fast
	LinksTooFast    = "links"               // …or asks for short links
	FilesTooFast    = "files"               // …or for files of runs
	RunPagesTooFast = "run_pages"           // …or for pages and curves of runs
	RequestsTooFast = "requests"            // …or for anything else of the API or the board
)

// Reasons are all reasons.
var Reasons = []string{WrongHost, ForeignOrigin, UnreadBody, AllTaken, AddressFull, MadeRoom, AllPages, AddressPages,
	AddressAnswers, AllAnswers, StartsTooFast, LinksTooFast, FilesTooFast, RunPagesTooFast, RequestsTooFast}

// OfAPI reports whether a request is for a route of the API, under any base path.
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

// SameOrigin refuses requests of pages of other sites, with net/http's CrossOriginProtection applied to every method.
// That protection lets safe methods pass, because a GET should change nothing; but a websocket and an event stream
// begin with a GET, and lead into a run. Pages of origins, as "https://host", may call too: browsers see such a name
// behind a proxy.
func SameOrigin(refused Refused, origins ...string) (func(http.Handler) http.Handler, error) {
	check := http.NewCrossOriginProtection()
	for _, origin := range origins {
		if err := check.AddTrustedOrigin(origin); err != nil {
			return nil, err
		}
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			unsafe := *r
			unsafe.Method = http.MethodPost
			if check.Check(&unsafe) != nil {
				refused(ForeignOrigin)
				refuse(w, r, http.StatusForbidden, fmt.Sprintf("a page from %.100s may not connect here; behind a proxy, "+
					"start the server with --base-url and the URL that browsers see", cmp.Or(r.Header.Get("Origin"), "elsewhere")))
				return
			}
			next.ServeHTTP(w, r)
		})
	}, nil
}

// Address returns the network that an IP address counts for: itself, or its /64, because a household or an attacker has
// an IPv6 network of that size. Other texts count as themselves.
func Address(text string) string {
	address, err := netip.ParseAddr(text)
	if err != nil {
		return text
	}
	if address = address.Unmap(); address.Is6() {
		if prefix, err := address.WithZone("").Prefix(64); err == nil {
			return prefix.String()
		}
	}
	return address.String()
}

// Remote returns the Address of the other end of a connection, from "host:port".
func Remote(hostPort string) string {
	host, _, err := net.SplitHostPort(hostPort)
	if err != nil {
		return hostPort
	}
	return Address(host)
}

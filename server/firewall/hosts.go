package firewall

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
)

// Hosts are the names that the server answers to. DNS rebinding points the name of a foreign page at this machine after
// the page was loaded. Such a page passes every check of origins, because its origin is the same; but Host has its
// name.
type Hosts map[string]bool

// NewHosts returns the names localhost, this machine's name with and without .local, and those given, each without a
// port. This machine's addresses are allowed without being named.
func NewHosts(more ...string) Hosts {
	h := Hosts{"localhost": true}
	if machine, err := os.Hostname(); err == nil {
		machine = clean(machine)
		short, _, _ := strings.Cut(machine, ".")
		for _, name := range []string{machine, short, short + ".local"} {
			h[name] = name != "" && name != ".local"
		}
	}
	for _, name := range more {
		h[clean(name)] = true
	}
	return h
}

// clean returns a host as it is compared: in lower case, without the brackets of IPv6 or a final dot.
func clean(host string) string {
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// bare returns the Host header's name, clean and without its port.
func bare(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return clean(host)
}

// Allows reports whether the Host header is one of the names or an address of this machine, also behind a proxy on it.
func (h Hosts) Allows(host string) bool {
	name := bare(host)
	address, err := netip.ParseAddr(name)
	if h[name] || err != nil || address.IsLoopback() {
		return h[name] || err == nil
	}
	mine, _ := net.InterfaceAddrs() // now: a laptop changes networks
	return slices.ContainsFunc(mine, func(a net.Addr) bool {
		return strings.HasPrefix(a.String(), address.Unmap().WithZone("").String()+"/")
	})
}

// OnThisMachine reports whether the Host header can only name a browser's own machine. Browsers trust such a page as
// they trust https.
func OnThisMachine(host string) bool {
	name := bare(host)
	address, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && address.IsLoopback()
}

// admitted is a key in the context of requests that Admitted has let through.
type admitted struct{}

// Admitted marks a request whose Host a front end has checked.
func Admitted(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), admitted{}, true))
}

// Protect answers requests under other names with 421 and the way out.
func (h Hosts) Protect(next http.Handler, refused Refused) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Context().Value(admitted{}) == nil && !h.Allows(r.Host) {
			refused(WrongHost)
			refuse(w, r, http.StatusMisdirectedRequest, fmt.Sprintf("this server does not answer to the name %.100q; "+
				"if it is yours, start the server with --allow-host and that name", r.Host))
			return
		}
		next.ServeHTTP(w, r)
	})
}

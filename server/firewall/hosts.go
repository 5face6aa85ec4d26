package firewall

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"
)

// Hosts are the names that the server answers to. DNS rebinding points the name of a foreign page at this machine after
// the page was loaded. Such a page passes every check of origins, because its origin is the same; but Host has its
// name.
type Hosts struct {
	names map[string]bool

	mu    sync.Mutex
	local map[netip.Addr]bool // addresses of this machine's interfaces
	read  time.Time           // when local was read
}

// NewHosts returns the names localhost, this machine's name with and without .local, and those given, each without a
// port. Addresses of this machine's interfaces are allowed without being named.
func NewHosts(more ...string) *Hosts {
	h := &Hosts{names: map[string]bool{"localhost": true}}
	if machine, err := os.Hostname(); err == nil {
		machine = clean(machine)
		short, _, _ := strings.Cut(machine, ".")
		for _, name := range []string{machine, short, short + ".local"} {
			h.names[name] = name != "" && name != ".local"
		}
	}
	for _, name := range more {
		h.names[clean(name)] = true
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

// Allows reports whether the Host header is one of the names.
func (h *Hosts) Allows(host string) bool {
	name := bare(host)
	address, err := netip.ParseAddr(name)
	if h.names[name] || err != nil {
		return h.names[name]
	}
	address = address.Unmap().WithZone("")
	return address.IsLoopback() || h.isLocal(address)
}

// OnThisMachine reports whether the Host header can only name a browser's own machine. Browsers trust such a page as
// they trust https.
func OnThisMachine(host string) bool {
	name := bare(host)
	address, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && address.IsLoopback()
}

// isLocal reads the interfaces again for an unknown address, at most once a second: a laptop changes networks.
func (h *Hosts) isLocal(address netip.Addr) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if now := time.Now(); !h.local[address] && now.Sub(h.read) >= time.Second {
		h.local, h.read = map[netip.Addr]bool{}, now
		list, _ := net.InterfaceAddrs() // after an error the list is empty, and loopback is allowed anyway
		for _, a := range list {
			if prefix, err := netip.ParsePrefix(a.String()); err == nil {
				h.local[prefix.Addr().Unmap().WithZone("")] = true
			}
		}
	}
	return h.local[address]
}

// admitted is a key in the context of requests that Admitted has let through.
type admitted struct{}

// Admitted marks a request whose Host a front end has checked.
func Admitted(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), admitted{}, true))
}

// Protect answers requests under other names with 421 and the way out.
func (h *Hosts) Protect(next http.Handler, refused Refused) http.Handler {
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

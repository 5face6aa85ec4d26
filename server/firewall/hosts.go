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

// Hosts are the names that the server answers to. A page whose own name was pointed at this machine after it was loaded
// (DNS rebinding) passes every check of origins, since it is the same origin; what gives it away is its name in Host.
type Hosts struct {
	names map[string]bool

	mu    sync.Mutex
	local map[netip.Addr]bool // addresses of this machine's interfaces
	read  time.Time           // when they were read last
}

// NewHosts makes the names: localhost, this machine's name with and without .local, and those given. Addresses of this
// machine's interfaces need not be given. A name or address stands without a port; the port in Host counts for nothing.
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

// clean is a name as it is compared: in lower case, without the dot that may end it or the brackets around IPv6.
func clean(name string) string {
	return strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
}

// Allows says whether host, as the Host header has it, is one of the names.
func (h *Hosts) Allows(host string) bool {
	name := clean(bare(host))
	if h.names[name] {
		return true
	}
	address, err := netip.ParseAddr(name)
	if err != nil {
		return false
	}
	address = address.Unmap().WithZone("")
	return address.IsLoopback() || h.isLocal(address)
}

// bare is a host without its port.
func bare(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}

// OnThisMachine says whether host, as the Host header has it, is one that a browser only has for its own machine: it
// trusts such a page as it trusts https.
func OnThisMachine(host string) bool {
	name := clean(bare(host))
	address, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && address.IsLoopback()
}

// isLocal asks for the interfaces again where an address is not known, at most once a second: a laptop changes
// networks.
func (h *Hosts) isLocal(address netip.Addr) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if now := time.Now(); !h.local[address] && now.Sub(h.read) >= time.Second {
		h.local, h.read = interfaces(), now
	}
	return h.local[address]
}

// interfaces are the addresses of this machine.
func interfaces() map[netip.Addr]bool {
	found := map[netip.Addr]bool{}
	list, _ := net.InterfaceAddrs() // an error leaves none, and loopback needs none
	for _, a := range list {
		if prefix, err := netip.ParsePrefix(a.String()); err == nil {
			found[prefix.Addr().Unmap().WithZone("")] = true
		}
	}
	return found
}

// admitted is what the context of a request has that Admitted has let through.
type admitted struct{}

// Admitted is a request whose Host somebody else of ours has checked.
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

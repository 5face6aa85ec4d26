package command

import (
	"cmp"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"

	"github.com/mdp/qrterminal/v3"
)

// invitation holds the addresses at which others reach the pages.
type invitation struct {
	urls  []string // the best first; none if only this machine can
	local string   // the sentence to print without urls
}

// newInvitation returns the addresses of a server that listens on addr. origin comes from --base-url; it is "" if
// browsers see the server itself, by scheme.
func newInvitation(addr net.Addr, scheme, base, origin string) invitation {
	if origin != "" {
		return invitation{urls: []string{origin + base}}
	}
	listens := addr.(*net.TCPAddr).AddrPort()
	ip := listens.Addr().Unmap()
	var found []netip.Addr
	switch {
	case ip.IsLoopback():
		return invitation{local: fmt.Sprintf("Only this machine can open it; "+
			"for others on your network start it with --addr :%d", listens.Port())}
	case ip.IsUnspecified():
		found = networkAddresses()
		if ip.Is4() { // 0.0.0.0 means only IPv4, and :: both
			found = slices.DeleteFunc(found, netip.Addr.Is6)
		}
	default:
		found = []netip.Addr{ip}
	}
	i := invitation{local: "This machine has no address on a network, so only it can open the page."}
	for _, a := range found {
		i.urls = append(i.urls, scheme+"://"+netip.AddrPortFrom(a, listens.Port()).String()+base)
	}
	return i
}

// best returns the best address for others, or "" if only this machine can open the page.
func (i *invitation) best() string {
	if len(i.urls) == 0 {
		return ""
	}
	return i.urls[0]
}

// networkAddresses returns the addresses at which others on its networks reach this machine. The address that it uses
// for its own connections comes first, then IPv4 before IPv6.
func networkAddresses() (found []netip.Addr) {
	list, _ := net.InterfaceAddrs() // an error leaves none
	for _, a := range list {
		prefix, err := netip.ParsePrefix(a.String())
		if ip := prefix.Addr().Unmap(); err == nil && ip.IsGlobalUnicast() {
			found = append(found, ip)
		}
	}
	used := outward()
	rank := func(a netip.Addr) int {
		switch {
		case a == used:
			return 0
		case a.Is4():
			return 1
		}
		return 2
	}
	slices.SortStableFunc(found, func(a, b netip.Addr) int { return cmp.Compare(rank(a), rank(b)) })
	return found
}

// outward returns this machine's address on the route to the internet. It sends nothing: connecting a UDP socket
// chooses the route, and 192.0.2.1 belongs to no host (RFC 5737).
func outward() netip.Addr {
	c, err := net.Dial("udp4", "192.0.2.1:9")
	if err != nil {
		return netip.Addr{}
	}
	defer c.Close()
	return c.LocalAddr().(*net.UDPAddr).AddrPort().Addr().Unmap()
}

// print prints the addresses, and the first as a QR code. coloured prints the code white on black, whatever the
// terminal's colours are.
func (i *invitation) print(w io.Writer, coloured bool) {
	if len(i.urls) == 0 {
		fmt.Fprintln(w, i.local)
		return
	}
	fmt.Fprintln(w, "For others on your network:", strings.Join(i.urls, " or "))
	var code strings.Builder
	qrterminal.GenerateHalfBlock(i.urls[0], qrterminal.L, &code)
	for line := range strings.Lines(code.String()) {
		if line = strings.TrimSuffix(line, "\n"); coloured {
			line = "\x1b[97;40m" + line + "\x1b[0m"
		}
		fmt.Fprintln(w, line)
	}
}

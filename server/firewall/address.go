package firewall

import (
	"net"
	"net/netip"
)

// Address is what an address counts as: itself, or its /64, since one household or attacker has a whole IPv6 network of
// that size. What is no address counts for itself.
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

// Remote is the Address of the other end of a connection, from "host:port".
func Remote(hostPort string) string {
	host, _, err := net.SplitHostPort(hostPort)
	if err != nil {
		return hostPort
	}
	return Address(host)
}

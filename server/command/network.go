package command

// How the server stands in the network: the flags for it, and the limits they come to.

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"impalab/server/firewall"
)

// networkFlags say who may reach the server, and how much of it.
type networkFlags struct {
	AllowHost          []string      `help:"A name that the server answers to besides its own, without a port. May be repeated." placeholder:"NAME"`
	TrustedProxy       []string      `help:"A reverse proxy, by address or network, whose X-Forwarded-For is believed. May be repeated." placeholder:"CIDR"`
	HSTS               time.Duration `name:"hsts" help:"Tell browsers to use https for so long, like 8760h; only with --tls-cert or an https --base-url." placeholder:"TIME"`
	MaxConns           int           `help:"Connections at once. (as many as the system allows, 8192 at most)" placeholder:"N"`
	MaxConnsPerAddress int           `help:"Connections at once from one address; proxies are not counted. (half of --max-conns, 512 at most)" placeholder:"N"`
	QR                 string        `name:"qr" default:"auto" enum:"auto,on,off" help:"Print the address for others on the network and its QR code: ${enum}; auto: on a terminal." placeholder:"WHEN"`
}

// check refuses what cannot be. https says that browsers see the pages by it.
func (f *networkFlags) check(https bool) error {
	for _, name := range f.AllowHost {
		_, err := netip.ParseAddr(strings.Trim(name, "[]"))
		if err != nil && (name == "" || strings.ContainsAny(name, "/:*@ ")) {
			return fmt.Errorf("--allow-host %q: must be one name without a port, like lab.example.org", name)
		}
	}
	if _, err := f.proxies(); err != nil {
		return err
	}
	if f.HSTS < 0 || f.HSTS > 0 && !https {
		return fmt.Errorf("--hsts %v: must be 0 or more, and needs --tls-cert or an https URL in --base-url", f.HSTS)
	}
	if f.MaxConns < 0 || f.MaxConns > 0 && f.MaxConns < 10 || f.MaxConns > 1_000_000 {
		return fmt.Errorf("--max-conns %d: must be a whole number from 10 to 1000000", f.MaxConns)
	}
	if files := openFiles(); f.MaxConns > max(10, files-spareFiles) {
		return fmt.Errorf("--max-conns %d: this process may have %d files open, and needs %d besides; "+
			"raise the limit (ulimit -n) or ask for less", f.MaxConns, files, spareFiles)
	}
	if f.MaxConnsPerAddress < 0 || f.MaxConnsPerAddress > 1_000_000 {
		return fmt.Errorf("--max-conns-per-address %d: must be a whole number from 1 to 1000000", f.MaxConnsPerAddress)
	}
	return nil
}

// hosts are the names that the server answers to.
func (f *serveFlags) hosts(origin string) *firewall.Hosts {
	more := slices.Clone(f.AllowHost)
	if u, err := url.Parse(origin); err == nil && u.Host != "" {
		more = append(more, u.Hostname())
	}
	for _, addr := range []string{f.Addr, f.MetricsAddr} {
		host, _, _ := net.SplitHostPort(addr)
		if _, err := netip.ParseAddr(host); err != nil && host != "" { // the interfaces say which addresses there are
			more = append(more, host)
		}
	}
	return firewall.NewHosts(more...)
}

// proxies are the networks of TrustedProxy.
func (f *networkFlags) proxies() (list []netip.Prefix, err error) {
	for _, text := range f.TrustedProxy {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			address, err := netip.ParseAddr(text)
			if err != nil {
				return nil, fmt.Errorf("--trusted-proxy %q: must be an address or a network, like 10.0.0.0/8", text)
			}
			prefix = netip.PrefixFrom(address, address.BitLen())
		}
		list = append(list, prefix.Masked())
	}
	return list, nil
}

// spareFiles are the open files that connections leave for all else.
const spareFiles = 100

// manyFiles is more open files than any limit here counts with.
const manyFiles = 1 << 20

// limits are how many connections there may be where the process may have so many files open.
func (f *networkFlags) limits(files int, proxies []netip.Prefix) firewall.Limits {
	total := f.MaxConns
	if total == 0 {
		total = max(10, min(8192, files-spareFiles))
	}
	each := f.MaxConnsPerAddress
	if each == 0 {
		each = min(512, total/2)
	}
	return firewall.Limits{Total: total, PerAddress: each, Exempt: func(a netip.Addr) bool {
		return slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(a) })
	}}
}

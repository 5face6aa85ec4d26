package site

import (
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/server/firewall"
)

// TestAnUnfinishedRequestIsCut has a server with short limits; each connection must end, whatever it leaves unfinished.
func TestAnUnfinishedRequestIsCut(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	short := 100 * time.Millisecond
	reads := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body) })
	limits := firewall.Limits{Total: 100, PerAddress: 100}
	s := Serve(reads, firewall.Listen(inner, limits, func(string) {}), nil, Timeouts{short, short, short, short},
		slog.New(slog.DiscardHandler))
	defer s.server.Close()
	for what, text := range map[string]string{
		"nothing":       "",
		"half a header": "GET / HTTP/1.1\r\nHost: x\r\nX-A: ",
		"half a body":   "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf",
		"kept alive":    "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		t.Log(what)
		kit.Heard(t, kit.Dial(t, "http://"+inner.Addr().String(), text))
	}
}

// TestAnUnfinishedHandshakeIsCut has a server that speaks HTTPS with a certificate it never gets to show.
func TestAnUnfinishedHandshakeIsCut(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	short := 100 * time.Millisecond
	l := firewall.Listen(inner, firewall.Limits{Total: 100, PerAddress: 100}, func(string) {})
	secure := &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return nil, io.EOF }}
	s := Serve(http.NotFoundHandler(), l, secure, Timeouts{short, short, short, short}, slog.New(slog.DiscardHandler))
	defer s.server.Close()
	for what, text := range map[string]string{"nothing": "", "half a greeting": "\x16\x03\x01\x02\x00\x01"} {
		t.Log(what)
		io.Copy(io.Discard, kit.Dial(t, "http://"+inner.Addr().String(), text)) // ends when it is cut
	}
	kit.Until(t, "no connection is open", func() bool { return l.Open() == 0 })
}

// docs/hosting.md tells hosts what a proxy must do about a request with two lengths, because the server does this.
func TestARequestWithTwoLengthsIsReadByItsTransferEncoding(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	reads := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		seen = append(seen, fmt.Sprintf("%s %q %v", r.URL.Path, body, err))
	})
	whole := time.Minute
	s := Serve(reads, firewall.Listen(inner, firewall.Limits{Total: 100, PerAddress: 100}, func(string) {}), nil,
		Timeouts{whole, whole, whole, whole}, slog.New(slog.DiscardHandler))
	defer s.server.Close()
	kit.Heard(t, kit.Dial(t, "http://"+inner.Addr().String(), "POST /first HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n"+
		"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /second HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
	if want := []string{`/first "" <nil>`, `/second "" <nil>`}; !slices.Equal(seen, want) {
		t.Errorf("the server read %q, not %q", seen, want)
	}
}

func TestBehindAProxyTheVisitorHasTheAddressThatTheProxyNames(t *testing.T) {
	var proxies []netip.Prefix
	for _, text := range []string{"10.0.0.0/8", "192.0.2.1/32", "fd00::/8"} {
		proxies = append(proxies, netip.MustParsePrefix(text))
	}
	for _, c := range []struct {
		remote    string
		forwarded []string
		want      string
	}{
		{"203.0.113.9:1", nil, "203.0.113.9"},
		{"203.0.113.9:1", []string{"198.51.100.1"}, "203.0.113.9"}, // no proxy of ours says so
		{"10.1.2.3:1", nil, "10.1.2.3"},
		{"10.1.2.3:1", []string{"198.51.100.1"}, "198.51.100.1"},
		{"10.1.2.3:1", []string{"127.0.0.1, 198.51.100.1"}, "198.51.100.1"}, // the visitor wrote the first itself
		{"10.1.2.3:1", []string{"127.0.0.1", "198.51.100.1, 192.0.2.1"}, "198.51.100.1"},
		{"10.1.2.3:1", []string{"198.51.100.1, nonsense"}, "10.1.2.3"},
		{"10.1.2.3:1", []string{"198.51.100.1:52341"}, "198.51.100.1"}, // with the visitor's port
		{"10.1.2.3:1", []string{"127.0.0.1:1, 198.51.100.1:52341, 192.0.2.1:443"}, "198.51.100.1"},
		{"10.1.2.3:1", []string{"[2001:db8:1:2:3::4]:52341"}, "2001:db8:1:2::/64"},
		{"10.1.2.3:1", []string{"198.51.100.1:99999"}, "10.1.2.3"},
		{"10.1.2.3:1", []string{"127.0.0.1"}, "127.0.0.1"}, // not trusted unless named
		{"[fd00::1]:1", []string{"2001:db8:1:2:3::4"}, "2001:db8:1:2::/64"},
		{"[::ffff:10.1.2.3]:1", []string{"198.51.100.1"}, "198.51.100.1"},
	} {
		r := &http.Request{RemoteAddr: c.remote, Header: http.Header{"X-Forwarded-For": c.forwarded}}
		if c.forwarded == nil {
			r.Header = http.Header{}
		}
		if got := Visitor(proxies)(r); got != c.want {
			t.Errorf("%s with %q counts for %s, want %s", c.remote, c.forwarded, got, c.want)
		}
	}
	r := &http.Request{RemoteAddr: "10.1.2.3:1", Header: http.Header{"X-Forwarded-For": {"198.51.100.1"}}}
	if got := Visitor(nil)(r); got != "10.1.2.3" {
		t.Errorf("without proxies it counts for %s", got)
	}
}

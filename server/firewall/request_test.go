package firewall

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

func none(string) {}

func TestTheServerAnswersToItsOwnNamesOnly(t *testing.T) {
	h := NewHosts("Lab.Example.org.", "192.0.2.7", "[2001:db8::7]")
	machine, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	short, _, _ := strings.Cut(machine, ".")
	for host, want := range map[string]bool{
		"localhost": true, "localhost:8080": true, "LOCALHOST.": true,
		"127.0.0.1:8080": true, "127.9.8.7": true, "[::1]:8080": true, "[::1]": true,
		machine: true, short: true, strings.ToUpper(short) + ".local:80": true,
		"lab.example.org": true, "lab.example.org:443": true, "192.0.2.7:80": true, "[2001:db8::7]:80": true,

		"": false, ":8080": false, "evil.com": false, "evil.com:8080": false, "localhost.evil.com": false,
		"xlocalhost":         false,
		"127.0.0.1.evil.com": false, "evil.com.": false, ".local": false, "192.0.2.8": false, "[2001:db8::8]:80": false,
		"0.0.0.0:8080": false, "[::]": false, "2130706433": false, "0x7f.1": false, "localhost:80:80": false,
		"local host": false,
	} {
		if got := h.Allows(host); got != want {
			t.Errorf("%q is allowed: %v, want %v", host, got, want)
		}
	}
	list, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		if host := net.JoinHostPort(a.(*net.IPNet).IP.String(), "8080"); !h.Allows(host) {
			t.Errorf("%s is an address of this machine and is not allowed", host)
		}
	}
}

func TestAWrongNameIsToldTheWayOut(t *testing.T) {
	var reasons []string
	called := false
	h := NewHosts().Protect(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called = true }),
		func(r string) { reasons = append(reasons, r) })
	w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)
	r.Host = "evil.com:8080"
	h.ServeHTTP(w, r)
	if called || w.Code != http.StatusMisdirectedRequest || !strings.Contains(w.Body.String(), `"evil.com:8080"`) ||
		!strings.Contains(w.Body.String(), "--allow-host") || fmt.Sprint(reasons) != "[host]" {
		t.Errorf("called %v, %d %q, counted %v", called, w.Code, w.Body, reasons)
	}
}

func TestPagesFromElsewhereMayNotCall(t *testing.T) {
	const own = "http://192.0.2.7:8080"
	wrap, err := SameOrigin(none, "https://friend.example")
	if err != nil {
		t.Fatal(err)
	}
	h := wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Method) }))
	for _, c := range []struct {
		header http.Header
		in     bool
	}{
		{http.Header{"Origin": {own}}, true},
		{http.Header{"Origin": {"https://friend.example"}}, true},
		{http.Header{"Origin": {"https://friend.example"}, "Sec-Fetch-Site": {"cross-site"}}, true},
		{http.Header{}, true}, // no browser
		{http.Header{"Sec-Fetch-Site": {"same-origin"}}, true},
		{http.Header{"Sec-Fetch-Site": {"none"}}, true}, // typed into the address bar
		{http.Header{"Origin": {"https://evil.example"}}, false},
		{http.Header{"Origin": {"http://friend.example"}}, false},
		{http.Header{"Origin": {own + "0"}}, false}, // another port
		{http.Header{"Origin": {own + ".evil.example"}}, false},
		{http.Header{"Origin": {"null"}}, false}, // a sandboxed frame
		{http.Header{"Origin": {"://"}}, false},
		{http.Header{"Sec-Fetch-Site": {"cross-site"}}, false}, // an image tag names no Origin
		{http.Header{"Sec-Fetch-Site": {"same-site"}}, false},
		{http.Header{"Origin": {own}, "Sec-Fetch-Site": {"cross-site"}}, false},
	} {
		for _, method := range []string{"GET", "HEAD", "POST", "OPTIONS"} {
			r := httptest.NewRequest(method, own+"/ws", nil)
			r.Header = c.header.Clone()
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if c.in && w.Body.String() != method || !c.in && w.Code != http.StatusForbidden {
				t.Errorf("%s with %v: %d %q", method, c.header, w.Code, w.Body)
			}
		}
	}
	if _, err := SameOrigin(none, "friend.example"); err == nil {
		t.Error("an origin without a scheme was taken")
	}
}

func TestAWholeIPv6NetworkCountsAsOneAddress(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.7:1234":            "192.0.2.7",
		"[::ffff:192.0.2.7]:1234":   "192.0.2.7",
		"[2001:db8:1:2:3:4:5:6]:80": "2001:db8:1:2::/64",
		"[2001:db8:1:2:9:9:9:9]:80": "2001:db8:1:2::/64",
		"[fe80::1%eth0]:80":         "fe80::/64",
		"@":                         "@",
	} {
		if got := Remote(remote); got != want {
			t.Errorf("%s counts for %s, not %s", remote, got, want)
		}
	}
}

// TestABodyThatNeverComesIsNotWaitedFor announces a body, sends none, and reads to the end of the connection: without
// Bodies this would last as long as the server's read timeout, an hour here.
func TestABodyThatNeverComesIsNotWaitedFor(t *testing.T) {
	server := httptest.NewUnstartedServer(Bodies(http.NotFoundHandler(), none,
		func(r *http.Request) bool { return false }))
	server.Config.ReadTimeout = time.Hour
	server.Start()
	defer server.Close()
	for _, body := range []string{"Content-Length: 1000", "Content-Length: 1000\r\nExpect: 100-continue",
		"Content-Length: 1000000000", "Transfer-Encoding: chunked"} {
		for _, method := range []string{"GET", "POST", "DELETE"} {
			c, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(c, "%s / HTTP/1.1\r\nHost: x\r\n%s\r\n\r\n", method, body)
			heard, err := io.ReadAll(c)
			if err != nil || !strings.HasPrefix(string(heard), "HTTP/1.1 404 ") ||
				!strings.Contains(string(heard), "Connection: close") {
				t.Errorf("%s with %s: %q, %v", method, body, heard, err)
			}
			c.Close()
		}
	}
}

// TestADownloadThatIsNotReadIsCut asks for more than the network between holds, and reads nothing until the server has
// given up.
func TestADownloadThatIsNotReadIsCut(t *testing.T) {
	ended := make(chan error, 1)
	big := make([]byte, 1<<20)
	server := httptest.NewServer(Downloads(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for {
			if _, err := w.Write(big); err != nil {
				ended <- err
				return
			}
		}
	}), Pace{64 << 10, 50 * time.Millisecond}))
	defer server.Close()
	c, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	if err := <-ended; !os.IsTimeout(err) {
		t.Errorf("it ended with %v", err)
	}
}

// TestASlowDownloadThatContinuesIsNotCut takes twice as long as a piece may, and as the server's WriteTimeout.
func TestASlowDownloadThatContinuesIsNotCut(t *testing.T) {
	t.Parallel() // it sleeps
	const piece = 64 << 10
	const size = 300 * piece
	server := httptest.NewUnstartedServer(Downloads(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write(make([]byte, size))
	}), Pace{piece, 10 * time.Second}))
	server.Config.WriteTimeout = 10 * time.Second
	server.Start()
	defer server.Close()
	c, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.(*net.TCPConn).SetReadBuffer(piece)
	io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	r := bufio.NewReader(c)
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, buf := 0, make([]byte, size/100)
	for {
		n, err := io.ReadFull(resp.Body, buf)
		if got += n; err != nil {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	if got != size {
		t.Errorf("%d of %d bytes came", got, size)
	}
}

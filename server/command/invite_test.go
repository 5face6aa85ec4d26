package command

import (
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rsc.io/qr"

	"impalab/internal/kit"
)

// TestOthersOnTheNetworkReachThePrintedAddresses opens each address that is printed, under the name it is printed with.
func TestOthersOnTheNetworkReachThePrintedAddresses(t *testing.T) {
	r := started(t, "--addr", ":0", "--qr", "on")
	kit.Until(t, "the invitation is printed", func() bool {
		lines := strings.Count(r.stdout.String(), "\n")
		return lines > 10 || lines == 2 && len(networkAddresses()) == 0
	})
	lines := strings.SplitN(r.stdout.String(), "\n", 3)
	if !regexp.MustCompile(`^http://127\.0\.0\.1:\d+/$`).MatchString(lines[0]) {
		t.Errorf("the first line is %q", lines[0])
	}
	urls := regexp.MustCompile(`http://\S+`).FindAllString(lines[1], -1)
	if len(urls) != len(networkAddresses()) {
		t.Errorf("%q names %d addresses of %d", lines[1], len(urls), len(networkAddresses()))
	}
	for _, url := range append(urls, lines[0]) {
		if answer, body := ask(t, "GET", url+"lab"); answer.StatusCode != 200 || !strings.Contains(body, "<title>impalab") {
			t.Errorf("%s answers %s", url, answer.Status)
		}
		if strings.HasPrefix(url, "http://127.") != (url == lines[0]) {
			t.Errorf("%s is printed for others", url)
		}
	}
	if len(urls) > 0 && !strings.Contains(lines[2], "█") {
		t.Errorf("no code follows: %q", lines[2])
	}
}

func TestWithoutATerminalOnlyThePageIsPrinted(t *testing.T) {
	r := started(t, "--addr", ":0")
	r.stop()
	<-r.done
	if strings.Count(r.stdout.String(), "\n") != 1 {
		t.Errorf("standard output %q", r.stdout)
	}
}

func TestTheInvitationFitsWhereTheServerListens(t *testing.T) {
	network := func(port string, only4 bool) (urls []string) {
		for _, a := range networkAddresses() {
			if only4 && a.Is6() {
				continue
			}
			urls = append(urls, "http://"+net.JoinHostPort(a.String(), port)+"/lab/")
		}
		return urls
	}
	for _, c := range []struct {
		listens, origin string
		urls            []string
		local           string
	}{
		{"127.0.0.1:8080", "", nil, "--addr :8080"},
		{"[::1]:80", "", nil, "--addr :80"},
		{"192.0.2.9:80", "", []string{"http://192.0.2.9:80/lab/"}, ""},
		{"[2001:db8::9]:80", "", []string{"http://[2001:db8::9]:80/lab/"}, ""},
		{"0.0.0.0:81", "", network("81", true), ""},
		{"[::]:81", "", network("81", false), ""},
		{"127.0.0.1:8080", "https://example.org", []string{"https://example.org/lab/"}, ""},
	} {
		i := newInvitation(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(c.listens)), "http", "/lab/", c.origin)
		if !slices.Equal(i.urls, c.urls) || c.local != "" && !strings.Contains(i.local, c.local) {
			t.Errorf("listening on %s, seen as %q: %+v", c.listens, c.origin, i)
		}
	}
}

// TestTheCodeHoldsTheAddress reads the squares back from the half blocks and compares each with the code of the
// address.
func TestTheCodeHoldsTheAddress(t *testing.T) {
	const url = "http://192.168.178.23:8080/"
	var text strings.Builder
	(&invitation{urls: []string{url}}).print(&text, false)
	lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")[1:]
	var white [][]bool
	for _, line := range lines {
		var upper, lower []bool
		for _, r := range line {
			upper, lower = append(upper, r == '█' || r == '▀'), append(lower, r == '█' || r == '▄')
		}
		white = append(white, upper, lower)
	}
	want, err := qr.Encode(url, qr.L)
	if err != nil {
		t.Fatal(err)
	}
	const quiet = 4
	for y := range want.Size {
		for x := range want.Size {
			if white[y+quiet][x+quiet] == want.Black(x, y) {
				t.Fatalf("the square %d, %d is wrong:\n%s", x, y, text.String())
			}
		}
	}
	for x := range white[0] {
		if !white[1][x] {
			t.Errorf("the border is dark at %d", x)
		}
	}
}

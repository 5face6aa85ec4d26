package firewall

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"impalab/internal/kit"
)

// house is a server behind a Listener. /hold answers when the test lets it.
type house struct {
	*Listener
	addr    string
	release chan struct{}

	mu      sync.Mutex
	refused map[string]int
}

func open(t *testing.T, limits Limits) *house {
	t.Helper()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &house{addr: inner.Addr().String(), release: make(chan struct{}), refused: map[string]int{}}
	h.Listener = Listen(inner, limits, func(reason string) {
		h.mu.Lock()
		h.refused[reason]++
		h.mu.Unlock()
	})
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") })
	mux.HandleFunc("/hold", func(w http.ResponseWriter, r *http.Request) { <-h.release })
	server := &http.Server{Handler: mux, ConnState: h.State}
	served := make(chan error)
	go func() { served <- server.Serve(h) }() // ends with Close below
	t.Cleanup(func() { server.Close(); <-served })
	return h
}

func (h *house) count(reason string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.refused[reason]
}

// from opens a connection from a loopback address and sends text.
func (h *house) from(t *testing.T, address, text string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	c, err := d.Dial("tcp", h.addr)
	if err != nil {
		t.Skipf("this system has no address %s: %v", address, err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	return c
}

// answer is the status of the next answer, or why there is none.
func answer(c net.Conn) string {
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return err.Error()
	}
	defer r.Body.Close()
	return r.Status
}

const whole, half = "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nX-A: "

// TestHalfSentRequestsNeverLockAStrangerOut opens far more connections than there may be, from more addresses than one.
func TestHalfSentRequestsNeverLockAStrangerOut(t *testing.T) {
	h := open(t, Limits{Total: 20, PerAddress: 8})
	for i := range 100 {
		h.from(t, fmt.Sprintf("127.0.0.%d", 2+i%5), half)
		if i%10 == 9 {
			if got := answer(h.from(t, "127.0.0.99", whole)); got != "200 OK" {
				t.Fatalf("after %d half-sent requests a stranger hears %q", i+1, got)
			}
		}
	}
	if n := h.Open(); n > 20 {
		t.Errorf("%d connections are open", n)
	}
	if h.count(MadeRoom) == 0 {
		t.Error("no connection gave way")
	}
}

func TestAnAddressThatIsFullGivesUpItsOwnConnectionsOnly(t *testing.T) {
	h := open(t, Limits{Total: 100, PerAddress: 4})
	other := h.from(t, "127.0.0.2", whole) // kept alive, and the longest to wait
	if got := answer(other); got != "200 OK" {
		t.Fatal(got)
	}
	first := h.from(t, "127.0.0.3", half)
	for range 4 {
		h.from(t, "127.0.0.3", half)
	}
	if _, err := first.Read(make([]byte, 1)); err == nil {
		t.Error("the first connection of the full address was answered")
	}
	io.WriteString(other, whole)
	if got := answer(other); got != "200 OK" {
		t.Errorf("another address: %s", got)
	}
}

func TestWhereAllAreBusyANewConnectionIsToldSo(t *testing.T) {
	h := open(t, Limits{Total: 3, PerAddress: 2})
	hold := strings.Replace(whole, "/", "/hold", 1)
	waiting := func(n int) func() bool {
		return func() bool { h.mu.Lock(); defer h.mu.Unlock(); return h.waitingNow() == n }
	}
	h.from(t, "127.0.0.2", hold)
	h.from(t, "127.0.0.2", hold)
	kit.Until(t, "two connections are open", func() bool { return h.Open() == 2 })
	kit.Until(t, "nobody waits", waiting(0))
	if got := answer(h.from(t, "127.0.0.2", whole)); got != "503 Service Unavailable" || h.count(AddressFull) != 1 {
		t.Errorf("the address is full: %s, counted %d", got, h.count(AddressFull))
	}
	h.from(t, "127.0.0.3", hold)
	kit.Until(t, "three connections are open", func() bool { return h.Open() == 3 })
	kit.Until(t, "nobody waits", waiting(0))
	if got := answer(h.from(t, "127.0.0.4", whole)); got != "503 Service Unavailable" || h.count(AllTaken) != 1 {
		t.Errorf("all is full: %s, counted %d", got, h.count(AllTaken))
	}
	close(h.release)
	kit.Until(t, "a stranger is answered", func() bool { return answer(h.from(t, "127.0.0.4", whole)) == "200 OK" })
}

func (h *house) waitingNow() (n int) {
	h.Listener.mu.Lock()
	defer h.Listener.mu.Unlock()
	for c := range h.open {
		if !c.waits.IsZero() {
			n++
		}
	}
	return n
}

func TestAProxyDoesNotCountAsAnAddress(t *testing.T) {
	h := open(t, Limits{Total: 100, PerAddress: 2, Exempt: func(a netip.Addr) bool { return a.String() == "127.0.0.2" }})
	var all []net.Conn
	for range 10 {
		all = append(all, h.from(t, "127.0.0.2", whole))
	}
	for i, c := range all {
		if got := answer(c); got != "200 OK" {
			t.Errorf("connection %d: %s", i, got)
		}
	}
	if h.count(MadeRoom) != 0 {
		t.Error("connections of the proxy were closed")
	}
}

func TestAClosedConnectionGivesItsPlaceBack(t *testing.T) {
	h := open(t, Limits{Total: 4, PerAddress: 2})
	for range 50 {
		c := h.from(t, "127.0.0.2", whole)
		if got := answer(c); got != "200 OK" {
			t.Fatal(got)
		}
		c.Close()
		kit.Until(t, "no connection is open", func() bool { return h.Open() == 0 })
	}
	h.Listener.mu.Lock()
	defer h.Listener.mu.Unlock()
	if len(h.Listener.from) != 0 {
		t.Errorf("%d addresses are still known", len(h.Listener.from))
	}
}

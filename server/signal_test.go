package main

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A server that waits at its end, here for a request whose body never comes, ends at once on a second signal.
func TestASecondSignalEndsAServerAtOnce(t *testing.T) {
	p := launch(t, "127.0.0.1:0", t.TempDir())
	host := strings.Trim(strings.TrimPrefix(p.url, "http:"), "/")
	line, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close()
	fmt.Fprintf(line, "POST /api/v1/runs HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 9\r\n"+
		"Expect: 100-continue\r\n\r\n", host)
	if said, err := bufio.NewReader(line).ReadString('\n'); err != nil || !strings.Contains(said, "100") {
		t.Fatalf("the server does not wait for a body: %q, %v", said, err)
	}
	gone := make(chan struct{})
	go func() { defer close(gone); p.Wait() }() // ends with the server, which the test kills
	for told := 0; ; told++ {
		p.Process.Signal(syscall.SIGTERM)
		select {
		case <-gone:
			if how := p.ProcessState.Sys().(syscall.WaitStatus); !how.Signaled() || how.Signal() != syscall.SIGTERM {
				t.Errorf("told %d times it ended by itself: %v", told+1, p.ProcessState)
			}
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
}

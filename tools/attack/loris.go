package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// unfinished are requests that never end, by name. After the given bytes the client sends and reads nothing.
var unfinished = map[string]struct {
	request string
	reads   bool   // it waits for an answer; otherwise it reads none
	drip    string // sent again every second
}{
	"idle":      {"", true, ""},
	"slow":      {"GET / HTTP/1.1\r\nHost: %s\r\nX-A: ", true, "a"},
	"header":    {"GET / HTTP/1.1\r\nHost: %s\r\nX-A: " + strings.Repeat("a", 1_000_000), true, ""},
	"body":      {"POST /healthz HTTP/1.1\r\nHost: %s\r\nContent-Length: 1000\r\n\r\n", true, ""},
	"body-get":  {"GET /healthz HTTP/1.1\r\nHost: %s\r\nContent-Length: 1000\r\n\r\n", true, ""},
	"send":      {"POST /api/send HTTP/1.1\r\nHost: %s\r\nX-Session: a\r\nContent-Length: 1000\r\n\r\n", true, ""},
	"download":  {"GET /static/app.wasm HTTP/1.1\r\nHost: %s\r\nAccept-Encoding: gzip\r\n\r\n", false, ""},
	"keepalive": {"GET /healthz HTTP/1.1\r\nHost: %s\r\n\r\n", true, ""},
	"stream":    {"GET /api/stream HTTP/1.1\r\nHost: %s\r\n\r\n", true, ""},
}

// lorisCommand holds unfinished requests and prints how many the server keeps open.
type lorisCommand struct {
	Kind    string  `arg:"" enum:"idle,slow,header,body,body-get,send,download,keepalive,stream" help:"What is left unfinished: ${enum}."`
	Count   int     `default:"400" help:"How many." placeholder:"N"`
	Seconds float64 `default:"30" help:"How long." placeholder:"S"`
}

func (c *lorisCommand) Run(ctx context.Context, t *target) error {
	l, err := t.loris(ctx, c.Kind, c.Count)
	if err != nil {
		return err
	}
	defer l.close()
	for end := time.Now().Add(time.Duration(c.Seconds * float64(time.Second))); time.Now().Before(end) &&
		ctx.Err() == nil; {
		sleep(ctx, 2*time.Second)
		start := time.Now()
		err := t.get(ctx, "/healthz")
		u, _ := t.usage()
		fmt.Printf("%d of %d are open; the server takes %.0f MB and has %d files open; a stranger waits %s %v\n",
			l.open(t), c.Count, u.rss/1e6, u.files, time.Since(start).Round(100*time.Microsecond), err)
	}
	return t.alive()
}

// lorises are connections with unfinished requests.
type lorises struct {
	mu    sync.Mutex
	conns []net.Conn
	ended atomic.Int64
	reads bool
	files int // that the server had open before
}

// loris opens them, all from one address.
func (t *target) loris(ctx context.Context, kind string, count int) (*lorises, error) {
	k := unfinished[kind]
	l := &lorises{reads: k.reads}
	if u, err := t.usage(); err == nil {
		l.files = u.files
	}
	var opening sync.WaitGroup
	var failed atomic.Int64
	slots := make(chan struct{}, 64)
	for range count {
		slots <- struct{}{}
		opening.Go(func() {
			defer func() { <-slots }()
			dialing, cancel := context.WithTimeout(ctx, 5*time.Second)
			defer cancel()
			conn, err := from(attacker)(dialing, "tcp", t.Host)
			if err != nil {
				failed.Add(1)
				return
			}
			l.mu.Lock()
			l.conns = append(l.conns, conn)
			l.mu.Unlock()
			if !k.reads {
				conn.(*net.TCPConn).SetReadBuffer(4096)
			}
			conn.Write([]byte(strings.ReplaceAll(k.request, "%s", t.Host)))
			if k.drip != "" {
				go func() { // ends with the connection
					for {
						if _, err := conn.Write([]byte(k.drip)); err != nil {
							return
						}
						time.Sleep(time.Second)
					}
				}()
			}
			if k.reads {
				go func() { // ends with the connection
					b := make([]byte, 4096)
					for {
						if _, err := conn.Read(b); err != nil {
							l.ended.Add(1)
							return
						}
					}
				}()
			}
		})
	}
	opening.Wait()
	if n := failed.Load(); n == int64(count) {
		return nil, errors.New("no connection could be opened")
	}
	return l, nil
}

// open returns the number that the server still keeps open. A loris that reads nothing cannot tell; for it the server's
// open files are counted.
func (l *lorises) open(t *target) int {
	if l.reads {
		l.mu.Lock()
		defer l.mu.Unlock()
		return len(l.conns) - int(l.ended.Load())
	}
	u, err := t.usage()
	if err != nil {
		return -1
	}
	return max(0, u.files-l.files)
}

func (l *lorises) close() {
	for _, c := range l.conns {
		c.Close()
	}
}

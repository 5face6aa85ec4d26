package main

import (
	"bytes"
	"fmt"
	"os"
	"sync"
)

// shown passes the lines of go build -v on. It counts the names of packages, and shows the count on a terminal.
var shown = &progress{terminal: isTerminal(os.Stderr)}

type progress struct {
	mu       sync.Mutex
	terminal bool
	packages int
	rest     []byte // of a line that has not ended
}

func (p *progress) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rest = append(p.rest, text...)
	for {
		line, after, whole := bytes.Cut(p.rest, []byte("\n"))
		if !whole {
			return len(text), nil
		}
		p.rest = after
		switch {
		case bytes.ContainsAny(line, " :\t"):
			fmt.Fprintf(os.Stderr, "%s\n", line)
		default:
			p.packages++
			if p.terminal {
				fmt.Fprintf(os.Stderr, "\r%d packages\r", p.packages)
			}
		}
	}
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

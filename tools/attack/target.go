package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"impalab/server/cluster/natstest"
)

// target is the server under attack: a running one, or one started for the attack.
type target struct {
	Host   string        `help:"Server that runs already, on this machine; without it one is started." placeholder:"HOST:PORT"`
	PID    int           `help:"Its process, whose memory and cores are then stated." placeholder:"N"`
	Server string        `help:"Program to start." default:"../bin/impalab" placeholder:"FILE"`
	Procs  int           `help:"GOMAXPROCS of the server that is started; 0: as many as there are cores." placeholder:"N"`
	Fronts int           `help:"Front ends to start beside it; viewers then look on there." placeholder:"N"`
	Limit  time.Duration `help:"The attack ends after this long, come what may." default:"10m"`

	metrics string // its address, when it was started here
	cmd     *exec.Cmd
	data    string
	log     *tail
	exited  chan struct{}
	env     []string
	more    []string         // flags
	fronts  []*target        // started beside it
	nats    *natstest.Server // that carries runs to the front ends; nil without
}

// open finds the server or starts one.
func (t *target) open(ctx context.Context) error {
	if t.Host != "" {
		host, _, err := net.SplitHostPort(t.Host)
		if err != nil {
			return fmt.Errorf("--host %q: want HOST:PORT, like 127.0.0.1:8080", t.Host)
		}
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return fmt.Errorf("--host %s: attacks go to this machine only, like 127.0.0.1:8080", t.Host)
		}
		return nil
	}
	if t.Fronts > 0 {
		return t.startWithFronts(ctx)
	}
	return t.start(ctx)
}

// start begins a server on any free port, with its metrics, in a folder of its own.
func (t *target) start(ctx context.Context) error {
	if _, err := os.Stat(t.Server); err != nil {
		return fmt.Errorf("%w; make build makes it, or name one that runs with --host", err)
	}
	if t.data == "" {
		folder, err := os.MkdirTemp("", "attack")
		if err != nil {
			return err
		}
		t.data = folder
	}
	t.cmd = exec.Command(t.Server, append([]string{"serve", "--addr", "127.0.0.1:0", "--data", t.data, "--metrics-addr",
		"127.0.0.1:0"}, t.more...)...)
	return t.launch(ctx)
}

// launch starts the program and waits until it listens.
func (t *target) launch(ctx context.Context) error {
	t.cmd.Env = append(os.Environ(), t.env...)
	if t.Procs > 0 {
		t.cmd.Env = append(t.cmd.Env, "GOMAXPROCS="+strconv.Itoa(t.Procs))
	}
	t.log, t.exited = &tail{}, make(chan struct{})
	t.cmd.Stderr = t.log
	out, err := t.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := t.cmd.Start(); err != nil {
		return err
	}
	t.PID = t.cmd.Process.Pid
	first := make(chan string, 1)
	cmd, exited := t.cmd, t.exited
	go func() { // ends with the server
		lines := bufio.NewReader(out)
		line, _ := lines.ReadString('\n')
		first <- line
		io.Copy(io.Discard, lines)
		cmd.Wait()
		close(exited)
	}()
	var line string
	select {
	case line = <-first:
	case <-time.After(30 * time.Second):
	case <-ctx.Done():
	}
	host := regexp.MustCompile(`^http://([^/]+)/`).FindStringSubmatch(line)
	if host == nil {
		t.close()
		return fmt.Errorf("the server did not start: %s", t.log)
	}
	t.Host = host[1]
	for range 100 { // its log may appear a little later than its address
		if m := regexp.MustCompile(`http://([^/]+)/metrics`).FindStringSubmatch(t.log.String()); m != nil {
			t.metrics = m[1]
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}

// close ends a server that was started here.
func (t *target) close() {
	for _, f := range t.fronts {
		f.close()
	}
	t.fronts = nil
	if t.nats != nil {
		t.nats.Close()
	}
	if t.cmd == nil {
		return
	}
	t.cmd.Process.Signal(os.Interrupt)
	select {
	case <-t.exited:
	case <-time.After(15 * time.Second):
		t.cmd.Process.Kill()
		<-t.exited
	}
	t.cmd = nil
	os.RemoveAll(t.data)
	t.data = ""
}

// alive reports whether a server that was started here still runs, and how it ended if not.
func (t *target) alive() error {
	if t.cmd == nil {
		return nil
	}
	select {
	case <-t.exited:
		return fmt.Errorf("the server has ended: %s", t.log)
	default:
		return nil
	}
}

// get requests a path as a stranger from another address.
func (t *target) get(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", "http://"+t.Host+path, nil)
	if err != nil {
		return err
	}
	stranger := http.Client{Transport: &http.Transport{DialContext: from(stranger), DisableKeepAlives: true}}
	answer, err := stranger.Do(r)
	if err != nil {
		return fmt.Errorf("a stranger's GET %s: %w", path, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("a stranger's GET %s is answered %s", path, answer.Status)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}

// usage is the resources of the server's process.
type usage struct {
	at    time.Time
	cores time.Duration // of CPU, since it began
	rss   float64       // bytes
	files int           // open
}

var errNoProcess = errors.New("the server's process is unknown: name it with --pid")

// usage reads /proc, which Linux has.
func (t *target) usage() (u usage, err error) {
	if t.PID == 0 {
		return u, errNoProcess
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", t.PID))
	if err != nil {
		return u, err
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // from the state, field 3 of proc(5), on
	number := func(i int) float64 {
		v, _ := strconv.ParseFloat(fields[i-3], 64)
		return v
	}
	const tick = 10 * time.Millisecond // USER_HZ is 100 on every platform that Go runs on
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", t.PID))
	return usage{
		at: time.Now(), cores: time.Duration(number(14)+number(15)) * tick, rss: number(24) * float64(os.Getpagesize()),
		files: len(files),
	}, err
}

// since returns the cores used since an earlier reading.
func (u usage) since(before usage) float64 {
	return float64(u.cores-before.cores) / float64(u.at.Sub(before.at))
}

// tail keeps the end of its input.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	t.kept = t.kept[max(0, len(t.kept)-1<<16):]
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}

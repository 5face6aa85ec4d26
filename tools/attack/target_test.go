package attack

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"impalab/internal/natstest"
)

var (
	program   = flag.String("server", "../../bin/impalab", "program to start")
	procs     = flag.Int("procs", 0, "GOMAXPROCS of the server; 0: as many as there are cores")
	numFronts = flag.Int("fronts", 0, "front ends to start beside it; viewers connect to them")
)

// target is the server under attack. It runs on this machine, on a free port and with its own data folder.
type target struct {
	host   string // HOST:PORT
	cmd    *exec.Cmd
	data   string
	log    *tail
	exited chan struct{}
	env    []string
	more   []string // flags
	fronts []*target
	nats   *natstest.Server // carries runs to the front ends; nil without them
}

// open starts the server and its front ends.
func (t *target) open(ctx context.Context) error {
	if *numFronts == 0 {
		return t.start(ctx)
	}
	const token = "the-token-of-an-attack"
	var err error
	if t.nats, err = natstest.Run("", natstest.Config(token)); err != nil {
		return err
	}
	t.more = []string{"--cluster", "--nats-url", t.nats.URL, "--nats-token", token}
	if err := t.start(ctx); err != nil {
		t.nats.Close()
		return err
	}
	for range *numFronts {
		f := &target{env: []string{"IMPALAB_NATS_TOKEN=" + token}}
		if err := f.launch(ctx, "front", "--addr", "127.0.0.1:0", "--nats-url", t.nats.URL,
			"--server-url", "http://"+t.host); err != nil {
			t.close()
			return err
		}
		t.fronts = append(t.fronts, f)
	}
	return nil
}

// start starts the server.
func (t *target) start(ctx context.Context) (err error) {
	if _, err := os.Stat(*program); err != nil {
		return fmt.Errorf("%w; make build builds it", err)
	}
	if t.data, err = os.MkdirTemp("", "attack"); err != nil {
		return err
	}
	return t.launch(ctx, append([]string{"serve", "--addr", "127.0.0.1:0", "--data", t.data}, t.more...)...)
}

// launch starts the program and waits until it listens.
func (t *target) launch(ctx context.Context, args ...string) error {
	t.cmd = exec.Command(*program, args...)
	t.cmd.Env = append(os.Environ(), t.env...)
	if *procs > 0 {
		t.cmd.Env = append(t.cmd.Env, "GOMAXPROCS="+strconv.Itoa(*procs))
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
	t.host = host[1]
	return nil
}

// close ends the server and its front ends.
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
}

// alive returns an error if the server has ended.
func (t *target) alive() error {
	select {
	case <-t.exited:
		return fmt.Errorf("the server has ended: %s", t.log)
	default:
		return nil
	}
}

// at returns the server or front end of viewer i.
func (t *target) at(i int) *target {
	if len(t.fronts) == 0 {
		return t
	}
	return t.fronts[i%len(t.fronts)]
}

// frontsCPU returns the seconds of the cores that the front ends have used.
func (t *target) frontsCPU() (seconds float64) {
	for _, f := range t.fronts {
		if u, err := f.usage(); err == nil {
			seconds += u.cores.Seconds()
		}
	}
	return seconds
}

// usage is a reading of the server's process.
type usage struct {
	at    time.Time
	cores time.Duration // of CPU, since it started
	rss   float64       // bytes
}

// usage reads /proc, which Linux has.
func (t *target) usage() (u usage, err error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", t.cmd.Process.Pid))
	if err != nil {
		return u, err
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // from the state, field 3 of proc(5)
	number := func(i int) float64 {
		v, _ := strconv.ParseFloat(fields[i-3], 64)
		return v
	}
	const tick = 10 * time.Millisecond // USER_HZ is 100 on every platform of Go
	return usage{at: time.Now(), cores: time.Duration(number(14)+number(15)) * tick,
		rss: number(24) * float64(os.Getpagesize())}, nil
}

// since returns the mean number of cores in use since an earlier reading.
func (u usage) since(before usage) float64 {
	return float64(u.cores-before.cores) / float64(u.at.Sub(before.at))
}

// tail keeps the last 64 kB written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

// Write implements io.Writer.
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

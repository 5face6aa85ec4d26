package main

import (
	"context"
	"net"
	"os/exec"
	"path/filepath"
)

// startWithFronts begins a server and front ends that show what runs there.
func (t *target) startWithFronts(ctx context.Context) error {
	l, err := net.Listen("tcp", "127.0.0.1:0") // a port that is free
	if err != nil {
		return err
	}
	nats := l.Addr().String()
	l.Close()
	t.more = []string{"--cluster", "--cluster-addr", nats}
	if err := t.start(ctx); err != nil {
		return err
	}
	for range t.Fronts {
		f := &target{Server: t.Server, Procs: t.Procs, env: []string{"IMPALAB_NATS_TOKEN_FILE=" + filepath.Join(t.data,
			"nats-token")}}
		f.cmd = exec.Command(t.Server, "front", "--addr", "127.0.0.1:0", "--metrics-addr", "127.0.0.1:0", "--nats-url",
			"nats://"+nats)
		if err := f.launch(ctx); err != nil {
			t.close()
			return err
		}
		t.fronts = append(t.fronts, f)
	}
	return nil
}

// at is where viewer i looks on.
func (t *target) at(i int) *target {
	if len(t.fronts) == 0 {
		return t
	}
	return t.fronts[i%len(t.fronts)]
}

// take is the cores that front ends have taken since they began, in seconds.
func (t *target) take() (seconds float64) {
	for _, f := range t.fronts {
		if u, err := f.usage(); err == nil {
			seconds += u.cores.Seconds()
		}
	}
	return seconds
}

package main

import (
	"context"
	"os"
	"os/exec"

	"impalab/server/cluster/natstest"
)

// startWithFronts starts a server and front ends that show its runs.
func (t *target) startWithFronts(ctx context.Context) error {
	const token = "the-token-of-an-attack"
	config, err := os.CreateTemp("", "nats-*.conf")
	if err != nil {
		return err
	}
	defer os.Remove(config.Name())
	config.WriteString(natstest.Config(token))
	if err := config.Close(); err != nil {
		return err
	}
	address, err := natstest.FreeAddress()
	if err != nil {
		return err
	}
	if t.nats, err = natstest.Run(address, config.Name()); err != nil {
		return err
	}
	t.more = []string{"--cluster", "--nats-url", t.nats.URL, "--nats-token", token}
	if err := t.start(ctx); err != nil {
		t.nats.Close()
		return err
	}
	for range t.Fronts {
		f := &target{Server: t.Server, Procs: t.Procs, env: []string{"IMPALAB_NATS_TOKEN=" + token}}
		f.cmd = exec.Command(t.Server, "front", "--addr", "127.0.0.1:0", "--metrics-addr", "127.0.0.1:0", "--nats-url",
			t.nats.URL)
		if err := f.launch(ctx); err != nil {
			t.close()
			return err
		}
		t.fronts = append(t.fronts, f)
	}
	return nil
}

// at returns the address for viewer i.
func (t *target) at(i int) *target {
	if len(t.fronts) == 0 {
		return t
	}
	return t.fronts[i%len(t.fronts)]
}

// take returns the CPU time of the front ends since their start, in seconds.
func (t *target) take() (seconds float64) {
	for _, f := range t.fronts {
		if u, err := f.usage(); err == nil {
			seconds += u.cores.Seconds()
		}
	}
	return seconds
}

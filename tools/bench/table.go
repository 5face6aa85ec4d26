package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"impalab/learner/device"
	"impalab/learner/hyper"
)

// table measures whole runs.
type table struct {
	common
	Device  string `default:"auto" help:"Device to measure after the processor: cpu for none, or auto for each exact one."`
	Compare string `help:"What --json printed before: print how many times as fast each row is now." placeholder:"FILE"`
	Impalab string `default:"../bin/impalab" help:"Program to measure; make build builds it." placeholder:"FILE"`
}

// report is a measured row: the output of `impalab bench --json`, and the figures of this program.
type report struct {
	Name        string   `json:"name"`
	World       string   `json:"world"`
	Mode        string   `json:"mode"`
	Cores       int      `json:"cores"`
	Steps       uint64   `json:"steps"`
	Wall        float64  `json:"wall_s"`
	CPU         *float64 `json:"cpu_s"`
	PerSec      float64  `json:"steps_per_s"`
	GFLOPS      float64  `json:"gflops"`
	Peak        float64  `json:"peak_gflops"`
	Share       float64  `json:"share_of_peak"`
	Arithmetic  string   `json:"arithmetic"`
	Device      string   `json:"device"`
	DeviceExact bool     `json:"device_exact"`
	DeviceWhy   string   `json:"device_why"`
	Parts       *parts   `json:"parts,omitempty"`
	OfBefore    *float64 `json:"of_before,omitempty"` // steps_per_s divided by the value in --compare
}

func (r *report) key() string { return fmt.Sprint(r.Name, r.Mode, r.Cores, r.Device, r.Arithmetic) }

// Run measures every row in both modes in every place, and prints each row at once.
func (c *table) Run(ctx context.Context, out io.Writer) error {
	list, err := c.chosen()
	if err != nil {
		return err
	}
	before, err := measuredBefore(c.Compare)
	if err != nil {
		return err
	}
	places, err := c.devices(ctx)
	if err != nil {
		return err
	}
	if !c.JSON {
		fmt.Fprintf(out, "%-9s %-9s %5s  %-9s %9s %8s %8s %8s %9s  %s\n", "NAME", "MODE", "CORES", "DEVICE", "STEPS/S",
			"GFLOP/S", "OF PEAK", "OF LIVE", "OF EARLIER", "SHARES OF THE CORES' TIME, AND OF THE PEAK MEANWHILE")
	}
	for _, r := range list {
		for _, p := range places {
			if err := c.row(ctx, out, &r, p, before); err != nil {
				return fmt.Errorf("row %s: %w", r.name, err)
			}
		}
	}
	return nil
}

// row measures live and then reference, so that their ratio belongs to one minute.
func (c *table) row(ctx context.Context, out io.Writer, of *row, p place, before map[string]float64) error {
	live := 0.0
	for _, mode := range []hyper.Mode{hyper.Live, hyper.Reference} {
		cfg, err := of.config(mode)
		if err != nil {
			return err
		}
		r, err := c.measure(ctx, &cfg, p)
		if err != nil {
			return err
		}
		r.Name = of.name
		// Parts vary less than a run: a twentieth of the time is enough for each.
		if r.Parts, err = measureParts(&cfg, r, time.Duration(c.Seconds*float64(time.Second)/20)); err != nil {
			return err
		}
		ofLive, ofBefore := "", ""
		if was, ok := before[r.key()]; ok {
			times := r.PerSec / was
			r.OfBefore, ofBefore = &times, fmt.Sprintf("%.2f", times)
		}
		if c.JSON {
			if err := line(out, r); err != nil {
				return err
			}
			continue
		}
		if mode == hyper.Live {
			live = r.PerSec
		} else {
			ofLive = fmt.Sprintf("%.0f%%", 100*r.PerSec/live)
		}
		fmt.Fprintf(out, "%-9s %-9s %5d  %-9s %9.0f %8.1f %7.0f%% %8s %9s  %s\n", r.Name, r.Mode, r.Cores, r.Device,
			r.PerSec, r.GFLOPS, 100*r.Share, ofLive, ofBefore, r.Parts.text())
	}
	return nil
}

// measure runs impalab bench.
func (c *table) measure(ctx context.Context, cfg *hyper.Config, p place) (*report, error) {
	var settings []string
	for _, s := range cfg.Settings() {
		settings = append(settings, s.Key+"="+s.Value)
	}
	out, err := c.impalab(ctx, "bench", "--json", "--device", p.device, "--cores", strconv.Itoa(p.cores), "--seconds",
		fmt.Sprint(c.Seconds), "--set", strings.Join(settings, " "))
	if err != nil {
		return nil, err
	}
	r := &report{}
	return r, json.Unmarshal(out, r)
}

// impalab runs the program and returns its output.
func (c *table) impalab(ctx context.Context, args ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, c.Impalab, args...)
	var complaint bytes.Buffer
	command.Stderr = &complaint
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", c.Impalab, args[0], err, complaint.Bytes())
	}
	return out, nil
}

// place is a device, and the number of cores, on which a row is measured.
type place struct {
	device string
	cores  int
}

// devices returns one core, all cores, and then the devices that were asked for.
func (c *table) devices(ctx context.Context) ([]place, error) {
	all := []place{{device.CPU, 1}}
	if c.Cores > 1 {
		all = append(all, place{device.CPU, c.Cores})
	}
	if c.Device == device.CPU {
		return all, nil
	}
	if c.Device != device.Auto {
		return append(all, place{c.Device, c.Cores}), nil
	}
	out, err := c.impalab(ctx, "devices", "--json")
	for lines := json.NewDecoder(bytes.NewReader(out)); err == nil && lines.More(); {
		var d device.Choice
		if err = lines.Decode(&d); d.Exact && d.Name != device.CPU {
			all = append(all, place{d.Name, c.Cores})
		}
	}
	return all, err
}

// measuredBefore reads what table --json printed: steps a second of each row.
func measuredBefore(file string) (map[string]float64, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("--compare: %w; table --json > FILE writes a file to compare with", err)
	}
	before := map[string]float64{}
	for n, one := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var r report
		if err := json.Unmarshal(one, &r); err != nil || r.Name == "" || !(r.PerSec > 0) {
			return nil, fmt.Errorf("--compare %s: line %d does not come from table --json", file, n+1)
		}
		before[r.key()] = r.PerSec
	}
	return before, nil
}

package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"runtime"
	"strings"

	"impalab/learner"
	"impalab/learner/device"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/trial"
)

// setFlag changes settings.
type setFlag struct {
	Set []string `help:"Change one setting, or several with spaces between; see settings. May be repeated, the later wins. A text of several lines is read from a file: KEY=@FILE." placeholder:"KEY=VALUE" sep:"none"`
}

// pairs returns the settings as --set lists them.
func (f *setFlag) pairs() (list []hyper.Setting, err error) {
	for _, text := range f.Set {
		some, err := hyper.ParseText(text)
		if err == nil && len(some) == 0 {
			err = fmt.Errorf("%q: must be KEY=VALUE, like rho=2", text)
		}
		for i := range some {
			row, _ := hyper.Lookup(some[i].Key)
			if name, ok := strings.CutPrefix(some[i].Value, "@"); err == nil && ok && row != nil && row.Lines > 0 {
				some[i].Value, err = readLines(name, row.Lines)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("--set %w", err)
		}
		list = append(list, some...)
	}
	return list, nil
}

// readLines reads a value of at most this many bytes, and one more byte of a longer one.
func readLines(name string, most int) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, int64(most)+1))
	return string(text), err
}

// pageURL reads the address of a server's pages. like is an example for the error.
func pageURL(flag, text, like string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" ||
		u.User != nil {
		return nil, fmt.Errorf("%s %q: must be a URL like %s", flag, text, like)
	}
	return u, nil
}

// runFlags choose a configuration: the preset or the world's defaults, then --algo, --seed and --steps, then each --set
// in turn. learner/hyper defines the settings.
type runFlags struct {
	World  string `help:"World the agent lives in; see worlds." placeholder:"NAME"`
	Algo   string `help:"Algorithm that learns; see algos." placeholder:"NAME"`
	Preset string `help:"Ready-made experiment to start from; see presets." placeholder:"NAME"`
	setFlag
	Seed string `help:"Seed of all chance (1)." placeholder:"N"`

	Arithmetic string `help:"Arithmetic to compute in: fused uses the processor's vectors, plain gives the bits of a browser. (auto, which is fused where possible)" placeholder:"NAME"`
}

// defaultSteps is the budget of a run that has no other.
const defaultSteps = "250000"

// config returns the configuration. The user's settings override those in before.
func (f *runFlags) config(steps string, before ...hyper.Setting) (hyper.Config, error) {
	settings := before
	for _, s := range []hyper.Setting{{Key: "preset", Value: f.Preset}, {Key: "world", Value: f.World},
		{Key: "algo", Value: f.Algo}, {Key: "seed", Value: f.Seed}, {Key: "arithmetic", Value: f.Arithmetic},
		{Key: "steps", Value: steps}} {
		if s.Value != "" {
			settings = append(settings, s)
		}
	}
	list, err := f.pairs()
	if err != nil {
		return hyper.Config{}, err
	}
	for _, s := range list {
		if _, err := hyper.Lookup(s.Key); err != nil && s.Key != "preset" {
			return hyper.Config{}, err
		}
	}
	cfg, _, _, err := hyper.FromSettings(withBudget(append(settings, list...)))
	if err == nil {
		_, err = cfg.Kernels("")
	}
	return cfg, err
}

// withBudget adds the default budget to settings that have none, unless their preset has one.
func withBudget(settings []hyper.Setting) []hyper.Setting {
	var chosen []hyper.Setting // the settings that decide the preset
	for _, s := range settings {
		switch s.Key {
		case "steps":
			return settings
		case "preset", "p", "world":
			chosen = append(chosen, s)
		}
	}
	if cfg, _, _, err := hyper.FromSettings(chosen); err == nil && cfg.Steps > 0 {
		return settings
	}
	return append([]hyper.Setting{{Key: "steps", Value: defaultSteps}}, settings...)
}

// resume returns the learner of a snapshot. It refuses flags that contradict the snapshot's settings.
func (f *runFlags) resume(e learner.Engine, file, seeds, steps string) (*learner.Learner, error) {
	for _, flag := range [][2]string{
		{"--preset", f.Preset}, {"--world", f.World}, {"--algo", f.Algo}, {"--set", strings.Join(f.Set, " ")},
		{"--arithmetic", f.Arithmetic}, {"--seed", f.Seed}, {"--seeds", seeds}, {"--steps", steps},
	} {
		if flag[1] != "" {
			return nil, fmt.Errorf("%s %s beside %s: a snapshot has its settings and its seed; leave %s out", flag[0], flag[1],
				file, flag[0])
		}
	}
	blob, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%w; train --save FILE writes a snapshot", Named(err))
	}
	l, err := e.Resume(blob)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; train --save FILE writes a snapshot", file, err)
	}
	return l, nil
}

// seedFlags choose the seeds to train.
type seedFlags struct {
	Seeds string `help:"Train several seeds and sum them up, like 11-18 or 1,2,5." placeholder:"LIST"`
	Jobs  int    `range:"1.." help:"Seeds trained at once. (the number of cores)" placeholder:"N"`
}

// seedList reads the list of --seeds.
func seedList(text string) ([]uint64, error) {
	seeds, err := trial.ParseSeeds(text)
	if err != nil {
		return nil, fmt.Errorf("--%w", err)
	}
	return seeds, nil
}

// atOnce returns the value of --jobs, or one job for each core.
func atOnce(jobs int) int { return cmp.Or(jobs, runtime.GOMAXPROCS(0)) }

// trial returns the trial that the flags ask for. Its error names the wrong flag, or says that the machine has too
// little memory.
func (f *seedFlags) trial(engine learner.Engine, run *runFlags, steps string) (*trial.Trial, error) {
	cfg, err := run.config(steps)
	if err != nil {
		return nil, err
	}
	t := &trial.Trial{Config: cfg, Seeds: []uint64{cfg.Seed}, Begin: engine.New}
	if f.Seeds != "" {
		if run.Seed != "" {
			return nil, errors.New("--seed and --seeds are both given: use one of them")
		}
		if t.Seeds, err = seedList(f.Seeds); err != nil {
			return nil, err
		}
		if len(t.Seeds) == 1 { // a tape and a snapshot have the configuration's seed
			t.Config.Seed = t.Seeds[0]
		}
	}
	t.Jobs = min(atOnce(f.Jobs), len(t.Seeds))
	kernels, err := cfg.Kernels("")
	if err == nil {
		err = engine.Devices.CheckKernels(kernels)
	}
	if err == nil {
		err = affordable(&cfg, t.Jobs)
	}
	return t, err
}

// warn prints the meaning of settings whose value does not show it, and the guarantees that a configuration gives up.
func (prog *Program) warn(cfg *hyper.Config) {
	for i := range hyper.Table {
		row := &hyper.Table[i]
		value := cfg.Get(row.Key)
		if meaning := row.Meaning(cfg, value); meaning != "" {
			fmt.Fprintf(prog.Stderr, "%s=%s: %s\n", row.Key, value, meaning)
		}
	}
	for _, warning := range cfg.Warnings() {
		fmt.Fprintln(prog.Stderr, "warning:", warning)
	}
}

// onCores is the engine of a command without --device.
var onCores = learner.Engine{Lower: graph.Lower}

// arithmeticFlags choose the meaning of the setting arithmetic=auto. Programs that train for others have them.
type arithmeticFlags struct {
	Arithmetic string `default:"auto" enum:"auto,fused,plain" help:"Meaning of the setting arithmetic=auto: fused uses the processor's vectors, plain gives the bits of a browser, auto is fused where possible. ${enum}." placeholder:"NAME"`
}

// compute sets the process's arithmetic, until done is called.
func (f *arithmeticFlags) compute() (done func(), err error) {
	if f.Arithmetic == "" || f.Arithmetic == "auto" {
		return func() {}, nil
	}
	done, err = kernel.Compute(f.Arithmetic)
	if err != nil {
		return nil, usagef("--arithmetic %s: %w; leave --arithmetic out", f.Arithmetic, err)
	}
	return done, nil
}

// deviceFlags choose a device.
type deviceFlags struct {
	Device string `default:"auto" help:"Where networks are computed: cpu, a name that devices lists, or auto, which takes the fastest." placeholder:"NAME"`
}

// engine opens the device, until done is called. The runs must be closed before done, and compute called before engine.
func (f *deviceFlags) engine(ctx context.Context) (e learner.Engine, done func(), err error) {
	devices, err := device.Select(f.Device, f.drivers(ctx))
	if err != nil {
		return e, nil, usagef("--%w", err)
	}
	e = onCores
	e.Devices = devices
	return e, devices.Close, nil
}

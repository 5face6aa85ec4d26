package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// program is the test binary of one package, with the mutants of another or of its own in it.
type program struct {
	dir    string // within the module, where its tests run
	binary string
	quiet  []string // flags that stop rapid from writing failures down, where the binary knows them
	tests  []test
}

// test is the cost of one test and the mutants it reaches.
type test struct {
	name    string
	cpu     time.Duration
	reaches []int32 // numbers of mutants
}

// limits of one run. A mutant may loop without end: the limit of processor time ends it, because it does not depend on
// the load of the machine. The other limit ends a mutant that waits without end.
const (
	leastCPU  = 2 * time.Second
	cpuFactor = 4
	mostWait  = 60 * time.Second
	memory    = 6 << 20 // kilobytes of address space
)

// build makes the test binary of the package in dir with in's mutants.
func (in *Instrumented) build(root, dir, folder string) (*program, error) {
	to := filepath.Join(folder, strings.ReplaceAll(dir, "/", "-")+".test")
	if _, err := run(root, "go", "test", "-c", "-overlay", in.overlay, "-o", to, "./"+dir); err != nil {
		return nil, err
	}
	p := &program{dir: dir, binary: to, quiet: []string{"-rapid.nofailfile"}}
	if exec.Command(to, append(p.quiet, "-test.list", "none")...).Run() != nil {
		p.quiet = nil
	}
	return p, nil
}

// measure runs every test alone, without a mutant, and records its cost and the mutants it reaches.
func (p *program) measure(root string, jobs int) error {
	names, err := run(filepath.Join(root, p.dir), p.binary, "-test.list", "^(Test|Fuzz|Example)")
	if err != nil {
		return err
	}
	p.tests = make([]test, len(strings.Fields(names)))
	return parallel(jobs, len(p.tests), func(i int) error {
		t := &p.tests[i]
		t.name = strings.Fields(names)[i]
		notes, err := os.CreateTemp("", "mutants")
		if err != nil {
			return err
		}
		defer os.Remove(notes.Name())
		cmd := exec.Command(p.binary, "-test.short", "-test.run", "^"+t.name+"$")
		cmd.Dir = filepath.Join(root, p.dir)
		cmd.Env = append(os.Environ(), "MUTANT=-1", "MUTANT_NOTES="+notes.Name())
		if out, err := cmd.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%s in %s fails while it is measured, and is left out: %s\n", t.name, p.dir, lastLine(out))
			return nil
		}
		t.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		noted, err := os.ReadFile(notes.Name())
		for ; len(noted) >= 4; noted = noted[4:] {
			t.reaches = append(t.reaches, int32(binary.LittleEndian.Uint32(noted)))
		}
		return err
	})
}

// reaching returns the tests that reach a mutant, cheap ones first, without tests that take longer than longest.
func (p *program) reaching(m *Mutant, longest time.Duration) (out []test) {
	for _, t := range p.tests {
		if t.cpu <= longest && slices.Contains(t.reaches, int32(m.Number)) {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b test) int { return int(a.cpu - b.cpu) })
	return out
}

// kill runs tests against a mutant, about a second of tests at a time, and returns the name of the first that failed,
// or "".
func (p *program) kill(ctx context.Context, root string, m *Mutant, tests []test) (killer string, err error) {
	for len(tests) > 0 {
		var names []string
		sum := time.Duration(0)
		for len(names) == 0 || len(names) < len(tests) && sum+tests[len(names)].cpu < time.Second {
			sum += tests[len(names)].cpu
			names = append(names, tests[len(names)].name)
		}
		tests = tests[len(names):]
		if killer, err = p.try(ctx, root, m, names, sum); killer != "" || err != nil {
			return killer, err
		}
	}
	return "", nil
}

var failed = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)
var started = regexp.MustCompile(`(?m)^=== RUN   (\w+)`)

// try runs some tests, which take cpu without a mutant, against a mutant.
func (p *program) try(ctx context.Context, root string, m *Mutant, names []string, cpu time.Duration) (killer string,
	err error) {
	limit := max(leastCPU, cpuFactor*cpu)
	args := []string{
		"-c", fmt.Sprintf(`ulimit -t %d; ulimit -v %d; exec "$0" "$@"`, int(limit.Seconds()+1), memory), p.binary,
		"-test.short", "-test.v", "-test.failfast", "-test.timeout", (mostWait + 20*cpu).String(),
		"-test.run", "^(" + strings.Join(names, "|") + ")$",
	}
	cmd := exec.CommandContext(ctx, "sh", append(args, p.quiet...)...)
	cmd.Dir = filepath.Join(root, p.dir)
	cmd.Env = append(os.Environ(), fmt.Sprint("MUTANT=", m.Number))
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "", nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case !errors.As(err, &exit):
		return "", err
	}
	if found := failed.FindSubmatch(out); found != nil {
		return string(found[1]), nil
	}
	if all := started.FindAllSubmatch(out, -1); all != nil {
		return string(all[len(all)-1][1]), nil
	}
	return names[0], nil // it did not even start
}

// run runs a command in dir and returns its output.
func run(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var failure bytes.Buffer
	cmd.Stderr = &failure
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, failure.Bytes())
	}
	return string(out), nil
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[max(0, len(lines)-3)]
}

// parallel calls do for 0 to n−1, some at a time, and returns the first error.
func parallel(jobs, n int, do func(i int) error) error {
	next, failures := make(chan int), make(chan error, jobs)
	for range jobs { // each ends when next is closed
		go func() {
			var failure error
			for i := range next {
				if failure == nil {
					failure = do(i)
				}
			}
			failures <- failure
		}()
	}
	for i := range n {
		next <- i
	}
	close(next)
	var first error
	for range jobs {
		if err := <-failures; first == nil {
			first = err
		}
	}
	return first
}

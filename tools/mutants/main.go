// Command mutants tests the tests. It makes small changes to a package, one at a time, and reports the changes that no
// test notices. A package is built once with all its mutants in it (instrument.go). Each mutant then runs against the
// tests that reach it: first the package's own, then the tests of packages that use it.
//
// equivalents.txt lists each mutant that no test can notice, because it computes the same, with the reason.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	root := flag.String("C", ".", "root of the module")
	jobs := flag.Int("jobs", goruntime.NumCPU(), "mutants tried at a time")
	only := flag.String("only", "", "try only mutants whose ID matches this regular expression")
	users := flag.String("users", "",
		"comma-separated packages whose fast tests a survivor of its own package's must survive too")
	longest := flag.Duration("longest", 5*time.Second, "leave out their tests that take more processor time than this")
	show := flag.Bool("list", false, "list the mutants and try none")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: mutants [flags] DIR ...   (packages, as folders of the module)")
		flag.PrintDefaults()
	}
	flag.Parse()
	pattern, err := regexp.Compile(*only)
	if err != nil || flag.NArg() == 0 || *jobs < 1 {
		flag.Usage()
		os.Exit(2)
	}
	absolute, err := filepath.Abs(*root)
	if err != nil {
		fail(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r := &runner{
		root: absolute, jobs: *jobs, only: pattern, longest: *longest, list: *show,
		users: strings.FieldsFunc(*users, func(c rune) bool { return c == ',' }),
	}
	unexplained := 0
	for _, dir := range flag.Args() {
		n, err := r.test(ctx, filepath.Clean(dir))
		if err != nil {
			fail(err)
		}
		unexplained += n
	}
	if unexplained > 0 {
		fmt.Fprintf(os.Stderr, "mutants: %d to be explained: write a test that notices, or a line of "+
			"tools/mutants/equivalents.txt\n", unexplained)
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "mutants:", err)
	os.Exit(2)
}

// runner holds the flags.
type runner struct {
	root    string
	jobs    int
	only    *regexp.Regexp
	users   []string
	longest time.Duration
	list    bool
}

// test tries every mutant of the package in dir and reports. It returns the number of lines that need attention.
func (r *runner) test(ctx context.Context, dir string) (unexplained int, err error) {
	folder, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	p, err := instrument(r.root, dir, folder)
	if err != nil {
		return 0, err
	}
	chosen := slices.DeleteFunc(slices.Clone(p.Mutants), func(m *Mutant) bool { return !r.only.MatchString(m.ID) })
	reasons, err := readEquivalents(r.root, dir, p.Mutants)
	if err != nil {
		return 0, err
	}
	if r.list {
		for _, m := range chosen {
			fmt.Println(m.ID)
		}
		return 0, nil
	}
	v := verdicts{killer: map[string]string{}, reached: map[int32]bool{}}
	left := chosen // its own tests try equivalents too: the list may be wrong
	for i, user := range append([]string{dir}, r.users...) {
		longest := time.Hour
		if i > 0 {
			left = slices.DeleteFunc(left, func(m *Mutant) bool { return reasons[m.ID] != "" })
			longest = r.longest
		}
		if len(left) == 0 || i > 0 && (user == dir || !r.uses(user, p.Path)) {
			continue
		}
		prog, err := p.build(r.root, user, folder)
		if err != nil {
			return 0, err
		}
		if err := prog.measure(r.root, r.jobs); err != nil {
			return 0, err
		}
		if err := r.try(ctx, prog, left, &v, longest); err != nil {
			return 0, err
		}
		left = slices.DeleteFunc(slices.Clone(left), func(m *Mutant) bool { return v.killer[m.ID] != "" })
	}
	return v.report(dir, chosen, reasons), nil
}

// uses reports whether the package in dir depends on another.
func (r *runner) uses(dir, path string) bool {
	text, err := run(r.root, "go", "list", "-deps", "./"+dir)
	return err == nil && slices.Contains(strings.Fields(text), path)
}

// verdicts is the fate of a package's mutants.
type verdicts struct {
	mu      sync.Mutex
	killer  map[string]string // by ID: the package and the test that noticed it
	reached map[int32]bool    // by number: a test reaches it
}

// try runs a program against mutants, some at a time.
func (r *runner) try(ctx context.Context, prog *program, mutants []*Mutant, v *verdicts, longest time.Duration) error {
	for _, t := range prog.tests {
		for _, number := range t.reaches {
			v.reached[number] = true
		}
	}
	done, told := 0, time.Now()
	return parallel(r.jobs, len(mutants), func(i int) error {
		m := mutants[i]
		killer, err := prog.kill(ctx, r.root, m, prog.reaching(m, longest))
		if err != nil {
			return err
		}
		v.mu.Lock()
		defer v.mu.Unlock()
		if killer != "" {
			v.killer[m.ID] = prog.dir + "." + killer
		}
		if done++; time.Since(told) > 10*time.Second {
			told = time.Now()
			fmt.Fprintf(os.Stderr, "%s: %d of %d\n", prog.dir, done, len(mutants))
		}
		return nil
	})
}

// report prints the fate of the mutants and returns the number of lines that need attention.
func (v *verdicts) report(dir string, mutants []*Mutant, reasons map[string]string) (unexplained int) {
	killed, equivalent := 0, 0
	var lines []string
	for _, m := range mutants {
		switch killer, reason := v.killer[m.ID], reasons[m.ID]; {
		case killer != "" && reason != "":
			lines = append(lines, fmt.Sprintf("%s: listed as equivalent, but %s notices it: %s", m.Where, killer, m.ID))
		case killer != "":
			killed++
		case reason != "":
			equivalent++
		case !v.reached[int32(m.Number)]:
			lines = append(lines, fmt.Sprintf("%s: no test reaches it: %s", m.Where, m.ID))
		default:
			lines = append(lines, fmt.Sprintf("%s: survives: %s", m.Where, m.ID))
		}
	}
	slices.Sort(lines)
	for _, line := range lines {
		fmt.Println(line)
	}
	fmt.Printf("%s: %d mutants, %d killed, %d equivalent, %d unexplained\n", dir, len(mutants), killed, equivalent,
		len(lines))
	return len(lines)
}

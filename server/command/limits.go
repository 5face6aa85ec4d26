package command

// How much of the machine the runs of the Lab may take together, and how many pages may be open.

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"impalab/server/lab"
	"impalab/server/session"
)

// limitFlags bound runs and pages. Zero takes the default that the help names.
type limitFlags struct {
	MaxRuns   int `help:"Runs that learn at once; more wait in a queue. (48 for each core)" placeholder:"N"`
	MaxMemory int `help:"Memory of the whole server, in MB. (GOMEMLIMIT, or three quarters of what the machine or container has)" placeholder:"MB"`
	RunMemory int `help:"Memory that one run may take, in MB, by estimate. (256)" placeholder:"MB"`
	MaxData   int `help:"Disk that kept runs, rooms, links and the board may take, in MB; then the runs and rooms that nobody came back to for longest are forgotten. (8000)" placeholder:"MB"`
	KeepDays  int `help:"Days after which a run that nobody came back to is forgotten. (60)" placeholder:"N"`
	pageFlags
}

// pageFlags bound pages.
type pageFlags struct {
	MaxPages           int     `help:"Pages connected at once. (2000)" placeholder:"N"`
	MaxPagesPerAddress int     `help:"Pages connected at once from one address. (200)" placeholder:"N"`
	PageRate           float64 `help:"Messages a second that one page may send. (60)" placeholder:"N"`
}

// leastMemory is what the server itself needs, and two small runs.
const leastMemory = 128

// bounded is a flag's value that is 0 or within bounds.
type bounded struct {
	name        string
	value       int
	least, most int
}

func checkAll(flags ...bounded) error {
	for _, flag := range flags {
		if flag.value != 0 && (flag.value < flag.least || flag.value > flag.most) {
			return fmt.Errorf("--%s %d: must be a whole number from %d to %d", flag.name, flag.value, flag.least, flag.most)
		}
	}
	return nil
}

func (f *limitFlags) check() error {
	err := checkAll(bounded{"max-runs", f.MaxRuns, 1, 10_000}, bounded{"max-memory", f.MaxMemory, leastMemory, 1 << 30},
		bounded{"run-memory", f.RunMemory, 1, 1 << 30}, bounded{"max-data", f.MaxData, 1, 1 << 30},
		bounded{"keep-days", f.KeepDays, 1, 100_000})
	if err == nil {
		err = f.pageFlags.check()
	}
	return err
}

func (f *pageFlags) check() error {
	if err := checkAll(bounded{"max-pages", f.MaxPages, 1, 1_000_000},
		bounded{"max-pages-per-address", f.MaxPagesPerAddress, 1, 1_000_000}); err != nil {
		return err
	}
	if f.PageRate != 0 && !(f.PageRate >= 1 && f.PageRate <= 1e6) {
		return fmt.Errorf("--page-rate %g: must be a number from 1 to 1000000", f.PageRate)
	}
	return nil
}

// Parts of the server's memory. Runs may come to half of it by estimate, which is right within a factor of two; Go
// collects harder from nine tenths on, and the rest is for what Go does not count.
const (
	runsPart = 0.5
	roomPart = 0.125 // that the rooms in use may come to
	heapPart = 0.9
)

// lab puts the limits on runs into o.
func (f *limitFlags) lab(o *lab.Options) {
	o.MaxRuns, o.RunMemory = f.MaxRuns, int64(f.RunMemory)*1e6
	o.Memory = int64(runsPart * f.memory())
	o.Keep.Bytes, o.Keep.Age = f.data(), time.Duration(f.KeepDays)*24*time.Hour
}

// session puts the limits on pages into o.
func (f *pageFlags) session(o *session.Options) {
	o.MaxSessions, o.MaxPerAddress, o.Rate = f.MaxPages, f.MaxPagesPerAddress, f.PageRate
}

// data is the bytes that what is kept may take, and others those of all there is beside runs.
func (f *limitFlags) data() int64   { return int64(cmp.Or(f.MaxData, 8000)) * 1e6 }
func (f *limitFlags) others() int64 { return f.data() / 2 }

// memory is the bytes that the whole server may take.
func (f *limitFlags) memory() float64 {
	if f.MaxMemory > 0 {
		return float64(f.MaxMemory) * 1e6
	}
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		return float64(limit) // GOMEMLIMIT
	}
	if bytes, ok := machineMemory(os.ReadFile); ok {
		return bytes * 3 / 4
	}
	return 4e9
}

// prepare has the runtime keep to the memory, and gives it one thread more than there are cores to learn on, so that
// one is free to answer people. The function it returns undoes that.
func (f *limitFlags) prepare() (undo func()) {
	limit, cores := debug.SetMemoryLimit(int64(heapPart*f.memory())), runtime.GOMAXPROCS(0)
	if os.Getenv("GOMAXPROCS") == "" { // else the user has chosen
		runtime.GOMAXPROCS(cores + 1)
	}
	return func() {
		debug.SetMemoryLimit(limit)
		runtime.GOMAXPROCS(cores)
	}
}

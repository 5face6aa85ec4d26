package command

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/server/lab"
	"impalab/server/session"
)

// limitFlags limit the runs of a server. Its own need and two small runs take 128 MB.
type limitFlags struct {
	MaxRuns   int `range:"1..10000" help:"Runs that train at once; more wait in a queue. (48 for each core)" placeholder:"N"`
	MaxMemory int `range:"128..1073741824" help:"Memory of the whole server, in MB. (GOMEMLIMIT, or three quarters of the machine's or container's)" placeholder:"MB"`
	RunMemory int `range:"1..1073741824" help:"Estimated memory that one run may take, in MB. (256)" placeholder:"MB"`
	MaxData   int `range:"1..1073741824" help:"Disk for runs, rooms, links and the board, in MB; when it is nearly full, the server forgets the runs and rooms that were not used for longest, then refuses new runs. (8000)" placeholder:"MB"`
	KeepDays  int `range:"1..100000" help:"Days after its last use when a run is forgotten. (60)" placeholder:"N"`
}

// pageFlags limit the pages of a server.
type pageFlags struct {
	MaxPages           int     `range:"1..1000000" help:"Pages connected at once. (2000)" placeholder:"N"`
	MaxPagesPerAddress int     `range:"1..1000000" help:"Pages connected at once from one address. (200)" placeholder:"N"`
	PageRate           float64 `range:"1..1000000" help:"Messages a second that one page may send. (60)" placeholder:"N"`
}

// Parts of the server's memory. Estimates of runs are right within a factor of two, so runs get half of it. Go collects
// garbage harder from nine tenths on, and the rest is for memory that Go does not count.
const (
	runsPart = 0.5
	roomPart = 0.125
	heapPart = 0.9
)

// lab writes the limits on runs into o.
func (f *limitFlags) lab(o *lab.Options) {
	o.MaxRuns, o.RunMemory = f.MaxRuns, int64(f.RunMemory)*1e6
	o.Memory = int64(runsPart * f.memory())
	o.Keep.Bytes, o.Keep.Age = f.data(), time.Duration(f.KeepDays)*24*time.Hour
}

// sessions returns the options for the sessions of pages.
func (f *pageFlags) sessions(w *webServer) session.Options {
	return session.Options{Log: w.Log, Address: w.Address, Refused: w.Refused, MaxSessions: f.MaxPages,
		MaxPerAddress: f.MaxPagesPerAddress, Rate: f.PageRate}
}

// data returns the bytes that stored data may take, and others the bytes of all stored data except runs.
func (f *limitFlags) data() int64   { return int64(cmp.Or(f.MaxData, 8000)) * 1e6 }
func (f *limitFlags) others() int64 { return f.data() / 2 }

// memory returns the bytes that the whole server may take.
func (f *limitFlags) memory() float64 {
	if f.MaxMemory > 0 {
		return float64(f.MaxMemory) * 1e6
	}
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		return float64(limit) // GOMEMLIMIT
	}
	if bytes, ok := machineMemory(); ok {
		return bytes * 3 / 4
	}
	return 4e9
}

// prepare sets the runtime's memory limit, and gives it one thread more than the runs have cores, so that one thread is
// free to answer people. undo restores both.
func (f *limitFlags) prepare() (undo func()) {
	limit, cores := debug.SetMemoryLimit(int64(heapPart*f.memory())), runtime.GOMAXPROCS(0)
	if os.Getenv("GOMAXPROCS") == "" { // otherwise the user has chosen
		runtime.GOMAXPROCS(cores + 1)
	}
	return func() {
		debug.SetMemoryLimit(limit)
		runtime.GOMAXPROCS(cores)
	}
}

// affordable returns an error if runs of cfg, as many as copies at once, exceed the memory of this machine: the system
// would kill the process without a message. It returns nil if the memory is unknown.
func affordable(cfg *hyper.Config, copies int) error {
	have, ok := machineMemory()
	if !ok {
		return nil
	}
	cost, err := learner.CostOf(cfg)
	if err != nil {
		return err
	}
	if wanted := cost.Bytes * float64(copies); wanted > have {
		together := ""
		if copies > 1 {
			together = fmt.Sprintf(" for %d runs at once", copies)
		}
		return fmt.Errorf("this would need about %.1f GB of memory%s, and this machine has %.1f GB; most of it is for %s: "+
			"choose smaller values", wanted/1e9, together, have/1e9, cost.Largest)
	}
	return nil
}

// machineMemory returns the bytes of memory that this process may have: the memory of the machine, or the limit of its
// container or control group if that is lower. ok is false where the system does not tell.
func machineMemory() (bytes float64, ok bool) {
	bytes = math.Inf(1)
	for _, source := range []memlimit.Provider{memlimit.FromSystem, memlimit.FromCgroup} {
		if limit, err := source(); err == nil {
			bytes = min(bytes, float64(limit))
		}
	}
	return bytes, !math.IsInf(bytes, 1)
}

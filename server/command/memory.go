package command

// A run that asks for more memory than the machine has is refused before it starts: the system would end the process
// in the middle, without a word.

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"impalab/learner"
	"impalab/learner/hyper"
)

// affordable refuses copies runs of cfg at once where they cannot fit; what cannot be known is let through.
func affordable(cfg *hyper.Config, copies int) error {
	have, ok := machineMemory(os.ReadFile)
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
			together = fmt.Sprintf(", %d runs at once", copies)
		}
		return fmt.Errorf("this would need about %.1f GB of memory%s, and there are %.1f GB: most of it is for %s; choose "+
			"less",
			wanted/1e9, together, have/1e9, cost.Largest)
	}
	return nil
}

// machineMemory is the bytes this process may have: the machine's, or its container's if that is less. Known
// on Linux only.
func machineMemory(read func(name string) ([]byte, error)) (bytes float64, ok bool) {
	if info, err := read("/proc/meminfo"); err == nil {
		for line := range strings.Lines(string(info)) {
			if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "MemTotal:" {
				kB, err := strconv.ParseFloat(fields[1], 64)
				bytes, ok = kB*1024, err == nil
			}
		}
	}
	if limit, err := read(filepath.Join("/sys/fs/cgroup", "memory.max")); err == nil {
		if most, err := strconv.ParseFloat(strings.TrimSpace(string(limit)), 64); err == nil &&
			(!ok || most < bytes) { // "max" is no limit
			bytes, ok = most, true
		}
	}
	return bytes, ok
}

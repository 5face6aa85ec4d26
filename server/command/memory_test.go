package command

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"impalab/learner/hyper"
)

func TestTheMachinesMemoryIsTheLeastThatHolds(t *testing.T) {
	meminfo := "MemTotal:       24117248 kB\nMemFree:         1000 kB\n"
	for _, c := range []struct {
		files map[string]string
		bytes float64
		ok    bool
	}{
		{map[string]string{"/proc/meminfo": meminfo}, 24117248 * 1024, true},
		{map[string]string{"/proc/meminfo": meminfo, "/sys/fs/cgroup/memory.max": "max\n"}, 24117248 * 1024, true},
		{map[string]string{"/proc/meminfo": meminfo, "/sys/fs/cgroup/memory.max": "1073741824\n"}, 1 << 30, true},
		{map[string]string{"/proc/meminfo": "MemTotal: lots kB\n"}, 0, false},
		{nil, 0, false},
	} {
		bytes, ok := machineMemory(func(name string) ([]byte, error) {
			if text, there := c.files[name]; there {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		})
		if ok != c.ok || ok && bytes != c.bytes {
			t.Errorf("%v: %g, %v", c.files, bytes, ok)
		}
	}
}

func TestAReplayLargerThanMemoryIsRefusedByItsSetting(t *testing.T) {
	if _, ok := machineMemory(os.ReadFile); !ok {
		t.Skip("this system does not tell its memory")
	}
	code, _, stderr := run(t, "train", "--world", "rooms-collect:height=96,width=128",
		"--set", "replay-size=5e6", "--set", "mix=0.5", "--steps", "100")
	if code != ExitUsage || !strings.Contains(stderr, "replay-size=5000000") || !strings.Contains(stderr, "GB") {
		t.Errorf("refused with %d, %s", code, stderr)
	}
	cfg, err := hyper.FromPreset("cartpole")
	if err != nil || affordable(&cfg, 4) != nil {
		t.Error(errors.Join(err, affordable(&cfg, 4)))
	}
}

package command

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"impalab/learner/hyper"
)

// groupEnv makes this program print the memory that it may have.
const groupEnv = "IMPALAB_TEST_MEMORY"

func TestAControlGroupBoundsMemory(t *testing.T) {
	if os.Getenv(groupEnv) != "" {
		bytes, ok := machineMemory()
		fmt.Printf("memory %.0f %v\n", bytes, ok)
		return
	}
	group, limit := "/sys/fs/cgroup/memory", "memory.limit_in_bytes" // version 1
	if _, err := os.Stat(group); err != nil {
		group, limit = "/sys/fs/cgroup", "memory.max"
	}
	group = filepath.Join(group, fmt.Sprintf("impalab-test-%d", os.Getpid()))
	if err := os.Mkdir(group, 0o755); err != nil {
		t.Skip("no control group can be made here:", err)
	}
	defer os.Remove(group)
	if err := os.WriteFile(filepath.Join(group, limit), []byte("629145600"), 0o644); err != nil {
		t.Skip("no control group bounds memory here:", err)
	}
	inside := exec.Command("sh", "-c", `echo $$ >"$0/cgroup.procs" && exec "$1" -test.run '^TestAControlGroup'`, group,
		os.Args[0])
	inside.Env = append(os.Environ(), groupEnv+"=1")
	out, err := inside.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "memory 629145600 true\n") {
		t.Errorf("in a group of 600 MiB: %s, %v", out, err)
	}
}

func TestAReplayLargerThanMemoryIsRefusedByItsSetting(t *testing.T) {
	if _, ok := machineMemory(); !ok {
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

//go:build slow && linux && amd64 && !purego && !noopencl

package opencl

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"impalab/learner/device"
	"impalab/learner/kernel"
)

// Oclgrind interprets the kernels one work item at a time and reports data races. It shares no code with PoCL: it is a
// second witness of the kernels' bits.
func TestOclgrindGivesTheProcessorsBitsAndSeesNoRace(t *testing.T) {
	if os.Getenv("OCLGRIND_DATA_RACES") != "" {
		examineOnOclgrind(t)
		return
	}
	if kernel.Arithmetic() != kernel.Fused {
		t.Skip("this machine has no vectors, or was told to use none: devices give other bits")
	}
	if _, err := vendorNamed("oclgrind").devices(); err != nil {
		if os.Getenv("NEED_OCLGRIND") != "" {
			t.Fatalf("Oclgrind: %v; make oclgrind installs it", err)
		}
		t.Skipf("Oclgrind: %v; make oclgrind installs it", err)
	}
	// Oclgrind reads its settings with C's getenv, which does not see os.Setenv: another process is needed.
	log := filepath.Join(t.TempDir(), "log")
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=40m")
	again.Env = append(os.Environ(), "OCLGRIND_DATA_RACES=1", "OCLGRIND_LOG="+log)
	said, err := again.CombinedOutput()
	if err != nil || !strings.Contains(string(said), "--- PASS") {
		t.Errorf("%v\n%s", err, said)
	}
	found, err := os.ReadFile(log)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if len(found) > 0 {
		t.Errorf("Oclgrind reports:\n%.4000s", found)
	}
}

func examineOnOclgrind(t *testing.T) {
	d, err := vendorNamed("oclgrind").open(0, usual)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := device.Examine(d); err != nil {
		t.Error(err)
	}
}

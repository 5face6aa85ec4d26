package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"impalab/learner/kernel"
)

// needPoCL skips where the device for tests is not there, or fails where it has to be.
func needPoCL(t *testing.T) {
	t.Helper()
	_, out, _ := run(t, "devices", "--json")
	for _, d := range lines(t, out) {
		if d["name"] == "pocl" {
			return
		}
	}
	if os.Getenv("NEED_OPENCL") != "" {
		t.Fatal("there is no PoCL; make opencl installs it")
	}
	t.Skip("there is no PoCL; make opencl installs it")
}

func TestTheProcessorIsTheFirstDevice(t *testing.T) {
	code, out, errs := run(t, "devices", "--json")
	all := lines(t, out)
	if code != ExitOK || len(all) == 0 || all[0]["name"] != "cpu" || all[0]["exact"] != true || all[0]["why"] == "" {
		t.Errorf("exit code %d: %v %s", code, all, errs)
	}
	if code, out, _ := run(t, "devices"); code != ExitOK || !strings.HasPrefix(strings.Fields(out)[0], "DEVICE") ||
		!strings.Contains(out, kernel.Arithmetic()) {
		t.Errorf("for people: exit code %d: %s", code, out)
	}
	code, _, errs = run(t, "train", "--device", "abacus")
	if code != ExitUsage || !strings.Contains(errs, "abacus") {
		t.Errorf("--device abacus: exit code %d: %s", code, errs)
	}
	got := trained(t, "--preset catch --steps 300")[0]
	if got["device"] != "cpu" || got["device_exact"] != true || got["device_why"] == "" {
		t.Errorf("auto: %v", got)
	}
	if got := trained(t, "--preset catch --steps 300 --device cpu")[0]; got["device_why"] != "as asked for" {
		t.Errorf("cpu: %v", got)
	}
}

func TestTrainingOnADeviceComesToTheSameParameters(t *testing.T) {
	needPoCL(t)
	folder := t.TempDir()
	tape, kept := filepath.Join(folder, "run.tape"), filepath.Join(folder, "run.snapshot")
	with := "--preset catch --steps 900 --turn 400:lag=2 "
	want := trained(t, with)[0]
	got := trained(t, with+"--device pocl --tape "+tape+" --save "+kept)[0]
	if got["device"] != "pocl" || got["device_exact"] != true || got["params_sha256"] != want["params_sha256"] {
		t.Errorf("%v, on the processor %v", got, want)
	}
	if text, err := os.ReadFile(tape); err != nil || !strings.Contains(string(text), `"device":"pocl"`) {
		t.Errorf("the tape does not say where it was made: %v %s", err, text)
	}
	if code, got, errs := replayed(t, tape); code != ExitOK || got["same"] != true {
		t.Errorf("replayed on the processor: exit code %d: %v %s", code, got, errs)
	}
	if code, out, _ := run(t, "train", "--preset", "catch", "--steps", "90", "--device", "pocl"); code != ExitOK ||
		!strings.Contains(out, "computed on pocl, as asked for") {
		t.Errorf("for people: exit code %d: %s", code, out)
	}
	code, _, errs := run(t, "train", "--device", "pocl", "--arithmetic", "plain")
	if code != ExitUsage || !strings.Contains(errs, "fused") {
		t.Errorf("in plain arithmetic: exit code %d: %s", code, errs)
	}
	code, out, errs := run(t, "bench", "--world", "catch", "--seconds", "0.2", "--device", "pocl", "--json")
	if code != ExitOK || lines(t, out)[0]["device"] != "pocl" {
		t.Errorf("bench: exit code %d: %s %s", code, out, errs)
	}
}

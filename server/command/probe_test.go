package command

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"impalab/learner/device"
	"impalab/learner/device/opencl"
	"impalab/learner/kernel"
)

// asProgram makes the test's binary the program, for tests that start it as a process of its own.
const asProgram = "IMPALAB_TEST_ARGS"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "devices" { // a command under test tries its drivers in this very program
		os.Exit(execute(context.Background(), &Program{Stdout: os.Stdout, Stderr: os.Stderr}, os.Args[1:]))
	}
	if args := os.Getenv(asProgram); args != "" {
		prog := &Program{Stdout: os.Stdout, Stderr: os.Stderr}
		os.Exit(execute(context.Background(), prog, append(strings.Fields(args), os.Args[1:]...)))
	}
	os.Exit(m.Run())
}

// library builds a vendor's library that does something when it is opened, and has others find it.
func library(t *testing.T, does string) {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("there is no C compiler, which makes the library that breaks")
	}
	folder := t.TempDir()
	source := filepath.Join(folder, "broken.c")
	text := "#include <stdlib.h>\n#include <unistd.h>\n" +
		"__attribute__((constructor)) static void opened(void) { " + does + " }\n"
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), cc, "-shared", "-fPIC", "-o",
		filepath.Join(folder, "libnvidia-opencl.so.1"), source).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Setenv("LD_LIBRARY_PATH", folder)
	t.Setenv(asProgram, "devices --json --only")
}

func TestADriverThatCrashesOrHangsIsPassedOverBySayingSo(t *testing.T) {
	if kernel.Arithmetic() != kernel.Fused || len(opencl.Drivers()) == 0 {
		t.Skip("this build opens no devices")
	}
	for _, c := range []struct {
		does, want string
		limit      time.Duration
	}{
		{"abort();", "nvidia is passed over: its driver crashed in its self-test (", time.Minute},
		{"*(volatile int *)0 = 1;", "nvidia is passed over: its driver crashed in its self-test (", time.Minute},
		{"_exit(3);", "its driver crashed in its self-test (exit status 3", time.Minute},
		{"for (;;) pause();", "nvidia is passed over: its driver did not end its self-test within 2s", 2 * time.Second},
	} {
		t.Run(c.does, func(t *testing.T) {
			library(t, c.does)
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			devices, err := device.Select(device.Auto, probed(t.Context(), opencl.Drivers(), c.limit, self))
			if err != nil {
				t.Fatal(err)
			}
			defer devices.Close()
			engine := onCores
			engine.Devices = devices
			cfg, err := new(runFlags).config("100")
			if err != nil {
				t.Fatal(err)
			}
			l, err := engine.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			if on := l.Machine().Device; on.Name != device.CPU || !strings.Contains(on.Why, c.want) {
				t.Errorf("computed on %+v, want %q", on, c.want)
			}
		})
	}
}

func TestACommandThatTakesADeviceOfItsOwnAccordOutlivesItsDriver(t *testing.T) {
	if kernel.Arithmetic() != kernel.Fused || len(opencl.Drivers()) == 0 {
		t.Skip("this build opens no devices")
	}
	library(t, "abort();")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"train --preset catch --steps 90 --json", "bench --world catch --seconds 0.02 --json",
	} {
		t.Setenv(asProgram, args) // a process of its own, whose loader looks where the library is
		out, err := exec.CommandContext(t.Context(), self).Output()
		if err != nil || !strings.Contains(string(out), `"device":"cpu"`) {
			t.Errorf("%s: %v: %s", args, err, out)
		}
		if !strings.Contains(string(out), "nvidia is passed over: its driver crashed") {
			t.Errorf("%s does not say what it has passed over: %s", args, out)
		}
	}
}

func TestADriverWithoutALibraryIsNotTried(t *testing.T) {
	d := device.Driver{Name: "here", There: func() bool { return false },
		Count: func() (int, error) { return 1, nil }}
	held := probed(t.Context(), []device.Driver{d}, time.Minute, "/a program that is not there")
	if n, err := held[0].Count(); n != 0 || err != nil {
		t.Errorf("%d devices, %v", n, err)
	}
	for _, d := range opencl.Drivers() {
		if _, err := d.Count(); err == nil && !d.There() {
			t.Errorf("a library of %s can be opened and is said not to be there", d.Name)
		}
	}
}

func TestADriverThatCannotBeTriedIsPassedOverBySayingSo(t *testing.T) {
	d := device.Driver{Name: "here", Count: func() (int, error) { return 1, nil },
		Open: func(int) (device.Device, error) { t.Error("it is opened untried"); return nil, nil }}
	held := probed(t.Context(), []device.Driver{d}, time.Minute, "")
	if _, err := held[0].Open(0); err == nil || err.Error() != errNoSelf.Error() {
		t.Errorf("where the program cannot find itself: %v", err)
	}
}

func TestOnlyProbedDevicesAreOpened(t *testing.T) {
	opened := 0
	d := device.Driver{
		Name: "here", Count: func() (int, error) { return 3, nil },
		Open: func(int) (device.Device, error) { opened++; return nil, nil },
	}
	exact := device.Choice{Name: "here:0", Exact: true}
	lies := device.Choice{Name: "here:1", Why: "it fails its self-test"}
	held := restrictTo(d, []device.Choice{exact, lies})
	if n, err := held.Count(); n != 2 || err != nil {
		t.Errorf("%d devices, %v", n, err)
	}
	if _, err := held.Open(0); err != nil || opened != 1 {
		t.Errorf("the exact one is not opened: %v", err)
	}
	if _, err := held.Open(1); err == nil || err.Error() != lies.Why || opened != 1 {
		t.Errorf("the other: %v, opened %d times", err, opened)
	}
	if n, _ := restrictTo(d, nil).Count(); n != 0 {
		t.Errorf("%d devices where none was found", n)
	}
}

func TestDevicesCanBeListedOfOneDriverOnly(t *testing.T) {
	if len(opencl.Drivers()) == 0 {
		t.Skip("this build opens no devices")
	}
	code, out, _ := run(t, "devices", "--json", "--only", "amd")
	for _, d := range lines(t, out) {
		if name, _ := d["name"].(string); !strings.HasPrefix(name, "amd") {
			t.Errorf("%v", d)
		}
	}
	if code != ExitOK {
		t.Errorf("exit code %d", code)
	}
	if code, _, errs := run(t, "devices", "--only", "abacus"); code != ExitUsage || !strings.Contains(errs, "nvidia") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

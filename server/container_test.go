//go:build slow && linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"impalab/server/site/api"
)

// container is the image of host/Containerfile, made without a builder: the test performs its steps in a folder and
// starts its program there, by chroot in namespaces of its own.
type container struct {
	t                *testing.T
	root, data, user string
	env, entry       []string
	serve, health    []string
}

// built performs the steps.
func built(t *testing.T) *container {
	t.Helper()
	text, err := os.ReadFile("host/Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	_, last, ok := strings.Cut(string(text), "\nFROM scratch\n")
	if !ok {
		t.Fatal("the Containerfile does not end in an empty image")
	}
	c := &container{t: t, root: t.TempDir(), data: t.TempDir()}
	fs := t.TempDir()
	for _, step := range regexp.MustCompile(`(?m)^RUN (.*)$`).FindAllStringSubmatch(string(text), -1) {
		if step[1] == "make -s wasm" { // done before, as for every page test
			continue
		}
		c.must("sh", "-c", "cd .. && "+strings.ReplaceAll(step[1], "/fs", fs))
	}
	for _, step := range regexp.MustCompile(`(?m)^COPY --from=build (?:--chown=(\S+) )?/fs(\S+) /$`).
		FindAllStringSubmatch(last, -1) {
		c.must("sh", "-c", fmt.Sprintf("chown -R %s %s%s && cp -a %s%s. %s/", or(step[1], "0:0"), fs, step[2], fs, step[2],
			c.root))
	}
	word := func(name string) string {
		found := regexp.MustCompile(`(?m)^` + name + ` (.*)$`).FindStringSubmatch(last)
		if found == nil {
			t.Fatalf("the Containerfile says no %s", name)
		}
		return found[1]
	}
	list := func(name string) (words []string) {
		if err := json.Unmarshal([]byte(word(name)), &words); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return words
	}
	c.user, c.env = word("USER"), strings.Fields(word("ENV"))
	c.entry, c.serve = list("ENTRYPOINT"), list("CMD")
	c.health = list(`HEALTHCHECK .*?CMD`)[1:]
	// A volume begins as a copy of the image's folder.
	c.must("cp", "-a", "-T", filepath.Join(c.root, word("VOLUME")), c.data)
	return c
}

func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

func (c *container) must(name string, args ...string) {
	c.t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		c.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}

// command returns a command in the container. Its root is read-only, except for the volume.
func (c *container) command(addr string, args ...string) *exec.Cmd {
	script := `mount --make-rprivate / && mkdir -p "$1/proc" && mount --bind "$1" "$1" && mount --bind "$2" "$1/data" &&
		mount -t proc proc "$1/proc" && mount -o remount,bind,ro "$1" && root=$1 user=$3 && shift 3 &&
		exec chroot --userspec="$user" --groups= "$root" "$@"`
	cmd := exec.Command("unshare", append([]string{"--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script, "sh",
		c.root, c.data, c.user}, append(c.entry, args...)...)...)
	cmd.Env = append(append([]string{"PATH=" + os.Getenv("PATH")}, c.env...), "IMPALAB_ADDR="+addr)
	return cmd
}

// TestTheProgramStartsInAnEmptyRoot has only the program and one writable folder there: no /proc either.
func TestTheProgramStartsInAnEmptyRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may make a root of its own")
	}
	c := built(t)
	args := append([]string{"--userspec=" + c.user, "--groups=", c.root}, c.entry...)
	cmd := exec.Command("chroot", append(args, "serve", "--addr", "127.0.0.1:0", "--data", "/data")...)
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("it says %q: %v", url, err)
	}
	answer, err := http.Get(strings.TrimSpace(url) + "readyz")
	if err != nil {
		t.Fatal(err)
	}
	if answer.Body.Close(); answer.StatusCode != http.StatusOK {
		t.Errorf("it is not ready: %s", answer.Status)
	}
}

// TestTheContainerRunsAsNobodyOnAReadOnlyFileSystem starts, uses, ends and starts it again.
func TestTheContainerRunsAsNobodyOnAReadOnlyFileSystem(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may make a root of its own")
	}
	c := built(t)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := free.Addr().String()
	free.Close()

	var id string
	for _, begun := range []bool{false, true} {
		var said bytes.Buffer
		cmd := c.command(addr, c.serve...)
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		p := &process{t: t, Cmd: cmd, url: "http://" + addr + "/"}
		for until := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			answer, err := http.Get(p.url + "readyz")
			if err == nil {
				answer.Body.Close()
				if answer.StatusCode == http.StatusOK {
					break
				}
			}
			if time.Now().After(until) {
				t.Fatalf("it is not ready: %v\n%s", err, said.String())
			}
		}
		children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", cmd.Process.Pid))
		if err != nil {
			t.Fatal(err)
		}
		inside := strings.TrimSpace(string(children))
		status, err := os.ReadFile("/proc/" + inside + "/status")
		uid := "Uid:\t65532\t65532\t65532\t65532\n"
		if err != nil || !strings.Contains(string(status), uid) ||
			!strings.Contains(string(status), "CapEff:\t0000000000000000\n") {
			t.Errorf("it does not run as nobody: %v\n%s", err, status)
		}
		if out, err := c.command(addr, c.health...).CombinedOutput(); err != nil || string(out) != "ready\n" {
			t.Errorf("its health check: %v %s", err, out)
		}
		for path, allowed := range map[string]bool{"/x.snapshot": false, "/etc/x.snapshot": false, "/data/x.snapshot": true} {
			out, err := c.command(addr, "train", "--world", "catch", "--steps", "200", "--save", path).CombinedOutput()
			if (err == nil) != allowed || !allowed && !strings.Contains(string(out), "read-only file system") {
				t.Errorf("a file written to %s: %v\n%s", path, err, out)
			}
			os.Remove(filepath.Join(c.data, "x.snapshot"))
		}
		if !begun {
			var began api.Started
			p.call("POST", "/runs", `{"preset": "catch", "steps": 4000}`, &began)
			id = began.ID
		}
		p.awaits("it learns to its end", func(runs map[string]api.Run) bool { return runs[id].State == "done" })
		pid := 0
		fmt.Sscan(inside, &pid)
		syscall.Kill(pid, syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("it ended with %v\n%s", err, said.String())
		}
	}
}

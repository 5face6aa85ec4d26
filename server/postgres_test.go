package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"impalab/server/site/api"
)

// database starts a PostgreSQL of our own, by tools/postgres.sh, and returns its URL.
func database(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pg") // a short name: it holds a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	script := func(verb string) (string, error) {
		var said, complaint bytes.Buffer
		command := exec.Command("sh", "../tools/postgres.sh", verb, dir)
		command.Stdout, command.Stderr, command.WaitDelay = &said, &complaint, time.Second
		if err := command.Run(); err != nil && err != exec.ErrWaitDelay {
			return "", fmt.Errorf("tools/postgres.sh %s: %w\n%s", verb, err, complaint.Bytes())
		}
		return strings.TrimSpace(said.String()), nil
	}
	url, err := script("start")
	if err != nil {
		if os.Getenv("NEED_POSTGRES") != "" {
			t.Fatal("no PostgreSQL, and NEED_POSTGRES is set: ", err)
		}
		t.Skip("no PostgreSQL on this machine: tools/postgres.sh install installs Debian's where it may: ", err)
	}
	t.Cleanup(func() {
		if _, err := script("stop"); err != nil {
			t.Error(err)
		}
	})
	return url
}

// TestAServerOnPostgreSQLIsAloneThereAndIsFollowedAfterKill9 starts a server after kill -9: no lock of the killed one
// is left.
func TestAServerOnPostgreSQLIsAloneThereAndIsFollowedAfterKill9(t *testing.T) {
	t.Parallel()
	url := database(t)
	first := launch(t, "127.0.0.1:0", t.TempDir(), "--database-url", url)
	var began api.Started
	first.call("POST", "/runs", fmt.Sprintf(`{"preset": "catch", "steps": 20000, "speed": %d}`, slowly), &began)
	first.awaits("it learns", func(runs map[string]api.Run) bool { return runs[began.ID].Steps > slowly })
	var patched api.Patched
	first.call("PATCH", "/runs/"+began.ID, `{"settings": {"rho": 2}}`, &patched)

	second := exec.Command(os.Args[0], "serve", "--addr", "127.0.0.1:0", "--data", t.TempDir(), "--database-url", url)
	second.Env = append(os.Environ(), asServer+"=1")
	said, err := second.CombinedOutput()
	address := strings.TrimSuffix(strings.TrimPrefix(first.url, "http://"), "/")
	for _, word := range []string{"held by another impalab", fmt.Sprint("process ", first.Process.Pid), address} {
		if err == nil || !strings.Contains(string(said), word) {
			t.Errorf("a second server: %v, and says %q without %q", err, said, word)
		}
	}

	first.Process.Kill()
	first.Wait()
	next := launch(t, "127.0.0.1:0", t.TempDir(), "--database-url", url)
	next.release(began.ID)
	runs := next.awaits("it goes on to its end", func(runs map[string]api.Run) bool {
		return runs[began.ID].State == "done"
	})
	if r := runs[began.ID]; r.Settings["rho"] != "2" || r.Steps < 20000 {
		t.Errorf("it ended at step %d with rho=%s", r.Steps, r.Settings["rho"])
	}
}

package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// It does what make run does: the link comes, the client is there, the worker appears, and SIGTERM ends both programs.
func TestALinkTheClientAndLaterTheWorker(t *testing.T) {
	program := filepath.Join(t.TempDir(), "start")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	start := exec.Command(program, "--addr", "127.0.0.1:0", "--data", t.TempDir())
	start.Dir, start.Stderr = "..", os.Stderr
	out, err := start.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := start.Start(); err != nil {
		t.Fatal(err)
	}
	defer start.Process.Kill()
	link, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal("no link:", err)
	}
	link = strings.TrimSpace(link)
	if code, text := get(t, link+"stage"); code != http.StatusOK || !strings.Contains(text, "app.") {
		t.Errorf("the page with the client: %d %q", code, text)
	}
	for {
		code, text := get(t, link+"static/worker.wasm")
		if code == http.StatusOK && strings.HasPrefix(text, "\x00asm") {
			break
		}
		if code != http.StatusServiceUnavailable || !strings.Contains(text, "still being compiled") {
			t.Fatalf("the worker: %d %q", code, text)
		}
		time.Sleep(200 * time.Millisecond)
	}
	start.Process.Signal(syscall.SIGTERM)
	if err := start.Wait(); err != nil {
		t.Error("after SIGTERM:", err)
	}
	if code, _ := get(t, link); code != 0 {
		t.Error("the server is still there")
	}
}

// get returns the status of an answer and its text: 0 if nobody answers.
func get(t *testing.T, address string) (int, string) {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		return 0, ""
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

func TestAFileThatIsNone(t *testing.T) {
	if err := compile([]string{"nothing.wasm"}); err == nil || !strings.Contains(err.Error(), "nothing.wasm") {
		t.Error(err)
	}
}

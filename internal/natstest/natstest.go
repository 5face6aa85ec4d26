// Package natstest starts NATS servers for tests. The NATS server is a program of its own: tools/pins.mod pins it, and
// the go command builds it.
package natstest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// program returns the path of the pinned nats-server.
var program = sync.OnceValues(func() (string, error) {
	for up := "."; ; up = filepath.Join(up, "..") { // a test runs in the folder of its package
		pinned := filepath.Join(up, "tools", "pins.mod")
		if _, err := os.Stat(pinned); err == nil {
			path, err := exec.Command("go", "tool", "-modfile="+pinned, "-n", "nats-server").Output()
			if failed, ok := err.(*exec.ExitError); ok {
				err = fmt.Errorf("go tool nats-server: %w\n%s", err, failed.Stderr)
			}
			return strings.TrimSpace(string(path)), err
		}
		if at, err := filepath.Abs(up); err != nil || at == filepath.Dir(at) {
			return "", fmt.Errorf("there is no tools/pins.mod above this folder: %v", err)
		}
	}
})

// Server is a NATS server that is running.
type Server struct {
	URL     string
	command *exec.Cmd
}

// Run starts a NATS server with the text of a configuration, and waits until it listens. address "" takes a free port.
func Run(address, config string) (*Server, error) {
	path, err := program()
	if err == nil && address == "" {
		address, err = FreeAddress()
	}
	if err != nil {
		return nil, err
	}
	file := filepath.Join(os.TempDir(), fmt.Sprintf("nats-%d-%s.conf", os.Getpid(), strings.ReplaceAll(address, ":", "-")))
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		return nil, err
	}
	defer os.Remove(file)
	host, port, _ := strings.Cut(address, ":")
	command := exec.Command(path, "--addr", host, "--port", port, "--config", file)
	var complaint bytes.Buffer
	command.Stderr = &complaint
	if err := command.Start(); err != nil {
		return nil, err
	}
	s := &Server{URL: "nats://" + address, command: command}
	for end := time.Now().Add(3 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			return s, nil
		}
		if time.Now().After(end) {
			s.Close()
			return nil, fmt.Errorf("nats-server does not listen on %s: %w\n%s", address, err, complaint.Bytes())
		}
	}
}

// Close ends the server. Closing again does nothing.
func (s *Server) Close() {
	s.command.Process.Kill()
	s.command.Wait()
}

// FreeAddress returns an unused address of this machine, with a port that no system gives to a connection or to a
// listener on port 0. So it stays free until the caller listens there, and while its server restarts.
func FreeAddress() (string, error) {
	for {
		l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", 10_000+rand.IntN(20_000)))
		if err == nil {
			return l.Addr().String(), l.Close()
		}
		if !errors.Is(err, syscall.EADDRINUSE) {
			return "", err
		}
	}
}

// Config returns a configuration that asks for a token and takes messages as large as impalab sends them.
func Config(token string) string {
	return fmt.Sprintf("max_payload: 8MB\nauthorization { token: %q }\n", token)
}

// Start is Run for one test. Without a nats-server the test is skipped, and it fails where NEED_NATS is set.
func Start(t testing.TB, address, config string) *Server {
	t.Helper()
	if _, err := program(); err != nil {
		if os.Getenv("NEED_NATS") != "" {
			t.Fatal("no nats-server, and NEED_NATS is set: ", err)
		}
		t.Skip("no nats-server on this machine: make nats builds it once the network is there: ", err)
	}
	s, err := Run(address, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

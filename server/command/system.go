package command

import (
	"context"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// systemd tells the service manager that the program is ready, alive or stopping (sd_notify(3)). Without $NOTIFY_SOCKET
// it does nothing.
type systemd struct {
	socket string
	beat   time.Duration // systemd expects a sign of life within this time; 0: none
	log    *slog.Logger
}

// newSystemd reads the variables that systemd sets.
func newSystemd(log *slog.Logger) systemd {
	s := systemd{socket: os.Getenv("NOTIFY_SOCKET"), log: log}
	if pid := os.Getenv("WATCHDOG_PID"); pid == "" || pid == strconv.Itoa(os.Getpid()) {
		if us, err := strconv.ParseInt(os.Getenv("WATCHDOG_USEC"), 10, 64); err == nil && us > 0 {
			s.beat = time.Duration(us) * time.Microsecond
		}
	}
	return s
}

// notify sends lines like READY=1.
func (s systemd) notify(lines ...string) {
	if s.socket == "" {
		return
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: s.socket, Net: "unixgram"}) // @: abstract
	if err == nil {
		_, err = conn.Write([]byte(strings.Join(lines, "\n")))
		conn.Close()
	}
	if err != nil {
		s.log.Warn("systemd did not receive a message", "message", lines[0], "error", err)
	}
}

// watch sends signs of life until ctx ends, each time that alive returns. systemd restarts a server that hangs.
func (s systemd) watch(ctx context.Context, alive func()) {
	if s.socket == "" || s.beat == 0 {
		return
	}
	tick := time.NewTicker(s.beat / 3)
	defer tick.Stop()
	for {
		alive()
		s.notify("WATCHDOG=1")
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// openBrowser asks the desktop to show url. It does not wait for the browser.
func openBrowser(url string) error {
	program := []string{"xdg-open"}
	switch runtime.GOOS {
	case "darwin":
		program = []string{"open"}
	case "windows":
		program = []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	cmd := exec.Command(program[0], append(program[1:], url)...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go cmd.Wait() // returns when the opener ends, which is at once
	return nil
}

package command

import (
	"context"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
)

// systemd is the socket that services tell things, as systemd has it.
func systemdSocket(t *testing.T) (name string, hear func() string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "notify")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
	if err != nil {
		t.Skip("this system has no such sockets: ", err)
	}
	t.Cleanup(func() { socket.Close() })
	return name, func() string {
		t.Helper()
		socket.SetReadDeadline(time.Now().Add(kit.Patience))
		text := make([]byte, 4096)
		n, err := socket.Read(text)
		if err != nil {
			t.Fatal("nothing was told: ", err)
		}
		return string(text[:n])
	}
}

func TestSystemdIsToldThatTheServerIsReadyLivesAndStops(t *testing.T) {
	name, hear := systemdSocket(t)
	t.Setenv("NOTIFY_SOCKET", name)
	t.Setenv("WATCHDOG_USEC", "60000")
	r := opened(t)
	if said := hear(); said != "READY=1\nSTATUS=serving "+r.url {
		t.Errorf("first it is told %q", said)
	}
	for range 3 {
		if said := hear(); said != "WATCHDOG=1" {
			t.Errorf("then it is told %q", said)
		}
	}
	r.stop()
	said := hear()
	for said == "WATCHDOG=1" {
		said = hear()
	}
	if said != "STOPPING=1" {
		t.Errorf("at the end it is told %q", said)
	}
	if code := <-r.done; code != ExitOK {
		t.Errorf("exit code %d: %s", code, r.stderr)
	}
}

func TestAServerThatIsStuckGivesNoSignOfLife(t *testing.T) {
	name, hear := systemdSocket(t)
	env := map[string]string{"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "30000"}
	for key, value := range env {
		t.Setenv(key, value)
	}
	m := newSystemd(slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(t.Context())
	stuck, beats := make(chan struct{}), 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		m.watch(ctx, func() {
			if beats++; beats == 3 {
				<-stuck
			}
		})
	}()
	hear()
	hear()
	time.Sleep(60 * time.Millisecond)
	m.notify("NOW=1")
	if said := hear(); said != "NOW=1" {
		t.Errorf("while it is stuck it tells %q", said)
	}
	close(stuck)
	if said := hear(); said != "WATCHDOG=1" {
		t.Errorf("afterwards it tells %q", said)
	}
	cancel()
	<-done
}

func TestWithoutSystemdNothingIsTold(t *testing.T) {
	var log strings.Builder
	t.Setenv("NOTIFY_SOCKET", "")
	m := newSystemd(slog.New(slog.NewTextHandler(&log, nil)))
	m.notify("READY=1")
	m.watch(t.Context(), func() { t.Error("it is watched") })
	m.socket = filepath.Join(t.TempDir(), "nobody")
	if m.notify("READY=1"); !strings.Contains(log.String(), "READY=1") {
		t.Errorf("a socket that nobody hears: %q", log.String())
	}
}

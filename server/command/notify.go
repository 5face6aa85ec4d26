package command

// What systemd is told of a server with Type=notify: that it is ready, that it lives, and that it stops (sd_notify(3)).
// Elsewhere $NOTIFY_SOCKET is not there, and nothing is told.

import (
	"context"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

// manager is who started us and wants to know. Its zero value tells nobody.
type manager struct {
	socket string
	beat   time.Duration // within which a sign of life is expected; 0: none is
	log    *slog.Logger
}

// newManager reads what systemd puts into the environment.
func newManager(getenv func(string) string, log *slog.Logger) manager {
	m := manager{socket: getenv("NOTIFY_SOCKET"), log: log}
	if pid := getenv("WATCHDOG_PID"); pid == "" || pid == strconv.Itoa(os.Getpid()) {
		if us, err := strconv.ParseInt(getenv("WATCHDOG_USEC"), 10, 64); err == nil && us > 0 {
			m.beat = time.Duration(us) * time.Microsecond
		}
	}
	return m
}

// tell sends lines like READY=1.
func (m manager) tell(lines ...string) {
	if m.socket == "" {
		return
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: m.socket, Net: "unixgram"}) // @ is Go's for abstract
	if err == nil {
		_, err = conn.Write([]byte(strings.Join(lines, "\n")))
		conn.Close()
	}
	if err != nil {
		m.log.Warn("systemd could not be told", "what", lines[0], "error", err)
	}
}

// watch gives signs of life until ctx ends, as long as alive returns: a server that is stuck is begun anew.
func (m manager) watch(ctx context.Context, alive func()) {
	if m.socket == "" || m.beat == 0 {
		return
	}
	tick := time.NewTicker(m.beat / 3)
	defer tick.Stop()
	for {
		alive()
		m.tell("WATCHDOG=1")
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

// The log has internal faults, but not clients that disconnect.
func TestTheLogHasFaultsAndNotDisconnectedClients(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		logged bool
	}{
		{fmt.Errorf("the store: %w", context.Canceled), 503, false},
		{errors.New("a gap"), 500, true},
	} {
		var log strings.Builder
		a := &api{Options: Options{Log: slog.New(slog.NewTextHandler(&log, nil))}}
		p, _ := a.said(c.err).(*Problem)
		if p == nil || p.status != c.status || (log.Len() > 0) != c.logged {
			t.Errorf("%v is answered with %+v and logged as %q", c.err, p, &log)
		}
	}
}

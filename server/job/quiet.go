package job

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// quietly is what River may say in our log: errors, and each of them once in a while. While a database is away it would
// say so three times a second; the store says it once.
type quietly struct {
	slog.Handler
	said *saidBefore // shared with the handlers made of this one
}

type saidBefore struct {
	mu   sync.Mutex
	when map[string]time.Time
}

const again = 30 * time.Second

func quiet(log *slog.Logger) *slog.Logger {
	return slog.New(quietly{log.Handler(), &saidBefore{when: map[string]time.Time{}}})
}

// Enabled implements slog.Handler.
func (h quietly) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelError && h.Handler.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (h quietly) Handle(ctx context.Context, r slog.Record) error {
	h.said.mu.Lock()
	before, known := h.said.when[r.Message]
	if known = known && r.Time.Sub(before) < again; !known {
		h.said.when[r.Message] = r.Time
	}
	h.said.mu.Unlock()
	if known {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h quietly) WithAttrs(attrs []slog.Attr) slog.Handler {
	return quietly{h.Handler.WithAttrs(attrs), h.said}
}

// WithGroup implements slog.Handler.
func (h quietly) WithGroup(name string) slog.Handler {
	return quietly{h.Handler.WithGroup(name), h.said}
}

package command

// The log goes to standard error; standard output is for what was asked for.

import (
	"io"
	"log/slog"
)

func newLog(w io.Writer, level, format string) *slog.Logger {
	var least slog.Level
	if err := least.UnmarshalText([]byte(level)); err != nil {
		panic("server: a log level that the grammar lets through: " + level)
	}
	options := &slog.HandlerOptions{Level: least}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

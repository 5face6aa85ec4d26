package main

// The log goes to standard error; standard output is for what was asked for.

import (
	"io"
	"log/slog"
	"runtime/debug"

	"impalab/static"
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

// buildName tells builds apart: the commit where the compiler knows it, and what the pages are made of.
func buildName(assets *static.Assets) string {
	commit, changed := "dev", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision" && len(s.Value) >= 12:
				commit = s.Value[:12]
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = "+"
			}
		}
	}
	return commit + changed + "-" + assets.Digest()
}

package command

// Where traces of requests and jobs go, if they go anywhere.

import (
	"context"
	"fmt"
	"log/slog"

	"impalab/server/tracing"
)

// traceFlags say which collector gets traces.
type traceFlags struct {
	TracesURL string `name:"traces-url" secret:"url" help:"OpenTelemetry collector that traces of requests and jobs are sent to, like http://127.0.0.1:4318; none: nothing is traced." placeholder:"URL"`
}

func (f *traceFlags) check() error {
	if f.TracesURL == "" {
		return nil
	}
	if _, err := tracing.Collector(f.TracesURL); err != nil {
		return fmt.Errorf("--traces-url: %w", err) // without the address: a password may be in it
	}
	return nil
}

// trace has what this process does traced from now on, until stop is called.
func (f *traceFlags) trace(ctx context.Context, service, build string, log *slog.Logger) (stop func(), err error) {
	if f.TracesURL == "" {
		return func() {}, nil
	}
	collector, err := tracing.Collector(f.TracesURL)
	if err != nil {
		return nil, err
	}
	return tracing.Export(ctx, collector, service, build, log)
}

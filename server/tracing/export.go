package tracing

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// patience is how long a collector has for one answer.
const patience = 5 * time.Second

// Collector reads the address of a collector, like http://127.0.0.1:4318.
func Collector(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("want the address of an OpenTelemetry collector (OTLP over HTTP), like http://127.0.0.1:4318")
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/v1/traces"
	}
	return u, nil
}

// Export has all spans of this process sent to a collector, some seconds after their end, until stop is called, which
// sends the last. What the collector does not take is lost, and the log says so once. service is the name that
// OTEL_SERVICE_NAME may overrule; OTEL_RESOURCE_ATTRIBUTES and OTEL_TRACES_SAMPLER count, too.
func Export(ctx context.Context, collector *url.URL, service, build string, log *slog.Logger) (stop func(), err error) {
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces", "error", err) }))
	exporter, err := otlptrace.New(ctx, &client{to: collector, http: http.Client{Timeout: patience}, log: log})
	if err != nil {
		return nil, err
	}
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", service),
		attribute.String("service.version", build)), resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter), trace.WithResource(about))
	mine := provider.Tracer("impalab")
	tracer.Store(&mine)
	log.Info("traces", "url", collector.Redacted())
	return func() {
		tracer.CompareAndSwap(&mine, nil)
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		provider.Shutdown(ctx) // what fails has been said
	}, nil
}

// client is the way to the collector. The usual one brings gRPC along, for a message that has the bytes of TracesData.
type client struct {
	to   *url.URL
	http http.Client
	log  *slog.Logger
	lost atomic.Bool // the collector did not take the last ones
}

func (c *client) Start(context.Context) error { return nil }
func (c *client) Stop(context.Context) error  { return nil }

// UploadTraces sends spans. It returns no error, but logs when they begin to be lost, and when they are taken again.
func (c *client) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	err := c.upload(ctx, spans)
	if was := c.lost.Swap(err != nil); err != nil && !was {
		c.log.Warn("the collector does not take traces; they are lost until it does", "url", c.to.Redacted(), "error", err)
	} else if err == nil && was {
		c.log.Info("the collector takes traces again", "url", c.to.Redacted())
	}
	return nil
}

func (c *client) upload(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.to.String(), bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-protobuf")
	answer, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<16)) // so that the connection is used again
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("it answers %s", answer.Status)
	}
	return nil
}

// Package tracing measures what requests and jobs take, and which of it the store takes, and sends it to a collector of
// OpenTelemetry. Until Export is called nothing is measured, and nothing is made for it.
package tracing

import (
	"context"
	"net/http"
	"sync/atomic"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// tracer makes spans; nil: nobody wants any.
var tracer atomic.Pointer[trace.Tracer]

// Span is something that takes time: a request, a job, a transaction. The zero Span is one that nobody measures.
type Span struct{ span trace.Span }

// Begin begins a span of its own.
func Begin(ctx context.Context, name string) (context.Context, Span) {
	return begin(ctx, name, trace.WithNewRoot())
}

// Part begins a part of the span that ctx belongs to, if it belongs to one.
func Part(ctx context.Context, name string) (context.Context, Span) {
	if !Of(ctx).On() {
		return ctx, Span{}
	}
	return begin(ctx, name)
}

// Of is the span that ctx belongs to.
func Of(ctx context.Context) Span {
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		return Span{span}
	}
	return Span{}
}

// Apart is ctx for what is no part of its span, though it ends with it.
func Apart(ctx context.Context) context.Context { return trace.ContextWithSpan(ctx, nil) }

// Request begins the span of an HTTP request. A trace that the caller names as theirs (W3C traceparent) is noted as
// a link, for a stranger does not decide what of this server's is measured.
func Request(r *http.Request) (context.Context, Span) {
	if tracer.Load() == nil {
		return r.Context(), Span{}
	}
	theirs := trace.LinkFromContext(propagation.TraceContext{}.Extract(context.Background(),
		propagation.HeaderCarrier(r.Header)))
	how := []trace.SpanStartOption{trace.WithNewRoot(), trace.WithSpanKind(trace.SpanKindServer)}
	if theirs.SpanContext.IsValid() {
		how = append(how, trace.WithLinks(theirs))
	}
	ctx, span := begin(r.Context(), r.Method, how...)
	span.Set("http.request.method", r.Method)
	return ctx, span
}

func begin(ctx context.Context, name string, how ...trace.SpanStartOption) (context.Context, Span) {
	t := tracer.Load()
	if t == nil {
		return ctx, Span{}
	}
	ctx, span := (*t).Start(ctx, name, how...)
	return ctx, Span{span}
}

// On reports whether the span is measured.
func (s Span) On() bool { return s.span != nil }

// Name names the span anew, by what became known of it.
func (s Span) Name(name string) {
	if s.On() {
		s.span.SetName(name)
	}
}

// Route names the span of a request by what answers it, like "GET" and "/r/:id".
func (s Span) Route(method, route string) {
	s.Name(method + " " + route)
	s.Set("http.route", route)
}

// Set says something about the span: attributes have names like those of OpenTelemetry's conventions.
func (s Span) Set(key, value string) {
	if s.On() {
		s.span.SetAttributes(attribute.String(key, value))
	}
}

// SetInt is Set for a number.
func (s Span) SetInt(key string, value int) {
	if s.On() {
		s.span.SetAttributes(attribute.Int(key, value))
	}
}

// End ends the span; err says why in vain.
func (s Span) End(err error) {
	if !s.On() {
		return
	}
	if err != nil {
		s.span.SetStatus(codes.Error, err.Error())
	}
	s.span.End()
}

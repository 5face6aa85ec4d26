package site

// What an operator watches, in Prometheus' form, on an address of its own so that it is never public by accident.

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"impalab/server/firewall"
	"impalab/server/lab"
	"impalab/server/session"
	"impalab/web/hub"
)

// Refusals counts what package guard and the gate refuse.
type Refusals struct{ counts *prometheus.CounterVec }

// NewRefusals has each reason at 0.
func NewRefusals() Refusals {
	counts := prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "impalab", Name: "refused_total",
		Help: "Connections, requests and pages refused, or closed to make room, by reason.",
	}, []string{"reason"})
	for _, reason := range firewall.Reasons {
		counts.WithLabelValues(reason) // shown from the start, as 0
	}
	return Refusals{counts}
}

// Add counts one.
func (r Refusals) Add(reason string) { r.counts.WithLabelValues(reason).Inc() }

// Metrics answers at /metrics, with what fan carries to pages; runs is nil on a front end.
func Metrics(build string, gate *session.Gate, fan *hub.Hub, runs *lab.Lab, connections func() int,
	refused Refusals) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(refused.counts)
	gauge := func(name, help string, read func() float64) {
		registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "impalab", Name: name, Help: help},
			read))
	}
	gauge("connections", "Connections open now, on the address of the pages.",
		func() float64 { return float64(connections()) })
	gauge("sessions", "Pages connected now.", func() float64 { return float64(gate.Sessions()) })
	counter := func(name, help string, read func() float64) {
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Namespace: "impalab", Name: name, Help: help},
			read))
	}
	if runs != nil {
		ofRuns(runs, gauge, counter)
	}
	counter("batches_sent_total", "Frames sent to pages, each with what is new since the last.",
		func() float64 { return float64(fan.Sent()) })
	counter("messages_dropped_total",
		"Frames, x-rays and the like that gave way to newer ones before a page was sent them; events never do.",
		func() float64 { return float64(fan.Dropped()) })
	gauge("cut_seconds", "Least time between two batches for one page; it rises with their number and with what sending "+
		"takes.",
		func() float64 { return fan.Every().Seconds() })
	registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Namespace: "impalab", Name: "build_info", Help: "Always 1; the label names the build.",
			ConstLabels: prometheus.Labels{"build": build},
		}, func() float64 { return 1 }),
	)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	return mux
}

// ofRuns are the metrics of runs.
func ofRuns(runs *lab.Lab, gauge, counter func(name, help string, read func() float64)) {
	gauge("runs", "Runs held now.", func() float64 { held, _ := runs.Count(); return float64(held) })
	gauge("runs_watched", "Runs that someone watches now.",
		func() float64 { _, watched := runs.Count(); return float64(watched) })
	gauge("steps", "Environment steps that the runs held now have learned from.",
		func() float64 { return float64(runs.Steps()) })
	gauge("runs_waiting", "Runs that wait in the queue for room.",
		func() float64 { waiting, _ := runs.Waiting(); return float64(waiting) })
	gauge("runs_bytes", "Memory that the runs held take by estimate.",
		func() float64 { _, bytes := runs.Waiting(); return bytes })
	counter("panics_total", "Faults of our own that runs have met; each ended its run, and the log has its stack.",
		func() float64 { return float64(runs.Panics()) })
}

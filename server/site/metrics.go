package site

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

// Refusals counts refused connections, requests and pages.
type Refusals struct{ counts *prometheus.CounterVec }

// NewRefusals returns a counter with each reason at 0.
func NewRefusals() Refusals {
	counts := prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "impalab", Name: "refused_total",
		Help: "Connections, requests and pages refused, or closed to make room, by reason.",
	}, []string{"reason"})
	for _, reason := range firewall.Reasons {
		counts.WithLabelValues(reason)
	}
	return Refusals{counts}
}

// Add counts one refusal.
func (r Refusals) Add(reason string) { r.counts.WithLabelValues(reason).Inc() }

// metric is one row of the metrics.
type metric struct {
	name, help string
	counts     bool // a counter; else a gauge
	read       func() float64
}

// Metrics returns the handler of /metrics. The metrics have an address of their own, so that they are never public by
// accident. runs is nil on a front end.
func Metrics(build string, gate *session.Gate, fan *hub.Hub, runs *lab.Lab, connections func() int,
	refused Refusals) http.Handler {
	rows := []metric{
		{"connections", "Connections open now, on the address of the pages.", false,
			func() float64 { return float64(connections()) }},
		{"sessions", "Pages connected now.", false, func() float64 { return float64(gate.Sessions()) }},
		{"batches_sent_total", "Frames sent to pages, each with the changes since the previous one.", true,
			func() float64 { return float64(fan.Sent()) }},
		{"messages_dropped_total", "Frames and x-rays that a newer message replaced before a page received them. " +
			"Events are never dropped.", true, func() float64 { return float64(fan.Dropped()) }},
		{"cut_seconds", "Shortest time between two batches for one page. It rises with the number of pages and the cost of " +
			"sending.", false, func() float64 { return fan.Every().Seconds() }},
	}
	if runs != nil {
		rows = append(rows, ofRuns(runs)...)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(refused.counts,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Namespace: "impalab", Name: "build_info", Help: "Always 1; the label names the build.",
			ConstLabels: prometheus.Labels{"build": build},
		}, func() float64 { return 1 }))
	for _, m := range rows {
		o := prometheus.Opts{Namespace: "impalab", Name: m.name, Help: m.help}
		if m.counts {
			registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts(o), m.read))
		} else {
			registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts(o), m.read))
		}
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	return mux
}

func ofRuns(runs *lab.Lab) []metric {
	return []metric{
		{"runs", "Runs held now.", false, func() float64 { held, _ := runs.Count(); return float64(held) }},
		{"runs_watched", "Runs that someone watches now.", false,
			func() float64 { _, watched := runs.Count(); return float64(watched) }},
		{"steps", "Environment steps that the runs held now have learned from.", false,
			func() float64 { return float64(runs.Steps()) }},
		{"runs_waiting", "Runs that wait in the queue for memory or a core.", false,
			func() float64 { waiting, _ := runs.Waiting(); return float64(waiting) }},
		{"runs_bytes", "Estimated memory of the runs held.", false,
			func() float64 { _, bytes := runs.Waiting(); return bytes }},
		{"panics_total", "Panics of runs. Each ended its run, and the log has its stack.", true,
			func() float64 { return float64(runs.Panics()) }},
	}
}

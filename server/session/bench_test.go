package session

import (
	"net/http/httptest"
	"testing"

	"impalab/web/wire"
)

// One frame of an ordinary size, from the run to a browser on this machine.
func BenchmarkXRay(b *testing.B) {
	for name, way := range ways {
		b.Run(name, func(b *testing.B) { benchmarkXRay(b, way) })
	}
}

func benchmarkXRay(b *testing.B, way func(testing.TB, *httptest.Server) browser) {
	l := newOneRun()
	_, server, _ := site(b, l, Options{})
	page := way(b, server)
	defer page.drop()
	greet(b, page)
	b.ReportAllocs()
	for b.Loop() {
		l.topic.Offer(&wire.XRay{Step: 1 << 20, Ratios: make([]uint32, 40), Ages: make([]uint32, 32)})
		page.hear()
	}
}

package watch

import (
	"testing"
	"time"

	"impalab/web/wire"
)

func TestLargeNetworksAreSentLessOften(t *testing.T) {
	var l sentWeights
	p := &Policies{Update: 1}
	p.Target = make([]float32, wire.MaxParameters)
	p.Behaviour = p.Target
	if !l.due(p, false) || l.due(p, false) {
		t.Fatal("the first is due, and only once")
	}
	usual := time.Duration(2*4*wire.MaxParameters/weightsRate) * time.Second
	if wait := time.Until(l.next); wait < usual-time.Second || wait > usual+time.Second {
		t.Errorf("two policies of %d parameters are lent again after %v, not %v", wire.MaxParameters, wait, usual)
	}
	if p.Update = 2; l.due(p, false) || !l.due(p, true) {
		t.Error("the next waits, unless it was made by hand")
	}
}

package run

import (
	"strings"
	"testing"

	"impalab/web/wire"
)

func TestASharedLinkHoldsEveryChange(t *testing.T) {
	m := open("#p=cartpole&lag=4")
	greet(m)
	if got := m.Shared(); strings.Contains(got, "t=") || !strings.Contains(got, "lag=4") {
		t.Errorf("untouched: %s", got)
	}
	for i, c := range []wire.Changed{
		{Step: 80000, Key: "lag", From: "4", To: "64"},
		{Step: 90000, Key: "speed", From: "inf", To: "4000"}, // changes no result
		{Step: 115000, Key: "correction", From: "vtrace", To: "none"},
		{Step: 115000, Key: "lag", From: "64", To: "0"},
	} {
		c.Event = uint64(i + 1)
		m.Apply(&c)
	}
	got := m.Shared()
	if !strings.Contains(got, "t=80000:lag=64,115000:correction=none,115000:lag=0") || !strings.Contains(got, "&lag=4&") ||
		strings.Contains(got, "&correction") {
		t.Errorf("shared: %s", got)
	}
	if now := m.Fragment(); strings.Contains(now, "t=") || strings.Contains(now, "&lag=") ||
		!strings.Contains(now, "correction=none") {
		t.Errorf("in force: %s", now)
	}
	again := open(got)
	if hello := again.Hello(); hello.Settings[len(hello.Settings)-1] != (wire.Setting{Key: "t",
		Value: "80000:lag=64,115000:correction=none,115000:lag=0"}) {
		t.Errorf("opened, it asks for %+v", hello.Settings)
	}
	greet(again)
	again.Apply(&wire.XRay{Step: 90000})
	again.Apply(&wire.Changed{Event: 1, Step: 80000, Key: "lag", From: "4", To: "64"})
	if link := again.Fragment(); link != got {
		t.Errorf("on the way its own link is %s", link)
	}

	// A page that comes back to a run which is over is told its past, and sees no update.
	over := open(got)
	greet(over)
	over.Apply(&wire.Changed{Event: 1, Step: 80001, Key: "lag", From: "4", To: "64"})
	over.Apply(&wire.Point{Event: 2, Step: 81000})
	if link := over.Fragment(); !strings.Contains(link, "t=80001:lag=64,115000:correction=none,115000:lag=0") {
		t.Errorf("without an update its own link is %s", link)
	}
}

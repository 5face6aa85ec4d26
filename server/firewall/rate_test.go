package firewall

import (
	"fmt"
	"testing"
	"time"
)

func TestARateIsHeldForEachAddressByItself(t *testing.T) {
	r, now := NewRate(20, 40), time.Unix(1000, 0)
	r.clock = func() time.Time { return now }
	allowed := func(address string, times int) (n int) {
		for range times {
			if r.Allow(address) {
				n++
			}
		}
		return n
	}
	if n := allowed("a", 100); n != 40 {
		t.Errorf("%d at once, not 40", n)
	}
	if n := allowed("b", 1); n != 1 {
		t.Error("another address pays for the first")
	}
	now = now.Add(time.Second)
	if n := allowed("a", 100); n != 20 {
		t.Errorf("%d after a second, not 20", n)
	}
	now = now.Add(1500 * time.Millisecond) // the addresses are turned over
	if n := allowed("a", 100); n != 30 {
		t.Errorf("%d after another second and a half, not 30", n)
	}
}

func TestQuietAddressesAreForgotten(t *testing.T) {
	r, now := NewRate(20, 40), time.Unix(1000, 0)
	r.clock = func() time.Time { return now }
	for i := range 1000 {
		r.Allow(fmt.Sprint(i))
	}
	for range 3 {
		now = now.Add(3 * time.Second)
		r.Allow("a")
	}
	if n := len(r.now) + len(r.before); n != 2 { // the one, in both
		t.Errorf("%d addresses are kept", n)
	}
}

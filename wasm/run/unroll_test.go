package run

import (
	"testing"

	"impalab/web/wire"
)

func TestTheMicroscopeLooksAtTheMomentOfTheCursor(t *testing.T) {
	m := New("#v=1&p=lag-cliff", new(Speech))
	if link := m.Unrolls(); link != "" {
		t.Errorf("before there is a run: %q", link)
	}
	m.Apply(&wire.Welcome{Run: "ab12", Steers: true, State: wire.StateRunning, Fresh: true})
	if link := m.Unrolls(); link != "" {
		t.Errorf("before the first update: %q", link)
	}
	for i := uint64(1); i <= 5; i++ {
		m.Apply(&wire.Point{Event: i, Step: 160 * i, Update: i, Episodes: i, Return: 20, Recent: 20})
	}
	if link := m.Unrolls(); link != "#run=ab12" {
		t.Errorf("of the newest: %q", link)
	}
	m.Link.View = []wire.Setting{{Key: "theme", Value: "dark"}}
	if link := m.Unrolls(); link != "#run=ab12&theme=dark" {
		t.Errorf("in the dark: %q", link)
	}
	m.Link.ForgetTheme()
	m.Pin(320)
	if link := m.Unrolls(); link != "#run=ab12&update=2" {
		t.Errorf("held at the second update: %q", link)
	}
	m.Cursor.Unpin()
	m.Apply(&wire.Status{Event: 6, State: wire.StateDone})
	if link := m.Unrolls(); link != "#run=ab12&update=5" {
		t.Errorf("of a run that is over: %q", link)
	}
}

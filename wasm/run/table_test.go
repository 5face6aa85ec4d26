package run

import (
	"slices"
	"strings"
	"testing"

	"impalab/learner/hyper"
	"impalab/web/labrow"
	"impalab/web/wire"
)

func TestATableHasTheNumbersOfItsChart(t *testing.T) {
	m := learned("")
	m.Apply(&wire.Changed{Event: m.last + 1, Update: 4, Step: 400, Key: "lag", From: "0", To: "8"})
	table := m.Table("return")
	if len(table.Rows) != 10 || !slices.Equal(table.Rows[3], []string{"400", "3.00", "6.00"}) ||
		!slices.Equal(table.Head, []string{"Step", "Mean of 100", "Mean of 10"}) {
		t.Errorf("return: %v %v", table.Head, table.Rows)
	}
	if kl := m.Table("kl"); len(kl.Rows) != 10 || !slices.Equal(kl.Rows[9], []string{"1000", "0.100"}) {
		t.Errorf("KL: %v %v", kl.Head, kl.Rows)
	}
	if tape := m.Table("tape"); len(tape.Rows) != 1 ||
		!slices.Equal(tape.Rows[0], []string{"4", "400", "Policy lag", "0", "8"}) {
		t.Errorf("tape: %v", tape.Rows)
	}
}

func TestATableOfSeveralColumnsNamesThem(t *testing.T) {
	a, b := learned("lag=1"), learned("lag=2")
	both := func() []*Run { return []*Run{a, b} }
	a.Page, b.Page = both, both
	if head := b.Table("return").Head; !slices.Equal(head, []string{"Step", "Mean of 100", "Mean of 10", "Column A"}) {
		t.Errorf("the return of B: %v", head)
	}
	if rows := a.Table("kl").Rows; !slices.Equal(rows[4], []string{"500", "0.050", "0.050"}) {
		t.Errorf("KL of A: %v", rows[4])
	}
}

func TestEveryChartOfThePageHasATable(t *testing.T) {
	for i := range hyper.Presets {
		m := open("#v=1&p=" + hyper.Presets[i].Name)
		greet(m)
		m.Gauge = &wire.Gauge{}
		offered := m.Tables()
		for _, c := range Charts {
			if strings.HasPrefix(c.Name, "spark-") || // a lane again, small
				c.Name == "tasks" && !m.Suite() || c.Name == "cells" && !m.HasCells() {
				continue
			}
			has := slices.ContainsFunc(offered, func(one Tabled) bool { return one.Name == c.Name })
			of := func(l labrow.Row) bool { return l.Name == c.Name }
			if i := slices.IndexFunc(labrow.All, of); i >= 0 && !m.Shows(&labrow.All[i]) {
				continue
			}
			if !has || m.Table(c.Name).Caption == "" {
				t.Errorf("%s: the chart %s has no table; add one to tabled, in table.go", m.Preset, c.Name)
			}
		}
	}
}

func TestATableOfAMomentFollowsTheCursor(t *testing.T) {
	m := learned("")
	m.Apply(&wire.XRay{Step: 1100, Update: 11, Ratios: counts(20, 3)})
	m.Apply(&wire.Point{Event: m.last + 1, Step: 1100, Update: 11})
	m.Apply(&wire.XRay{Step: 1200, Update: 12, Ratios: counts(20, 5)})
	m.Pin(1100)
	if rows := m.Table("ratios").Rows; len(rows) != 1 || !slices.Equal(rows[0], []string{"1.00", "1.19", "3"}) {
		t.Errorf("held: %v", rows)
	}
	m.Cursor.Unpin()
	if rows := m.Table("ratios").Rows; len(rows) != 1 || rows[0][2] != "5" {
		t.Errorf("let go: %v", rows)
	}
}

// counts has n in one bucket of the ratios.
func counts(bucket int, n uint32) []uint32 {
	all := make([]uint32, 40)
	all[bucket] = n
	return all
}

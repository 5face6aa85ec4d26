package run

import (
	"strings"
	"testing"

	"impalab/web/wire"
)

func TestThePageShowsWhatTheAgentCanChange(t *testing.T) {
	m := open("#v=1&p=breakout&pixel-control=0.002&pixel-cell=5")
	greet(m)
	m.Choice = Server
	if !m.HasCells() || draw(m, "cells", 300, 150) != "" || shownText(t, m, "cells") != "" {
		t.Fatal("before the first frame there is nothing to draw")
	}
	squares := func() int { return strings.Count(draw(m, "cells", 300, 150), `class="reach"`) }
	m.Apply(&wire.Frame{World: "breakout", Cells: []wire.Cell{{Reach: .5}, {Reach: 1}, {}, {Reach: nan32}}})
	if squares() != 2 {
		t.Errorf("%d cells can be changed, want 2", squares())
	}
	if got := shownText(t, m, "cells"); !strings.Contains(got, "row 1, column 2: 1.000") {
		t.Errorf("in words: %s", got)
	}
	if m.reach != 1 {
		t.Errorf("the largest reach so far is %v, want 1", m.reach)
	}
	if rows := m.Table("cells").Rows; len(rows) != 4 || rows[3][0] != "2" || rows[3][1] != "2" {
		t.Errorf("the table has %v", rows)
	}
	m.Apply(&wire.Frame{World: "breakout", Cells: []wire.Cell{{Reach: 1}}}) // of another network
	if squares() != 0 {
		t.Error("cells of another network are drawn")
	}
}

func TestARunWithoutPixelControlHasNoCells(t *testing.T) {
	m := open("#v=1&p=breakout")
	greet(m)
	if m.HasCells() || draw(m, "cells", 300, 150) != "" {
		t.Error("breakout without pixel control shows cells")
	}
}

package runloop

import (
	"os"
	"strings"
	"testing"
)

var names = []string{"none", "Running", "Paused", "Stepping", "Returning", "ReturningPaused", "Queued", "QueuedPaused",
	"Done", "Diverged", "Stopped"}

// TestTheTableInTheCommentIsTheTable reads the table of the package comment by its columns.
func TestTheTableInTheCommentIsTheTable(t *testing.T) {
	source, err := os.ReadFile("state.go")
	if err != nil {
		t.Fatal(err)
	}
	events := []string{"Play", "Pause", "Step", "Updated", "Return", "Arrive", "Queue", "Admit"}
	var columns []int
	read := int(Running)
	for line := range strings.Lines(string(source)) {
		line, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "//\t")
		switch {
		case !ok:
		case columns == nil:
			for _, e := range events {
				columns = append(columns, strings.Index(line, " "+e+" "))
			}
			columns[len(columns)-1] = strings.LastIndex(line, " Admit")
		default:
			line += strings.Repeat(" ", 200)
			from := State(read)
			if name := strings.Fields(line)[0]; name != names[from] {
				t.Fatalf("row %d is of %s, want %s", read, name, names[from])
			}
			read++
			for e, column := range columns {
				want := from
				if cell := strings.SplitN(line[column+1:], " ", 2)[0]; cell != "" {
					for s, name := range names {
						if name == cell {
							want = State(s)
						}
					}
				}
				if got := from.After(Event(e)); got != want {
					t.Errorf("%s in %s leads to %s, the comment says %s", events[e], names[from], names[got], names[want])
				}
			}
		}
	}
	if read != int(Done) {
		t.Errorf("the comment has %d rows, want %d", read, Done)
	}
}

func TestAnEndIsReachedFromEveryStateAndLeftFromNone(t *testing.T) {
	for s := Running; s <= Stopped; s++ {
		for e := Play; e <= Fail; e++ {
			to := s.After(e)
			switch {
			case s.Over() && to != s:
				t.Errorf("event %d leaves %s for %s", e, names[s], names[to])
			case !s.Over() && e >= End && to != Done+State(e-End):
				t.Errorf("event %d leads from %s to %s", e, names[s], names[to])
			case !s.Over() && e < End && to.Over():
				t.Errorf("event %d ends %s", e, names[s])
			}
		}
	}
}

// TestAPauseOutlastsWaitingAndReturning: only Play ends it.
func TestAPauseOutlastsWaitingAndReturning(t *testing.T) {
	for s := Running; s < Done; s++ {
		for _, e := range []Event{Updated, Return, Arrive, Queue, Admit} {
			if to := s.After(e); to.Paused() != s.Paused() {
				t.Errorf("event %d leads from %s to %s", e, names[s], names[to])
			}
		}
		if to := s.After(Play); to.Paused() && s != QueuedPaused {
			t.Errorf("Play leads from %s to %s", names[s], names[to])
		}
	}
}

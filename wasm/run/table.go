package run

import (
	"slices"
	"strconv"

	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/web/chart"
	"impalab/web/labrow"
	"impalab/web/number"

	"impalab/web/link"
)

// Every chart can be read as a table, by people who do not see it or want its numbers.

// Table is the content of a chart in words and numbers.
type Table struct {
	Caption string
	Head    []string
	Rows    [][]string
}

// tableRows is about how many moments a table of a curve has.
const tableRows = 25

// Tabled is a chart with a table.
type Tabled struct {
	Name, Title string
	read        func(*Run) Table
	absent      func(*Run) bool // nil: the chart is always there
}

// tabled lists the charts that may have a table, in the order of the page.
var tabled = slices.Concat([]Tabled{
	{"return", "Return", (*Run).returnTable, nil},
	{"seeds", "Return over seeds", (*Run).seedsTable, func(m *Run) bool { return m.Seeds == nil }},
}, tabledLanes(), []Tabled{
	{"tape", "The tape", (*Run).tapeTable, nil},
	{"ratios", "Raw ratios π/μ", (*Run).ratioTable, nil},
	{"age", "Data age, of one batch", (*Run).ageTable, nil},
	{"gauge", "Destination of the values", (*Run).gaugeTable, func(m *Run) bool { return m.Gauge == nil }},
	{"cells", "Pixel control", (*Run).cellTable, func(m *Run) bool { return !m.HasCells() }},
	{"tasks", "Score of each world", (*Run).taskTable, func(m *Run) bool { return !m.Suite() }},
})

func tabledLanes() (lanes []Tabled) {
	for i := range labrow.All {
		l := &labrow.All[i]
		lanes = append(lanes, Tabled{l.Name, laneTitle(l), func(m *Run) Table { return m.laneTable(l) },
			func(m *Run) bool { return l.Name == labrow.Tunes || !m.Shows(l) }})
	}
	return lanes
}

// Tables returns the charts that have a table now.
func (m *Run) Tables() []Tabled {
	return slices.DeleteFunc(slices.Clone(tabled), func(t Tabled) bool { return t.absent != nil && t.absent(m) })
}

func laneTitle(l *labrow.Row) string {
	if l.Small == "" {
		return l.Words
	}
	return l.Words + ", " + l.Small
}

// Table returns a chart as a table. A chart of one moment is read at the cursor.
func (m *Run) Table(name string) Table {
	for _, t := range tabled {
		if t.Name == name {
			return t.read(m)
		}
	}
	return Table{}
}

// side is a column of a table over time.
type side struct {
	head  string
	curve *chart.Curve
	read  func(*chart.Column) chart.Span
}

func valueOf(c *chart.Column) chart.Span { return c.Value }
func boundOf(c *chart.Column) chart.Span { return c.Bound }

// overTime returns a table of curves, at the steps of the first.
func overTime(caption string, write func(float32) string, sides []side) Table {
	t := Table{Caption: caption, Head: []string{"Step"}}
	for _, s := range sides {
		t.Head = append(t.Head, s.head)
	}
	for _, c := range sides[0].curve.Pick(tableRows) {
		row := []string{number.Count(c.Step)}
		for _, s := range sides {
			words := number.None
			if i := s.curve.Index(c.Step); i >= 0 && c.Step <= s.curve.Steps() {
				words = write(s.read(&s.curve.Columns[i]).Last)
			}
			row = append(row, words)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// sidesOf returns a curve of the other columns, by their letters, and of the run before.
func (m *Run) sidesOf(curve func(*Curves) *chart.Curve) (sides []side) {
	for i, r := range m.Page() {
		if c := curve(&r.Curves); r != m && c != nil {
			sides = append(sides, side{"Column " + link.Letter(i), c, valueOf})
		}
	}
	if ghost := m.behind().Curves; ghost != nil && curve(ghost) != nil {
		name := "The run before"
		if m.ghost.stored {
			name = m.ghost.before
		}
		sides = append(sides, side{name, curve(ghost), valueOf})
	}
	return sides
}

func (m *Run) returnTable() Table {
	sides := []side{{"Mean of 100", &m.Return, valueOf}, {"Mean of 10", &m.Recent, valueOf}}
	sides = append(sides, m.sidesOf(func(c *Curves) *chart.Curve { return &c.Return })...)
	story := chart.Trace{Curve: m.Return}
	score := func(v float32) string { return number.Score(float64(v)) }
	return overTime("Mean return of the episodes before. "+story.Story(), score, sides)
}

func (m *Run) laneTable(l *labrow.Row) Table {
	c := m.lane(l)
	if c == nil {
		return Table{Caption: laneTitle(l)}
	}
	sides := []side{{"Here", c, valueOf}}
	if l.Quantity != nil {
		sides = append(sides, side{"Held to", c, boundOf})
	}
	if l.Name == labrow.Destination {
		e := &m.Exact
		sides = []side{{"Learned V", &e.Learned, valueOf}, {"Destination", &e.Implied, valueOf},
			{"V of π", &e.Target, valueOf}, {"V of μ", &e.Behaviour, valueOf}}
	}
	sides = append(sides, m.sidesOf(func(c *Curves) *chart.Curve { return c.lane(l) })...)
	return overTime(laneTitle(l)+". "+m.laneStory(l), func(v float32) string { return write(l, v) }, sides)
}

// seedsTable is the band of the seeds.
func (m *Run) seedsTable() Table {
	t := Table{Caption: "Interquartile mean of the seeds' mean return of 100, and its 95 % interval over seeds",
		Head: []string{"Step", "Mean", "From", "To", "Seeds"}}
	if s := m.Seeds; s != nil {
		each := (len(s.band) + tableRows - 1) / tableRows
		for i, b := range s.band {
			if (len(s.band)-1-i)%max(each, 1) == 0 {
				t.Rows = append(t.Rows, []string{number.Count(b.Step), number.Score(b.Mean), number.Score(b.Low),
					number.Score(b.High), strconv.Itoa(b.N)})
			}
		}
	}
	return t
}

func (m *Run) tapeTable() Table {
	t := Table{Caption: "Changes on the way, of " + number.Count(m.Steps()) + " steps",
		Head: []string{"Update", "Step", "What", "From", "To"}}
	for _, mark := range m.Marks {
		name := mark.Key
		from, to := mark.From, mark.To
		if row, err := hyper.Lookup(mark.Key); err == nil {
			name, from, to = Name(row), m.Figure(row, from), m.Figure(row, to)
		}
		t.Rows = append(t.Rows, []string{number.Count(mark.Update), number.Count(mark.Step), name, from, to})
	}
	return t
}

func (m *Run) ratioTable() Table {
	t := Table{Caption: "Steps of the batch by the ratio of their action (" + m.Moment() + ")",
		Head: []string{"π/μ from", "to", "Steps"}}
	if x := m.Seen(); x != nil {
		t.Rows = chart.RatioRows(x.Ratios)
	}
	return t
}

func (m *Run) ageTable() Table {
	t := Table{Caption: "Trajectories of the batch by their age (" + m.Moment() + ")",
		Head: []string{"Updates behind", "Trajectories"}}
	if x := m.Seen(); x != nil {
		t.Rows = chart.AgeRows(x.Ages, x.Figures[telemetry.AgeMax])
	}
	return t
}

func (m *Run) gaugeTable() Table {
	t := Table{Caption: "The mean value from the starts, on the world’s own scale (" + m.Moment() + ")",
		Head: []string{"What", "Value"}}
	if g := m.Gauged(); g != nil {
		for _, one := range []struct {
			what string
			v    float32
		}{{"The worst policy", g.Worst}, {"V of μ", g.Behaviour}, {"V of π", g.Target}, {"The destination", g.Implied},
			{"The network", g.Learned}, {"The best policy", g.Best}} {
			t.Rows = append(t.Rows, []string{one.what, number.Fixed(float64(one.v), 3)})
		}
	}
	return t
}

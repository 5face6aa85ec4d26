package trial

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Comparison is what the paper's words say of two rows. A star in both labels stands for the same text in each: one
// comparison for every such pair of rows.
type Comparison struct {
	Better, Than string // the first is ahead of the second
	Same, As     string // the two do not differ
	In           string // heading of a column, or the line of a world in the table of scores
}

// Verdict is the answer of a study's runs to the paper's words.
type Verdict string

const (
	NotInThePaper Verdict = "" // none of the four papers makes the claim
	Appears       Verdict = "appears"
	AppearsInPart Verdict = "appears in part"
	DoesNotAppear Verdict = "does not appear"
	Contradicts   Verdict = "contradicts"
	Open          Verdict = "open" // the rows that decide wait for their runs
)

func (v Verdict) String() string {
	if v == NotInThePaper {
		return "not in the paper"
	}
	return string(v)
}

// Comparisons counts a study's comparisons by what two 95 % intervals say of each.
type Comparisons struct {
	As, Against []string // names of the pairs whose intervals are apart: as the paper says, and the other way
	Same        []string // names of the pairs that the paper calls equal, and whose intervals meet
	Meet        int      // pairs that the paper orders, and whose intervals meet
	Waiting     int      // pairs with a row that has not run
}

// Compare compares the rows of a section of RESULTS.md, as they are printed.
func (s *Study) Compare(section string) (c Comparisons) {
	t := ReadTables(section)
	for _, pair := range s.pairs() {
		first, second := pair.Better, pair.Than
		if pair.Same != "" {
			first, second = pair.Same, pair.As
		}
		a, b := t.Cell(first, pair.In), t.Cell(second, pair.In)
		if a == NotRun || b == NotRun {
			c.Waiting++
			continue
		}
		name := first + " over " + second
		if len(s.columns()) > 1 {
			name += ", " + pair.In
		}
		above, below := apart(a, b, strings.HasPrefix(pair.In, "steps to"))
		switch {
		case pair.Same != "" && (above || below):
			c.Against = append(c.Against, name)
		case pair.Same != "":
			c.Same = append(c.Same, name+fmt.Sprintf(" by %.3g at most", farthest(a, b)))
		case above:
			c.As = append(c.As, name)
		case below:
			c.Against = append(c.Against, name)
		default:
			c.Meet++
		}
	}
	return c
}

// Verdict returns the verdict that follows from the comparisons. Intervals that meet prove no equality, so pairs that
// the paper calls equal appear in part at best.
func (s *Study) verdictOf(c *Comparisons) Verdict {
	decided := len(c.As) + len(c.Against) + len(c.Same) + c.Meet
	switch {
	case decided == 0:
		return Open
	case len(c.As) == decided && s.InPart == "":
		return Appears
	case len(c.As)+len(c.Same) > 0:
		return AppearsInPart
	case len(c.Against) > 0 && s.OwnConditions:
		return Contradicts
	}
	return DoesNotAppear
}

// Decided returns the verdict that follows from a section of RESULTS.md. Where a person judged, it is theirs.
func (s *Study) Decided(section string) Verdict {
	if s.Compares == nil {
		return s.Verdict
	}
	c := s.Compare(section)
	return s.verdictOf(&c)
}

// ComparedWord begins the paragraph of a study's comparisons.
const ComparedWord = "By the intervals"

// Compared returns the paragraph that says how a verdict follows from a section; "" if the study has none.
func (s *Study) Compared(section string) string {
	switch {
	case s.Verdict == NotInThePaper:
		return ""
	case s.Compares == nil:
		return ComparedWord + " of two rows nothing is decided. " + s.Judged + "\n"
	}
	c := s.Compare(section)
	text := ComparedWord
	if columns := s.columns(); len(columns) == 1 {
		text += " of *" + columns[0] + "*"
	}
	var parts []string
	say := func(what string, n int, names []string) {
		if n == 0 {
			return
		}
		part := fmt.Sprintf("%s: %d", what, n)
		if len(names) > 0 {
			part += " (" + strings.Join(names, "; ") + ")"
		}
		parts = append(parts, part)
	}
	say("apart as the paper says", len(c.As), c.As)
	say("apart the other way", len(c.Against), c.Against)
	say("not apart", c.Meet, nil)
	say("not apart, where the paper sees no difference", len(c.Same), c.Same)
	say("not yet run", c.Waiting, nil)
	text += ", pairs " + strings.Join(parts, "; ") + "."
	if s.InPart != "" {
		text += " In part at most: " + s.InPart
	}
	return text + "\n"
}

// columns returns where the study's comparisons look.
func (s *Study) columns() (all []string) {
	seen := map[string]bool{}
	for _, c := range s.Compares {
		if !seen[c.In] {
			seen[c.In] = true
			all = append(all, c.In)
		}
	}
	return all
}

// pairs returns the comparisons, with a comparison of two rows for each star.
func (s *Study) pairs() (all []Comparison) {
	for _, c := range s.Compares {
		one, star := c.Better, strings.Contains(c.Better, "*")
		if !star {
			all = append(all, c)
			continue
		}
		before, after, _ := strings.Cut(one, "*")
		for i := range s.Variants {
			text, ok := strings.CutPrefix(s.Variants[i].Label, before)
			text, end := strings.CutSuffix(text, after)
			if than := strings.Replace(c.Than, "*", text, 1); ok && end && s.row(than) != nil {
				all = append(all, Comparison{Better: s.Variants[i].Label, Than: than, In: c.In})
			}
		}
	}
	return all
}

// row returns a variant by its label; nil: there is none.
func (s *Study) row(label string) *Variant {
	for i := range s.Variants {
		if s.Variants[i].Label == label {
			return &s.Variants[i]
		}
	}
	return nil
}

// Tables are the printed tables of a section of RESULTS.md: cells by row and column.
type Tables map[[2]string]string

// ReadTables reads the tables of a section.
func ReadTables(section string) Tables {
	t := Tables{}
	var heads []string
	for line := range strings.Lines(section) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			heads = nil
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if heads == nil {
			heads = cells
		} else {
			for i := 1; i < min(len(cells), len(heads)); i++ {
				t[[2]string{cells[0], heads[i]}] = cells[i]
			}
		}
	}
	return t
}

// Cell returns the figure of a row in a column, or of an agent in a world's line of the scores. Without one it returns
// NotRun.
func (t Tables) Cell(label, in string) string {
	if cell, ok := t[[2]string{label, in}]; ok {
		return cell
	}
	if cell, ok := t[[2]string{in, label}]; ok {
		return cell
	}
	return NotRun
}

// printedInterval is an interval in a cell.
var printedInterval = regexp.MustCompile(`\[(-?[0-9.]+[kM]?), (never|-?[0-9.]+[kM]?)\]`)

// apart reports whether the first cell's interval is wholly ahead of the second's, or wholly behind it. Ahead is above,
// or below where less is better. A cell without an interval decides nothing.
func apart(a, b string, less bool) (ahead, behind bool) {
	lowA, highA := printedEnds(a)
	lowB, highB := printedEnds(b)
	ahead, behind = lowA > highB, highA < lowB
	if less {
		return behind, ahead
	}
	return ahead, behind
}

// farthest returns the largest difference that two cells' intervals allow.
func farthest(a, b string) float64 {
	lowA, highA := printedEnds(a)
	lowB, highB := printedEnds(b)
	return max(highA-lowB, highB-lowA)
}

// printedEnds returns the ends of a cell's interval; NaN without one.
func printedEnds(cell string) (low, high float64) {
	ends := printedInterval.FindStringSubmatch(cell)
	if ends == nil {
		return math.NaN(), math.NaN()
	}
	return printedNumber(ends[1]), printedNumber(ends[2])
}

// printedNumber reads a number of a cell.
func printedNumber(text string) float64 {
	unit := 1.0
	switch {
	case text == "never":
		return math.Inf(1)
	case strings.HasSuffix(text, "k"):
		unit = 1e3
	case strings.HasSuffix(text, "M"):
		unit = 1e6
	}
	x, _ := strconv.ParseFloat(strings.TrimRight(text, "kM"), 64) // the expression above found it
	return unit * x
}

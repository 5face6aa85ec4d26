package trial

import "testing"

func TestIntervalsAreApartOrMeet(t *testing.T) {
	for _, c := range []struct {
		a, b          string
		less          bool
		ahead, behind bool
	}{
		{"2.00 [1.50, 2.50]", "1.00 [0.50, 1.49]", false, true, false},
		{"2.00 [1.50, 2.50]", "1.00 [0.50, 1.50]", false, false, false},
		{"-131 [-151, -103]", "-90.3 [-91.3, -88.8]", false, false, true},
		{"60.5k [53.1k, 64.8k]", "1.2M [133k, never]", true, true, false},
		{"31.5k [18.3k, never]", "60.5k [53.1k, 64.8k]", true, false, false},
		{"–", "60.5k [53.1k, 64.8k]", true, false, false},
		{"1 of 16", "16 of 16", false, false, false},
	} {
		if ahead, behind := apart(c.a, c.b, c.less); ahead != c.ahead || behind != c.behind {
			t.Errorf("%s and %s: ahead %v, behind %v", c.a, c.b, ahead, behind)
		}
	}
}

// A verdict claims no more than the intervals show. Two that meet prove neither a claim, nor its opposite, nor that two
// rows are equal.
func TestAVerdictFollowsFromTheIntervals(t *testing.T) {
	const head = "| | score | settings |\n|---|---|---|\n"
	const high, low = "| a | 2.0 [1.9, 2.1] | `x` |\n", "| a | 0.5 [0.4, 0.6] | `x` |\n"
	const middle, same = "| b | 1.0 [0.9, 1.1] | `y` |\n", "| b | 2.0 [1.0, 3.0] | `y` |\n"
	const waits = "| b | not yet run | `y` |\n"
	order, equal := Comparison{Better: "a", Than: "b", In: "score"}, Comparison{Same: "a", As: "b", In: "score"}
	other := Comparison{Better: "c", Than: "b", In: "score"}
	for name, c := range map[string]struct {
		rows  string
		study Study
		want  Verdict
	}{
		"apart":                     {high + middle, Study{Compares: []Comparison{order}}, Appears},
		"apart, with a reservation": {high + middle, Study{Compares: []Comparison{order}, InPart: "why"}, AppearsInPart},
		"meet":                      {high + same, Study{Compares: []Comparison{order}}, DoesNotAppear},
		"meet, under its own":       {high + same, Study{Compares: []Comparison{order}, OwnConditions: true}, DoesNotAppear},
		"the other way":             {low + middle, Study{Compares: []Comparison{order}}, DoesNotAppear},
		"the other way, in its own": {low + middle, Study{Compares: []Comparison{order}, OwnConditions: true}, Contradicts},
		"called equal, and meet":    {high + same, Study{Compares: []Comparison{equal}}, AppearsInPart},
		"called equal, and apart":   {high + middle, Study{Compares: []Comparison{equal}}, DoesNotAppear},
		"waits":                     {high + waits, Study{Compares: []Comparison{order}}, Open},
		"waits for one of two":      {high + middle, Study{Compares: []Comparison{order, other}}, Appears},
		"one of two": {high + middle + "| c | 1.0 [0.9, 1.1] | `z` |\n", Study{Compares: []Comparison{order, other}},
			AppearsInPart},
		"judged": {high, Study{Judged: "why", Verdict: AppearsInPart}, AppearsInPart},
	} {
		if got := c.study.Decided(head + c.rows); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// A star compares every pair of rows that differ in one place, and a line of scores compares agents.
func TestAComparisonFindsItsRows(t *testing.T) {
	s := Study{Variants: []Variant{{Label: "a, 1"}, {Label: "b, 1"}, {Label: "a, 2"}, {Label: "b, 2"}, {Label: "a, 3"}},
		Compares: []Comparison{{Better: "a, *", Than: "b, *", In: "score"}}}
	if pairs := s.pairs(); len(pairs) != 2 || pairs[1].Better != "a, 2" || pairs[1].Than != "b, 2" {
		t.Errorf("%+v", pairs)
	}
	read := ReadTables("| | score |\n|---|---|\n| a | 1 [1, 1] |\n\n| score at the end | one | all |\n|---|---|---|\n" +
		"| mean | 2 [2, 2] | 3 [3, 3] |\n")
	if read.Cell("a", "score") != "1 [1, 1]" || read.Cell("all", "mean") != "3 [3, 3]" ||
		read.Cell("b", "score") != NotRun {
		t.Errorf("%v", read)
	}
}

package trial

import "testing"

// An expert's score has the reference of the suite, not of its world alone: on Breakout 25.9, and not 17.5.
func TestExpertsAreScoredAsTheirSuite(t *testing.T) {
	suite := &StudyRow{Label: "one agent, all five", Summary: &Summary{World: "grid-5",
		Final: Estimate{0.3, 0.26, 0.4}, Tasks: []TaskSummary{
			{World: "breakout", Score: Estimate{0.26, 0.22, 0.34}}, {World: "asterix", Score: Estimate{0.34, 0.29, 0.47}}}}}
	expert := func(world string, mean Number) *StudyRow {
		return &StudyRow{Label: "experts, " + world, Summary: &Summary{World: world},
			Runs: []Report{{ReturnMean100: mean}, {ReturnMean100: mean}}}
	}
	table := StudyTable{Rows: []*StudyRow{suite, expert("breakout", 25.9), expert("asterix", 16.01)}}
	want := "| score at the end | one agent, all five | experts |\n|---|---|---|\n" +
		"| breakout | 0.26 [0.22, 0.34] | 1.00 [1.00, 1.00] |\n| asterix | 0.34 [0.29, 0.47] | 0.50 [0.50, 0.50] |\n" +
		"| mean | 0.30 [0.26, 0.40] | 0.75 [0.75, 0.75] |\n\n"
	if got := table.Scores().markdown(); got != want {
		t.Errorf("the table is\n%s\nwant\n%s", got, want)
	}
	if table.Rows = table.Rows[1:]; table.Scores() != nil {
		t.Error("rows of single worlds have scores")
	}
}

// Rows of several suites that share a name share a column.
func TestASuiteForEachRowIsOneColumnForEachAgent(t *testing.T) {
	row := func(label, world string, score Number) *StudyRow {
		return &StudyRow{Label: label, Summary: &Summary{World: "tiny", Tasks: []TaskSummary{
			{World: world, Score: Estimate{score, score, score}}}}}
	}
	table := StudyTable{Rows: []*StudyRow{row("V-MPO, tiny", "catch", 0.9), row("IMPALA, tiny", "catch", 0.8),
		row("V-MPO, grid-5", "asterix", 0.7), row("IMPALA, grid-5", "asterix", 0.6)}}
	want := "| score at the end | V-MPO | IMPALA |\n|---|---|---|\n" +
		"| catch | 0.90 [0.90, 0.90] | 0.80 [0.80, 0.80] |\n| asterix | 0.70 [0.70, 0.70] | 0.60 [0.60, 0.60] |\n\n"
	if got := table.Scores().markdown(); got != want {
		t.Errorf("the table is\n%s\nwant\n%s", got, want)
	}
}

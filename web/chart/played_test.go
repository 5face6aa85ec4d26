package chart

import (
	"strings"
	"testing"
)

func TestAPersonsEpisodesStandOnTheChartOfTheReturn(t *testing.T) {
	axis := &Time{Steps: 1000}
	without := DrawReturn(axis, &Return{Mean: &Curve{}, Recent: &Curve{}}, 400, 200)
	if strings.Contains(without, "played") {
		t.Error("nobody has played")
	}
	with := DrawReturn(axis, &Return{Mean: &Curve{}, Recent: &Curve{}, Played: []Episode{
		{Step: 100, Return: 20}, {Step: 500, Return: 60}}}, 400, 200)
	if n := strings.Count(with, `<circle class="played"`); n != 2 || !strings.Contains(with, ">you<") {
		t.Errorf("%d dots of 2, and a name: %s", n, with)
	}
	// The mean goes from 20 to 40, and on to the end of the axis.
	line := with[strings.Index(with, `class="line played"`):]
	if line = line[:strings.Index(line, "/>")]; strings.Count(line, "L") != 2 || !strings.Contains(line, "M40 ") ||
		!strings.Contains(line, "L200 ") || !strings.Contains(line, "L400 ") {
		t.Error(line)
	}
}

package page

import (
	"math"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"impalab/web/lesson"
)

// learnPath is the path of the lessons below the base.
const learnPath = "learn"

// LessonPath returns the path of a lesson below the base, with a slash before it.
func LessonPath(l *lesson.Lesson) string {
	return "/" + learnPath + "/" + l.Name
}

func (d *Data) lessonURL(l *lesson.Lesson) string { return d.Base + LessonPath(l)[1:] }

// howSure is the address of the lesson on seeds and intervals.
func (d *Data) howSure() templ.SafeURL { return templ.SafeURL(d.Base + learnPath + "/how-sure") }

// embedded returns the address that a lesson's button opens in the frame.
func (d *Data) embedded(live lesson.Live) string {
	if live.Page() {
		return d.Base + live.Link
	}
	return string(d.labURL("#v=1&" + live.Link + "&embed=1"))
}

// introduced returns the words above the live figure before a run starts.
func introduced(l *lesson.Lesson) string {
	if first, _ := l.First(); first.Page() {
		return ""
	}
	return "The live figure is a real run in the Lab. A button starts it. Then you can change its settings."
}

// short writes three digits, or a whole number with its thousands apart.
func short(x float64) string {
	if math.Abs(x) < 1000 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	text := strconv.FormatFloat(math.Round(x), 'f', 0, 64)
	return text[:len(text)-3] + "\u202f" + text[len(text)-3:]
}

// scale returns the attributes of a scale for the page's script: the range of right guesses, and the answer in words.
func scale(p *lesson.Scale) templ.Attributes {
	low, high := p.Right()
	return templ.Attributes{"data-kind": "scale", "data-log": strconv.FormatBool(p.Log), "data-low": say(low),
		"data-high": say(high), "data-answer": short(p.Value), "data-unit": p.Unit}
}

// slider returns the range of a scale's slider. On a logarithmic scale the slider holds the logarithm.
func slider(p *lesson.Scale) templ.Attributes {
	from, to := p.From, p.To
	if p.Log {
		from, to = math.Log10(from), math.Log10(to)
	}
	return templ.Attributes{"min": say(from), "max": say(to), "step": say((to - from) / 1000),
		"value": say((from + to) / 2)}
}

// say writes a number for the page's script.
func say(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// course returns the path that a step belongs to.
func course(s *lesson.Step) string {
	if s.Core {
		return "core"
	}
	return "whole"
}

// command returns the command that measures a row again.
func command(r *lesson.Row) string {
	switch {
	case r.Exact != "":
		return r.Exact + " = " + say(r.Is)
	case r.Test != "":
		return r.TestCommand()
	}
	var claims []string
	for _, name := range lesson.Fields {
		if c := r.Field(name); c != "" {
			claims = append(claims, name+" "+c)
		}
	}
	return "impalab train " + r.Train + "\n    " + strings.Join(claims, ", ")
}

// errataPath is the path of the errata below the base.
const errataPath = "learn/errata"

// plainNumber writes three digits as number fields accept them.
func plainNumber(x float64) string {
	digits := math.Pow(10, math.Floor(math.Log10(math.Abs(x)))-2)
	return strconv.FormatFloat(math.Round(x/digits)*digits, 'g', 6, 64)
}

package lesson

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"impalab/web/lesson/quantity"
)

// Parse reads one file. The error names the line or the step, and the mistake.
func Parse(text string) (*Lesson, error) {
	l, err := parse(text)
	if err != nil {
		return nil, err
	}
	return l, l.link()
}

// parse reads a file without linking its parts.
func parse(text string) (*Lesson, error) {
	head, body, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	if !ok || !strings.HasPrefix(text, "---\n") {
		return nil, fmt.Errorf("a lesson begins with its head between two lines of ---")
	}
	l := &Lesson{}
	if err := read(head, l); err != nil {
		return nil, fmt.Errorf("head: %w", err)
	}
	for _, part := range strings.Split("\n"+body, "\n## ")[1:] {
		title, text, _ := strings.Cut(part, "\n")
		if err := l.section(title, text); err != nil {
			return nil, fmt.Errorf("%s: %w", title, err)
		}
	}
	return l, nil
}

// read decodes YAML and refuses unknown keys.
func read(text string, into any) error {
	d := yaml.NewDecoder(bytes.NewReader([]byte(text)))
	d.KnownFields(true)
	return d.Decode(into)
}

// section reads a heading and its text: a step, the check, or the extra text.
func (l *Lesson) section(title, text string) error {
	s := Step{Title: title}
	for len(text) > 0 {
		before, rest, fenced := strings.Cut(text, "\n```")
		s.say(before)
		if !fenced {
			break
		}
		kind, rest, _ := strings.Cut(rest, "\n")
		block, rest, closed := strings.Cut(rest, "\n```")
		if !closed {
			return fmt.Errorf("the block %q is not closed", kind)
		}
		if err := l.block(&s, kind, block); err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
		text = rest
	}
	switch {
	case l.Check.Ask != "" && l.Check.Prose == "":
		l.Check.Title, l.Check.Prose = title, s.Prose
	case s.Predict == nil && s.Evidence == nil && s.Plot == nil && len(s.Live) == 0:
		l.Aside = s.Prose
	default:
		l.Steps = append(l.Steps, s)
	}
	return nil
}

// say adds prose before the prediction, or to its reveal.
func (s *Step) say(text string) {
	to := &s.Prose
	if s.Predict != nil {
		to = &s.Reveal
	}
	*to = strings.TrimSpace(*to + "\n" + text)
}

func (l *Lesson) block(s *Step, kind, text string) error {
	switch kind {
	case "live":
		return read(text, &s.Live)
	case "predict":
		s.Predict = &Predict{}
		return read(text, s.Predict)
	case "evidence":
		s.Evidence = &Evidence{}
		return read(text, s.Evidence)
	case "plot":
		s.Plot = &Plot{}
		if err := read(text, s.Plot); err != nil {
			return err
		}
		return s.Plot.compute()
	case "check":
		return read(text, &l.Check)
	}
	return fmt.Errorf("no such block; there are live, plot, predict, evidence and check")
}

// link marks the steps of the core and finds the answers in the evidence.
func (l *Lesson) link() error {
	for i := range l.Steps {
		s := &l.Steps[i]
		s.Core = slices.Contains(l.Core, i+1)
		if s.Plot != nil && s.Plot.Draw != nil {
			row, err := s.row(s.Plot.Draw.Row)
			if err != nil || len(row.Ends) == 0 {
				return fmt.Errorf("%s: its plot draws from the ends of row %q, and there are none", s.Title, s.Plot.Draw.Row)
			}
			s.Plot.Draw.Ends = row.Ends
		}
		if s.Predict != nil {
			if err := s.answer(); err != nil {
				return fmt.Errorf("%s: %w", s.Title, err)
			}
		}
	}
	return nil
}

// row returns a row of the evidence by name.
func (s *Step) row(name string) (*Row, error) {
	if s.Evidence != nil {
		for i := range s.Evidence.Rows {
			if s.Evidence.Rows[i].Name == name {
				return &s.Evidence.Rows[i], nil
			}
		}
	}
	return nil, fmt.Errorf("the answer is row %q of the evidence, and there is none", name)
}

// answer finds the answer of a prediction in the step's evidence.
func (s *Step) answer() error {
	p := s.Predict
	switch {
	case p.Bar != nil:
		return s.scale(p.Bar)
	case p.Dial != nil:
		if err := s.scale(&p.Dial.Scale); err != nil {
			return err
		}
		return p.Dial.trace()
	case p.Curve != nil:
		row, err := s.row(p.Curve.Answer)
		if err != nil {
			return err
		}
		for _, at := range row.Curve {
			p.Curve.Truth = append(p.Curve.Truth, Point{at[0], at[1]})
		}
		return nil
	}
	right := 0
	for _, o := range p.Choose {
		if o.Right {
			right++
		}
	}
	if right != 1 {
		return fmt.Errorf("%d of the answers to choose are right; want one", right)
	}
	return nil
}

func (s *Step) scale(to *Scale) error {
	row, err := s.row(to.Answer)
	if err != nil {
		return err
	}
	figure, err := row.Value(s.Evidence.Show)
	to.Value = figure.Mean
	return err
}

// curvePoints is the number of points of a dial's curve.
const curvePoints = 81

// trace computes a dial's curve over its axis.
func (d *Dial) trace() error {
	q, given, err := quantity.Find(d.Of)
	if err != nil {
		return err
	}
	if _, ok := q.Args[d.Along]; !ok {
		return fmt.Errorf("%s has no argument %q to turn", q.Name, d.Along)
	}
	for i := range curvePoints {
		x := d.At(float64(i) / (curvePoints - 1))
		given[d.Along] = x
		y, err := q.Of(given)
		if err != nil {
			return err
		}
		d.Curve = append(d.Curve, Point{x, y})
	}
	return nil
}

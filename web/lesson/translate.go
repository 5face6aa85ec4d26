package lesson

import (
	"fmt"
	"slices"
)

// in is the lesson with the words of a file in another language. That file has the same steps and blocks, and in the
// blocks the words alone: figures, links and evidence have one source.
func (l *Lesson) in(to *Language, text string) (*Lesson, error) {
	words, err := parse(text)
	if err != nil {
		return nil, err
	}
	if words.Name != l.Name || len(words.Steps) != len(l.Steps) {
		return nil, fmt.Errorf("%d steps of %q; want %d of %q", len(words.Steps), words.Name, len(l.Steps), l.Name)
	}
	out := *l
	out.Language, out.Original = to, l
	out.Title, out.Sentence, out.Words, out.Aside = words.Title, words.Sentence, words.Words, words.Aside
	out.Steps = slices.Clone(l.Steps)
	for i := range out.Steps {
		if err := out.Steps[i].translate(&words.Steps[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", words.Steps[i].Title, err)
		}
	}
	c, w := &out.Check, &words.Check
	c.say, c.Title, c.Prose, c.Ask = &to.Verdict, w.Title, w.Prose, w.Ask
	if c.Live, err = named(c.Live, w.Live); err != nil {
		return nil, err
	}
	if len(w.Slips) != len(c.Slips) {
		return nil, fmt.Errorf("%d slips; want %d", len(w.Slips), len(c.Slips))
	}
	c.Slips = slices.Clone(c.Slips)
	for i := range c.Slips {
		c.Slips[i].Say = w.Slips[i].Say
	}
	return &out, nil
}

// named are runs with other labels.
func named(runs, words []Live) ([]Live, error) {
	if len(runs) != len(words) {
		return nil, fmt.Errorf("%d runs; want %d", len(words), len(runs))
	}
	runs = slices.Clone(runs)
	for i := range runs {
		runs[i].Say = words[i].Say
	}
	return runs, nil
}

// translate puts the words of another language into a step.
func (s *Step) translate(w *Step) (err error) {
	s.Title, s.Prose, s.Reveal = w.Title, w.Prose, w.Reveal
	if s.Live, err = named(s.Live, w.Live); err != nil {
		return err
	}
	names := map[string]string{} // of rows
	if s.Evidence != nil {
		if w.Evidence == nil || len(w.Evidence.Rows) != len(s.Evidence.Rows) {
			return fmt.Errorf("its evidence has other rows")
		}
		e := *s.Evidence
		e.Figure, e.Rows = w.Evidence.Figure, slices.Clone(e.Rows)
		for i := range e.Rows {
			names[e.Rows[i].Name] = w.Evidence.Rows[i].Name
			e.Rows[i].Name = w.Evidence.Rows[i].Name
		}
		s.Evidence = &e
	}
	if w.Predict == nil {
		return fmt.Errorf("it asks nothing")
	}
	p := *s.Predict
	p.Ask = w.Predict.Ask
	switch {
	case p.Bar != nil && w.Predict.Bar != nil:
		bar := *p.Bar
		bar.Name, bar.Unit, bar.Answer = w.Predict.Bar.Name, w.Predict.Bar.Unit, names[bar.Answer]
		p.Bar = &bar
	case p.Dial != nil && w.Predict.Dial != nil:
		dial := *p.Dial
		dial.Name, dial.Unit, dial.Level = w.Predict.Dial.Name, w.Predict.Dial.Unit, w.Predict.Dial.Level
		dial.Answer = names[dial.Answer]
		p.Dial = &dial
	case p.Curve != nil && w.Predict.Curve != nil:
		curve := *p.Curve
		curve.Y, curve.Answer = w.Predict.Curve.Y, names[curve.Answer]
		p.Curve = &curve
	case len(p.Choose) > 0 && len(p.Choose) == len(w.Predict.Choose):
		p.Choose = slices.Clone(p.Choose)
		for i := range p.Choose {
			p.Choose[i].Say, p.Choose[i].Why = w.Predict.Choose[i].Say, w.Predict.Choose[i].Why
		}
	default:
		return fmt.Errorf("it is answered in another way")
	}
	s.Predict = &p
	return nil
}

package chart

import "impalab/web/number"

// Pays shows the payoffs of two buttons and their share after a correction: LASER's Proposition 2 as bars.
type Pays struct {
	Rows  []PaysRow
	Top   float64
	Fresh bool // whether fresh data are mixed in
}

// PaysRow is one button.
type PaysRow struct {
	Name                      string
	True, Seen, Mixed, Weight float64 // Seen is True·Weight
}

// DrawPays draws the chart on w by h pixels. The payoff of a button is a hollow bar.
func DrawPays(p *Pays, w, h float64) string {
	var s svg
	const names, figures, foot = 76.0, 96.0, 24.0
	x := scale{0, p.Top, names, w - figures}
	each := (h - foot) / float64(len(p.Rows))
	marks, labels := Ticks(0, p.Top, 5)
	for i, label := range labels {
		s.line("axis", x.at(marks[i]), 0, x.at(marks[i]), h-foot)
		s.text("label", middle, x.at(marks[i]), h-6, label)
	}
	for i, r := range p.Rows {
		top := float64(i)*each + 8
		bars := []struct {
			class, words string
			v            float64
		}{{"loss", "pays ", r.True}, {"bar corrected", "seen ", r.Seen}}
		if p.Fresh {
			bars = append(bars, struct {
				class, words string
				v            float64
			}{"bar age", "mixed ", r.Mixed})
		}
		high := min(30, (each-16)/float64(len(bars)))
		s.text("label ink", start, 0, top+high/2+5, r.Name)
		s.text("label corrected", start, 0, top+high*1.5+5, "ω "+number.Fixed(r.Weight, 2))
		for k, b := range bars {
			at := top + float64(k)*high
			s.rect(b.class, x.from, at+3, max(1, x.at(b.v)-x.from), high-6)
			s.text("label ink", start, x.at(b.v)+6, at+high/2+5, b.words+number.Fixed(b.v, 2))
		}
	}
	return s.String()
}

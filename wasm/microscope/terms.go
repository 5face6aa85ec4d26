package microscope

import (
	"strconv"
	"strings"

	"impalab/web/number"
)

// The recursion of v_s, unfolded into the part that each step adds (IMPALA eq. 1).

// Term is the part that step At adds to v of the selected step: γ^k·Πc·ρ·δ.
type Term struct {
	At       int
	Discount float64 // γ^k, k steps after the selected one
	Reach    float64 // Πc from the selected step to the one before At, masks included
	Rho      float64
	Delta    float64
	Adds     float64
}

// Terms unfolds v_s − V(x_s) for step s: one term a step, to the end of the data or of the episode, or until a trust
// region stops the trace. The sum of their Adds is v_s − V(x_s).
func (q *Numbers) Terms(s int) (terms []Term) {
	discount, reach := 1.0, 1.0
	for t := s; t < q.In.T; t++ {
		if !q.Inside(t) {
			break
		}
		one := Term{At: t, Discount: discount, Reach: reach, Rho: q.Targets.Rho[t], Delta: q.Delta[t]}
		one.Adds = discount * reach * one.Rho * one.Delta
		terms = append(terms, one)
		if q.In.Discount[t] == 0 {
			break // nothing crosses an end
		}
		discount *= q.In.Discount[t]
		reach *= q.Targets.C[t]
	}
	return terms
}

// Table returns the terms as HTML: the value, and the part that each step adds to it.
func (s *Scope) Table() string {
	var b strings.Builder
	b.WriteString(`<table><thead><tr><th scope="col">step</th><th scope="col">γᵏ</th><th scope="col">Πc</th>` +
		`<th scope="col">ρ</th><th scope="col">δ</th><th scope="col">adds</th></tr></thead><tbody><tr><td>V</td><td></td>` +
		`<td></td><td></td><td></td><td>` + Exactly(s.Unroll.Steps[s.Step].Value) + `</td></tr>`)
	for _, one := range s.Now.Terms(s.Step) {
		b.WriteString("<tr><td>" + strconv.Itoa(one.At))
		for _, v := range [...]float64{one.Discount, one.Reach, one.Rho, one.Delta} {
			b.WriteString("</td><td>" + data(v, number.Figures(v)))
		}
		b.WriteString("</td><td>" + Exactly(one.Adds) + "</td></tr>")
	}
	b.WriteString("</tbody></table>")
	return b.String()
}

// Exactly writes a number with three decimals, and all of its figures for programs.
func Exactly(v float64) string { return data(v, number.Fixed(v, 3)) }

func data(v float64, words string) string {
	return `<data value="` + strconv.FormatFloat(v, 'g', -1, 64) + `">` + words + `</data>`
}

package microscope

import (
	"strconv"
	"strings"

	"impalab/web/number"
)

// How v_s was made: the recursion unfolded into what each step adds (IMPALA eq. 1).

// Term is what step At adds to v of the chosen step: γ^k·Πc·ρ·δ.
type Term struct {
	At       int
	Discount float64 // γ^k, k steps after the chosen one
	Reach    float64 // Πc from the chosen step to the one before At, masks included
	Rho      float64
	Delta    float64
	Adds     float64
}

// Terms unfolds v_s − V(x_s) for step s: one term a step, to the end of the data or of the episode, or to where a trust
// region stops the trace. Their Adds sum to it.
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
			break // an end is a wall
		}
		discount *= q.In.Discount[t]
		reach *= q.Targets.C[t]
	}
	return terms
}

// Table is the list of terms as the body of a page has it: the value, what each step adds to it, and what they come to.
func (s *Scope) Table() string {
	var b strings.Builder
	b.WriteString(`<table><thead><tr><th scope="col">step</th><th scope="col">γᵏ</th><th scope="col">Πc</th>` +
		`<th scope="col">ρ</th><th scope="col">δ</th><th scope="col">adds</th></tr></thead><tbody><tr><td>V</td><td></td>` +
		`<td></td><td></td><td></td><td>` + Exactly(s.Unroll.Steps[s.Step].Value) + `</td></tr>`)
	for _, one := range s.now.Terms(s.Step) {
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

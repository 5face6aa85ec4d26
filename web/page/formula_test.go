package page

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"impalab/learner/hyper"
)

func TestTypeset(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"x_t", "x<sub>t</sub>"},
		{"a_t|x", "a<sub>t</sub>|x"},
		{"γ^{s−t}", "γ<sup>s−t</sup>"},
		{"V^{π_{ρ̄,α}}", `V<sup><span class="pi">π</span><sub><span class="corrected">ρ̄</span>,<span class="corrected">α</span></sub></sup>`},
		{"min(c̄, 0.5)", `<span class="upright">min</span>(<span class="corrected">c̄</span>, <span class="upright">0.5</span>)`},
		{"π/μ", `<span class="pi">π</span>/<span class="mu">μ</span>`},
		{"a < b & c", `a &lt; b &amp; <span class="corrected">c</span>`},
		{"x_", "x_"},
		{"x_{t", "x<sub>t</sub>"},
	} {
		if got := typeset(c.in); got != c.want {
			t.Errorf("typeset(%q)\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestProseSetsOnlySymbols(t *testing.T) {
	want := `V at <i class="symbol">V<sup><span class="pi">π</span></sup>,</i> 1 &lt; 2`
	if got := prose("V at V^π, 1 < 2"); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// Typesetting moves and colours letters; it loses none.
func FuzzTypesetKeepsEveryLetter(f *testing.F) {
	for i := range hyper.Table {
		f.Add(hyper.Table[i].Formula)
	}
	f.Add("_{}^{^")
	f.Add("a_{b}c}")
	f.Fuzz(func(t *testing.T, formula string) {
		if strings.ContainsAny(formula, "\x00\r") || strings.ToValidUTF8(formula, "") != formula {
			return // HTML itself does not keep these
		}
		root, err := html.Parse(strings.NewReader("<p>" + typeset(formula) + "</p>"))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for n := range root.Descendants() {
			if n.Type == html.TextNode {
				b.WriteString(n.Data)
			}
		}
		marks := strings.NewReplacer("_", "", "^", "", "{", "", "}", "")
		if got, want := marks.Replace(b.String()), marks.Replace(formula); got != want {
			t.Errorf("%q became %q", want, got)
		}
	})
}

package palette

import (
	"flag"
	"fmt"
	"image/color"
	"math"
	"os"
	"strings"
	"testing"

	"impalab/envs"
)

var write = flag.Bool("write", false, "write static/palette.css from the table")

const sheet = "../../static/palette.css"

// css returns the style sheet static/palette.css, with a custom property for each role. Browsers without light-dark()
// (Safari before 17.5, Firefox before 120, Chrome before 123) show the light colours.
func css() string {
	var b strings.Builder
	b.WriteString("/* Written from web/palette by go test ./web/palette -write: edit the table there. */\n")
	b.WriteString(":root {\n")
	for _, e := range table {
		fmt.Fprintf(&b, "\t--%s: #%06X;\n", e.name, e.light)
	}
	b.WriteString("}\n@supports (color: light-dark(red, red)) {\n")
	b.WriteString("\t:root { color-scheme: light dark }\n")
	b.WriteString("\t:root[data-theme=light] { color-scheme: light }\n")
	b.WriteString("\t:root[data-theme=dark] { color-scheme: dark }\n")
	b.WriteString("\t:root {\n")
	for _, e := range table {
		fmt.Fprintf(&b, "\t\t--%s: light-dark(#%06X, #%06X);\n", e.name, e.light, e.dark)
	}
	b.WriteString("\t}\n}\n")
	return b.String()
}

func TestStyleSheetIsTheTable(t *testing.T) {
	if *write {
		if err := os.WriteFile(sheet, []byte(css()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(sheet)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != css() {
		t.Errorf("%s disagrees with the table; write it with: go test ./web/palette -write", sheet)
	}
}

func TestRolesBeginAsInks(t *testing.T) {
	pairs := map[envs.Ink]Role{
		envs.Ground: Ground, envs.Wall: Wall, envs.Faint: Faint, envs.Strong: Strong,
		envs.Agent: Agent, envs.Harm: Harm, envs.Prize: Prize, envs.Past: Past,
	}
	for ink, role := range pairs {
		if Role(ink) != role {
			t.Errorf("ink %d is role %d, want %d", ink, Role(ink), role)
		}
	}
}

// WCAG 2.2: words need 4.5 (1.4.3), outlines of controls and shapes that carry meaning 3 (1.4.11).
func TestContrast(t *testing.T) {
	least := map[Role]float64{
		Strong: 4.5, Quiet: 4.5, Target: 4.5, Cut: 4.5, Corrected: 4.5, BehaviourText: 4.5, Old: 4.5, Meta: 4.5,
		Behaviour: 3, Edge: 3,
	}
	for _, dark := range []bool{false, true} {
		for role, want := range least {
			got := contrast(Of(role, dark), Of(Ground, dark))
			t.Logf("%-9s dark=%-5v %5.2f", table[role].name, dark, got)
			if got < want {
				t.Errorf("%s on ground, dark=%v: contrast %.2f, want %.1f", table[role].name, dark, got, want)
			}
		}
	}
}

// Ink is written on the lake, and every colour of words on the stage of an agent that lies.
func TestWordsAreReadOnTheLakeAndOnASoreStage(t *testing.T) {
	for _, dark := range []bool{false, true} {
		if got := contrast(Of(Strong, dark), Of(Worth, dark)); got < 4.5 {
			t.Errorf("ink on the lake, dark=%v: %.2f", dark, got)
		}
		for _, role := range []Role{Strong, Quiet, Target, Cut, Corrected, BehaviourText, Old, Meta} {
			if got := contrast(Of(role, dark), Of(Sore, dark)); got < 4.5 {
				t.Errorf("%s on a sore stage, dark=%v: %.2f", table[role].name, dark, got)
			}
		}
	}
}

func TestEveryRoleHasANameOfItsOwn(t *testing.T) {
	seen := map[string]bool{}
	for role, e := range table {
		if e.name == "" || seen[e.name] {
			t.Errorf("role %d: name %q is empty or taken", role, e.name)
		}
		seen[e.name] = true
	}
}

// contrast is WCAG 2.2's ratio of relative luminances, 1 to 21.
func contrast(a, b color.RGBA) float64 {
	hi, lo := luminance(a), luminance(b)
	if hi < lo {
		hi, lo = lo, hi
	}
	return (hi + 0.05) / (lo + 0.05)
}

func luminance(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

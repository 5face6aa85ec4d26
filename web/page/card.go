package page

import (
	"fmt"
	"strings"

	"impalab/learner/hyper"
	"impalab/web/number"
)

// drawn draws the picture of a preset's card, of a height: its phenomenon if that is measured, and else its world.
func drawn(p hyper.Preset, tall float64) (string, error) {
	world, err := worldPicture(p.Config().World, p.Name, pictureWide, pictureHigh)
	if err != nil {
		return "", err
	}
	if p.Name == "destination" {
		return drawRuler()
	}
	of := phenomenonOf(p.Name)
	if of == nil {
		return world, nil
	}
	curves, err := of.drawCurves(tall)
	if err != nil || len(of.lines) > 1 {
		return curves, err
	}
	return `<g transform="translate(1 22) scale(.46)">` + world + `</g>` + curves, nil
}

// promised returns the steps within which a card's learner falls, in words; "": it does not.
func promised(preset string) string {
	if of := phenomenonOf(preset); of != nil {
		if n := of.fallsAfter(); n > 0 {
			return number.Count(n)
		}
	}
	return ""
}

// drawRuler draws where the values end in four rooms, for ρ̄ = 1, from the exact solutions.
func drawRuler() (string, error) {
	l, err := leads()
	if err != nil {
		return "", err
	}
	x := func(v float64) float64 { return 8 + 144*v/.6 }
	mu, to, pi := l.marks[0].V, l.marks[3].V, l.marks[len(l.marks)-1].V
	var s strings.Builder
	fmt.Fprintf(&s, `<rect class="trough" x="8" y="50" width="144" height="9"/>`+
		`<rect class="lake" x="%.1f" y="50" width="%.1f" height="9"/>`, x(mu), x(pi)-x(mu))
	for _, f := range []struct {
		v              float64
		tone, up, word string
	}{{mu, "mu", "μ", "acted"}, {to, "corrected", "ρ̄ 1", "it ends"}, {pi, "pi", "π", "asked"}} {
		fmt.Fprintf(&s, `<line class="flag %s" x1="%.1f" y1="36" x2="%.1f" y2="59"/>`, f.tone, x(f.v), x(f.v))
		fmt.Fprintf(&s, `<text class="%s" text-anchor="middle" x="%.1f" y="20">%s</text>`, f.tone, x(f.v), f.word)
		fmt.Fprintf(&s, `<text class="%s" text-anchor="middle" x="%.1f" y="31">%s</text>`, f.tone, x(f.v),
			strings.Replace(fmt.Sprintf("%.3f", f.v), "0.", ".", 1))
		fmt.Fprintf(&s, `<text class="%s" text-anchor="middle" x="%.1f" y="71">%s</text>`, f.tone, x(f.v), f.up)
	}
	return s.String(), nil
}

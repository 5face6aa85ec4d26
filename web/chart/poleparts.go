package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// poleTrail is the number of poses behind a stick.
const poleTrail = 8

// PoleParts returns a stick on a cart whose pose a script sets, as SVG elements for a stage of any size: pole.css gives
// their layout. fall are the leans of a falling stick from upright to the floor, in radians; every second one is drawn.
// The script (static/stick.js) sets the cart's position, turns the rods, and shows the images of the fall one by one.
func PoleParts(fall []float32) string {
	const long, hinge = 92, -17 // in units of the cart's parts, from the floor
	s := &svg{}
	rod := func(class string, lean, width, opacity float64) {
		fmt.Fprintf(s, `<line class="%s" y2="%d" stroke-width="%g" opacity="%.2f" transform="rotate(%.2f)"/>`,
			class, -long, width, opacity, lean*180/math.Pi)
	}
	box := fmt.Sprintf(`viewBox="%.2f %.2f %.2f %.2f" preserveAspectRatio="xMidYMax meet" aria-hidden="true"`,
		-long/.52/2, -1.2*long, long/.52, 1.2*long) // as in LayPole
	upright := fmt.Sprintf(`<g transform="translate(0 %d)">`, hinge)
	s.WriteString(`<svg class="earth" aria-hidden="true"><rect class="ground" width="100%" height="100%"/>` +
		`<line class="rail" x2="100%"/></svg>`)
	for i := range poleTrail {
		share := float64(i+1) / poleTrail
		s.WriteString(`<svg class="pose trail" ` + box + `>` + upright)
		rod("rod", 0, 6.5, .05+.2*share*share)
		s.WriteString("</g></svg>")
	}
	degrees := make([]string, len(fall))
	for i, lean := range fall {
		degrees[i] = strconv.FormatFloat(float64(lean)*180/math.Pi, 'f', 1, 64)
	}
	s.WriteString(`<svg class="pose" data-fall="` + strings.Join(degrees, " ") + `" ` + box + `>`)
	s.WriteString(`<g class="mirrored">` + upright)
	for i := 0; i < len(fall)-1; i += 2 {
		share := float64(i) / float64(len(fall))
		rod("rod lies image", float64(fall[i]), 5.5, .06+.3*share*share)
	}
	s.WriteString("</g></g>")
	s.rect("cart", -24, -21, 48, 16)
	for _, wheel := range [...]float64{-12, 12} {
		s.circle("wheel", wheel, -4.5, 5)
	}
	s.WriteString(upright)
	rod("rod now", 0, 7.5, 1)
	s.WriteString(`</g><g class="mirrored">`)
	sin, cos := math.Sincos(lying)
	for _, to := range [...]XY{{8, -11}, {14, -4}, {-2, -14}} {
		s.line("stroke lies", long*sin+.6*to.X, hinge-long*cos+.6*to.Y, long*sin+to.X, hinge-long*cos+to.Y)
	}
	s.WriteString("</g>")
	s.circle("hinge", 0, hinge, 2.6)
	s.WriteString("</svg>")
	return s.String()
}

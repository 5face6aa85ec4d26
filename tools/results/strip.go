package main

import (
	"bytes"
	"fmt"
	"math"

	"impalab/envs"
	"impalab/envs/bodies"
	"impalab/server/atomicfile"
	"impalab/server/picture"
	"impalab/web/palette"
	"impalab/web/watch"
)

// A strip shows eight poses of an agent's body side by side, each with the ground around it. A tick is a metre.
const (
	poses     = 8
	apart     = .1 // seconds between two poses
	warm      = 4  // seconds of the episode before the first
	scale     = 60 // pixels for a metre
	panelWide = 2.1
	panelHigh = 2.2
	below     = .3 // of the ground, in metres
)

// saveStrip plays an episode with a snapshot's policy and writes eight of its poses into an SVG file.
func saveStrip(snapshot, file string) error {
	l, err := resume(snapshot)
	if err != nil {
		return err
	}
	defer l.Close()
	var by watch.Policies
	by.CopyFrom(l, 1)
	var kept []bodies.Pose
	step := 0
	_, _, err = picture.Ending(l.Config(), l.Machine().Spec, &by.Policies, func(w envs.World) {
		body, rate := bodies.Of(w), float64(w.Spec().Rate)
		first, every := int(warm*rate), max(1, int(math.Round(apart*rate)))
		if body != nil && step >= first && (step-first)%every == 0 && len(kept) < poses {
			kept = append(kept, bodies.Pose{})
			body.Pose(&kept[len(kept)-1])
		}
		step++
	}, func() error { return nil })
	if err != nil {
		return err
	}
	if len(kept) < poses {
		return fmt.Errorf("%s: the episode in %s has %d poses, and a strip needs %d", snapshot, l.Config().World,
			len(kept), poses)
	}
	return atomicfile.WriteFile(file, strip(kept), 0o644)
}

// strip draws poses on level ground.
func strip(kept []bodies.Pose) []byte {
	ink := func(role palette.Role) string {
		c := palette.Of(role, false)
		return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
	}
	var b bytes.Buffer
	line := func(x0, z0, x1, z1, wide float64, colour string) {
		fmt.Fprintf(&b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke-width="%.1f" stroke="%s"/>`+"\n",
			scale*x0, scale*(panelHigh-below-z0), scale*x1, scale*(panelHigh-below-z1), scale*wide, colour)
	}
	width, height := scale*panelWide*float64(len(kept)), scale*panelHigh
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" stroke-linecap="round">`+"\n"+
		`<rect width="100%%" height="100%%" fill="%s"/>`+"\n", width, height, ink(palette.Ground))
	for i := range kept {
		p := &kept[i]
		left := panelWide * float64(i)
		shift := left + panelWide/2 - float64(p.X)
		line(left, 0, left+panelWide, 0, 1./scale, ink(palette.Quiet))
		for metre := math.Ceil(left - shift); metre < left+panelWide-shift; metre++ {
			line(metre+shift, 0, metre+shift, -.1, 1./scale, ink(palette.Quiet))
		}
		for _, far := range []bool{true, false} { // the far side is behind
			colour := ink(palette.Strong)
			if far {
				colour = ink(palette.Quiet)
			}
			for _, l := range p.Limbs {
				if l.Far == far {
					line(float64(l.X0)+shift, float64(l.Z0), float64(l.X1)+shift, float64(l.Z1), 2*float64(l.Radius), colour)
				}
			}
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

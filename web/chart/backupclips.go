package chart

import (
	"math"
	"strconv"
)

// chances draws probabilities as bars from 0 to 1, and densities as numbers.
func (d *backupDrawing) chances() {
	from, to := d.p.Y(BackupChance)
	mid, room := (from+to)/2, d.p.Each-14
	for i, s := range d.b.Steps {
		for _, one := range [...]struct {
			class string
			v, y  float64
		}{{"pi", s.Pi, mid - 12}, {"mu", s.Mu, mid + 2}} {
			if d.b.Densities {
				d.text("label "+one.class, middle, d.p.X(i), one.y+11, d.fit(one.v, ""))
				continue
			}
			d.rect("trough", d.p.X(i)-room/2, one.y, room, 10)
			d.rect("bar "+one.class, d.p.X(i)-room/2, one.y, room*min(1, one.v), 10)
		}
	}
}

// clips draws the ratios, the part of them below ρ̄, and both clips as lines with handles.
func (d *backupDrawing) clips() {
	y := d.p.ratios()
	for _, v := range [...]float64{0, 1, 2, 4} {
		if v < y.hi {
			d.line("axis", d.p.Names, y.at(v), d.right, y.at(v))
			if hand := d.b.ByC && math.Abs(y.at(v)-y.inside(d.b.CBar)) < 20; !d.p.Narrow && !hand {
				d.text("label", end, d.p.Names-6, y.at(v)+4, strconv.Itoa(int(v)))
			}
		}
	}
	for i, s := range d.b.Steps {
		x := d.p.X(i)
		kept := y.inside(s.Kept)
		d.rect("bar corrected", x-7, kept, 14, y.from-kept)
		if top := y.inside(s.Ratio); d.cut(&s, y) {
			d.rect("lost cut", x-6, top, 12, kept-top)
		}
	}
	if d.b.ByC {
		at := y.inside(d.b.CBar)
		d.line("line truth", d.p.Names, at, d.right, at)
		d.handle("c", d.p.Names-30, at, "c̄")
	}
	if d.b.ByRho {
		at := y.inside(d.b.RhoBar)
		d.line("line corrected", d.p.Names, at, d.right+4, at)
		d.handle("rho", d.right+4, at, "ρ̄")
	}
	from, _ := d.p.Y(BackupRatio)
	for i, s := range d.b.Steps {
		class := "label ink"
		if d.cut(&s, y) {
			class = "label cut"
		}
		d.text(class, middle, d.p.X(i), from+13, d.fit(s.Ratio, ""))
	}
	d.cells(BackupRho, "label corrected", func(s *BackupStep) float64 { return s.Rho })
	d.cells(BackupC, "label corrected", func(s *BackupStep) float64 { return s.C })
}

// cut reports whether the truncated part of a ratio is large enough to see.
func (d *backupDrawing) cut(s *BackupStep, y scale) bool {
	return s.Lost && y.inside(s.Ratio) < y.inside(s.Kept)-0.5
}

// handle draws the handle of a clip.
func (d *backupDrawing) handle(name string, x, y float64, symbol string) {
	d.WriteString(`<g data-handle="` + name + `">`)
	d.rect("grip", x, y-13, 30, 26)
	d.text("symbol", middle, x+15, y+6, symbol)
	d.WriteString("</g>")
}

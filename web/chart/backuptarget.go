package chart

import "math"

// reach draws the ribbon, whose thickness is the product of the c's.
func (d *backupDrawing) reach() {
	from, to := d.p.Y(BackupReach)
	mid, most := (from+to)/2, 1.0
	d.line("axis", d.p.Names, mid, d.right, mid)
	for _, s := range d.b.Steps {
		if !math.IsNaN(s.Reach) {
			most = max(most, s.Reach)
		}
	}
	half := (to - from) / 2 / most
	for i, s := range d.b.Steps {
		if math.IsNaN(s.Reach) {
			continue
		}
		thick := s.Reach * half
		d.rect("bar corrected", d.p.X(i)-d.p.Each/2, mid-thick, d.p.Each, 2*thick)
		text := d.fit(s.Reach, "")
		if thick > 9 {
			d.text("label paper", middle, d.p.X(i), mid+5, text)
		} else {
			d.text("label corrected", middle, d.p.X(i), mid-thick-4, text)
		}
	}
}

// walls draws the ends of episodes. Nothing reaches back across them.
func (d *backupDrawing) walls() {
	from, _ := d.p.Y(BackupReach)
	_, to := d.p.Y(BackupValue)
	for i, s := range d.b.Steps {
		if s.Ends {
			x := d.p.X(i) + d.p.Each/2
			d.rect("wall", x-2, from, 4, to-from)
		}
	}
}

func (d *backupDrawing) deltas() {
	from, to := d.p.Y(BackupDelta)
	mid, most := (from+to)/2, 0.0
	for _, s := range d.b.Steps {
		most = max(most, math.Abs(s.Delta))
	}
	d.line("tick", d.p.Names, mid, d.right, mid)
	if most == 0 {
		most = 1
	}
	unit := max(4, (to-from)/2-15) / most
	for i, s := range d.b.Steps {
		x, high := d.p.X(i), math.Abs(s.Delta)*unit
		if s.Delta > 0 {
			d.rect("gain", x-10, mid-high, 20, high)
			d.text("label ink halo", middle, x, mid-high-3, d.fit(s.Delta, "+"))
			continue
		}
		d.rect("loss", x-10, mid, 20, high)
		d.text("label ink halo", middle, x, mid+high+12, d.fit(s.Delta, ""))
	}
}

func (d *backupDrawing) values() {
	from, to := d.p.Y(BackupValue)
	lo, hi := math.Inf(1), math.Inf(-1)
	see := func(v float64) {
		if !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	for _, s := range d.b.Steps {
		see(s.Value)
		see(s.Target)
		if d.b.Before {
			see(s.Was)
		}
	}
	see(d.b.After)
	lo, hi = padRange(lo, hi)
	y := scale{lo, hi, to - 12, from + 14}
	path := func(class string, of func(*BackupStep) float64) {
		var s pen
		for i := range d.b.Steps {
			if v := of(&d.b.Steps[i]); !math.IsNaN(v) {
				s.to(d.p.X(i), y.at(v))
			}
			s.down = !d.b.Steps[i].Ends
		}
		d.path(class, s.String())
	}
	if d.b.Before {
		path("line ghost", func(s *BackupStep) float64 { return s.Was })
	}
	path("line corrected", func(s *BackupStep) float64 { return s.Target })
	for i, s := range d.b.Steps {
		x, v, target := d.p.X(i), y.at(s.Value), y.at(s.Target)
		d.line("line corrected", x, v, x, target)
		d.circle("hollow", x, v, 4.5)
		size := 5.0
		if d.b.From+i == d.b.Chosen {
			size = 7.5
		}
		d.circle("solid corrected", x, target, size)
		at := target - 9 // away from V
		if s.Target < s.Value {
			at = target + 18
		}
		d.text("label corrected halo", middle, x, at, d.apart(s.Target, hi-lo))
	}
	if v := d.b.After; !math.IsNaN(v) {
		x := d.right + 10
		d.circle("hollow", x, y.at(v), 4.5)
		d.text("label halo", start, x+7, y.at(v)+4, d.apart(v, hi-lo))
	}
}

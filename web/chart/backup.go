package chart

import (
	"math"
	"strconv"

	"impalab/web/number"
)

// The backup diagram shows one unroll from left to right and, from top to bottom, the numbers that a correction
// computes at each step. Its narrowing ribbon is the project's logo.

// Rows of the backup diagram, from top to bottom.
const (
	BackupChance = iota
	BackupRatio
	BackupRho
	BackupC
	BackupReach
	BackupDelta
	BackupValue
	BackupAdvantage
	BackupRows
)

// BackupStep is one step of the diagram.
type BackupStep struct {
	Act                       string
	Pi, Mu                    float64 // probabilities, or densities
	Ratio, Rho, C             float64
	Reach                     float64 // Πc from the chosen step to this one; NaN if nothing of it arrives
	Delta, Value, Target, Was float64 // Was: the target under the run's own settings
	Advantage                 float64
	Ends, Outside             bool // the episode ends with this step; the trust region excludes it
}

// Backup is the data of the diagram.
type Backup struct {
	Steps        []BackupStep // visible steps
	From         int          // number of the first visible step
	Chosen       int          // number of the step whose target is explained
	Asked, Row   int          // the cell that is explained
	RhoBar, CBar float64
	ByRho, ByC   bool    // whether the correction truncates there
	Densities    bool    // π and μ are densities, not probabilities
	After        float64 // V of the state after the last step; NaN if that state is not visible
	Before       bool    // draw Was
	RatioTop     float64 // of the ratios' scale
}

// BackupPlan is the layout of a diagram, for drawing and for the pointer.
type BackupPlan struct {
	Names, Each float64 // left end of the steps, and the width of a step
	Narrow      bool    // the names stand above their rows
	Steps       int
	rows        [BackupRows][2]float64 // top and bottom of each
	top         float64                // of the ratios' scale
}

const (
	backupHandle = 56  // room on the right for ρ̄'s handle
	backupNarrow = 600 // below this width the names stand above their rows
	backupStep   = 54  // the smallest width of a step
	backupGrip   = 34  // room on the left for c̄'s handle if the names stand above
	backupActs   = 30  // height of the actions, above the rows
	backupFoot   = 20  // height of the numbers of the steps, below the rows
)

// BackupSight returns the number of steps that a diagram of width w can show.
func BackupSight(w float64) int {
	names, _ := backupNames(w)
	return max(2, int((w-names-backupHandle)/backupStep))
}

func backupNames(w float64) (width, above float64) {
	if w < backupNarrow {
		return backupGrip, 16
	}
	return 142, 0
}

// PlanBackup lays out n steps on w by h pixels. The ratios' scale ends at top.
func PlanBackup(n int, top, w, h float64) *BackupPlan {
	names, above := backupNames(w)
	p := &BackupPlan{Names: names, Narrow: w < backupNarrow, Steps: n, top: top}
	p.Each = (w - names - backupHandle) / (float64(n) + 0.1)
	p.Each = min(p.Each, 110)
	rest := h - backupActs - backupFoot
	for _, row := range backupRows {
		rest -= above + row.high
	}
	y := float64(backupActs)
	for i, row := range backupRows {
		y += above
		p.rows[i] = [2]float64{y, y + row.high + row.share*max(0, rest)}
		y = p.rows[i][1]
	}
	return p
}

// X returns the middle of the i-th visible step, and Y the top and bottom of a row.
func (p *BackupPlan) X(i int) float64              { return p.Names + p.Each*(float64(i)+0.5) }
func (p *BackupPlan) Y(row int) (from, to float64) { return p.rows[row][0], p.rows[row][1] }

// foot returns the bottom of the rows.
func (p *BackupPlan) foot() float64 { return p.rows[BackupRows-1][1] }

// At returns the cell at a place. ok is false if there is none.
func (p *BackupPlan) At(x, y float64) (step, row int, ok bool) {
	step = int(math.Floor((x - p.Names) / p.Each))
	if step < 0 || step >= p.Steps {
		return 0, 0, false
	}
	for row = range BackupRows {
		if y < p.rows[row][1] {
			return step, row, true
		}
	}
	return step, BackupAdvantage, true
}

// ratios returns the scale of the ratios. Their figures stand above it, where no line of a clip crosses them.
func (p *BackupPlan) ratios() scale {
	from, to := p.Y(BackupRatio)
	return scale{0, p.top, to - 2, from + 20}
}

// RatioAt returns the ratio at a height, for dragging a clip.
func (p *BackupPlan) RatioAt(y float64) float64 {
	s := p.ratios()
	return s.share(y) * s.hi
}

// RatioTop returns the top of a scale for ratios up to largest.
func RatioTop(largest float64) float64 { return min(max(2, 1.2*largest), 8) }

// DrawBackup draws the diagram on w by h pixels.
func DrawBackup(b *Backup, w, h float64) string {
	p := PlanBackup(len(b.Steps), b.RatioTop, w, h)
	d := backupDrawing{b: b, p: p, w: w, right: p.Names + p.Each*float64(p.Steps)}
	if i := b.Chosen - b.From; i >= 0 && i < p.Steps {
		d.rect("chosen", p.X(i)-p.Each/2, 0, p.Each, h)
	}
	d.names()
	d.acts()
	d.chances()
	d.clips()
	d.reach()
	d.deltas()
	d.values()
	d.walls()
	d.cells(BackupAdvantage, "label ink", func(s *BackupStep) float64 { return s.Advantage })
	for i := range b.Steps {
		class, word := "label", strconv.Itoa(b.From+i)
		if b.From+i == b.Chosen {
			class = "label ink strong"
		}
		if i == 0 && !p.Narrow {
			word = "step " + word
		}
		d.text(class, middle, p.X(i), p.foot()+backupFoot-4, word)
	}
	if i := b.Asked - b.From; i >= 0 && i < p.Steps {
		from, to := p.Y(b.Row)
		d.rect("asked", p.X(i)-p.Each/2+1, from, p.Each-2, to-from)
	}
	return d.String()
}

type backupDrawing struct {
	svg
	b     *Backup
	p     *BackupPlan
	w     float64
	right float64 // right end of the steps
}

// backupRows are the rows from top to bottom: a word, an explanation, the least height, and a share of the other room.
var backupRows = [BackupRows]struct {
	word, explanation string
	high, share       float64
	corrected         bool // in the colour of the correction
}{
	BackupChance:    {"chance of the act", "π now, μ then", 40, 0, false},
	BackupRatio:     {"ratio π/μ", "dashed: cut off", 0, 0.33, false},
	BackupRho:       {"", "ρ, in the target", 22, 0, true},
	BackupC:         {"", "c, in the trace", 22, 0, true},
	BackupReach:     {"what reaches back", "the product Πc", 0, 0.15, true},
	BackupDelta:     {"surprise δ", "r + γV′ − V", 0, 0.19, false},
	BackupValue:     {"value", "○ V   ● target v", 0, 0.33, true},
	BackupAdvantage: {"", "A, the advantage", 22, 0, false},
}

func (d *backupDrawing) names() {
	for i, row := range backupRows {
		from, to := d.p.Y(i)
		class := "label"
		if row.corrected {
			class = "label corrected"
		}
		y := (from+to)/2 + 4
		switch {
		case d.p.Narrow && row.word != "":
			d.text(class, start, 0, from-3, row.word+" · "+row.explanation)
		case d.p.Narrow:
			d.text(class, start, 0, from-3, row.explanation)
		case row.word != "":
			d.text("label ink", start, 0, y-9, row.word)
			d.text(class, start, 0, y+9, row.explanation)
		default:
			d.text(class, start, 0, y, row.explanation)
		}
	}
}

func (d *backupDrawing) acts() {
	y := float64(backupActs - 8)
	for i, s := range d.b.Steps {
		x := d.p.X(i)
		d.line("axis", x-d.p.Each/2+2, y+4, x+d.p.Each/2-2, y+4)
		word := s.Act
		for wide(word) > d.p.Each-4 && len(word) > 1 {
			runes := []rune(word)
			word = string(runes[:len(runes)-1])
		}
		d.text("label ink", middle, x, y, word)
		if s.Ends {
			d.line("tick", x+d.p.Each/2, y-12, x+d.p.Each/2, d.p.foot())
		}
	}
}

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
		kept := y.inside(min(s.Rho, s.Ratio))
		if !d.b.ByRho {
			kept = y.inside(s.Rho)
		}
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
	return d.b.ByRho && y.inside(s.Ratio) < y.inside(min(s.Rho, s.Ratio))-0.5
}

// handle draws the handle of a clip.
func (d *backupDrawing) handle(name string, x, y float64, symbol string) {
	d.WriteString(`<g data-handle="` + name + `">`)
	d.rect("grip", x, y-13, 30, 26)
	d.text("symbol", middle, x+15, y+6, symbol)
	d.WriteString("</g>")
}

// fit writes a number with three figures, or with fewer if the step is narrow.
func (d *backupDrawing) fit(v float64, sign string) string {
	text := sign + number.Figures(v)
	for decimals := 3; 1.2*wide(text) > d.p.Each-4 && decimals >= 0; decimals-- { // some fonts are wider
		text = sign + number.Fixed(v, decimals)
	}
	return text
}

// apart writes a number with enough figures to tell it from others in a range, if the step is wide enough.
func (d *backupDrawing) apart(v, within float64) string {
	text := d.fit(v, "")
	decimals := min(3, int(math.Ceil(1-math.Log10(within)))) // two figures of the range
	if finer := number.Fixed(v, max(0, decimals)); len(finer) > len(text) && 1.2*wide(finer) <= d.p.Each-4 {
		return finer
	}
	return text
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

// cells draws a row of figures.
func (d *backupDrawing) cells(row int, class string, of func(*BackupStep) float64) {
	_, to := d.p.Y(row)
	for i := range d.b.Steps {
		s, text := &d.b.Steps[i], ""
		if v := of(s); !math.IsNaN(v) {
			text = d.fit(v, "")
		}
		if s.Outside && row != BackupAdvantage {
			text = "out"
		}
		d.text(class, middle, d.p.X(i), to-7, text)
	}
}

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
	lo, hi = room(lo, hi)
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

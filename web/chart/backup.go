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
	BackupWeight
	BackupAdvantage
	BackupRows
)

// BackupStep is one step of the diagram.
type BackupStep struct {
	Act                       string
	Pi, Mu                    float64 // probabilities, or densities
	Ratio, Rho, C             float64
	Kept, Weight              float64 // the height of the ratio's bar; the weight of the policy gradient
	Reach                     float64 // Πc from the chosen step to this one; NaN if nothing of it arrives
	Delta, Value, Target, Was float64 // Was: the target under the run's own settings
	Advantage                 float64
	Ends, Outside             bool // the episode ends with this step; the trust region excludes it
	Lost, Less                bool // a part of the bar, or of the weight, is cut off
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
	d.weights()
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

// cells draws a row of figures.
func (d *backupDrawing) cells(row int, class string, of func(*BackupStep) float64) {
	_, to := d.p.Y(row)
	for i := range d.b.Steps {
		s, text := &d.b.Steps[i], ""
		if v := of(s); !math.IsNaN(v) {
			text = d.fit(v, "")
		}
		if s.Outside && row < BackupWeight {
			text = "out"
		}
		d.text(class, middle, d.p.X(i), to-7, text)
	}
}

// weights draws the weights of the policy gradient, in the colour of a cut where a part of the ratio is cut off.
func (d *backupDrawing) weights() {
	_, to := d.p.Y(BackupWeight)
	for i := range d.b.Steps {
		s, class := &d.b.Steps[i], "label corrected"
		if s.Less {
			class = "label cut"
		}
		text := d.fit(s.Weight, "")
		if s.Outside {
			text = "out"
		}
		d.text(class, middle, d.p.X(i), to-7, text)
	}
}

package chart

import "math"

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
	BackupWeight:    {"", "weight of A·∇log π", 22, 0, true},
	BackupAdvantage: {"", "A, the advantage", 22, 0, false},
}

package collapse

// dipSteps is how long a run is below Stands times its crest, in steps, before this counts as a dip. Shorter drops are
// noise of a mean of a hundred episodes.
const dipSteps = 5000

// Dip is a stretch of a curve below Stands times its crest, longer than dipSteps, in which the run did not fall.
type Dip struct {
	Crest Point // the best mean until then
	Onset Point // the first point below Stands times the crest
	Floor Point // the lowest
	Up    Point // the first point that is not; Episodes is 0 while the run is below
}

// noteDip follows the stretch below Stands times the crest, whose height is crest.
func (w *Watch) noteDip(p Point, crest float64) {
	if w.State == Standing || crest < Risen {
		if w.dips {
			w.Dips[len(w.Dips)-1].Up = p
		}
		w.under, w.dips = Dip{}, false
		return
	}
	if w.under.Onset.Episodes == 0 {
		w.under = Dip{Crest: w.crest, Onset: p, Floor: p}
	}
	if p.Mean < w.under.Floor.Mean {
		w.under.Floor = p
	}
	if w.State == Fallen || p.Step-w.under.Onset.Step <= dipSteps {
		return
	}
	if !w.dips {
		w.Dips, w.dips = append(w.Dips, w.under), true
	}
	w.Dips[len(w.Dips)-1] = w.under
}

// fell takes back the dip that turned out to be a fall.
func (w *Watch) fell() {
	if w.dips {
		w.Dips, w.dips = w.Dips[:len(w.Dips)-1], false
	}
}

package command

// The tracks' baselines as studies, behind those of the papers' figures.

import (
	"os"
	"slices"
	"strings"

	"impalab/learner/trial"
	"impalab/server/board"
)

// studies is all that reproduce trains and RESULTS.md has a section for, in its order.
func studies() (all []*trial.Study) {
	for i := range trial.Studies {
		all = append(all, &trial.Studies[i])
	}
	for _, t := range board.Own().All {
		s := t.Study()
		all = append(all, &s)
	}
	return all
}

// lookupStudy finds one by name; its error names the nearest.
func lookupStudy(name string) (*trial.Study, error) {
	track, of := strings.CutPrefix(name, board.StudyName+"/")
	if !of {
		return trial.LookupStudy(name)
	}
	t, err := board.Own().Find(track)
	if err != nil {
		return nil, err
	}
	s := t.Study()
	return &s, nil
}

// keepRows writes what the baselines of a track came to where the program takes it from. Other studies, and seeds other
// than the track's, leave it as it is; so does a results page that is not among the source.
func (s *section) keepRows(folder string) error {
	track, of := strings.CutPrefix(s.of.Name, board.StudyName+"/")
	if _, err := os.Stat(folder); err != nil || !of || s.seeds != s.of.SeedList() {
		return nil
	}
	t, err := board.Own().Find(track)
	if err != nil {
		return err
	}
	rows := make([]board.Row, len(s.rows))
	for i, r := range s.rows {
		at := slices.IndexFunc(t.Baselines, func(b board.Baseline) bool { return b.Name == r.Variant })
		rows[i] = board.NewRow(t, r.Variant, t.Baselines[at].Entry, t.PublicSeeds(), r.runs)
	}
	return board.WriteRows(folder, t, rows)
}

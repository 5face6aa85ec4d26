package site

import (
	"encoding/json"

	"impalab/learner/trial"
	"impalab/server/board"
)

// rowsOf is the rows of a track for programs, on a server and in an export. The keys never change their meaning.
type rowsOf struct {
	Track  string            `json:"track"`
	Title  string            `json:"title"`
	Preset string            `json:"preset"`
	Fixed  map[string]string `json:"settings"`
	Steps  uint64            `json:"steps"`
	Score  string            `json:"score"`
	Seeds  string            `json:"seeds"`
	Season *board.SeasonInfo `json:"season,omitempty"`
	Rows   []rankedRow       `json:"rows"` // the best first
}

// rankedRow is one row. Before it is trained, all its figures are null or missing.
type rankedRow struct {
	Rank        string     `json:"rank"`
	ID          string     `json:"id"`
	Nickname    string     `json:"nickname,omitempty"`
	Tried       int64      `json:"tried,omitempty"`
	State       string     `json:"state"`
	Provisional bool       `json:"provisional,omitempty"`
	PublicRow   *board.Row `json:"public,omitempty"` // present if the row's figures are from secret seeds
	board.Row
}

// rowsFile returns the rows of a track as one JSON text.
func rowsFile(all *board.Standings) ([]byte, error) {
	t := all.Track
	f := rowsOf{Track: t.Name, Title: t.Title, Preset: t.Preset, Fixed: t.Fixed.Map(), Steps: t.Start.Steps,
		Score: board.MeanOverRun, Seeds: t.Seeds.Public, Rows: []rankedRow{}}
	if all.Season.Number > 0 {
		f.Season = &all.Season
	}
	for i := range all.Rows {
		f.Rows = append(f.Rows, rankedOf(&all.Rows[i]))
	}
	return json.MarshalIndent(f, "", "\t")
}

// rankedOf returns a row for programs.
func rankedOf(s *board.Standing) rankedRow {
	r := rankedRow{Rank: s.RankWords(), ID: s.ID, Nickname: s.Nickname, Tried: s.Tried, State: string(s.State),
		Provisional: s.Provisional}
	if row := s.Counts; row != nil {
		r.Row = *row
	} else {
		none := trial.Estimate{Mean: trial.None, Low: trial.None, High: trial.None}
		r.Row = board.Row{Hash: s.Entry.Hash, Settings: s.Entry.Map(), Figures: board.Figures{Score: none, End: none}}
	}
	if r.Row.Name = s.Baseline; s.Seeds() == "secret" {
		r.PublicRow = s.Public
	}
	return r
}

package site

import (
	"time"

	"impalab/learner/trial"
	"impalab/server/board"
	"impalab/web/chart"
	"impalab/web/page"
)

// The board as its pages declare it.

// trackOf returns a track for its pages.
func trackOf(t *board.Track) *page.Track {
	show := &page.Track{Name: t.Name, Title: t.Title, Sentence: t.Sentence, Preset: t.Preset, Score: t.Score,
		Notes: t.Notes, Start: t.Start, Fixed: t.Fixed, Public: t.Public, PublicWords: t.Seeds.Public, Secret: t.Secret,
		Low: t.Low, High: t.High, Baselines: len(t.Baselines)}
	for i := range t.Keys {
		k := &t.Keys[i]
		show.Keys = append(show.Keys, page.Key{Row: k.Row, Low: k.Low, High: k.High, Values: k.Values, Range: k.Allowed()})
	}
	return show
}

// boardOf returns standings for the page of their track, with the rows that a page shows.
func boardOf(all *board.Standings, tracks []*board.Track, links page.BoardLinks) *page.Board {
	season := &all.Season
	b := &page.Board{Track: trackOf(all.Track), Seasons: all.Seasons, From: all.From, Of: all.Of, Page: all.Page(),
		Pages: all.Pages(), Start: all.Start, Begun: all.Begun, Ready: all.Ready, BySecret: all.BySecret, Links: links,
		Season: page.Season{Number: season.Number, Closes: season.Closes, Closed: season.Closed, Over: season.Over,
			Key: season.Key, Digest: season.Digest, Seeds: season.Seeds}}
	for _, t := range tracks {
		b.Tracks = append(b.Tracks, trackOf(t))
	}
	shown := all.Rows[:min(board.PageRows, len(all.Rows))]
	b.Left = len(all.Rows) - len(shown)
	for i := range shown {
		b.Rows = append(b.Rows, standingOf(&shown[i]))
	}
	return b
}

// entryPage returns the page of one row of standings.
func entryPage(all *board.Standings, s *board.Standing, links page.BoardLinks) page.BoardEntry {
	b, row := boardOf(all, nil, links), standingOf(s)
	return page.BoardEntry{Board: b, Row: &row}
}

func entryOf(e *board.Entry) page.Entry {
	return page.Entry{Settings: e.Settings, Text: e.Text(), Config: e.Config}
}

func standingOf(s *board.Standing) page.Standing {
	show := page.Standing{ID: s.ID, Name: s.Name(), Nickname: s.Nickname, Baseline: s.Baseline, Entry: entryOf(&s.Entry),
		State: string(s.State), Reason: s.Reason, Season: s.Season, Tried: s.Tried,
		Created: time.UnixMilli(s.Created).UTC(), Public: resultOf(s.Public, "public"), Secret: resultOf(s.Secret, "secret"),
		Trained: s.Trained, Place: s.Place, Rank: s.Rank.String(), Tie: [2]int{s.Rank.First, s.Rank.Last},
		Provisional: s.Provisional}
	switch s.Seeds() {
	case "public":
		show.Counts = show.Public
	case "secret":
		show.Counts = show.Secret
	}
	return show
}

// resultOf returns the result of one kind of seeds; nil before they are trained.
func resultOf(r *board.Row, kind string) *page.Result {
	if r == nil {
		return nil
	}
	show := &page.Result{Kind: kind, Seeds: r.Seeds, Score: r.Score, End: r.End, Each: r.Each, ParamsSHA256: r.Params,
		Arithmetic: r.Made}
	if r.AnyDiverged() {
		show.Diverged = r.DivergedWords()
	}
	for _, p := range r.Curve {
		show.Curve = append(show.Curve, middleOf(uint64(p.Step), trial.Estimate{Mean: p.Mean, Low: p.Low, High: p.High}, 0))
	}
	return show
}

// middleOf returns an estimate over n seeds for a chart.
func middleOf(step uint64, e trial.Estimate, n int) chart.Middle {
	return chart.Middle{Step: step, Mean: float64(e.Mean), Low: float64(e.Low), High: float64(e.High), N: n}
}

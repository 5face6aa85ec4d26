package site

// The board has a page for each track. boardrow.go is the page of one row, boardfile.go has the rows for programs, and
// boardexport.go writes all of it as files.

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"impalab/server/board"
	"impalab/server/lab"
	"impalab/server/site/api"
	"impalab/server/store"
	"impalab/web"
	"impalab/web/chart"
	"impalab/web/number"
)

// boardPages serves the board's pages, made for each request.
type boardPages struct {
	contest *board.Contest
	runs    *lab.Lab
	data    web.Data
	urls    boardURLs
}

// boardRoutes adds the board's pages. /board is the page of the first track.
func boardRoutes(at *echo.Group, data web.Data, contest *board.Contest, runs *lab.Lab) {
	root := data.Base + "board/"
	p := &boardPages{contest: contest, runs: runs, data: data, urls: boardURLs{
		page: func(t *board.Track) string { return root + t.Name },
		rows: func(t *board.Track) string { return root + t.Name + "/rows.json" },
		row:  func(t *board.Track, id string) string { return root + t.Name + "/" + id },
		json: func(t *board.Track, id string) string { return data.Base + "api/v1/board/" + t.Name + "/entries/" + id },
		lab:  data.Base + "lab",
	}}
	at.GET("/board", p.track)
	at.GET("/board/:track", p.track)
	at.GET("/board/:track/rows.json", p.rows)
	at.GET("/board/:track/:id", p.row)
}

// of returns the rows of the track and season that a request names.
func (p *boardPages) of(c echo.Context) (*board.Standings, error) {
	tracks := p.contest.Tracks()
	t, err := tracks.All[0], error(nil)
	if name := c.Param("track"); name != "" {
		if t, err = tracks.Find(name); err != nil {
			return nil, echo.ErrNotFound
		}
	}
	season, _ := strconv.ParseInt(c.QueryParam("season"), 10, 64) // anything else is the newest season
	all, err := p.contest.Standings(c.Request().Context(), t, max(0, season))
	return all, pageError(err)
}

func (p *boardPages) track(c echo.Context) error {
	all, err := p.of(c)
	if err != nil {
		return err
	}
	b := describeTrack(p.contest.Tracks(), all, p.urls)
	if c.Response().Header().Set("Cache-Control", "no-store"); c.QueryParam("part") == "live" {
		return render(c, web.BoardRows(p.data, b))
	}
	b.Form = formOf(all.Track, c.QueryParam("settings"))
	if run := c.QueryParam("run"); run != "" && len(run) <= 64 {
		e, err := all.Track.ParseEntry(b.Form.Settings)
		if err == nil {
			err = api.CheckShown(c.Request().Context(), p.runs, p.contest, all.Track, &e, run)
		}
		if b.Form.Run = run; err != nil {
			b.Form.Run, b.Form.Problem = "", strings.TrimSpace(b.Form.Problem+" "+sorry(err))
		}
	}
	return render(c, web.BoardPage(p.data, b))
}

// formOf fills the form with the settings in an address, and says why the track refuses them.
func formOf(t *board.Track, settings string) web.BoardForm {
	f := web.BoardForm{Settings: settings}
	if len(settings) > 8000 {
		f.Settings = ""
	}
	e, err := t.ParseEntry(f.Settings)
	if err != nil {
		f.Problem = api.OneLine(err)
	} else if len(e.Idle) > 0 {
		f.Problem = strings.Join(e.Idle, ", ") + " has no effect beside the other settings and is left out"
	}
	return f
}

// handInURL returns the address of the form, filled with a run's settings.
func handInURL(base string, f board.Fit, run string) string {
	q := url.Values{"settings": {f.Entry.Text()}, "run": {run}}
	return base + "board/" + f.Track.Name + "?" + q.Encode() + "#hand-in"
}

func (p *boardPages) rows(c echo.Context) error {
	all, err := p.of(c)
	if err != nil {
		return err
	}
	text, err := rowsFile(all)
	if err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Disposition", `attachment; filename="board-`+all.Track.Name+`.json"`)
	return c.JSONBlob(http.StatusOK, text)
}

// boardURLs returns the addresses of the board's pages and files.
type boardURLs struct {
	page, rows func(*board.Track) string
	row, json  func(t *board.Track, id string) string
	lab        string // "": no Lab to lead to
	copy       bool
}

// ranking explains the ranking.
const ranking = "A configuration is trained from zero over several seeds. Its score on each is the mean over the " +
	"run: the mean return of the last 100 training episodes, averaged over all updates, so learning early and never " +
	"falling both count. The score of the row is the interquartile mean over the seeds. Rows are ranked by the low end " +
	"of its 95 % bootstrap interval. A row shares its rank with a better row if its interval reaches the low end of " +
	"that row: the two cannot be told apart."

// mostRows limits the rows of a page. The download has all rows.
const mostRows = 200

// describeTrack returns a track and its rows as its page shows them.
func describeTrack(tracks *board.Tracks, all *board.Standings, urls boardURLs) web.Board {
	t := all.Track
	b := web.Board{Title: t.Title, Sentence: t.Sentence, Notes: t.Notes, Ranking: ranking, Lab: urls.lab, Name: t.Name,
		Copy: urls.copy, Data: urls.rows(t), Command: "impalab board try " + t.Name + " --set KEY=VALUE",
		Season: seasonOf(all, urls)}
	for _, other := range tracks.All {
		b.Tracks = append(b.Tracks, web.BoardTrack{Title: other.Title, Says: fmt.Sprintf("%d settings may differ",
			len(other.Keys)), URL: urls.page(other), Current: other == t})
	}
	start := "preset " + t.Preset
	for _, s := range t.Fixed {
		start += ", " + s.Key + " " + s.Value
	}
	b.Facts = []web.Fact{{Name: "World", Value: t.Start.World}, {Name: "Lag", Value: strconv.Itoa(t.Start.Lag)},
		{Name: "Budget", Value: number.Count(t.Start.Steps) + " steps"}, {Name: "Start", Value: start},
		{Name: "Score", Value: board.MeanOverRun}}
	switch {
	case all.BySecret:
		b.About = fmt.Sprintf("%d secret seeds rank the rows. %d public seeds rank the rows with a question mark.",
			t.Secret, len(t.Public))
	case all.Season.Number > 0:
		b.About = fmt.Sprintf("%d public seeds rank the rows.", len(t.Public))
	default:
		b.About = fmt.Sprintf("Our baselines on the public seeds %s.", strings.ReplaceAll(t.PublicText, "-", " to "))
	}
	scale := boardScale{t.Low, t.High}
	b.Ticks = scale.ticks()
	shown := all.Rows
	if len(shown) > mostRows {
		b.Left, shown = len(shown)-mostRows, shown[:mostRows]
	}
	for i := range shown {
		r := rowOf(t, &shown[i], scale)
		r.URL = urls.row(t, shown[i].ID)
		if r.Start {
			b.Start = r.Middle
		}
		r.Tie = tie(shown, i)
		b.Rows = append(b.Rows, r)
	}
	for i := range t.Keys {
		k := &t.Keys[i]
		words := k.Row.Words
		if k.Row.Symbol != "" {
			words = k.Row.Symbol + ", " + inSentence(words)
		}
		b.Keys = append(b.Keys, web.BoardKey{Key: k.Row.Key, Words: words, Start: asRead(t.Start.Get(k.Row.Key)),
			Takes: k.Allowed()})
	}
	return b
}

// tie returns the position of a row among the rows with the same rank, ignoring provisional rows between them.
func tie(rows []board.Standing, i int) string {
	r := &rows[i]
	if r.Provisional || r.First == 0 || r.First == r.Last {
		return ""
	}
	same := func(step int) bool {
		for k := i + step; k >= 0 && k < len(rows); k += step {
			if !rows[k].Provisional {
				return rows[k].First == r.First
			}
		}
		return false
	}
	switch before, after := same(-1), same(1); {
	case before && after:
		return "middle"
	case before:
		return "last"
	case after:
		return "first"
	}
	return ""
}

// seasonOf returns the season as the page shows it.
func seasonOf(all *board.Standings, urls boardURLs) (s web.BoardSeason) {
	i := &all.Season
	if i.Number == 0 {
		return s
	}
	const day = "2 January 2006"
	s.Title = fmt.Sprintf("Season %d", i.Number)
	switch {
	case i.Over:
		s.Says = "ended on " + i.Closes.Format(day) + ". The page of each row shows its secret seeds."
		s.Facts = []web.Fact{{Name: "Key", Value: i.Key}}
	case i.Closed:
		s.Says = "closed on " + i.Closes.Format(day) + ". Its secret seeds are published when all its entries are trained."
	default:
		s.Says = "ends on " + i.Closes.Format(day) + ". Then its secret seeds are published. The next season has new ones."
	}
	if waiting := all.Waiting(); waiting != "" {
		s.Says += " " + waiting
	}
	s.Facts = append(s.Facts, web.Fact{Name: "SHA-256 of the key", Value: i.Digest})
	if !urls.copy {
		for _, other := range all.Seasons {
			if other != i.Number {
				s.Other = append(s.Other, web.Choice{Title: fmt.Sprintf("Season %d", other),
					URL: fmt.Sprintf("%s?season=%d", urls.page(all.Track), other)})
			}
		}
	}
	return s
}

// chipsShown limits the settings that a row shows before its link to the rest.
const chipsShown = 3

func rowOf(t *board.Track, s *board.Standing, scale boardScale) web.BoardRow {
	r := web.BoardRow{ID: "row-" + s.ID, Rank: s.Rank(), Name: s.Name(),
		Start: len(s.Entry.Settings) == 0 && s.Baseline != "", Baseline: s.Baseline != "",
		Provisional: s.Provisional, State: string(s.State), Fragment: t.Link(&s.Entry),
		Command: t.Command(&s.Entry)}
	if s.Tried > 0 {
		r.Tried = fmt.Sprintf("%d ×", s.Tried)
	}
	var notes []string
	if s.Baseline != "" {
		notes = append(notes, "a baseline")
	}
	if row := s.Counts(); row != nil {
		notes = append(notes, fmt.Sprintf("%d %s seeds", len(row.Seeds), s.Seeds()))
	}
	r.Note = strings.Join(notes, ", ")
	r.Doing, r.Done, r.Of = doing(t, s)
	if p := s.Counts(); p != nil {
		mean, low, high := float64(p.Score.Mean), float64(p.Score.Low), float64(p.Score.High)
		r.Low, r.Middle = scale.at(low), scale.at(mean)
		r.Wide = percent(max(0.6, scale.share(high)-scale.share(low)))
		r.Score, r.Interval = number.Short(mean), number.Short(low)+" to "+number.Short(high)
		r.End = number.Short(float64(p.End.Mean))
		r.Says = fmt.Sprintf("%s: %s, interval %s", r.Name, r.Score, r.Interval)
		r.Line, r.Band = scale.curve(p.Curve, float64(t.Start.Steps))
	}
	if s.Public != nil {
		for _, v := range s.Public.Each {
			r.Seeds = append(r.Seeds, scale.at(float64(v)))
		}
	}
	for _, d := range t.Differences(&s.Entry) {
		words := inSentence(d.Words)
		if d.Key == "algo" || d.Key == "correction" { // people know the names of their values
			words = ""
		}
		r.Chips = append(r.Chips, web.BoardChip{Symbol: d.Symbol, Words: words, Tone: d.Tone,
			From: asRead(d.From), To: asRead(d.To)})
	}
	if len(r.Chips) > chipsShown {
		r.Chips, r.More = r.Chips[:chipsShown-1], r.Chips[chipsShown-1:]
	}
	return r
}

// doing returns the progress of an entry, in words and in seeds.
func doing(t *board.Track, s *board.Standing) (says string, done, of int) {
	which, done, of := "public", s.Trained[0], len(t.Public)
	if s.Public != nil && s.Season > 0 || s.Trained[1] > 0 {
		which, done, of = "secret", s.Trained[1], t.Secret
	}
	switch s.State {
	case store.Failed:
		return "it could not be trained: " + s.Reason, 0, 0
	case store.Queued:
		if s.Place > 0 {
			return fmt.Sprintf("place %d in the queue for its %s seeds", s.Place, which), 0, 0
		}
		return "in the queue for its " + which + " seeds", 0, 0
	case store.Training:
		return fmt.Sprintf("%d of %d %s seeds are trained", done, of, which), done, of
	}
	return "", 0, 0
}

// boardScale is the scale of the drawn scores.
type boardScale struct{ low, high float64 }

// share returns the place of a score, from 0 to 100. A score outside the scale is drawn at its end.
func (s boardScale) share(v float64) float64 {
	return 100 * math.Min(1, math.Max(0, (v-s.low)/(s.high-s.low)))
}

func (s boardScale) at(v float64) string { return percent(s.share(v)) }

func percent(share float64) string {
	return strconv.FormatFloat(math.Round(share*100)/100, 'f', -1, 64) + "%"
}

// ticks returns round figures of the scale, four to seven of them.
func (s boardScale) ticks() (ticks []web.BoardTick) {
	at, labels := chart.Ticks(s.low, s.high, 5)
	for i, v := range at {
		tick := web.BoardTick{At: s.at(v), Text: labels[i], Anchor: "middle"}
		switch tick.At {
		case "0%":
			tick.Anchor = "start"
		case "100%":
			tick.Anchor = "end"
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

const boxHigh = 34.

// curve draws a small curve and its interval in a box of 100 by 34.
func (s boardScale) curve(points []board.Point, budget float64) (line, band string) {
	place := func(step float64, v float64) string {
		return strconv.FormatFloat(100*step/budget, 'f', 1, 64) + " " +
			strconv.FormatFloat(boxHigh-boxHigh/100*s.share(v), 'f', 1, 64)
	}
	back := ""
	for i, p := range points {
		to := "L"
		if i == 0 {
			to = "M"
		}
		line += to + place(p.Step, float64(p.Mean))
		band += to + place(p.Step, float64(p.High))
		back = "L" + place(p.Step, float64(p.Low)) + back
	}
	if line != "" {
		band += back + "Z"
	}
	return line, band
}

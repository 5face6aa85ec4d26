package page

import (
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"impalab/web/chart"
	"impalab/web/number"
)

// boardPath is the path of the board below the base.
const boardPath = "board"

// Board is the page of one track.
type Board struct {
	Track   *Track
	Tracks  []*Track
	Season  Season
	Seasons []int64
	Rows    []Standing // the shown ones
	From    int        // number of rows before these
	Of      int        // number of all rows
	Left    int        // rows behind the shown ones that only the download has

	Page, Pages int      // number of this page of the rows, from 1, and of all
	Start       *float64 // low end of the track's start; nil: none yet
	Begun       bool     // an entry was submitted this season
	Ready       int      // baselines that are trained on the season's secret seeds, or have failed
	BySecret    bool     // secret seeds rank the rows; otherwise public seeds

	Links BoardLinks
	Form  BoardForm
}

// BoardLinks returns the addresses of the board's pages and files, by the names of tracks.
type BoardLinks struct {
	Page, Rows func(track string) string // Rows: for programs
	Row, JSON  func(track, id string) string
	Lab        string // "": no Lab to lead to
	Copy       bool   // the pages are files without a server
}

// BoardForm is the form of a submission, as the page's address fills it.
type BoardForm struct{ Settings, Run, Problem string }

// BoardEntry is the page of one row.
type BoardEntry struct {
	*Board
	Row     *Standing
	Run     string // address of a run that shows it; ""
	Episode string // address of a film of that run's agent; ""
}

// open names the season in the masthead; nil without one.
func (b *Board) open() templ.Component {
	if b.Season.Number == 0 {
		return nil
	}
	return openWords(fmt.Sprintf("Season %d", b.Season.Number), b.seasonEnds())
}

// seasonEnds says when the season ends or ended.
func (b *Board) seasonEnds() string {
	words := "ends on "
	if b.Season.Over {
		words = "ended on "
	}
	return words + b.Season.Closes.Format("2 January 2006")
}

// trackWords says which world a track is about, and for how long it trains.
func (d *Data) trackWords(t *Track) string {
	return d.worldTitle(t.Start.World) + ", " + number.Count(t.Start.Steps) + " steps"
}

// handInURL returns the address of the form, filled with a run's settings.
func (d *Data) handInURL(f Fit, run string) templ.SafeURL {
	q := url.Values{"settings": {f.Entry.Text}, "run": {run}}
	return templ.SafeURL(d.Base + "board/" + f.Track.Name + "?" + q.Encode() + "#hand-in")
}

func (b *Board) scale() scoreScale { return scoreScale{b.Track.Low, b.Track.High} }

// isStart reports whether a row is the start of the track.
func isStart(s *Standing) bool { return len(s.Entry.Settings) == 0 && s.Baseline != "" }

// start returns the place of the start's score, or "" if it has none.
func (b *Board) start() string {
	if b.Start == nil {
		return ""
	}
	return b.scale().at(*b.Start)
}

// pageURL returns the address of another page of the rows.
func (b *Board) pageURL(page int) templ.SafeURL {
	q := url.Values{"page": {strconv.Itoa(page)}}
	if n := len(b.Seasons); n > 0 && b.Season.Number != b.Seasons[n-1] {
		q.Set("season", strconv.FormatInt(b.Season.Number, 10))
	}
	return templ.SafeURL(b.Links.Page(b.Track.Name) + "?" + q.Encode() + "#rows")
}

// rowsURL returns the address of the shown rows for programs.
func (b *Board) rowsURL() templ.SafeURL {
	if b.Links.Copy || b.Page == 1 {
		return templ.SafeURL(b.Links.Rows(b.Track.Name))
	}
	return templ.SafeURL(b.Links.Rows(b.Track.Name) + "?page=" + strconv.Itoa(b.Page))
}

// tie returns the position of a row among the rows with the same rank, ignoring provisional rows between them: first,
// middle or last, or "" if it is alone.
func (b *Board) tie(i int) string {
	rows := b.Rows
	r := &rows[i]
	if r.Provisional || r.Tie[0] == r.Tie[1] {
		return ""
	}
	same := func(step int) bool {
		for k := i + step; k >= 0 && k < len(rows); k += step {
			if !rows[k].Provisional {
				return rows[k].Tie == r.Tie
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

// chipsShown limits the settings that a row shows before its link to the rest.
const chipsShown = 3

// splitChips returns the settings that a row shows, and the rest.
func splitChips(all []Difference) (shown, more []Difference) {
	if len(all) <= chipsShown {
		return all, nil
	}
	return all[:chipsShown-1], all[chipsShown-1:]
}

// note returns the words beside a row's name.
func note(s *Standing) string {
	var notes []string
	if s.Baseline != "" {
		notes = append(notes, "a baseline")
	}
	if row := s.Counts; row != nil {
		notes = append(notes, fmt.Sprintf("%d %s seeds", len(row.Seeds), row.Kind))
	}
	return strings.Join(notes, ", ")
}

// doing returns the progress of an entry, in words and in seeds. The words are "" if it is trained.
func doing(t *Track, s *Standing) (says string, done, of int) {
	which, done, of := "public", s.Trained[0], len(t.Public)
	if s.Public != nil && s.Season > 0 || s.Trained[1] > 0 {
		which, done, of = "secret", s.Trained[1], t.Secret
	}
	switch s.State {
	case "failed":
		return "it could not be trained: " + s.Reason, 0, 0
	case "queued":
		if s.Place > 0 {
			return fmt.Sprintf("place %d in the queue for its %s seeds", s.Place, which), 0, 0
		}
		return "in the queue for its " + which + " seeds", 0, 0
	case "training":
		return fmt.Sprintf("%d of %d %s seeds are trained", done, of, which), done, of
	}
	return "", 0, 0
}

// trained returns how many seeds of an entry are trained, public and secret ones, and how many will be.
func (b *Board) trained(s *Standing) (done, of int) {
	of = len(b.Track.Public) + b.Track.Secret
	if s.State == "done" {
		return of, of
	}
	return s.Trained[0] + s.Trained[1], of
}

// rankedWords says how far an entry is: in the queue, in training, or ranked.
func (s *Standing) rankedWords() string {
	switch {
	case s.State == "failed":
		return "Not trained"
	case s.Rank != "":
		return "Ranked " + rankWords(s) + ", low end " + s.lowWords()
	case s.State == "queued":
		return "Waiting"
	}
	return "Being trained"
}

// lowWords returns the low end of the interval that ranks an entry; "–" before there is one.
func (s *Standing) lowWords() string {
	if s.Counts == nil {
		return "–"
	}
	return number.Short(float64(s.Counts.Score.Low))
}

// tryWords says what an entry waits for, or how it compares with the start.
func (b *Board) tryWords(s *Standing) string {
	says, _, _ := doing(b.Track, s)
	if says == "" {
		says = note(s)
	}
	if b.Start != nil && s.State != "failed" {
		says += ". The start has " + number.Short(*b.Start)
	}
	return strings.ToUpper(says[:1]) + says[1:] + "."
}

// againURL returns the address of the form with an entry's settings.
func (b *Board) againURL(s *Standing) templ.SafeURL {
	q := url.Values{"settings": {s.Entry.Text}}
	return templ.SafeURL(b.Links.Page(b.Track.Name) + "?" + q.Encode() + "#hand-in")
}

// settingWords names a setting with its symbol.
func settingWords(symbol, words string) string {
	if symbol == "" {
		return words
	}
	return symbol + ", " + inSentence(words)
}

// at returns the place of a score as a percentage of the drawing's width.
func (s scoreScale) at(v float64) string { return percent(s.share(v)) }

func percent(share float64) string {
	return strconv.FormatFloat(math.Round(share*10000)/100, 'f', -1, 64) + "%"
}

// tick is a figure of the scale.
type tick struct{ at, text, anchor string }

// ticks returns round figures of the scale, four to seven of them.
func (s scoreScale) ticks() (ticks []tick) {
	at, labels := chart.Ticks(s.low, s.high, 5)
	for i, v := range at {
		one := tick{s.at(v), labels[i], "middle"}
		switch one.at {
		case "0%":
			one.anchor = "start"
		case "100%":
			one.anchor = "end"
		}
		ticks = append(ticks, one)
	}
	return ticks
}

const boxHigh = 34.

// curve draws a small curve and its interval in a box of 100 by 34.
func (s scoreScale) curve(points []chart.Middle, budget float64) (line, band string) {
	place := func(step, v float64) string {
		return strconv.FormatFloat(100*step/budget, 'f', 1, 64) + " " +
			strconv.FormatFloat(boxHigh-boxHigh*s.share(v), 'f', 1, 64)
	}
	back := ""
	for i, p := range points {
		line += move(i) + place(float64(p.Step), p.Mean)
		band += move(i) + place(float64(p.Step), p.High)
		back = "L" + place(float64(p.Step), p.Low) + back
	}
	if line != "" {
		band += back + "Z"
	}
	return line, band
}

// results returns the results of an entry's seeds.
func (e *BoardEntry) results() (list []*Result) {
	for _, r := range []*Result{e.Row.Secret, e.Row.Public} {
		if r != nil {
			list = append(list, r)
		}
	}
	return list
}

func (r *Result) title() string {
	return fmt.Sprintf("Return over the run, %d %s seeds: interquartile mean and 95 %% interval", len(r.Seeds), r.Kind)
}

// says describes the chart for screen readers.
func (r *Result) says() string {
	if len(r.Curve) == 0 {
		return r.title()
	}
	first, last := r.Curve[0], r.Curve[len(r.Curve)-1]
	return fmt.Sprintf("%s: from %s after %s steps to %s at the end", r.title(), number.Short(first.Mean),
		number.Count(first.Step), number.Short(last.Mean))
}

// secretCommand returns the command that trains an entry on the secret seeds of a season that is over.
func (e *BoardEntry) secretCommand() string {
	var seeds []string
	for _, s := range e.Season.Seeds {
		seeds = append(seeds, strconv.FormatUint(s, 10))
	}
	return EntryCommand(e.Track, &e.Row.Entry) + " --json --seeds " + strings.Join(seeds, ",")
}

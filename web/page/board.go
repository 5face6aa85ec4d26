package page

import (
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"impalab/server/board"
	"impalab/server/store"
	"impalab/web/chart"
	"impalab/web/number"
)

// boardPath is the path of the board below the base.
const boardPath = "board"

// Board is the page of one track.
type Board struct {
	*board.Standings
	Tracks []*board.Track
	Links  BoardLinks
	Form   BoardForm
}

// BoardLinks returns the addresses of the board's pages and files.
type BoardLinks struct {
	Page, Rows func(*board.Track) string // Rows: for programs
	Row, JSON  func(t *board.Track, id string) string
	Lab        string // "": no Lab to lead to
	Copy       bool   // the pages are files without a server
}

// BoardForm is the form of a submission, as the page's address fills it.
type BoardForm struct{ Settings, Run, Problem string }

// BoardEntry is the page of one row.
type BoardEntry struct {
	*Board
	Row     *board.Standing
	Run     string // address of a run that shows it; ""
	Episode string // address of a film of that run's agent; ""
}

// open names the season in the masthead; nil without one.
func (b *Board) open() templ.Component {
	if b.Season.Number == 0 {
		return nil
	}
	words := "its secret seeds are published on "
	if b.Season.Over {
		words = "ended on "
	}
	return openWords(fmt.Sprintf("Season %d", b.Season.Number), words+b.Season.Closes.Format("2 January 2006"))
}

// trackWords says which world a track is about, and for how long it trains.
func (d *Data) trackWords(t *board.Track) string {
	return d.worldTitle(t.Start.World) + ", " + number.Count(t.Start.Steps) + " steps"
}

// handInURL returns the address of the form, filled with a run's settings.
func (d *Data) handInURL(f board.Fit, run string) templ.SafeURL {
	q := url.Values{"settings": {f.Entry.Text()}, "run": {run}}
	return templ.SafeURL(d.Base + "board/" + f.Track.Name + "?" + q.Encode() + "#hand-in")
}

// MostRows limits the rows of a page.
const MostRows = board.PageRows

func (b *Board) shown() []board.Standing { return b.Rows[:min(MostRows, len(b.Rows))] }

func (b *Board) scale() scoreScale { return scoreScale{b.Track.Low, b.Track.High} }

// isStart reports whether a row is the start of the track.
func isStart(s *board.Standing) bool { return len(s.Entry.Settings) == 0 && s.Baseline != "" }

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
	return templ.SafeURL(b.Links.Page(b.Track) + "?" + q.Encode() + "#rows")
}

// rowsURL returns the address of the shown rows for programs.
func (b *Board) rowsURL() templ.SafeURL {
	if b.Links.Copy || b.Page() == 1 {
		return templ.SafeURL(b.Links.Rows(b.Track))
	}
	return templ.SafeURL(b.Links.Rows(b.Track) + "?page=" + strconv.Itoa(b.Page()))
}

// tie returns the position of a row among the rows with the same rank, ignoring provisional rows between them: first,
// middle or last, or "" if it is alone.
func (b *Board) tie(i int) string {
	rows := b.shown()
	r := &rows[i]
	if r.Provisional || r.Rank.First == r.Rank.Last {
		return ""
	}
	same := func(step int) bool {
		for k := i + step; k >= 0 && k < len(rows); k += step {
			if !rows[k].Provisional {
				return rows[k].Rank == r.Rank
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
func note(s *board.Standing) string {
	var notes []string
	if s.Baseline != "" {
		notes = append(notes, "a baseline")
	}
	if row := s.Counts; row != nil {
		notes = append(notes, fmt.Sprintf("%d %s seeds", len(row.Seeds), s.Seeds()))
	}
	return strings.Join(notes, ", ")
}

// doing returns the progress of an entry, in words and in seeds. The words are "" if it is trained.
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
func (s scoreScale) curve(points []board.CurvePoint, budget float64) (line, band string) {
	place := func(step, v float64) string {
		return strconv.FormatFloat(100*step/budget, 'f', 1, 64) + " " +
			strconv.FormatFloat(boxHigh-boxHigh*s.share(v), 'f', 1, 64)
	}
	back := ""
	for i, p := range points {
		line += move(i) + place(p.Step, float64(p.Mean))
		band += move(i) + place(p.Step, float64(p.High))
		back = "L" + place(p.Step, float64(p.Low)) + back
	}
	if line != "" {
		band += back + "Z"
	}
	return line, band
}

// result is the row of one kind of seeds.
type result struct {
	*board.Row
	which string // secret or public
}

// results returns the rows of an entry's seeds.
func (e *BoardEntry) results() (list []result) {
	for _, r := range []result{{e.Row.Secret, "secret"}, {e.Row.Public, "public"}} {
		if r.Row != nil {
			list = append(list, r)
		}
	}
	return list
}

func (r result) title() string {
	return fmt.Sprintf("Return over the run, %d %s seeds: interquartile mean and 95 %% interval", len(r.Seeds), r.which)
}

// says describes the chart for screen readers.
func (r result) says() string {
	if len(r.Curve) == 0 {
		return r.title()
	}
	first, last := r.Curve[0], r.Curve[len(r.Curve)-1]
	return fmt.Sprintf("%s: from %s after %s steps to %s at the end", r.title(), number.Short(float64(first.Mean)),
		number.Count(uint64(first.Step)), number.Short(float64(last.Mean)))
}

// chart returns the return over the run.
func (r result) chart() *chart.Seeds {
	seeds := &chart.Seeds{}
	for _, p := range r.Curve {
		seeds.Middle = append(seeds.Middle, chart.Middle{Step: uint64(p.Step), Mean: float64(p.Mean), Low: float64(p.Low),
			High: float64(p.High)})
	}
	return seeds
}

// secretCommand returns the command that trains an entry on the secret seeds of a season that is over.
func (e *BoardEntry) secretCommand() string {
	var seeds []string
	for _, s := range e.Season.Seeds {
		seeds = append(seeds, strconv.FormatUint(s, 10))
	}
	return EntryCommand(e.Track, &e.Row.Entry) + " --json --seeds " + strings.Join(seeds, ",")
}

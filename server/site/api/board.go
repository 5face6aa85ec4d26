package api

// The board for programs. Programs submit configurations, never scores or models.

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"impalab/server/board"
	"impalab/server/errcode"
	"impalab/server/lab"
	"impalab/server/places"
	"impalab/server/store"
)

// BoardTrack is a track as the API answers it.
type BoardTrack struct {
	Name     string            `json:"name"`
	Title    string            `json:"title"`
	Sentence string            `json:"sentence"`
	World    string            `json:"world"`
	Steps    uint64            `json:"steps" doc:"Environment steps of each seed."`
	Preset   string            `json:"preset" doc:"Preset of the start."`
	Fixed    map[string]string `json:"settings" doc:"Settings of the start that differ from the preset."`
	Seeds    string            `json:"seeds" doc:"The public seeds."`
	Secret   int               `json:"secret" doc:"Number of secret seeds of a season."`
	Keys     []BoardKey        `json:"keys" doc:"Settings that an entry may change."`
}

// BoardKey is a setting that an entry may change.
type BoardKey struct {
	Key   string `json:"key"`
	Start string `json:"start"`
	Takes string `json:"takes" doc:"Allowed values, in words."`
}

func trackOf(t *board.Track) BoardTrack {
	b := BoardTrack{Name: t.Name, Title: t.Title, Sentence: t.Sentence, World: t.Start.World, Steps: t.Start.Steps,
		Preset: t.Preset, Fixed: t.Fixed.Map(), Seeds: t.Seeds.Public, Secret: t.Secret}
	for i := range t.Keys {
		k := &t.Keys[i]
		b.Keys = append(b.Keys, BoardKey{k.Row.Key, t.Start.Get(k.Row.Key), k.Allowed()})
	}
	return b
}

func tracksOf(all *board.Tracks) (tracks []BoardTrack) {
	for _, t := range all.All {
		tracks = append(tracks, trackOf(t))
	}
	return tracks
}

// HandIn is the body of a submission.
type HandIn struct {
	Settings Settings `json:"settings" doc:"Settings that differ from the start of the track."`
	Nickname string   `json:"nickname,omitempty" doc:"1 to 24 letters, shown to everyone; may be absent."`
	Run      string   `json:"run,omitempty" doc:"Id of a run with these settings and steps and one of the public seeds. The board shows it once the row has the same parameters for that seed."`
}

// Entry is a row of the board.
type Entry struct {
	ID          string            `json:"id"`
	Track       string            `json:"track"`
	Season      int64             `json:"season" doc:"0 for a baseline."`
	Settings    map[string]string `json:"settings" doc:"Settings that differ from the start of the track."`
	Hash        string            `json:"hash" doc:"Hash of the track and the settings."`
	Left        []string          `json:"left_out,omitempty" doc:"Keys that were submitted and have no effect."`
	Baseline    string            `json:"baseline,omitempty" doc:"Name of a baseline."`
	Nickname    string            `json:"nickname"`
	Run         string            `json:"run,omitempty" doc:"Id of a run that ended with the parameters of the row."`
	Tried       int64             `json:"tried" doc:"How often it was submitted."`
	State       string            `json:"state" enum:"queued,training,done,failed"`
	Reason      string            `json:"reason,omitempty" doc:"Why it failed."`
	Trained     Trained           `json:"trained"`
	Place       int               `json:"place,omitempty" doc:"Position in the queue, from 1."`
	Rank        string            `json:"rank,omitempty" doc:"Like 4, or 1–3 if rows cannot be told apart."`
	RankedOn    string            `json:"ranked_on,omitempty" enum:"public,secret" doc:"Seeds that decide the rank."`
	Provisional bool              `json:"provisional,omitempty" doc:"Whether the rank comes from the public seeds and may still change."`
	Public      *board.Figures    `json:"public,omitempty" doc:"Result of the public seeds; absent until all are trained."`
	Secret      *board.Figures    `json:"secret,omitempty" doc:"Result of the secret seeds; absent until all are trained. Rounded to three digits until the season is over."`
	Page        string            `json:"page" doc:"Path of the row's page."`
	Key         string            `json:"key,omitempty" doc:"Key of an entry that was just submitted without a key. It changes the nickname. No other answer contains it."`
}

// Trained counts the trained seeds of an entry.
type Trained struct {
	Public int `json:"public"`
	Secret int `json:"secret"`
}

// EntryOf returns a row of a track, whose page has this address.
func EntryOf(t *board.Track, s *board.Standing, page string) Entry {
	e := Entry{ID: s.ID, Track: t.Name, Season: s.Season, Settings: s.Entry.Map(), Hash: s.Entry.Hash,
		Baseline: s.Baseline, Nickname: s.Nickname, Run: s.Run, Tried: s.Tried, State: string(s.State), Reason: s.Reason,
		Trained: Trained{s.Trained[0], s.Trained[1]}, Place: s.Place, Rank: s.Rank.String(), RankedOn: s.Seeds(),
		Provisional: s.Provisional, Page: page}
	if s.Public != nil {
		e.Public = &s.Public.Figures
	}
	if s.Secret != nil {
		e.Secret = &s.Secret.Figures
	}
	return e
}

// EntriesOf returns the rows of a track. page returns the address of a row's page.
func EntriesOf(all *board.Standings, page func(id string) string) Entries {
	out := Entries{Track: all.Track.Name, Of: trackOf(all.Track), Rows: all.Of, Page: all.Page(), Pages: all.Pages(),
		Entries: []Entry{}}
	if all.Season.Number > 0 {
		out.Season = &all.Season
	}
	for i := range all.Rows {
		out.Entries = append(out.Entries, EntryOf(all.Track, &all.Rows[i], page(all.Rows[i].ID)))
	}
	return out
}

// page returns the path of a row's page.
func (a *api) page(t *board.Track, id string) string { return a.pages() + "board/" + t.Name + "/" + id }

// OnTrack names a track.
type OnTrack struct {
	Track string `path:"track" doc:"Name of the track, from GET /board."`
}

func (a *api) track(name string) (*board.Track, error) {
	t, err := a.Board.Tracks().Find(name)
	if err != nil {
		err = problem(http.StatusNotFound, err.Error())
	}
	return t, err
}

// Submitted is an entry: a new one with the status 201, else 200.
type Submitted struct {
	Status int
	Body   Entry
}

func (a *api) handIn(ctx context.Context, in *struct {
	Caller
	OnTrack
	Body HandIn
}) (*Submitted, error) {
	t, err := a.track(in.Track)
	if err != nil {
		return nil, err
	}
	brought, err := in.own()
	if err != nil {
		return nil, err
	}
	if brought != "" {
		if err := lab.CheckKey(brought); err != nil {
			return nil, refuse(err)
		}
	}
	if err := a.shows(ctx, t, &in.Body); err != nil {
		return nil, err
	}
	key := cmp.Or(brought, store.NewKey())
	s, fresh, err := a.Board.HandIn(ctx, board.Handed{Track: t, Settings: in.Body.Settings,
		Nickname: in.Body.Nickname, Run: in.Body.Run, Address: places.Visitor(ctx), Key: key})
	if err != nil {
		return nil, err
	}
	out := &Submitted{http.StatusOK, EntryOf(t, &s, a.page(t, s.ID))}
	if asked, err := t.Entry(in.Body.Settings); err == nil {
		out.Body.Left = asked.Idle
	}
	if fresh {
		out.Status = http.StatusCreated
		if brought == "" {
			out.Body.Key = key
		}
	}
	return out, nil
}

// shows refuses a run that the board cannot show beside the submitted row.
func (a *api) shows(ctx context.Context, t *board.Track, body *HandIn) error {
	if body.Run == "" {
		return nil
	}
	want, err := t.Entry(body.Settings)
	if err != nil {
		return refuse(err)
	}
	return CheckShown(ctx, a.Runs, a.Board, t, &want, body.Run)
}

// CheckShown returns an error if the board cannot show a run beside the row of an entry.
func CheckShown(ctx context.Context, runs *lab.Lab, contest *board.Contest, t *board.Track, e *board.Entry,
	run string) error {
	row, err := contest.PublicRow(ctx, t, e)
	if err != nil {
		return err
	}
	return runs.WithHistory(ctx, run, func(told *lab.History) error {
		if err := contest.Tracks().Shows(told.Tape, t, e, row); err != nil {
			return errcode.Errorf(errcode.Refused, "the run cannot be shown beside the row: %w", err)
		}
		return nil
	})
}

func (a *api) entries(ctx context.Context, in *struct {
	OnTrack
	Season int64 `query:"season" minimum:"0" doc:"Number of the season; 0 or absent: the newest."`
	Page   int   `query:"page" minimum:"1" default:"1" doc:"Number of the page; a page has 200 rows."`
}) (Entries, error) {
	t, err := a.track(in.Track)
	if err != nil {
		return Entries{}, err
	}
	all, err := a.Board.Standings(ctx, t, in.Season, in.Page)
	if err != nil {
		return Entries{}, err
	}
	return EntriesOf(all, func(id string) string { return a.page(t, id) }), nil
}

// Entries are rows of a season: a page of them, or all in an exported file.
type Entries struct {
	Track   string            `json:"track"`
	Of      BoardTrack        `json:"of" doc:"The track."`
	Season  *board.SeasonInfo `json:"season" doc:"null before the first entry, which starts the first season."`
	Rows    int               `json:"rows" doc:"Number of all rows of the season."`
	Page    int               `json:"page" doc:"Number of this page, from 1."`
	Pages   int               `json:"pages" doc:"Number of pages."`
	Entries []Entry           `json:"entries"`
}

func (a *api) entry(ctx context.Context, in *struct {
	OnTrack
	ID string `path:"id" doc:"Id of the entry."`
}) (Entry, error) {
	t, err := a.track(in.Track)
	if err != nil {
		return Entry{}, err
	}
	s, err := a.Board.Standing(ctx, t, in.ID)
	if err != nil {
		return Entry{}, err
	}
	return EntryOf(t, &s, a.page(t, s.ID)), nil
}

// boardEvery is the shortest time between two events.
const boardEvery = 500 * time.Millisecond

// boardEvents tells clients that the rows have changed. They then ask for the rows.
func (a *api) boardEvents(ctx context.Context, in *OnTrack) (*huma.StreamResponse, error) {
	_, err := a.track(in.Track)
	return a.stream(ctx, boardEvery, 0, func(to *stream) (<-chan struct{}, error) {
		news := a.Board.News()
		return news, to.event("", "rows", struct{}{})
	}), err
}

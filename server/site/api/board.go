package api

// The board for programs: what may be handed in, what was, and how it stands. A configuration is handed in, never a
// score, a model or code.

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"impalab/learner/tape"
	"impalab/server/board"
	"impalab/server/errcode"
	"impalab/server/lab"
	"impalab/server/series"
	"impalab/server/store"
)

// registerBoard puts the routes of the board in the description and on the mux.
func (a *api) registerBoard(on huma.API,
	op func(method, path, id string, status int, errors ...int) huma.Operation,
	keyed func(huma.Operation) huma.Operation) {
	huma.Register(on, op("GET", "/board", "tracks", 200),
		fixed(tracksOf(a.Board.Tracks())))
	huma.Register(on, keyed(op("POST", "/board/{track}/entries", "handIn", 201, 404, 413, 422, 429, 503)), a.handIn)
	huma.Register(on, op("GET", "/board/{track}/entries", "entries", 200, 404),
		a.entries)
	huma.Register(on, op("GET", "/board/{track}/entries/{id}", "entry", 200, 404), a.entry)
	huma.Register(on, in(op("GET", "/board/{track}/events", "boardEvents", 200, 404), eventType), a.boardEvents)
}

// BoardTrack is a track as the API has it.
type BoardTrack struct {
	Name     string            `json:"name"`
	Title    string            `json:"title"`
	Sentence string            `json:"sentence"`
	World    string            `json:"world"`
	Steps    uint64            `json:"steps" doc:"Environment steps of each seed."`
	Preset   string            `json:"preset" doc:"That the start is made of…"`
	Fixed    map[string]string `json:"settings" doc:"…and what the start changes in it."`
	Seeds    string            `json:"seeds" doc:"The public ones."`
	Secret   int               `json:"secret" doc:"How many secret ones a season has."`
	Keys     []BoardKey        `json:"keys" doc:"That may differ from the start."`
}

// BoardKey is a setting that may differ, and how far.
type BoardKey struct {
	Key   string `json:"key"`
	Start string `json:"start"`
	Takes string `json:"takes" doc:"In words."`
}

func tracksOf(all *board.Tracks) (tracks []BoardTrack) {
	for _, t := range all.All {
		b := BoardTrack{Name: t.Name, Title: t.Title, Sentence: t.Sentence, World: t.Start.World, Steps: t.Start.Steps,
			Preset: t.Preset, Fixed: map[string]string{}, Seeds: t.PublicText, Secret: t.Secret}
		for _, s := range t.Fixed {
			b.Fixed[s.Key] = s.Value
		}
		for i := range t.Keys {
			k := &t.Keys[i]
			b.Keys = append(b.Keys, BoardKey{k.Row.Key, t.Start.Get(k.Row.Key), k.Allowed()})
		}
		tracks = append(tracks, b)
	}
	return tracks
}

// HandIn is the body that hands in a configuration.
type HandIn struct {
	Settings Settings `json:"settings" doc:"What differs from the track's start."`
	Nickname string   `json:"nickname,omitempty" doc:"1 to 24 letters, for everybody to read; without it none."`
	Run      string   `json:"run,omitempty" doc:"Id of a run of these settings, steps and one of the public seeds, for everybody to look at. It is shown once the row's parameters for that seed are the same."`
}

// Entry is a row of the board.
type Entry struct {
	ID          string            `json:"id"`
	Track       string            `json:"track"`
	Season      int64             `json:"season" doc:"0 of a baseline that nobody handed in."`
	Settings    map[string]string `json:"settings" doc:"What differs from the track's start."`
	Hash        string            `json:"hash" doc:"Of track and settings."`
	Left        []string          `json:"left_out,omitempty" doc:"Keys that were handed in and have no effect."`
	Baseline    string            `json:"baseline,omitempty" doc:"Its name, if it is one."`
	Nickname    string            `json:"nickname"`
	Run         string            `json:"run,omitempty" doc:"A run that came to the row's parameters for its public seed."`
	Tried       int64             `json:"tried" doc:"How often it was handed in."`
	State       string            `json:"state" enum:"queued,training,done,failed"`
	Reason      string            `json:"reason,omitempty" doc:"Why it failed."`
	Trained     Trained           `json:"trained"`
	Place       int               `json:"place,omitempty" doc:"In the queue, from 1."`
	Rank        string            `json:"rank,omitempty" doc:"As 4, or 1–3 where rows cannot be told apart."`
	RankedOn    string            `json:"ranked_on,omitempty" enum:"public,secret" doc:"Which seeds rank it."`
	Provisional bool              `json:"provisional,omitempty" doc:"The rank is what its public seeds would give."`
	Public      *Result           `json:"public,omitempty" doc:"What the public seeds came to; absent until all are trained."`
	Secret      *Result           `json:"secret,omitempty" doc:"What the secret seeds came to; absent until all are trained. Rounded to three digits until the season is over."`
	Page        string            `json:"page" doc:"Path of its page."`
	Key         string            `json:"key,omitempty" doc:"Of an entry that was just handed in without a key of one's own: it changes the nickname. It is told here and nowhere again."`
}

// Trained counts the seeds that are trained while an entry waits or is being trained.
type Trained struct {
	Public int `json:"public"`
	Secret int `json:"secret"`
}

// Result is what seeds came to.
type Result struct {
	Seeds    []string   `json:"seeds" doc:"Numbers, or secret:0 and so on."`
	Score    Interval   `json:"return_mean_run" doc:"What ranks: by low."`
	End      Interval   `json:"return_mean_100"`
	Each     []*float64 `json:"each,omitempty" doc:"The score of each public seed."`
	Params   []string   `json:"params_sha256,omitempty" doc:"Of each public seed."`
	Made     string     `json:"arithmetic"`
	Diverged *int       `json:"diverged,omitempty" doc:"How many seeds did; absent of secret seeds until their season is over."`
	Some     *bool      `json:"some_diverged,omitempty" doc:"In place of diverged: whether any seed did."`
}

// Interval is an interquartile mean and its 95 % interval over seeds.
type Interval struct {
	IQM  *float64 `json:"iqm"`
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
}

func (a *api) entryOf(t *board.Track, s *board.Standing) Entry {
	e := Entry{ID: s.ID, Track: t.Name, Season: s.Season, Settings: map[string]string{}, Hash: s.Entry.Hash,
		Baseline: s.Baseline, Nickname: s.Nickname, Run: s.Run, Tried: s.Tried, State: string(s.State), Reason: s.Reason,
		Trained: Trained{s.Trained[0], s.Trained[1]}, Place: s.Place, Rank: strings.TrimSuffix(s.Rank(), "?"),
		RankedOn: s.Seeds(), Provisional: s.Provisional, Public: boardResultOf(s.Public), Secret: boardResultOf(s.Secret),
		Page: a.pages() + "board/" + t.Name + "/" + s.ID}
	for _, one := range s.Entry.Settings {
		e.Settings[one.Key] = one.Value
	}
	return e
}

// pages is the path under which the pages are.
func (a *api) pages() string { return strings.TrimSuffix(a.Base, "api/v1") }

func boardResultOf(r *board.Row) *Result {
	if r == nil {
		return nil
	}
	interval := func(mean, low, high float64) Interval {
		return Interval{series.Finite(mean), series.Finite(low), series.Finite(high)}
	}
	res := &Result{Seeds: r.Seeds, Params: r.Params, Made: r.Made, Diverged: r.Diverged, Some: r.Some,
		Score: interval(float64(r.Score.Mean), float64(r.Score.Low), float64(r.Score.High)),
		End:   interval(float64(r.End.Mean), float64(r.End.Low), float64(r.End.High))}
	for _, v := range r.Each {
		res.Each = append(res.Each, series.Finite(float64(v)))
	}
	return res
}

// OnTrack is a track by its name.
type OnTrack struct {
	Track string `path:"track" doc:"Name of the track, from GET /board."`
}

func (a *api) track(name string) (*board.Track, error) {
	t, err := a.Board.Tracks().Find(name)
	if err != nil {
		return nil, problem(http.StatusNotFound, err.Error())
	}
	return t, nil
}

// withStatus is an answer whose status varies.
type withStatus[T any] struct {
	Status int
	Body   T
}

func (a *api) handIn(ctx context.Context, in *struct {
	Caller
	OnTrack
	Body HandIn
}) (*withStatus[Entry], error) {
	t, err := a.track(in.Track)
	if err != nil {
		return nil, err
	}
	brought, err := in.own()
	if err == nil && brought != "" {
		if err = lab.CheckKey(brought); err != nil {
			err = problem(http.StatusUnprocessableEntity, err.Error())
		}
	}
	if err != nil {
		return nil, err
	}
	if err := a.shows(ctx, t, &in.Body); err != nil {
		return nil, err
	}
	key := brought
	if key == "" {
		key = store.NewKey()
	}
	s, fresh, err := a.Board.HandIn(ctx, board.Handed{Track: t.Name, Settings: in.Body.Settings,
		Nickname: in.Body.Nickname, Run: in.Body.Run, Address: addressOf(ctx), Key: key})
	if err != nil {
		return nil, a.boardSaid(err)
	}
	e, asked := a.entryOf(t, &s), board.Entry{}
	if asked, err = t.Entry(in.Body.Settings); err == nil {
		e.Left = asked.Idle
	}
	out := &withStatus[Entry]{http.StatusOK, e}
	if fresh {
		out.Status = http.StatusCreated
		if brought == "" {
			out.Body.Key = key
		}
	}
	return out, nil
}

// shows refuses a run that cannot be shown beside what is handed in.
func (a *api) shows(ctx context.Context, t *board.Track, body *HandIn) error {
	if body.Run == "" {
		return nil
	}
	lines, err := a.Runs.Tape(ctx, body.Run)
	if err != nil {
		return a.said(err)
	}
	recorded, fault := tape.ReadLines(lines)
	if recorded == nil {
		return problem(http.StatusUnprocessableEntity, "run: "+fault.Error())
	}
	want, err := t.Entry(body.Settings)
	if err != nil {
		return problem(http.StatusUnprocessableEntity, oneLine(err))
	}
	all, err := a.Board.Standings(ctx, t, 0)
	if err != nil {
		return a.boardSaid(err)
	}
	if err := a.Board.Tracks().Shows(recorded, t, &want, all.PublicRow(&want)); err != nil {
		return problem(http.StatusUnprocessableEntity, "run: it cannot be shown beside the row: "+oneLine(err))
	}
	return nil
}

// oneLine is an error of several sentences as one.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

func (a *api) entries(ctx context.Context, in *struct {
	OnTrack
	Season int64 `query:"season" minimum:"0" doc:"Number of the season; 0 or absent: the newest."`
}) (*body[Entries], error) {
	t, err := a.track(in.Track)
	if err != nil {
		return nil, err
	}
	all, err := a.Board.Standings(ctx, t, in.Season)
	if err != nil {
		return nil, a.boardSaid(err)
	}
	out := Entries{Track: t.Name, Season: seasonOf(&all.Season), Entries: []Entry{}}
	for i := range all.Rows {
		out.Entries = append(out.Entries, a.entryOf(t, &all.Rows[i]))
	}
	return answer(out), nil
}

// Entries are the rows of a season.
type Entries struct {
	Track   string       `json:"track"`
	Season  *BoardSeason `json:"season" doc:"null: none has begun; the first entry begins one."`
	Entries []Entry      `json:"entries"`
}

// BoardSeason is what everybody may know of a season.
type BoardSeason struct {
	Number    int64     `json:"number"`
	Opened    time.Time `json:"opened"`
	Closes    time.Time `json:"closes"`
	KeySHA256 string    `json:"key_sha256" doc:"Of the key that its secret seeds are made of."`
	Key       string    `json:"key,omitempty" doc:"In hex, once the season is over. A seed is the first 53 bits of HMAC-SHA256(key, track, 0, i)."`
	Seeds     []uint64  `json:"secret_seeds,omitempty" doc:"Once the season is over."`
}

func seasonOf(s *board.SeasonInfo) *BoardSeason {
	if s.Number == 0 {
		return nil
	}
	return &BoardSeason{s.Number, s.Opened, s.Closes, s.Digest, s.Key, s.Seeds}
}

func (a *api) entry(ctx context.Context, in *struct {
	OnTrack
	ID string `path:"id" doc:"Id of the entry."`
}) (*body[Entry], error) {
	t, err := a.track(in.Track)
	if err != nil {
		return nil, err
	}
	s, err := a.Board.Standing(ctx, t, in.ID)
	if err != nil {
		return nil, a.boardSaid(err)
	}
	return answer(a.entryOf(t, &s)), nil
}

// boardEvery is the least time between two events.
const boardEvery = 500 * time.Millisecond

// boardEvents tells each reader that there is something new, and not what: each looks for itself.
func (a *api) boardEvents(ctx context.Context, in *OnTrack) (*huma.StreamResponse, error) {
	if _, err := a.track(in.Track); err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		to := streamTo(c)
		for {
			news := a.Board.News()
			if to.write("event: rows\ndata: {}\n\n") != nil {
				return
			}
			for beat := time.NewTicker(a.Beat); ; {
				select {
				case <-news:
				case <-beat.C:
					if to.write(": still here\n\n") != nil {
						beat.Stop()
						return
					}
					continue
				case <-ctx.Done():
				case <-a.Closing.Done():
				}
				beat.Stop()
				break
			}
			select {
			case <-time.After(boardEvery):
			case <-ctx.Done():
				return
			case <-a.Closing.Done():
				return
			}
		}
	}}, nil
}

// boardSaid turns an error of the board's into an answer.
func (a *api) boardSaid(err error) error {
	switch errcode.Of(err) {
	case errcode.NotFound:
		return problem(http.StatusNotFound, oneLine(err))
	case errcode.Refused:
		return problem(http.StatusUnprocessableEntity, oneLine(err))
	case errcode.TooFast:
		return huma.ErrorWithHeaders(problem(http.StatusTooManyRequests, err.Error()), http.Header{"Retry-After": {"30"}})
	case errcode.Full:
		return huma.ErrorWithHeaders(problem(http.StatusServiceUnavailable, err.Error()), http.Header{"Retry-After": {"60"}})
	}
	a.Log.Error("a request failed", "error", err)
	return problem(http.StatusInternalServerError, internal)
}

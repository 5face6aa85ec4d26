package api

import (
	"context"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"impalab/learner/hyper"
	"impalab/server/errcode"
	"impalab/server/lab"
	"impalab/server/store"
	"impalab/wasm/firstpage"
	"impalab/wasm/run"
	"impalab/web/watch"
	"impalab/web/wire"
)

// Start is the body of a request for a new run.
type Start struct {
	Preset   string   `json:"preset,omitempty" doc:"Name of a preset, from GET /presets; without it the preset of the world."`
	Settings Settings `json:"settings,omitempty"`
	Seed     Value    `json:"seed,omitempty" doc:"Seed of all randomness; 1 without it."`
	Steps    Value    `json:"steps,omitempty" doc:"Environment steps until the run is done; the preset's without it."`
	Speed    Value    `json:"speed,omitempty" doc:"Environment steps a second; \"inf\" without it."`
	Turns    Turns    `json:"turns,omitempty"`
}

// spec returns the run that the body asks for.
func (b *Start) spec() (spec lab.Spec, err error) {
	settings := append([]hyper.Setting{}, b.Settings...)
	named := map[string]bool{}
	for _, s := range settings {
		if _, err := hyper.Lookup(s.Key); err != nil && s.Key != "preset" {
			return spec, err
		}
		named[s.Key] = true
	}
	for _, s := range []hyper.Setting{
		{Key: "preset", Value: b.Preset}, {Key: "seed", Value: string(b.Seed)}, {Key: "steps", Value: string(b.Steps)},
		{Key: "speed", Value: string(b.Speed)},
	} {
		if s.Value == "" {
			continue
		}
		if named[s.Key] {
			return spec, fmt.Errorf("%s stands both in settings and beside them; give it once", s.Key)
		}
		named[s.Key] = true
		settings = append(settings, s)
	}
	spec.Purpose, spec.Turns = lab.Batch, b.Turns
	spec.Config, spec.Preset, _, err = hyper.FromSettings(settings)
	if !named["speed"] {
		spec.Config.Speed = math.Inf(1)
	}
	return spec, err
}

// Fork is the body of a request for a fork.
type Fork struct {
	Update   *uint64  `json:"update" doc:"The fork equals the run up to this update."`
	Settings Settings `json:"settings,omitempty"`
}

// Patch is the body of a change of settings.
type Patch struct {
	Settings Settings `json:"settings"`
}

// Started is the answer to a request for a new run or sweep.
type Started struct {
	ID  string `json:"id" doc:"Enough to read and fork the run."`
	Key string `json:"key" doc:"Steers the run. No other answer contains it."`
}

// Patched is the answer to a change of settings.
type Patched struct {
	Settings   map[string]string `json:"settings" doc:"All settings in force, by key."`
	FromUpdate uint64            `json:"from_update" doc:"They are in force after this update."`
}

// Run is the present state of a run.
type Run lab.Info

// Runs is a page of a list.
type Runs struct {
	Runs []Run   `json:"runs" doc:"Newest first."`
	Next *string `json:"next" doc:"Cursor of the next page; null at the end."`
}

// Caller carries the key of a request.
type Caller struct {
	Authorization string `header:"Authorization" doc:"Bearer KEY, with the key of the run, sweep or entry, the teacher's key or the student's secret."`
}

func (c *Caller) key() string {
	scheme, key, _ := strings.Cut(c.Authorization, " ")
	if !strings.EqualFold(scheme, "bearer") {
		return ""
	}
	return strings.TrimSpace(key)
}

// own returns the key that a caller brings for something new, or "" if the server is to make one.
func (c *Caller) own() (string, error) {
	key := c.key()
	if c.Authorization != "" && key == "" {
		return "", refuse(errors.New("the Authorization header must be Bearer and a key of your own, or absent"))
	}
	return key, nil
}

// Named names a run.
type Named struct {
	ID string `path:"id" doc:"Id of the run."`
}

func (a *api) start(ctx context.Context, in *struct {
	Caller
	Body Start
}) (Started, error) {
	key, err := in.own()
	if err != nil {
		return Started{}, err
	}
	spec, err := in.Body.spec()
	if err != nil {
		return Started{}, refuse(err)
	}
	spec.Owner.Address = addressOf(ctx)
	return started(a.Runs.Start(ctx, spec, key))
}

func started(r *lab.Run, key string, err error) (Started, error) {
	if err != nil {
		return Started{}, err
	}
	return Started{r.ID, key}, nil
}

func (a *api) fork(ctx context.Context, in *struct {
	Caller
	Named
	Body Fork
}) (Started, error) {
	key, err := in.own()
	if err != nil {
		return Started{}, err
	}
	if in.Body.Update == nil {
		return Started{}, refuse(errors.New("update is missing: name the update after which the fork leaves the run"))
	}
	from := lab.Origin{Run: in.ID, Update: *in.Body.Update}
	return started(a.Runs.Fork(ctx, from, in.Body.Settings, lab.Owner{Address: addressOf(ctx)}, lab.Batch, key))
}

func (a *api) list(ctx context.Context, in *struct {
	Caller
	Cursor string `query:"cursor" doc:"The value of next from the page before."`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"How many runs a page has at most."`
}) (page Runs, err error) {
	if in.key() == "" {
		needed := problem(http.StatusUnauthorized, "the key of the runs is missing: send Authorization: Bearer KEY")
		return page, huma.ErrorWithHeaders(needed, http.Header{"WWW-Authenticate": {"Bearer"}})
	}
	after, err := parseCursor(in.Cursor)
	if err != nil {
		return page, refuse(err)
	}
	runs, next, err := a.Runs.List(ctx, in.key(), after, in.Limit)
	page.Runs = []Run{}
	for _, i := range runs {
		page.Runs = append(page.Runs, Run(i))
	}
	if next != (store.Cursor{}) {
		text := fmt.Sprintf("%d.%s", next.Created, next.ID)
		page.Next = &text
	}
	return page, err
}

func parseCursor(text string) (c store.Cursor, err error) {
	if text == "" {
		return c, nil
	}
	created, id, _ := strings.Cut(text, ".")
	raw, fault := hex.DecodeString(id)
	if c.Created, err = strconv.ParseInt(created, 10, 64); err != nil || fault != nil || len(raw) != 16 {
		return c, errors.New("cursor: must be the value of next from the page before")
	}
	c.ID = id
	return c, nil
}

func (a *api) read(ctx context.Context, in *Named) (Run, error) {
	i, err := a.Runs.Info(ctx, in.ID)
	return Run(i), err
}

const (
	answerWithin = 10 * time.Second // for a run to answer: an update of the largest networks takes a second
	againWithin  = 25 * time.Second // to retrain earlier updates
)

// late returns err, or a sentence for people if the time of an answer was up.
func late(err error, within time.Duration, words, next string) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return errcode.Errorf(errcode.Full, "%s within %v; %s", words, within, next)
	}
	return err
}

func (a *api) patch(ctx context.Context, in *struct {
	Caller
	Named
	Body Patch
}) (p Patched, err error) {
	if len(in.Body.Settings) == 0 {
		return p, refuse(errors.New(`settings: the object is empty; name at least one, like {"settings": {"rho": 2}}`))
	}
	r, err := a.Runs.Owned(ctx, in.ID, in.key())
	if err != nil {
		return p, err
	}
	defer r.Leave()
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	now, err := r.Patch(ctx, in.Body.Settings)
	if err != nil {
		return p, late(err, answerWithin, "the run has not answered", "it may still change: read it again in a moment")
	}
	return Patched{hyper.ByKey(now.Settings.Settings()), now.Update}, nil
}

func (a *api) stop(ctx context.Context, in *struct {
	Caller
	Named
}) (Run, error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	if err := a.Runs.Stop(ctx, in.ID, in.key()); err != nil {
		return Run{}, late(err, answerWithin, "the run has not stopped", "it may still stop: read it again in a moment")
	}
	return a.read(ctx, &in.Named)
}

func (a *api) delete(ctx context.Context, in *struct {
	Caller
	Named
}) (*struct{}, error) {
	return nil, a.Runs.Delete(ctx, in.ID, in.key())
}

func (a *api) unroll(ctx context.Context, in *struct {
	Named
	Trajectory int    `query:"trajectory" minimum:"0" default:"0" doc:"Number of the trajectory in the batch, from 0."`
	Update     uint64 `query:"update" doc:"The state after this update; an earlier update is recomputed. 0: the newest."`
}) (out watch.Unroll, err error) {
	within := answerWithin
	if in.Update > 0 {
		within = againWithin
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	found, err := a.Runs.Unroll(ctx, in.ID, in.Trajectory, in.Update)
	if err != nil {
		return out, late(err, within, "the run has not answered", "ask again in a moment")
	}
	return watch.UnrollOf(in.ID, found)
}

func (a *api) moments(ctx context.Context, in *struct {
	Named
	From       uint64 `query:"from" minimum:"1" required:"true" doc:"The first update to recompute."`
	To         uint64 `query:"to" minimum:"1" required:"true" doc:"The last update to recompute; at most 63 after the first."`
	Parameters bool   `query:"parameters" doc:"Include the parameters after each update."`
}) (*huma.StreamResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, againWithin)
	defer cancel()
	made, err := a.Runs.Moments(ctx, in.ID, in.From, in.To, in.Parameters)
	if err != nil {
		return nil, late(err, againWithin, "these updates were not recomputed", "ask for earlier ones, or for fewer")
	}
	frame, err := wire.AppendJoined(nil, made)
	return download(frameType, "", func(c huma.Context) { c.BodyWriter().Write(frame) }), err
}

func (a *api) tape(ctx context.Context, in *Named) (*huma.StreamResponse, error) {
	told, err := a.Runs.Told(ctx, in.ID)
	return download(tapeType, in.ID+".tape", func(c huma.Context) {
		for _, line := range told.Lines {
			if _, err := io.WriteString(c.BodyWriter(), line+"\n"); err != nil {
				return // the client has disconnected
			}
		}
	}), err
}

func (a *api) curves(ctx context.Context, in *Named) (*huma.StreamResponse, error) {
	told, err := a.Runs.Told(ctx, in.ID)
	return download(csvType, in.ID+".csv", func(c huma.Context) { WriteCurves(c.BodyWriter(), told.Curves) }), err
}

// WriteCurves writes the series as CSV: a header, and a row for each step at which a series has a point.
func WriteCurves(to io.Writer, curves map[string][]store.Point) error {
	names := slices.Sorted(maps.Keys(curves))
	rest := make([][]store.Point, len(names))
	for i, name := range names {
		rest[i] = curves[name]
	}
	out := csv.NewWriter(to)
	row := append([]string{"step"}, names...)
	for {
		if err := out.Write(row); err != nil {
			return err
		}
		step := int64(math.MaxInt64)
		for _, points := range rest {
			if len(points) > 0 {
				step = min(step, points[0].Step)
			}
		}
		if step == math.MaxInt64 {
			break
		}
		row[0] = strconv.FormatInt(step, 10)
		for i, points := range rest {
			row[i+1] = ""
			if len(points) > 0 && points[0].Step == step {
				row[i+1], rest[i] = cell(points[0].Value), points[1:]
			}
		}
	}
	out.Flush()
	return out.Error()
}

// cell writes a value without rounding it. A NaN is an empty cell.
func cell(v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case math.IsInf(v, 0):
		return strconv.FormatFloat(v, 'g', -1, 64)[:1] + "inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// ShortLink is the body of a request for a short link.
type ShortLink struct {
	Link string `json:"link" doc:"The part of a Lab address behind the #, like v=1&p=catch&lag=8. It must open as it is written: known settings and turns only, and no fork."`
}

// Shortened is a short link.
type Shortened struct {
	Code string `json:"code" doc:"The same link always has the same code."`
	Path string `json:"path" doc:"Path on this server that leads to the link."`
}

func (a *api) shorten(ctx context.Context, in *struct{ Body ShortLink }) (Shortened, error) {
	fragment, err := ToKeep(in.Body.Link)
	if err != nil {
		return Shortened{}, refuse(err)
	}
	code, err := a.Runs.Shorten(ctx, fragment)
	return Shortened{code, a.pages() + "l/" + code}, err
}

// pages returns the path of the pages.
func (a *api) pages() string { return strings.TrimSuffix(a.Base, "api/v1") }

// ToKeep returns a link of the Lab or of the first page as the server stores it, or why it does not.
func ToKeep(fragment string) (string, error) {
	if Opens(strings.TrimPrefix(fragment, "#")) == "" {
		return firstpage.ToKeep(fragment)
	}
	return run.ToKeep(fragment)
}

// Opens returns the path, below the base, of the page that a fragment belongs to.
func Opens(fragment string) string {
	if firstpage.Tells(fragment) {
		return ""
	}
	return "lab"
}

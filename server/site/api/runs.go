package api

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
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
)

// Start is the body that begins a run.
type Start struct {
	Preset   string   `json:"preset,omitempty" doc:"Ready-made experiment, of GET /presets; without it the world's own."`
	Settings Settings `json:"settings,omitempty"`
	Seed     Value    `json:"seed,omitempty" doc:"Of everything left to chance; 1 without it."`
	Steps    Value    `json:"steps,omitempty" doc:"Environment steps after which it is done; without it the preset's."`
	Speed    Value    `json:"speed,omitempty" doc:"Environment steps a second; \"inf\" without it."`
	Turns    Turns    `json:"turns,omitempty"`
}

// spec is the run that a body asks for.
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

// Fork is the body that begins a run where another stood.
type Fork struct {
	Update   *uint64  `json:"update" doc:"After so many updates of the run."`
	Settings Settings `json:"settings,omitempty"`
}

// Patch is the body that changes settings.
type Patch struct {
	Settings Settings `json:"settings"`
}

// Started tells the name and the key of a new run.
type Started struct {
	ID  string `json:"id" doc:"Whoever has it may read the run, and fork it."`
	Key string `json:"key" doc:"It steers the run. It is told here and nowhere again."`
}

// Patched tells what came of a patch.
type Patched struct {
	Settings   map[string]string `json:"settings" doc:"All settings in force, by key."`
	FromUpdate uint64            `json:"from_update" doc:"The update after which they are in force."`
}

// Run is a run as it stands.
type Run struct {
	ID            string            `json:"id"`
	State         string            `json:"state" enum:"queued,running,paused,resting,done,diverged"`
	Reason        string            `json:"reason" doc:"Why it is in that state, for people; or empty."`
	Steps         uint64            `json:"steps" doc:"Environment steps learned from."`
	Updates       uint64            `json:"updates"`
	Episodes      uint64            `json:"episodes"`
	ReturnMean100 *float64          `json:"return_mean_100" doc:"Of the last 100 episodes; null before the first."`
	ParamsSHA256  string            `json:"params_sha256" doc:"Where it was last taken, and at the end; empty before."`
	Preset        string            `json:"preset" doc:"That the settings count from."`
	Settings      map[string]string `json:"settings" doc:"All settings in force, by key."`
	Parent        *Parent           `json:"parent" doc:"Of a fork; else null."`
	Purpose       string            `json:"purpose"`
	Build         string            `json:"build" doc:"Of the server that began the run."`
	Arithmetic    string            `json:"arithmetic" doc:"Whose bits the parameters are."`
	Device        *Device           `json:"device" doc:"What its network is computed on; null while the server does not hold the run."`
	Actors        []RemoteActor     `json:"actors" doc:"Actors of other processes that play for it now, and those that the run believed before; null in lists, and of a run that the server does not hold and no such actor joined."`
	Created       time.Time         `json:"created"`
	Changed       time.Time         `json:"changed"`
}

// RemoteActor is one that plays for a run in another process.
type RemoteActor struct {
	Since   *uint64  `json:"since,omitempty" doc:"Update from which it could supply data that the run believed, as the tape says; absent: the server plays its blocks again."`
	Name    string   `json:"name" doc:"That it gave itself."`
	Playing bool     `json:"playing" doc:"It has a place; else it waits for one."`
	Steps   uint64   `json:"steps" doc:"Environment steps of it that were learned from."`
	Lag     *float64 `json:"lag" doc:"Updates between the parameters it played with and those that learned from it, their mean; null before the first."`
}

// Device is what a network is computed on.
type Device struct {
	Name  string `json:"name" doc:"cpu, or a name that impalab devices lists."`
	Exact bool   `json:"exact" doc:"It gives the processor's bits."`
	Why   string `json:"why" doc:"Why this one, for people."`
}

// Parent is where a fork left another run.
type Parent struct {
	Run    string `json:"run"`
	Update uint64 `json:"update"`
}

// RunOf is a run as the API has it.
func RunOf(i lab.Info) Run {
	r := Run{
		ID: i.ID, State: string(i.State), Reason: i.Reason, Steps: i.Steps, Updates: i.Updates, Episodes: i.Episodes,
		ParamsSHA256: i.ParamsSHA256, Preset: i.Preset, Settings: i.Settings, Purpose: i.Purpose, Build: i.Build,
		Arithmetic: i.Arithmetic, Created: time.UnixMilli(i.Created).UTC(), Changed: time.UnixMilli(i.Changed).UTC(),
	}
	if m := i.ReturnMean100; m-m == 0 {
		r.ReturnMean100 = &m
	}
	if on := i.Computed; on.Name != "" {
		r.Device = &Device{on.Name, on.Exact, on.Why}
	}
	if i.Remotes != nil {
		r.Actors = []RemoteActor{}
	}
	for _, a := range i.Remotes {
		one := RemoteActor{Name: a.Name, Playing: a.Playing, Steps: a.Steps}
		if a.Lag == a.Lag { // NaN before the first
			one.Lag = &a.Lag
		}
		r.Actors = append(r.Actors, one)
	}
	for _, e := range i.Outsiders {
		at := slices.IndexFunc(r.Actors, func(a RemoteActor) bool { return a.Name == e.By })
		if at < 0 {
			r.Actors, at = append(r.Actors, RemoteActor{Name: e.By}), len(r.Actors)
		}
		since := e.Update + 1
		r.Actors[at].Since = &since
	}
	if i.From.Run != "" {
		r.Parent = &Parent{i.From.Run, i.From.Update}
	}
	return r
}

// Runs is a page of a list.
type Runs struct {
	Runs []Run   `json:"runs" doc:"Newest first."`
	Next *string `json:"next" doc:"The cursor that the next page begins with; null at the end."`
}

// Caller is whoever asks. A missing key is like a wrong one.
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

// own is the key that a caller brings for a new run; "" where it wants one from us.
func (c *Caller) own() (string, error) {
	key := c.key()
	if c.Authorization != "" && key == "" {
		return "", problem(http.StatusUnprocessableEntity,
			"Authorization: must be Bearer and a key of your own, or absent")
	}
	return key, nil
}

func addressOf(ctx context.Context) string { return ctx.Value(addressKey{}).(string) }

// Named is a run by its name.
type Named struct {
	ID string `path:"id" doc:"Id of the run."`
}

// body is an answer with nothing but a body.
type body[T any] struct{ Body T }

func answer[T any](v T) *body[T] { return &body[T]{v} }

func (a *api) start(ctx context.Context, in *struct {
	Caller
	Body Start
}) (*body[Started], error) {
	key, err := in.own()
	if err != nil {
		return nil, err
	}
	spec, err := in.Body.spec()
	if err != nil {
		return nil, problem(http.StatusUnprocessableEntity, err.Error())
	}
	spec.Owner.Address = addressOf(ctx)
	r, key, err := a.Runs.Start(ctx, spec, key)
	if err != nil {
		return nil, a.said(err)
	}
	return answer(Started{r.ID(), key}), nil
}

func (a *api) fork(ctx context.Context, in *struct {
	Caller
	Named
	Body Fork
}) (*body[Started], error) {
	key, err := in.own()
	if err != nil {
		return nil, err
	}
	if in.Body.Update == nil {
		return nil, problem(http.StatusUnprocessableEntity,
			"update is missing: say after which update of the run the fork leaves it")
	}
	from := lab.Origin{Run: in.ID, Update: *in.Body.Update}
	r, key, err := a.Runs.Fork(ctx, from, in.Body.Settings, lab.Owner{Address: addressOf(ctx)}, lab.Batch, key)
	if err != nil {
		return nil, a.said(err)
	}
	return answer(Started{r.ID(), key}), nil
}

func (a *api) list(ctx context.Context, in *struct {
	Caller
	Cursor string `query:"cursor" doc:"The value of next from the page before."`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"How many runs a page has at most."`
}) (*body[Runs], error) {
	if in.key() == "" {
		needed := problem(http.StatusUnauthorized, "whose runs? say so with Authorization: Bearer KEY")
		return nil, huma.ErrorWithHeaders(needed, http.Header{"WWW-Authenticate": {"Bearer"}})
	}
	after, err := parseCursor(in.Cursor)
	if err != nil {
		return nil, problem(http.StatusUnprocessableEntity, err.Error())
	}
	runs, next, err := a.Runs.List(ctx, in.key(), after, in.Limit)
	if err != nil {
		return nil, a.said(err)
	}
	page := Runs{Runs: []Run{}}
	for _, i := range runs {
		page.Runs = append(page.Runs, RunOf(i))
	}
	if next != (store.Cursor{}) {
		text := fmt.Sprintf("%d.%s", next.Created, next.ID)
		page.Next = &text
	}
	return answer(page), nil
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

func (a *api) read(ctx context.Context, in *Named) (*body[Run], error) {
	i, err := a.Runs.Info(ctx, in.ID)
	if err != nil {
		return nil, a.said(err)
	}
	return answer(RunOf(i)), nil
}

// answerWithin is how long a run may take to answer: an update of the largest networks takes a second.
const answerWithin = 10 * time.Second

// late is a run's error, in words where it is that no answer came in time.
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
}) (*body[Patched], error) {
	if len(in.Body.Settings) == 0 {
		return nil, problem(http.StatusUnprocessableEntity,
			`settings: there is none; name at least one, like {"settings": {"rho": 2}}`)
	}
	r, err := a.Runs.Owned(ctx, in.ID, in.key())
	if err != nil {
		return nil, a.said(err)
	}
	defer r.Leave()
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	now, err := r.Patch(ctx, in.Body.Settings)
	if err != nil {
		return nil, a.said(late(err, answerWithin, "the run has not answered",
			"it may still change: read it again in a moment"))
	}
	p := Patched{map[string]string{}, now.Update}
	for _, s := range now.Settings.Settings() {
		p.Settings[s.Key] = s.Value
	}
	return answer(p), nil
}

func (a *api) stop(ctx context.Context, in *struct {
	Caller
	Named
}) (*body[Run], error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	if err := a.Runs.Stop(ctx, in.ID, in.key()); err != nil {
		return nil, a.said(late(err, answerWithin, "the run has not stopped",
			"it may still stop: read it again in a moment"))
	}
	return a.read(ctx, &in.Named)
}

func (a *api) delete(ctx context.Context, in *struct {
	Caller
	Named
}) (*struct{}, error) {
	return nil, a.said(a.Runs.Delete(ctx, in.ID, in.key()))
}

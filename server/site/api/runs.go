package api

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"impalab/learner/hyper"
	"impalab/server/errcode"
	"impalab/server/lab"
	"impalab/server/places"
	"impalab/server/store"
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
	spec.Owner.Address = places.Visitor(ctx)
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
	return started(a.Runs.Fork(ctx, from, in.Body.Settings, lab.Owner{Address: places.Visitor(ctx)}, lab.Batch, key))
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

package api

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"impalab/web/watch"
	"impalab/web/wire"
)

// How often one address may look at an unroll.
const (
	looksEvery = 4.0 // a second
	looksBurst = 8

	againWithin = 25 * time.Second // to learn again what led to earlier moments
)

func (a *api) unroll(ctx context.Context, in *struct {
	Named
	Trajectory int    `query:"trajectory" minimum:"0" default:"0" doc:"Place of the trajectory in the batch, from 0."`
	Update     uint64 `query:"update" doc:"The state after this update; an earlier update is recomputed. 0: the newest."`
}) (*body[watch.Unroll], error) {
	if err := a.mayLook(ctx); err != nil {
		return nil, err
	}
	within := answerWithin
	if in.Update > 0 {
		within = againWithin
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	found, err := a.Runs.Unroll(ctx, in.ID, in.Trajectory, in.Update)
	if err != nil {
		return nil, a.said(late(err, within, "the run has not answered", "ask again in a moment"))
	}
	out, err := watch.UnrollOf(in.ID, found)
	return &body[watch.Unroll]{out}, err
}

// mayLook holds an address to a rate.
func (a *api) mayLook(ctx context.Context) error {
	if a.looks.Allow(addressOf(ctx)) {
		return nil
	}
	return huma.ErrorWithHeaders(problem(http.StatusTooManyRequests, fmt.Sprintf(
		"runs are looked into too fast from your address: %s; wait a second, then try again", a.looks)),
		http.Header{"Retry-After": {"1"}})
}

// moments are what pages are shown of some updates, made again.
func (a *api) moments(ctx context.Context, in *struct {
	Named
	From       uint64 `query:"from" minimum:"1" required:"true" doc:"The first update to recompute."`
	To         uint64 `query:"to" minimum:"1" required:"true" doc:"The last update to recompute; at most 63 after the first."`
	Parameters bool   `query:"parameters" doc:"Include the parameters after each update."`
}) (*huma.StreamResponse, error) {
	if err := a.mayLook(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, againWithin)
	defer cancel()
	made, err := a.Runs.Moments(ctx, in.ID, in.From, in.To, in.Parameters)
	if err != nil {
		return nil, a.said(late(err, againWithin, "these updates were not made again", "ask for earlier ones, or for fewer"))
	}
	frame, err := wire.AppendJoined(nil, made)
	if err != nil {
		return nil, a.said(err)
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		c.SetHeader("Content-Type", frameType)
		c.BodyWriter().Write(frame) // whoever does not read it to its end has gone
	}}, nil
}

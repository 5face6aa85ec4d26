package site

import (
	"context"
	"strings"
	"testing"

	"impalab/learner/telemetry"
	"impalab/server/site/api"
	"impalab/web/actorwire"
	"impalab/web/wire"
)

// forge plays for a run as an actor with its key, and reports a reward of 1 at every step.
func (h *hall) forge(run string) {
	seat, err := h.runs.Act(&wire.Join{Run: run, Key: h.key, Build: "test", Name: "forger"}, "")
	if err != nil {
		h.t.Error(err)
		return
	}
	defer seat.Leave()
	var actor actorwire.Actor
	for {
		orders, err := seat.Next(h.t.Context())
		if err != nil { // the run is over
			return
		}
		for _, m := range orders {
			block, err := actor.Hear(m, func(telemetry.Episode) {})
			if err != nil {
				h.t.Error(err)
				return
			}
			if block == nil {
				continue
			}
			for i := range block.Reward {
				block.Reward[i] = 1
			}
			if err := seat.Accept(block); err != nil {
				return
			}
		}
	}
}

// Catch pays at most 1 an episode. A run whose actor reports 1 at every step ends above that, and its tape says since
// when an actor outside the server supplied data.
func TestAForgedRunSaysSoAndIsNotShownBesideARow(t *testing.T) {
	h := newHall(t)
	run := h.start(`{"preset": "catch", "settings": {"lag": 1, "rho": 2}, "seed": 1, "steps": 1000, "speed": 100}`)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() {
		defer stop()
		h.forge(run)
	}()
	forged := h.ended(run)
	<-ctx.Done()
	if !(forged.ReturnMean100 > 1) {
		t.Fatalf("the forged rewards were not learned from: %+v", forged)
	}
	if len(forged.Actors) != 1 || forged.Actors[0].Name != "forger" || forged.Actors[0].Since == nil {
		t.Errorf("the finished run's actors are %+v", forged.Actors)
	}
	outcome := h.replayed(run)
	if outcome.Same() || outcome.Outside == nil ||
		!strings.Contains(outcome.Why, "an actor outside the server supplied data from update") {
		t.Errorf("replay says %+v", outcome)
	}
	_, page := ask(t, "GET", h.base+"r/"+run, "Accept", "text/html")
	if strings.Count(page, "an actor outside the server") < 3 { // computed on, board, tape
		t.Error("the run's page does not say that an actor outside the server supplied data")
	}
	_, sentence := h.refused("POST", "/board/quick/entries", 422, `{"settings": {"rho": 2}, "run": "`+run+`"}`)
	if !strings.Contains(sentence, "an actor outside the server supplied data from update") {
		t.Errorf("handed in beside a row: %s", sentence)
	}
}

// A run of the same settings, steps and seed is shown once the row's training has the same parameters.
func TestARunIsShownBesideARowOfTheSameParameters(t *testing.T) {
	h := newHall(t)
	run := h.start(`{"preset": "catch", "settings": {"lag": 1, "rho": 2}, "seed": 1, "steps": 1000}`)
	elsewhere := h.start(`{"preset": "catch", "settings": {"lag": 1, "rho": 2}, "seed": 99, "steps": 1000}`)
	longer := h.start(`{"preset": "catch", "settings": {"lag": 1, "rho": 2}, "seed": 1, "steps": 2000}`)
	params := h.ended(run).ParamsSHA256
	for id, want := range map[string]string{
		elsewhere: "its seed is 99, and it must be one of the public seeds 1-8",
		longer:    "it trains 2000 steps, and Quick trains 1000",
	} {
		_, sentence := h.refused("POST", "/board/quick/entries", 422, `{"settings": {"rho": 2}, "run": "`+id+`"}`)
		if !strings.Contains(sentence, want) {
			t.Errorf("not %q: %s", want, sentence)
		}
	}
	_, form := ask(t, "GET", h.base+"board/quick?settings=rho%3D2&run="+longer, "Accept", "text/html")
	if strings.Contains(form, `name="run"`) || !strings.Contains(form, "it trains 2000 steps") {
		t.Error("the form offers a run that cannot be shown, or does not say why not")
	}
	var e api.Entry
	h.call("POST", "/board/quick/entries", 201, `{"settings": {"rho": 2}, "run": "`+run+`"}`, &e)
	if e = h.ranked(e.ID); e.Run != run || e.Public.Params[0] != params {
		t.Errorf("the row shows run %q with parameters %s, and %s was handed in with %s", e.Run, e.Public.Params[0], run,
			params)
	}
	if _, row := ask(t, "GET", h.base+strings.TrimPrefix(e.Page, "/")); !strings.Contains(row, `href="/r/`+run+`"`) {
		t.Error("the row does not lead to the run")
	}
}

package class

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"impalab/learner/telemetry"
	"impalab/server/errcode"
	"impalab/server/lab"
	"impalab/server/store"
	"impalab/web/actorwire"
	"impalab/web/wire"
)

// fleetHouse has rooms with fleets.
type fleetHouse struct {
	*house
	runs *lab.Lab
}

func newFleetHouse(t *testing.T) *fleetHouse {
	h := &fleetHouse{house: &house{t: t, dir: t.TempDir()}}
	h.open()
	t.Cleanup(func() { h.shut() })
	return h
}

func (h *fleetHouse) open() {
	h.t.Helper()
	var err error
	if h.kept, err = store.Open(context.Background(), store.Options{Dir: h.dir}); err != nil {
		h.t.Fatal(err)
	}
	if h.runs, err = lab.New(lab.Options{Store: h.kept, Build: "b"}); err != nil {
		h.t.Fatal(err)
	}
	h.begin(Options{Runs: h.runs, Cores: h.runs.Cores()})
}

func (h *fleetHouse) shut() {
	h.queue.Close()
	h.Rooms.Close()
	h.runs.Close()
	h.kept.Close()
}

// settingsOf reads "preset=cartpole mode=live".
func settingsOf(text string) map[string]string {
	all := map[string]string{}
	for _, pair := range strings.Fields(text) {
		key, value, _ := strings.Cut(pair, "=")
		all[key] = value
	}
	return all
}

// begins starts a fleet and waits for its run.
func (h *fleetHouse) begins(r *Room, settings string) {
	h.t.Helper()
	h.change(r, Change{Fleet: &FleetChange{Settings: settingsOf(settings)}})
	awaits(h.t, "the fleet's run never came", func() bool { return r.AsTeacher().Fleet.State != "waiting" })
}

func honest(*wire.Block) {}

func forge(b *wire.Block) { b.Reward[len(b.Reward)/2] += 1000 }

// acts is a browser that acts until it is dismissed for good, and returns the reason. All messages pass through the
// bytes of the wire.
func acts(t *testing.T, rooms *Rooms, join *wire.Join, alter func(*wire.Block)) error {
	through := func(m wire.Message, from wire.Direction) wire.Message {
		frame, err := wire.Append(nil, m)
		if err == nil {
			m, err = wire.Decode(frame, from)
		}
		if err != nil {
			t.Error(err)
		}
		return m
	}
	for ; ; time.Sleep(20 * time.Millisecond) {
		seat, err := rooms.Act(through(join, wire.FromActor).(*wire.Join), "here")
		var a actorwire.Actor
		for err == nil {
			var all []wire.Message
			if all, err = seat.Next(t.Context()); err != nil {
				seat.Leave()
				break
			}
			for _, m := range all {
				block, hears := a.Hear(through(m, wire.ToActor), func(telemetry.Episode) {})
				if hears != nil {
					t.Error(hears)
				}
				if block != nil {
					alter(block)
					seat.Accept(through(block, wire.FromActor).(*wire.Block)) // Next returns the error
				}
			}
		}
		if final := (actorwire.Final{}); errors.As(err, &final) || t.Context().Err() != nil || rooms.ctx.Err() != nil {
			return err
		}
	}
}

// acting runs acts on a goroutine, which ends with the test at the latest.
func (h *fleetHouse) acting(r *Room, j Joined, alter func(*wire.Block)) (over chan error) {
	over = make(chan error, 1)
	join := &wire.Join{Run: ActsFor + r.Code(), Key: j.Secret, Build: "b"}
	rooms := h.Rooms
	go func() { over <- acts(h.t, rooms, join, alter) }()
	return over
}

// tileOf returns a member's tile.
func tileOf(r *Room, j Joined) Actor {
	for _, t := range r.AsTeacher().Tiles {
		if t.Number == j.Member && t.Acts != nil {
			return *t.Acts
		}
	}
	return Actor{}
}

// In a live fleet no forged block reaches a batch. The wall counts them, and the forger is dismissed, sooner the second
// time. The lag on the wall is the lag that the run measured of the unrolls it learned from.
func TestForgedBlocksAreNotLearnedFromAndAreCountedOnTheWall(t *testing.T) {
	h := newFleetHouse(t)
	r, _ := h.room("first-contact")
	ada, eve := h.join(r, "Ada"), h.join(r, "Eve")
	h.begins(r, "preset=cartpole hidden=16 speed=inf")
	stays := h.acting(r, ada, honest)
	awaits(t, "Ada's unrolls", func() bool { return tileOf(r, ada).Unrolls > 200 })
	for _, forged := range []uint64{20, 21} {
		sent, final := <-h.acting(r, eve, forge), actorwire.Final{}
		if !errors.As(sent, &final) || !strings.Contains(final.Reason, "20 blocks in a row") {
			t.Errorf("a forger is told %v", sent)
		}
		if e := tileOf(r, eve); e.Forged != forged {
			t.Errorf("of %d forged blocks the wall has %d", forged, e.Forged)
		}
	}
	h.change(r, Change{Fleet: &FleetChange{Set: settingsOf("correction=none")}})
	awaits(t, "Eve's seat free", func() bool { return r.AsTeacher().Fleet.Acting == 1 })
	if v := r.AsTeacher().Fleet; v.Correction != "none" || v.Lockstep || v.World != "cartpole" {
		t.Errorf("%+v", v)
	}
	h.change(r, Change{Fleet: &FleetChange{On: is(false)}})
	if err := <-stays; !errors.Is(err, errFleetOff) {
		t.Error(err)
	}
	// The learner may still read earlier blocks, so the test compares at a moment without changes.
	var v *Fleet
	var a, e Actor
	var s Student
	awaits(t, "two moments with one figure", func() bool {
		a = tileOf(r, ada)
		v, e, s = r.AsTeacher().Fleet, tileOf(r, eve), seen(t, r, ada.Member)
		return tileOf(r, ada).Unrolls == a.Unrolls
	})
	if e.Unrolls > 0 || e.Lag != nil || e.Return != nil || e.Forged != v.Forged || e.Here || a.Forged > 0 {
		t.Errorf("Eve's tile %+v, Ada's %+v, the fleet's %+v", e, a, v)
	}
	if *s.Acts.Lag != *a.Lag || *v.Lag != *a.Lag || *a.Lag < 0 || !(*a.Return > 8) {
		t.Errorf("Ada reads %+v, the wall has %+v and %+v", s.Acts, a, v)
	}
}

// A browser that joins again replaces the earlier window.
func TestAnActorInAnotherWindowTakesTheSeat(t *testing.T) {
	h := newFleetHouse(t)
	r, _ := h.room("first-contact")
	ada := h.join(r, "Ada")
	h.begins(r, "preset=cartpole hidden=16 speed=inf")
	left := h.acting(r, ada, honest)
	awaits(t, "Ada's unrolls", func() bool { return tileOf(r, ada).Unrolls > 5 })
	h.acting(r, ada, honest)
	if err := <-left; !errors.Is(err, errElsewhere) {
		t.Error(err)
	}
	before := tileOf(r, ada).Unrolls
	awaits(t, "more of Ada's unrolls", func() bool { return tileOf(r, ada).Unrolls > before+5 })
}

// The wall has the figures of the run's own list of actors, which the learner's tests compare with the unrolls.
func TestTheWallShowsTheLagOfTheUnrolls(t *testing.T) {
	h := newFleetHouse(t)
	r, _ := h.room("first-contact")
	ada := h.join(r, "Ada")
	h.begins(r, "preset=cartpole hidden=16 speed=1500")
	h.acting(r, ada, honest)
	awaits(t, "Ada's unrolls", func() bool { return tileOf(r, ada).Unrolls > 50 })
	awaits(t, "two moments with one figure", func() bool {
		before := tileOf(r, ada)
		info, err := h.runs.Info(t.Context(), r.AsTeacher().Fleet.Run)
		if err != nil || len(info.Actors) != 1 || before.Unrolls != tileOf(r, ada).Unrolls {
			return false
		}
		if of := info.Actors[0]; of.Name != "student 1" || float64(of.Lag) != *before.Lag || of.Steps != before.Steps {
			t.Errorf("the run has %+v, the wall %+v", of, before)
		}
		return true
	})
}

// In lockstep neither students nor a forger change the run's result.
func TestALockstepFleetComesToTheBytesOfTheRunAlone(t *testing.T) {
	h := newFleetHouse(t)
	r, _ := h.room("first-contact")
	const of = "preset=cartpole hidden=16 mode=reference collect=trajectory actors=3 lag=2 steps=6000 arithmetic=plain"
	spec, err := fleetSpec(settingsOf(of + " speed=inf"))
	if err != nil {
		t.Fatal(err)
	}
	spec.Purpose = lab.Batch // without viewers
	alone, _, err := h.runs.Start(t.Context(), spec, "")
	if err != nil {
		t.Fatal(err)
	}
	ada, bo, eve := h.join(r, "Ada"), h.join(r, "Bo"), h.join(r, "Eve")
	h.begins(r, of+" speed=300")
	h.acting(r, ada, honest)
	h.acting(r, bo, honest)
	h.acting(r, eve, forge)
	awaits(t, "all three acting", func() bool {
		return tileOf(r, ada).Steps > 0 && tileOf(r, bo).Steps > 0 && tileOf(r, eve).Forged > 0
	})
	h.change(r, Change{Fleet: &FleetChange{Set: settingsOf("speed=inf")}})
	awaits(t, "the ends", func() bool {
		return r.AsTeacher().Fleet.State == "done" && alone.Status().State == store.Done
	})
	want, err := h.runs.Info(t.Context(), alone.ID)
	if err != nil {
		t.Fatal(err)
	}
	got, err := h.runs.Info(t.Context(), r.AsTeacher().Fleet.Run)
	if err != nil || got.ParamsSHA256 != want.ParamsSHA256 || got.ParamsSHA256 == "" || got.Episodes != want.Episodes {
		t.Errorf("the fleet comes to %.12s, the run alone to %.12s (%v)", got.ParamsSHA256, want.ParamsSHA256, err)
	}
	a, b, e := tileOf(r, ada), tileOf(r, bo), tileOf(r, eve)
	if a.Steps == 0 || b.Steps == 0 || e.Steps > 0 || e.Forged == 0 {
		t.Errorf("Ada %+v, Bo %+v, Eve %+v", a, b, e)
	}
	if math.Abs(*a.Lag-2) > .5 { // fewer updates in the first rounds
		t.Errorf("with lag=2 Ada's is %v", *a.Lag)
	}
}

// After a restart the students reconnect. A lockstep run continues; a live run starts again with its last settings.
func TestAFleetOutlivesARestart(t *testing.T) {
	for _, c := range []struct {
		settings string
		again    int
	}{
		{"preset=cartpole hidden=16 speed=20000", 1},
		{"preset=cartpole hidden=16 mode=reference collect=trajectory actors=1", 0},
	} {
		h := newFleetHouse(t)
		r, _ := h.room("first-contact")
		ada := h.join(r, "Ada")
		h.begins(r, c.settings)
		h.acting(r, ada, honest)
		awaits(t, "Ada's unrolls", func() bool { return tileOf(r, ada).Unrolls > 4 })
		h.change(r, Change{Fleet: &FleetChange{Set: settingsOf("correction=none")}})
		before := r.AsTeacher().Fleet
		h.shut()
		h.open()
		r = h.at(r.Code())
		awaits(t, "the fleet coming back", func() bool {
			v := r.AsTeacher().Fleet
			return v.State != "waiting" && v.Again == c.again && (v.Run == before.Run) == (c.again == 0)
		})
		h.acting(r, ada, honest)
		awaits(t, "Ada acting again", func() bool { return tileOf(r, ada).Unrolls > 4 })
		if v := r.AsTeacher().Fleet; v.Correction != "none" || c.again == 0 && v.Steps < before.Steps {
			t.Errorf("before %+v, then %+v", before, v)
		}
	}
}

func TestWhoMayNotActIsToldWhy(t *testing.T) {
	h := newFleetHouse(t)
	r, key := h.room("first-contact")
	ada, bo := h.join(r, "Ada"), h.join(r, "Bo")
	good := wire.Join{Run: ActsFor + r.Code(), Key: ada.Secret, Build: "b"}
	told := func(want string, change func(*wire.Join)) {
		t.Helper()
		join := good
		change(&join)
		seat, err := h.Act(&join, "here")
		if final := (actorwire.Final{}); !errors.As(err, &final) || !strings.Contains(final.Reason, want) || seat != nil {
			t.Errorf("told %v, want %q", err, want)
		}
	}
	nothing := func(*wire.Join) {}
	told("switched off", nothing)
	h.begins(r, "preset=cartpole hidden=16")
	told("no room with this code", func(j *wire.Join) { j.Run = ActsFor + "BCDFGH" })
	told("not yours", func(j *wire.Join) { j.Key = "x" })
	told("not yours", func(j *wire.Join) { j.Key = "" })
	told("its teacher's key", func(j *wire.Join) { j.Key = key })
	told("reload the page", func(j *wire.Join) { j.Build = "c" })
	told("no run here", func(j *wire.Join) { j.Run = r.AsTeacher().Fleet.Run }) // a secret does not open the run
	over := h.acting(r, bo, honest)
	awaits(t, "Bo acting", func() bool { return tileOf(r, bo).Here })
	if err := r.ChangeMember(t.Context(), bo.Member, MemberChange{Removed: true}); err != nil {
		t.Fatal(err)
	}
	if err := <-over; !errors.Is(err, errNotHere) {
		t.Error(err)
	}
	told("not yours", func(j *wire.Join) { j.Key = bo.Secret })
	h.change(r, Change{Closed: is(true)})
	told("switched off", nothing)
	wants(t, "a fleet in a closed room", r.Change(t.Context(), Change{Fleet: &FleetChange{On: is(true)}}),
		errcode.Conflict,
		"closed")
	run := r.AsTeacher().Fleet.Run
	if err := r.Delete(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := h.runs.Info(t.Context(), run); errcode.Of(err) != errcode.NotFound {
		t.Errorf("the run of a room that was deleted: %v", err)
	}
	told("no room with this code", nothing)
}

func TestAFleetThatCannotBeIsRefused(t *testing.T) {
	h := newFleetHouse(t)
	r, _ := h.room("first-contact")
	try := func(code errcode.Code, words string, c FleetChange) {
		t.Helper()
		wants(t, words, r.Change(t.Context(), Change{Fleet: &c}), code, words)
	}
	try(errcode.Refused, "had no fleet yet", FleetChange{On: is(true)})
	try(errcode.Conflict, "no fleet acts", FleetChange{Set: settingsOf("rho=2")})
	for settings, words := range map[string]string{
		"preset=nothing":                       "nothing",
		"preset=cartpole colour=blue":          `no setting "colour"`,
		"preset=cartpole arithmetic=fused":     "arithmetic=plain",
		"preset=cartpole mode=reference":       "set collect=trajectory",
		"preset=cartpole gamma=2":              "gamma",
		"preset=cartpole unroll=400 batch=512": "make one of these smaller",
		"preset=cartpole unroll=400 batch=512 hidden=8 mode=reference collect=trajectory actors=1": "too large to be sent",
	} {
		try(errcode.Refused, words, FleetChange{Settings: settingsOf(settings)})
	}
	if r.AsTeacher().Fleet != nil {
		t.Error("there is a fleet now")
	}
	h.begins(r, "preset=cartpole hidden=16")
	try(errcode.Refused, "mode", FleetChange{Set: settingsOf("mode=reference")})
	try(errcode.Refused, "send nothing else", FleetChange{Set: settingsOf("rho=2"), On: is(false)})
	wants(t, "with another change", r.Change(t.Context(), Change{Step: is(1),
		Fleet: &FleetChange{Set: settingsOf("rho=2")}}), errcode.Refused, "send nothing else")
	none := newHouse(t)
	bare, _ := none.room("first-contact")
	wants(t, "without runs", bare.Change(t.Context(),
		Change{Fleet: &FleetChange{Settings: settingsOf("preset=cartpole")}}), errcode.Conflict, "no fleets")
}

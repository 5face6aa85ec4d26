package class

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"impalab/learner/hyper"
	"impalab/server/errcode"
	"impalab/server/places"
	"impalab/server/store"
	"impalab/web/exercise"
)

func TestACodeHasSixLettersThatCannotBeMistaken(t *testing.T) {
	for range 1000 {
		code := newCode()
		if len(code) != 6 || strings.Trim(code, letters) != "" || strings.ContainsAny(code, "AEIOULI01") {
			t.Fatal(code)
		}
	}
	h := newHouse(t)
	r, _ := h.room("")
	typed := strings.ToLower(r.code[:3]) + "-" + r.code[3:4] + " " + r.code[4:] + " "
	if h.at(typed) != r {
		t.Errorf("%q does not lead to room %s", typed, r.code)
	}
}

func TestARoomThatIsFullClosedOrUnknownSaysSo(t *testing.T) {
	h := newHouse(t)
	h.opts.Most = 2
	r, _ := h.room("")
	h.join(r, "a")
	h.join(r, "b")
	_, err := r.Join(t.Context(), "c")
	wants(t, "a full room", err, errcode.Full, "full: 2 students are in it")
	h.change(r, Change{Closed: is(true)})
	_, err = r.Join(t.Context(), "d")
	wants(t, "a closed room", err, errcode.Conflict, "closed")
	_, err = r.Answer(t.Context(), 1, Guess, "open", exercise.Answer{})
	wants(t, "an answer in a closed room", err, errcode.Conflict, "closed")
	for _, code := range []string{"BCDFGH", "", "ABCDEFGHIJK", "<script>"} {
		_, err = h.Room(t.Context(), "there", code)
		wants(t, "code "+code, err, errcode.NotFound, "no room with this code")
	}
}

// A stranger with the code can take every seat. The class joins another room, and its teacher lets nobody else in.
func TestACompleteClassLetsNobodyElseIn(t *testing.T) {
	h := newHouse(t)
	h.opts.Most = 36
	r, _ := h.room("")
	for i := range 35 {
		if _, err := h.Join(t.Context(), "school", r.Code(), fmt.Sprint("student ", i)); err != nil {
			t.Fatal(err)
		}
	}
	h.change(r, Change{Complete: is(true)})
	_, err := h.Join(t.Context(), "elsewhere", r.Code(), "stranger")
	wants(t, "a stranger", err, errcode.Conflict, "this class is complete, and no other student can join")
	_, err = r.Answer(t.Context(), 1, Guess, "open", exercise.Answer{})
	if errcode.Of(err) == errcode.Conflict && strings.Contains(err.Error(), "complete") {
		t.Error("a member cannot answer: ", err)
	}
	if err := r.ChangeMember(t.Context(), 1, MemberChange{Reopen: true}); err != nil {
		t.Fatal(err)
	}
	if again, err := h.Join(t.Context(), "home", r.Code(), "student 0"); err != nil || again.Member != 1 {
		t.Errorf("a member in another browser is %+v, %v", again, err)
	}
	h.change(r, Change{Complete: is(false)})
	if _, err := h.Join(t.Context(), "school", r.Code(), "late"); err != nil {
		t.Error("a student who is late: ", err)
	}
}

func TestGuessedCodesAreSlowedDownAndMembersAreNot(t *testing.T) {
	h := newHouse(t)
	r, key := h.room("")
	ada := h.join(r, "Ada")
	for range wrongBurst {
		_, err := h.Room(t.Context(), "school", "BCDFGH")
		wants(t, "a guess", err, errcode.NotFound, "")
	}
	_, err := h.Room(t.Context(), "school", r.Code())
	wants(t, "a right code after many wrong ones", err, errcode.TooFast, "wait a minute")
	for _, secret := range []string{ada.Secret, key} {
		if _, _, err := h.Known(t.Context(), "school", r.Code(), secret); err != nil {
			t.Error("somebody inside was shut out: ", err)
		}
	}
	if _, err := h.Room(t.Context(), "elsewhere", r.Code()); err != nil {
		t.Error("another address was shut out: ", err)
	}
}

func TestTenThousandJoinsOfOneRoomHarmNoOtherRoom(t *testing.T) {
	h := newHouse(t)
	flooded, _ := h.room("")
	quiet, _ := h.room("")
	h.join(quiet, "Ada")
	h.change(quiet, Change{Step: stepNamed(t, quiet, "where-will-it-end")})
	stop := make(chan struct{})
	var flood sync.WaitGroup
	var tooFast, others int
	flood.Go(func() {
		for i := range 10_000 {
			_, err := flooded.Join(context.Background(), fmt.Sprint("n", i))
			switch errcode.Of(err) {
			case errcode.TooFast:
				tooFast++
			default:
				others++
			}
		}
		close(stop)
	})
	answers := 0
	for done := false; !done || answers < 10; answers++ {
		if answers < most[Guess].times {
			_, err := quiet.Answer(t.Context(), 1, Guess, "where-will-it-end", exercise.Answer{Choice: is(answers % 4)})
			if err != nil {
				t.Fatal("a guess in the other room: ", err)
			}
		} else if _, err := quiet.AsStudent(1, ""); err != nil {
			t.Fatal(err)
		}
		select {
		case <-stop:
			done = true
		default:
		}
	}
	flood.Wait()
	if n := len(flooded.AsTeacher().Tiles); n != h.opts.Most || tooFast < 9_000 {
		t.Errorf("%d are in the flooded room, %d were told to wait, %d something else", n, tooFast, others)
	}
}

// The runs are on Catch, 30 000 steps each. The server stops in the middle. After its next start the same hidden seeds
// judge the same answer.
func TestARoomContinuesAfterARestartWithItsMembersAndOpenAnswers(t *testing.T) {
	h := newHouse(t)
	r, key := h.room("exercises")
	ada := h.join(r, "Ada")
	h.change(r, Change{Step: stepNamed(t, r, "five-times-fewer"), Follow: is(true), Locked: &[]string{"trust"},
		Spotlight: is(int64(1))})
	if _, err := r.Answer(t.Context(), 1, HandIn, "five-times-fewer",
		exercise.Answer{Settings: map[string]string{"mix": "0.875"}}); err != nil {
		t.Fatal(err)
	}
	hidden := fmt.Sprint(r.hidden("five-times-fewer", 8))
	awaits(t, "nothing was trained", func() bool { s := seen(t, r, 1); return s.Run != nil && s.Run.Chart != "" })
	h.shut()
	h.open(Options{})
	r = h.at(r.Code())
	if fmt.Sprint(r.hidden("five-times-fewer", 8)) != hidden {
		t.Error("other hidden seeds after a restart")
	}
	for secret, want := range map[string]Role{ada.Secret: {Member: 1}, key: {Teacher: true}} {
		if _, role, err := h.Known(t.Context(), "here", r.Code(), secret); err != nil || role != want {
			t.Errorf("%+v, %v", role, err)
		}
	}
	s := seen(t, r, 1)
	if s.Nickname != "Ada" || fmt.Sprint(s.Locked) != "[trust]" || s.Task.Name != "five-times-fewer" {
		t.Errorf("%+v", s)
	}
	awaits(t, "the answer was never judged", func() bool { return !seen(t, r, 1).Answers[0].Open })
	s = seen(t, r, 1)
	if g := s.Answers[0]; g.Credit == nil || *g.Credit < .3 || g.Receipt == "" || !strings.Contains(g.Say,
		"other seeds") {
		t.Errorf("%+v", g)
	}
	if n := len(r.answers[0].result.Curve); n < exercise.CurvePoints/2 || !strings.Contains(s.Run.Chart, `class="return"`) ||
		s.Run.Low[:len("−0")] != "−0" || s.Run.High[:2] != "0." && s.Run.High != "1.00" {
		t.Errorf("the curve has %d points, and its chart is %+v", n, s.Run)
	}
	b, _ := json.Marshal([]any{r.AsTeacher(), s, r.File()})
	for _, seed := range r.hidden("five-times-fewer", 8) {
		if strings.Contains(string(b), fmt.Sprint(seed)) {
			t.Error("a hidden seed is told")
		}
	}
}

// Anybody may make rooms and join them under any number of names. So places in the queue belong to addresses.
func TestTheAnswersOfOneAddressKeepNoOtherWaiting(t *testing.T) {
	h := newHouse(t)
	h.shut()
	h.idle = true // so that the jobs wait
	h.open(Options{})
	r, _ := h.room("exercises")
	h.change(r, Change{Step: stepNamed(t, r, fewer), Follow: is(true)})
	place := func(address, name string) int {
		h.join(r, name)
		number := int64(len(r.members))
		for _, mix := range []string{"0.875", "0.75"} {
			if _, err := r.Answer(places.By(t.Context(), address), number, HandIn, fewer,
				exercise.Answer{Settings: map[string]string{"mix": mix}}); err != nil {
				t.Fatal(err)
			}
		}
		return seen(t, r, number).Answers[1].Place // of the first, the newest comes first
	}
	for i := range 20 {
		place("elsewhere", fmt.Sprint("Eve", i))
	}
	if at := place("school", "Ada"); at != 2 {
		t.Errorf("the first answer of another address is at place %d", at)
	}
}

// A deleted room leaves no job in the queue.
func TestADeletedRoomTakesItsJobsAlong(t *testing.T) {
	h := newHouse(t)
	h.shut()
	h.idle = true // so that the job waits
	h.open(Options{})
	r, _ := h.room("exercises")
	h.join(r, "Ada")
	h.change(r, Change{Step: stepNamed(t, r, fewer), Follow: is(true)})
	_, err := r.Answer(t.Context(), 1, HandIn, fewer, exercise.Answer{Settings: map[string]string{"mix": "0.875"}})
	if err != nil {
		t.Fatal(err)
	}
	if a := seen(t, r, 1).Answers[0]; !a.Open || a.Place != 1 {
		t.Errorf("it waits as %+v", a)
	}
	if err := r.Delete(t.Context()); err != nil {
		t.Fatal(err)
	}
	var left, cancelled []store.Job
	err = h.kept.View(t.Context(), func(tx *store.Tx) (err error) {
		if left, err = tx.JobsIn(store.JobQueued); err == nil {
			cancelled, err = tx.JobsIn(store.JobCancelled)
		}
		return err
	})
	if err != nil || len(left) != 0 || len(cancelled) != 1 {
		t.Errorf("%d jobs wait and %d are cancelled, %v", len(left), len(cancelled), err)
	}
}

func TestADeletedRoomIsGoneForAll(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("exercises")
	ada := h.join(r, "Ada")
	if err := r.Delete(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := h.Room(t.Context(), "here", r.Code())
	wants(t, "a deleted room", err, errcode.NotFound, "")
	_, err = r.AsStudent(ada.Member, "")
	wants(t, "a page that is still open", err, errcode.NotFound, "deleted")
	err = h.kept.View(t.Context(), func(tx *store.Tx) error { _, err := tx.Room(r.Code()); return err })
	if !errors.Is(err, store.ErrNotFound) {
		t.Error("the store still has it")
	}
}

// No error of a run on a hidden seed names the seed: seedjob writes the seed's name.
func TestAFaultOfAHiddenRunTellsNoSeed(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("exercises")
	a := &answer{said: exercise.Answer{Settings: map[string]string{"mix": "0.875"}}}
	a.Kind, a.Task = HandIn, fewer
	training, err := r.training(a)
	if err != nil || len(training.names) != 8 {
		t.Fatalf("%v, names %v", err, training.names)
	}
	for i, seed := range r.hidden(fewer, 8) {
		if name := fmt.Sprintf("hidden:%d", i); training.seeds[i] != seed || training.names[i] != name {
			t.Errorf("seed %d is called %s", i, training.names[i])
		}
		if err := (&hyper.Config{}).Set("seed", fmt.Sprint(seed)); err != nil {
			t.Errorf("a run on a hidden seed could not go on from a state: %v", err)
		}
	}
}

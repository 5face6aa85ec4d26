package class

import (
	"context"
	"strings"
	"testing"
	"time"

	"impalab/server/errcode"
	"impalab/server/exercise"
	"impalab/server/store"
)

// answers returns a room's stored answers.
func (h *house) answers(r *Room) (all []store.Answer) {
	h.t.Helper()
	err := h.kept.View(h.t.Context(), func(tx *store.Tx) (err error) { all, err = tx.Answers(r.Code()); return err })
	if err != nil {
		h.t.Fatal(err)
	}
	return all
}

func TestAnAnswerKeepsNothingThatItsExerciseDoesNotAskFor(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("exercises")
	h.join(r, "Ada")
	long := strings.Repeat("A", 60_000)
	for task, a := range map[string]exercise.Answer{
		"by-hand-with-an-end": {Numbers: []float64{1, 1, 1, 1}, Text: long},
		"which-knob":          {Number: is(1.), Second: is(0), Draw: long},
		"half-way-house":      {Settings: map[string]string{"rho": "1.08"}, Text: long},
	} {
		if _, err := r.Answer(t.Context(), 1, HandIn, task, a); err != nil {
			t.Errorf("%s: %v", task, err)
		}
	}
	for _, a := range h.answers(r) {
		if len(a.Answer) > 100 {
			t.Errorf("%s keeps %d bytes", a.Task, len(a.Answer))
		}
	}
	_, err := r.Answer(t.Context(), 1, Try, "half-way-house",
		exercise.Answer{Settings: map[string]string{"rho": "1." + strings.Repeat("0", 5000)}})
	wants(t, "a long number", err, errcode.Refused, "the limit is 4096")
}

func TestARoomTakesNoMoreThanItsBoundAndSaysSo(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("exercises")
	h.join(r, "Ada")
	r.grow(maxRoom - eachBytes - 100) // as if many answers had come
	_, err := r.Answer(t.Context(), 1, HandIn, "half-way-house",
		exercise.Answer{Settings: map[string]string{"rho": "1.08"}})
	wants(t, "an answer too much", err, errcode.Full, "ask the teacher to make another room")
	_, err = r.Join(t.Context(), "Bo")
	wants(t, "a member too much", err, errcode.Full, "ask the teacher to make another room")
	if len(r.answers) != 0 || len(h.answers(r)) != 0 {
		t.Error("it was kept all the same")
	}
}

// A room counts the same bytes before and after it is loaded again, and idle rooms leave memory for rooms in use.
func TestRoomsInMemoryStayWithinTheirBound(t *testing.T) {
	now := time.Now()
	h := &house{t: t, dir: t.TempDir()}
	h.open(Options{Memory: 30_000, Now: func() time.Time { return now }})
	t.Cleanup(h.shut)
	answer := func(r *Room) error {
		_, err := r.Answer(t.Context(), 1, HandIn, "half-way-house",
			exercise.Answer{Settings: map[string]string{"rho": "2"}})
		return err
	}
	fill := func() (rooms []*Room, err error) {
		for range 30 {
			var code string
			if code, _, err = h.Make(t.Context(), strings.Repeat("x", len(rooms)), "A class", "exercises"); err != nil {
				return rooms, err
			}
			r, err := h.Room(t.Context(), "here", code)
			if err != nil {
				return rooms, err
			}
			if _, err = r.Join(context.Background(), "Ada"); err == nil {
				err = answer(r)
			}
			if err != nil {
				return rooms, err
			}
			rooms = append(rooms, r)
			if h.size.Load() > 30_000 {
				t.Fatalf("%d rooms are counted %d bytes", len(rooms), h.size.Load())
			}
		}
		return rooms, nil
	}
	rooms, err := fill()
	wants(t, "rooms without end", err, errcode.Full, "raise --max-memory")
	if len(rooms) < 3 {
		t.Fatalf("%d rooms were made", len(rooms))
	}
	now = now.Add(2 * idleRoom)
	again := h.at(rooms[0].Code()) // it is in use, so the others leave memory
	if err := answer(again); err != nil {
		t.Error(err)
	}
	if again != rooms[0] || len(h.held) != 1 && h.size.Load() > 30_000 {
		t.Errorf("%d rooms are held, of %d bytes", len(h.held), h.size.Load())
	}
	if _, err := fill(); errcode.Of(err) != errcode.Full {
		t.Errorf("later: %v", err)
	}
	now = now.Add(2 * idleRoom)
	h.tidy(idleRoom)
	if n := h.size.Load(); n != 0 || len(h.held) != 0 {
		t.Errorf("%d rooms are held, of %d bytes", len(h.held), n)
	}
	before := rooms[0].size.Load()
	if r := h.at(rooms[0].Code()); r.size.Load() != before || h.size.Load() != before {
		t.Errorf("read again it is counted %d bytes, all %d; before %d", r.size.Load(), h.size.Load(), before)
	}
}

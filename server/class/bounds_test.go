package class

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"impalab/server/errcode"
	"impalab/server/store"
	"impalab/web/exercise"
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

// One address fills its rooms and keeps a page open on each. Another class makes a room, joins and answers.
func TestARoomOfTheLargestAddressMakesWayForAnotherClass(t *testing.T) {
	h := &house{t: t, dir: t.TempDir()}
	h.open(Options{Memory: 400_000})
	t.Cleanup(h.shut)
	try := func(r *Room) error {
		_, err := r.Answer(t.Context(), 1, Try, "by-hand-with-an-end", exercise.Answer{Numbers: []float64{1, 1, 1, 1}})
		return err
	}
	fill := func(address string) (rooms []*Room, err error) {
		for range 20 {
			code, _, err := h.Make(t.Context(), address, "A class", "exercises")
			if err != nil {
				return rooms, err
			}
			r, err := h.Room(t.Context(), address, code)
			if err != nil {
				return rooms, err
			}
			rooms = append(rooms, r)
			t.Cleanup(r.Enter(0))
			if _, err := r.Join(t.Context(), "Ada"); err != nil {
				return rooms, err
			}
			for try(r) == nil {
			}
		}
		return rooms, nil
	}
	largest, err := fill("largest")
	wants(t, "rooms of one address without end", err, errcode.Full, "no address has more of it")
	code, _, err := h.Make(t.Context(), "another", "Another class", "exercises")
	if err != nil {
		t.Fatal(err)
	}
	r := h.at(code)
	if _, err := r.Join(t.Context(), "Bo"); err != nil {
		t.Fatal("another class: ", err)
	}
	for range 5 {
		if err := try(r); err != nil {
			t.Fatal("another class: ", err)
		}
	}
	away := 0
	for _, r := range largest {
		if !r.Away() {
			continue
		}
		away++
		_, err := r.Join(t.Context(), "Cy")
		wants(t, "a request that had the room", err, errcode.Full, "send it again")
	}
	if n := h.size.Load(); away == 0 || away == len(largest) || n > h.opts.Memory {
		t.Errorf("%d of %d rooms of the largest address made way; all are %d bytes", away, len(largest), n)
	}
	sum := int64(0)
	for _, r := range h.all() {
		sum += r.size.Load()
	}
	if sum != h.size.Load() {
		t.Errorf("the rooms are %d bytes, and %d are counted", sum, h.size.Load())
	}
}

func TestATaskIsTriedFiftyTimes(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("exercises")
	h.join(r, "Ada")
	var err error
	n := 0
	for ; err == nil && n < 1000; n++ {
		_, err = r.Answer(t.Context(), 1, Try, "by-hand-with-an-end",
			exercise.Answer{Numbers: []float64{1, 1, 1, float64(n)}})
	}
	if wants(t, "a try too many", err, errcode.Conflict, "tried often enough"); n != 51 {
		t.Errorf("it was tried %d times", n-1)
	}
}

// The heap of many answers is compared with their estimate.
func TestTheMemoryOfAnswersIsEstimatedHonestly(t *testing.T) {
	h := newHouse(t)
	code, _, err := h.Make(t.Context(), "here", "A class", "exercises")
	if err != nil {
		t.Fatal(err)
	}
	row, err := store.Get(t.Context(), h.kept, func(tx *store.Tx) (store.Room, error) { return tx.Room(code) })
	if err != nil {
		t.Fatal(err)
	}
	r := h.at(code)
	h.join(r, "Ada")
	members, err := store.Get(t.Context(), h.kept, func(tx *store.Tx) ([]store.Member, error) { return tx.Members(code) })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Answer(t.Context(), 1, Try, "by-hand-with-an-end",
		exercise.Answer{Numbers: []float64{1.2345678901234567e-5, 1, 1, 7.77e-300}}); err != nil {
		t.Fatal(err)
	}
	one := h.answers(r)[0]
	heap := func() int64 {
		runtime.GC()
		runtime.GC() // the second frees the pools
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	answers := make([]store.Answer, 20_000)
	for i := range answers {
		answers[i] = one
		answers[i].Number = int64(i + 1)
		answers[i].Answer, answers[i].Verdict = strings.Clone(one.Answer), strings.Clone(one.Verdict)
	}
	loaded, err := newRoom(h.Rooms, row, members, answers)
	if err != nil {
		t.Fatal(err)
	}
	answers = nil
	took, estimate := heap()-before, loaded.size.Load()
	t.Logf("an answer takes %d bytes, by estimate %d", took/20_000, estimate/20_000)
	if ratio := float64(took) / float64(estimate); ratio < .6 || ratio > 1.1 {
		t.Errorf("20 000 answers take %d bytes, and the estimate is %d", took, estimate)
	}
	runtime.KeepAlive(loaded)
}

func TestASentenceIsHiddenOnceAndNoFileHasTheMaker(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("")
	h.join(r, "Ada")
	plan, err := exercise.PlanNamed(r.set.Plan)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range plan.Steps {
		if s.Sentence == "" {
			continue
		}
		h.change(r, Change{Step: &i})
		n, err := r.Answer(t.Context(), 1, Sentence, s.Name, exercise.Answer{Text: "It falls."})
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			h.change(r, Change{Hide: &n})
		}
		if len(r.set.Hidden) != 1 {
			t.Errorf("%d numbers are stored", len(r.set.Hidden))
		}
		if f := r.File(); f.Settings.Maker != "" || r.set.Maker == "" {
			t.Errorf("the file has %q, the room %q", f.Settings.Maker, r.set.Maker)
		}
		return
	}
	t.Fatal("the plan asks for no sentence")
}

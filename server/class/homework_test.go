package class

import (
	"testing"

	"impalab/server/errcode"
	"impalab/web/exercise"
)

// A class of three: right at the second hand-in, in part, and only tried. The table counts what each has sent.
func TestHomeworkIsATableOfStudentsAndExercises(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("exercises")
	for _, name := range []string{"Zoë", "ada", "Bo", "gone"} {
		h.join(r, name)
	}
	sends := func(member int64, kind, task string, said exercise.Answer) {
		t.Helper()
		if _, err := r.Answer(t.Context(), member, kind, task, said); err != nil {
			t.Fatal(err)
		}
	}
	rho := func(value string) exercise.Answer { return exercise.Answer{Settings: map[string]string{"rho": value}} }
	sends(1, HandIn, "half-way-house", rho("4"))
	sends(1, HandIn, "half-way-house", rho("1.08"))
	sends(2, HandIn, "by-hand", exercise.Answer{Numbers: []float64{3.718, 3.02, 0}})
	sends(3, Try, "half-way-house", rho("2"))
	if err := r.ChangeMember(t.Context(), 4, MemberChange{Removed: true}); err != nil {
		t.Fatal(err)
	}

	w := r.Homework()
	if len(w.Exercises) != len(exercise.All()) {
		t.Fatalf("%d exercises, want all %d of the plan", len(w.Exercises), len(exercise.All()))
	}
	column := map[string]int{}
	for i, e := range w.Exercises {
		if column[e.Name] = i; e.Title == "" || e.Ask == "" || e.Answer == "" || e.Tries == 0 {
			t.Errorf("exercise %s lacks a title, its question, its answer or its tries: %+v", e.Name, e)
		}
	}
	var names []string
	for _, s := range w.Students {
		if names = append(names, s.Nickname); len(s.Cells) != len(w.Exercises) {
			t.Fatalf("%s has %d cells, want %d", s.Nickname, len(s.Cells), len(w.Exercises))
		}
	}
	if len(names) != 3 || names[0] != "ada" || names[1] != "Bo" || names[2] != "Zoë" {
		t.Fatalf("the rows are %q, want ada, Bo and Zoë", names)
	}
	zoe, ada, bo := w.Students[2], w.Students[0], w.Students[1]
	if c := zoe.Cells[column["half-way-house"]]; c.HandedIn != 2 || c.Credit == nil || *c.Credit != 1 || zoe.Solved != 1 {
		t.Errorf("two hand-ins, the second right: %+v, %d right; want 2 with credit 1, and 1 right", c, zoe.Solved)
	}
	if c := ada.Cells[column["by-hand"]]; c.HandedIn != 1 || c.Credit == nil || *c.Credit <= 0 || *c.Credit >= 1 ||
		ada.Solved != 0 {
		t.Errorf("two of three numbers: %+v, %d right; want a part of the credit, and none right", c, ada.Solved)
	}
	if c := bo.Cells[column["half-way-house"]]; c.Tried != 1 || c.HandedIn != 0 || c.Credit != nil {
		t.Errorf("a try: %+v, want 1 try and no hand-in", c)
	}
	if e := w.Exercises[column["half-way-house"]]; e.Solved != 1 {
		t.Errorf("%d have half-way-house right, want 1", e.Solved)
	}
}

func TestTheTeacherReadsWhatAStudentHasSent(t *testing.T) {
	h := newHouse(t)
	h.idle = true
	h.shut()
	h.open(Options{})
	r, _ := h.room("exercises")
	h.join(r, "Ada")
	for _, value := range []string{"none", "vtrace"} {
		if _, err := r.Answer(t.Context(), 1, Try, "keep-it-standing",
			exercise.Answer{Settings: map[string]string{"correction": value, "rho": "2"}}); err != nil {
			t.Fatal(err)
		}
	}
	w, err := r.Work(1, "keep-it-standing")
	if err != nil {
		t.Fatal(err)
	}
	if w.Nickname != "Ada" || w.Task.Ask == "" || len(w.Sent) != 2 {
		t.Fatalf("the work is %+v", w)
	}
	newest := w.Sent[0]
	if len(newest.Changed) != 2 || newest.Changed[0] != (Changed{"correction", "Correction", "none", "vtrace"}) ||
		newest.Changed[1].Key != "rho" || newest.Changed[1].To != "2" || !newest.Open || newest.Asked != 400 {
		t.Errorf("the newest try is %+v; want correction none to vtrace, a ratio of 2, open, and 400 asked", newest)
	}
	_, err = r.Work(7, "keep-it-standing")
	wants(t, "an unknown student", err, errcode.NotFound, "there is no member 7")
	_, err = r.Work(1, "where-will-it-end")
	wants(t, "a step that is no exercise", err, errcode.NotFound, "where-will-it-end is not an exercise of this room")
}

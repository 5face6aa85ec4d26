package class

import (
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"impalab/server/errcode"
	"impalab/web/exercise"
)

func TestAHandInAfterTheDueDateCountsAndIsMarkedLate(t *testing.T) {
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	h := newHouse(t)
	h.opts.Now = func() time.Time { return now }
	r, _ := h.room("exercises")
	for _, name := range []string{"On time", "Late", "Better late"} {
		h.join(r, name)
	}
	h.change(r, Change{Due: map[string]string{"half-way-house": "2026-11-27T18:00:00+01:00"}})
	sends := func(member int64, rho string) {
		t.Helper()
		if _, err := r.Answer(t.Context(), member, HandIn, "half-way-house",
			exercise.Answer{Settings: map[string]string{"rho": rho}}); err != nil {
			t.Fatal(err)
		}
	}
	sends(1, "1.08")
	sends(3, "1.12")
	now = now.Add(6 * time.Hour)
	sends(1, "1.08")
	sends(2, "1.08")
	sends(3, "1.08")
	w := r.Homework()
	if due := w.Exercises[2].Due; due == nil || !due.Equal(time.Date(2026, 11, 27, 17, 0, 0, 0, time.UTC)) {
		t.Fatalf("%s is due at %v, want 17:00 UTC", w.Exercises[2].Name, due)
	}
	for _, s := range w.Students {
		if c := s.Cells[2]; c.Credit == nil || *c.Credit != 1 || c.Late != (s.Nickname != "On time") {
			t.Errorf("%s: credit and late are %+v; want credit 1, late unless on time", s.Nickname, c)
		}
	}
	for late, want := range map[string][3]string{LateCounts: {"1.00", "1.00", "1.00"}, LateHalf: {"1.00", "0.50", "0.50"},
		LateNot: {"1.00", "0.00", "0.50"}} {
		var table strings.Builder
		if err := r.Credits(&table, "plain", late); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(table.String())).ReadAll()
		if err != nil || len(rows) != 4 {
			t.Fatalf("%d rows of credits, %v", len(rows), err)
		}
		for i, row := range rows[1:] {
			if row[4] != want[i] {
				t.Errorf("what is late %s: %s has %s, want %s", late, row[0], row[4], want[i])
			}
		}
	}
	if given, _ := r.Work(2, "half-way-house"); len(given.Sent) != 1 || !given.Sent[0].Late {
		t.Errorf("the late hand-in is %+v", given.Sent)
	}
	if s := seen(t, r, 1); s.Due != nil {
		t.Errorf("Keep it standing is due at %v, want no date", s.Due)
	}
	h.change(r, Change{Due: map[string]string{"half-way-house": ""}})
	if c := r.Homework().Students[0].Cells[2]; c.Late {
		t.Error("a hand-in is late without a due date")
	}
}

func TestADueDateThatCannotBeMeantIsRefused(t *testing.T) {
	now := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	h := newHouse(t)
	h.opts.Now = func() time.Time { return now }
	r, _ := h.room("exercises")
	for _, c := range []struct{ name, date, words string }{
		{"half-way-house", "Friday", `the due date "Friday" is not a date with its time; write it like 2026-12-04T12:00:00Z`},
		{"half-way-house", "2026-11-26T18:00:00Z", "26 November 2026, 18:00 is past: all students would be late"},
		{"half-way-house", "2206-11-28T18:00:00Z", "more than a year away; look at its year again"},
		{"where-will-it-end", "2026-11-28T18:00:00Z", "where-will-it-end is not an exercise of this room"},
	} {
		err := r.Change(t.Context(), Change{Due: map[string]string{c.name: c.date}})
		wants(t, c.date, err, errcode.Refused, c.words)
	}
	if r.set.Due != nil {
		t.Errorf("refused dates were stored: %v", r.set.Due)
	}
	set := Change{Due: map[string]string{"half-way-house": "2026-11-28T18:00:00Z"}}
	h.change(r, set)
	now = now.Add(48 * time.Hour)
	h.change(r, set) // unchanged: it was not past when it was set
	h.shut()
	h.open(Options{})
	if due := h.at(r.code).due("half-way-house"); due == nil {
		t.Error("the due date is lost after a restart")
	}
}

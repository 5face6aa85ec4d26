package class

import (
	"fmt"
	"strings"
	"testing"

	"impalab/server/errcode"
	"impalab/web/exercise"
)

func TestAHandInEarnsCreditOnceTheBestCountsAndTheirNumberIsLimited(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("exercises")
	h.join(r, "Ada")
	hand := func(rho string) error {
		_, err := r.Answer(t.Context(), 1, HandIn, "half-way-house",
			exercise.Answer{Settings: map[string]string{"rho": rho}})
		return err
	}
	for _, rho := range []string{"2", "1.08", "1"} {
		if err := hand(rho); err != nil {
			t.Fatal(err)
		}
	}
	wants(t, "a fourth", hand("1.09"), errcode.Conflict, "handed in 3 times")
	s := seen(t, r, 1)
	if s.Credit != 1 {
		t.Errorf("credit %g", s.Credit)
	}
	given, err := r.SentAnswer(Role{Member: 1}, 2)
	if err != nil || *given.Credit != 1 || len(given.Receipt) != 19 {
		t.Errorf("%+v, %v", given, err)
	}
	_, err = r.SentAnswer(Role{Member: 2}, 2)
	wants(t, "another student's answer", err, errcode.NotFound, "no answer")
	if _, err = r.SentAnswer(Role{Teacher: true}, 2); err != nil {
		t.Error(err)
	}
}

func TestAProgramIsJudgedOnUnrollsThatAreOthersForEachHandInAndMember(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("exercises")
	h.join(r, "Ada")
	h.join(r, "Bo")
	first, err := r.Unrolls(1, "write-vtrace", HandIn)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := r.Unrolls(1, "write-vtrace", HandIn)
	others, _ := r.Unrolls(2, "write-vtrace", HandIn)
	if fmt.Sprint(first) == fmt.Sprint(others) || first.Draw != again.Draw || first.Unrolls[0].Reward[0] !=
		again.Unrolls[0].Reward[0] {
		t.Error("unrolls differ by who asks, and by nothing else before a hand-in")
	}
	zeros := func(in exercise.Inputs) exercise.Answer {
		a := exercise.Answer{Draw: in.Draw}
		for _, u := range in.Unrolls {
			a.Targets = append(a.Targets, exercise.Targets{VS: u.Value, Advantage: u.Reward})
		}
		return a
	}
	_, err = r.Answer(t.Context(), 1, HandIn, "write-vtrace", zeros(others))
	wants(t, "targets of somebody else's unrolls", err, errcode.Conflict, "another draw")
	h.shut() // the unrolls follow from the room's secret
	h.open(Options{})
	r = h.at(r.Code())
	if _, err = r.Answer(t.Context(), 1, HandIn, "write-vtrace", zeros(first)); err != nil {
		t.Fatal(err)
	}
	_, err = r.Answer(t.Context(), 1, HandIn, "write-vtrace", zeros(first))
	wants(t, "the same once more", err, errcode.Conflict, "another draw")
	s := seen(t, r, 1)
	for _, e := range s.Answers {
		if e.Task == "write-vtrace" && (*e.Credit != 0 || e.Said.Targets != nil || e.Said.Draw != first.Draw) {
			t.Errorf("%+v", e)
		}
	}
	for range 4 {
		next, err := r.Unrolls(1, "write-vtrace", HandIn)
		if err == nil {
			_, err = r.Answer(t.Context(), 1, HandIn, "write-vtrace", zeros(next))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err = r.Unrolls(1, "write-vtrace", HandIn)
	wants(t, "unrolls for a sixth hand-in", err, errcode.Conflict, "handed in 5 times")
	_, err = r.Unrolls(1, "by-hand", HandIn)
	wants(t, "unrolls of another task", err, errcode.Refused, "not a task for a program")
	_, err = r.Answer(t.Context(), 2, HandIn, "write-vtrace", exercise.Answer{Text: "vs[t] = ", Draw: others.Draw})
	wants(t, "a text instead of targets", err, errcode.Refused, "needs the targets")
}

// The room computes receipts from its stored answers. An altered answer has another receipt.
func TestAReceiptOutlivesARestartAndFitsOnlyItsAnswer(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("exercises")
	h.join(r, "Ada")
	for _, rho := range []string{"1.08", "2"} {
		if _, err := r.Answer(t.Context(), 1, HandIn, "half-way-house",
			exercise.Answer{Settings: map[string]string{"rho": rho}}); err != nil {
			t.Fatal(err)
		}
	}
	given, err := r.SentAnswer(Role{Member: 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	good := given.Receipt
	h.shut()
	h.open(Options{})
	r = h.at(r.Code())
	if is, err := r.Verify(strings.ReplaceAll(good, "-", " ")); err != nil || is.Credit != 1 || is.Nickname != "Ada" {
		t.Errorf("%+v, %v", is, err)
	}
	forged := 1.
	r.answers[1].Credit = &forged // of the bad answer
	_, err = r.Verify(r.answers[1].result.Receipt)
	wants(t, "a receipt whose credit was raised", err, errcode.NotFound, "not of this room")
	other, _ := h.room("exercises")
	_, err = other.Verify(good)
	wants(t, "a receipt of another room", err, errcode.NotFound, "not of this room")
	e, err := exercise.Named("half-way-house")
	if err != nil {
		t.Fatal(err)
	}
	page, err := exercise.NewReceipt(e, &exercise.Answer{}, &exercise.Verdict{Credit: 1}).Code()
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Verify(page)
	wants(t, "a receipt of a page without a server", err, errcode.NotFound, "check it on the page Class of that site")
	_, err = r.Verify("")
	wants(t, "no receipt", err, errcode.NotFound, "not of this room")
}

func TestTheUntouchedStartIsNotHandedIn(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("exercises")
	h.join(r, "Ada")
	for _, settings := range []map[string]string{nil, {"correction": "none"}, {"correction": "none", "rho": "1"}} {
		_, err := r.Answer(t.Context(), 1, HandIn, "keep-it-standing", exercise.Answer{Settings: settings})
		wants(t, fmt.Sprint("the start as ", settings), err, errcode.Refused, "these are the settings of the start")
	}
	if w := r.Homework(); w.Students[0].Cells[0].HandedIn != 0 {
		t.Errorf("a refused hand-in took a try: %+v", w.Students[0].Cells[0])
	}
}

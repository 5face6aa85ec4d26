package class

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"impalab/server/errcode"
	"impalab/web/exercise"
)

func TestAStudentReturnsByTheSecretNotByTheNickname(t *testing.T) {
	h := newHouse(t)
	r, key := h.room("")
	ada := h.join(r, "  Ada  Lovelace ")
	if ada.Nickname != "Ada Lovelace" {
		t.Errorf("nickname %q", ada.Nickname)
	}
	_, err := r.Join(t.Context(), "ADA lovelace")
	wants(t, "a stolen nickname", err, errcode.Forbidden, "choose another nickname")
	for secret, want := range map[string]Role{ada.Secret: {Member: 1}, key: {Teacher: true}} {
		if _, role, err := h.Known(t.Context(), "here", r.Code(), secret); err != nil || role != want {
			t.Errorf("%+v, %v", role, err)
		}
	}
	_, _, err = h.Known(t.Context(), "here", r.Code(), "guessed")
	wants(t, "a guessed secret", err, errcode.Forbidden, "not yours")
	if err := r.ChangeMember(t.Context(), 1, MemberChange{Reopen: true}); err != nil {
		t.Fatal(err)
	}
	again := h.join(r, "ada lovelace")
	if again.Member != 1 || again.Secret == ada.Secret {
		t.Errorf("%+v became the member", again)
	}
	_, _, err = h.Known(t.Context(), "here", r.Code(), ada.Secret)
	wants(t, "the browser that was the member before", err, errcode.Forbidden, "")
}

func TestNicknamesThatWouldFoolAReaderAreRefused(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("")
	for _, name := range []string{"", "   ", "a\nb", "\u202eada", "x\x00", strings.Repeat("n", 25), "\u200b",
		"\u2800", "\u0410da"} {
		_, err := r.Join(t.Context(), name)
		wants(t, fmt.Sprintf("%q", name), err, errcode.Refused, "nickname")
	}
	if j := h.join(r, "<b>Zoë</b> 李"); j.Nickname != "<b>Zoë</b> 李" { // pages show it as text
		t.Errorf("%q", j.Nickname)
	}
}

func TestWhoIsRemovedIsOutAndTheNicknameFree(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("")
	ada := h.join(r, "Ada")
	if err := r.ChangeMember(t.Context(), 1, MemberChange{Removed: true}); err != nil {
		t.Fatal(err)
	}
	_, _, err := h.Known(t.Context(), "here", r.Code(), ada.Secret)
	wants(t, "a removed member", err, errcode.Forbidden, "")
	_, err = r.Answer(t.Context(), 1, Guess, "where-will-it-end", exercise.Answer{Choice: is(1)})
	wants(t, "an answer of a removed member", err, errcode.Forbidden, "")
	if j := h.join(r, "ada"); j.Member != 2 {
		t.Errorf("the next is %+v", j)
	}
}

func TestAGuessCountsUntilTheTruthIsShownAndTheTruthIsHiddenUntilThen(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("first-contact")
	h.join(r, "Ada")
	h.join(r, "Bo")
	_, err := r.Answer(t.Context(), 1, Guess, "where-will-it-end", exercise.Answer{Choice: is(3)})
	wants(t, "a guess before its step", err, errcode.Conflict, "has not reached this step")
	h.change(r, Change{Step: stepNamed(t, r, "where-will-it-end")})
	for _, choice := range []int{0, 3} { // the last counts
		if _, err := r.Answer(t.Context(), 1, Guess, "where-will-it-end",
			exercise.Answer{Choice: &choice}); err != nil {
			t.Fatal(err)
		}
	}
	truth := "Below chance"
	before, _ := json.Marshal([]any{r.AsTeacher(), seen(t, r, 1)})
	if strings.Contains(string(before), truth) {
		t.Error("the truth is told before it is shown")
	}
	if g := r.AsTeacher().Guesses; g.Sent != 1 || g.Of != 2 || fmt.Sprint(g.Columns) != "[0 0 0 1]" || g.At != -1 {
		t.Errorf("%+v", g)
	}
	if seen(t, r, 1).Guesses != nil {
		t.Error("a student sees what the others guess before all have")
	}
	h.change(r, Change{Revealed: is(true)})
	if g := seen(t, r, 2).Guesses; g == nil || g.At != 3 || !strings.Contains(g.Say, truth) {
		t.Errorf("%+v", g)
	}
	_, err = r.Answer(t.Context(), 2, Guess, "where-will-it-end", exercise.Answer{Choice: is(3)})
	wants(t, "a late guess", err, errcode.Conflict, "too late")
}

func TestAFrozenRoomAndALockedKeyAreOneSentenceEach(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("exercises")
	h.join(r, "Ada")
	h.change(r, Change{Frozen: is(true), Locked: &[]string{"rho"}})
	say := func() error {
		_, err := r.Answer(t.Context(), 1, Try, "half-way-house",
			exercise.Answer{Settings: map[string]string{"rho": "1"}})
		return err
	}
	wants(t, "frozen", say(), errcode.Conflict, "look up")
	h.change(r, Change{Frozen: is(false)})
	wants(t, "locked", say(), errcode.Refused, "rho is locked")
	h.change(r, Change{Locked: &[]string{}})
	if err := say(); err != nil {
		t.Error(err)
	}
	wants(t, "an unknown key", r.Change(t.Context(), Change{Locked: &[]string{"rhoo"}}), errcode.Refused, "rho")
}

package class

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"impalab/server/exercise"
	"impalab/server/store"
)

// house is rooms on a store of their own, which can be opened again.
type house struct {
	t    *testing.T
	dir  string
	kept *store.Store
	*Rooms
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{t: t, dir: t.TempDir()}
	h.open(Options{})
	t.Cleanup(h.shut)
	return h
}

func (h *house) open(o Options) {
	h.t.Helper()
	var err error
	if h.kept, err = store.Open(context.Background(), store.Options{Dir: h.dir}); err != nil {
		h.t.Fatal(err)
	}
	o.Store = h.kept
	if h.Rooms, err = New(o); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) shut() {
	h.Rooms.Close()
	h.kept.Close()
}

// room is a new room of a plan.
func (h *house) room(plan string) (r *Room, key string) {
	h.t.Helper()
	code, key, err := h.Make(h.t.Context(), "here", "A class", plan)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.at(code), key
}

func (h *house) at(code string) *Room {
	h.t.Helper()
	r, err := h.Room(h.t.Context(), "here", code)
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

func (h *house) join(r *Room, nickname string) Joined {
	h.t.Helper()
	j, err := r.Join(h.t.Context(), nickname)
	if err != nil {
		h.t.Fatal(err)
	}
	return j
}

func (h *house) change(r *Room, c Change) {
	h.t.Helper()
	if err := r.Change(h.t.Context(), c); err != nil {
		h.t.Fatal(err)
	}
}

// stepNamed is the place of a step in the room's plan.
func stepNamed(t *testing.T, r *Room, name string) *int {
	t.Helper()
	for i, s := range exercise.PlanNamed(r.set.Plan).Steps {
		if s.Name == name {
			return &i
		}
	}
	t.Fatalf("no step %s", name)
	return nil
}

func is[T any](v T) *T { return &v }

func wants(t *testing.T, what string, err error, code Code, words string) {
	t.Helper()
	if CodeOf(err) != code || !strings.Contains(fmt.Sprint(err), words) {
		t.Errorf("%s: %s, %v; want %s with %q", what, CodeOf(err), err, code, words)
	}
}

func TestACodeHasSixLettersThatCannotBeMistaken(t *testing.T) {
	for range 1000 {
		code := newCode()
		if len(code) != 6 || strings.Trim(code, letters) != "" || strings.ContainsAny(code, "AEIOULI01") {
			t.Fatal(code)
		}
	}
	if readCode("bcd-fgh") != "BCDFGH" || readCode(" BC DF GH ") != "BCDFGH" {
		t.Error("a code that is typed otherwise is not read")
	}
}

func TestOneComesBackByTheSecretAndNobodyByTheNickname(t *testing.T) {
	h := newHouse(t)
	r, key := h.room("")
	ada := h.join(r, "  Ada  Lovelace ")
	if ada.Nickname != "Ada Lovelace" {
		t.Errorf("nickname %q", ada.Nickname)
	}
	_, err := r.Join(t.Context(), "ADA lovelace")
	wants(t, "a stolen nickname", err, Conflict, "choose another nickname")
	for secret, want := range map[string]Role{ada.Secret: {Member: 1}, key: {Teacher: true}} {
		if _, role, err := h.Known(t.Context(), "here", r.Code(), secret); err != nil || role != want {
			t.Errorf("%+v, %v", role, err)
		}
	}
	_, _, err = h.Known(t.Context(), "here", r.Code(), "guessed")
	wants(t, "a guessed secret", err, Forbidden, "not yours")
	if err := r.Seat(t.Context(), 1, Seat{Reopen: true}); err != nil {
		t.Fatal(err)
	}
	again := h.join(r, "ada lovelace")
	if again.Member != 1 || again.Secret == ada.Secret {
		t.Errorf("%+v took the seat", again)
	}
	_, _, err = h.Known(t.Context(), "here", r.Code(), ada.Secret)
	wants(t, "the browser that had the seat before", err, Forbidden, "")
}

func TestNicknamesThatWouldFoolAReaderAreRefused(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("")
	for _, name := range []string{"", "   ", "a\nb", "\u202eada", "x\x00", strings.Repeat("n", 25), "\u200b"} {
		_, err := r.Join(t.Context(), name)
		wants(t, fmt.Sprintf("%q", name), err, Refused, "nickname")
	}
	if j := h.join(r, "<b>Zoë</b> 李"); j.Nickname != "<b>Zoë</b> 李" { // pages set it as text
		t.Errorf("%q", j.Nickname)
	}
}

func TestWhoIsRemovedIsOutAndTheNicknameFree(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("")
	ada := h.join(r, "Ada")
	if err := r.Seat(t.Context(), 1, Seat{Removed: true}); err != nil {
		t.Fatal(err)
	}
	_, _, err := h.Known(t.Context(), "here", r.Code(), ada.Secret)
	wants(t, "a removed member", err, Forbidden, "")
	_, err = r.Answer(t.Context(), 1, Guess, "where-will-it-end", exercise.Answer{Choice: is(1)})
	wants(t, "an answer of a removed member", err, Forbidden, "")
	if j := h.join(r, "ada"); j.Member != 2 {
		t.Errorf("the next is %+v", j)
	}
}

func TestARoomThatIsFullClosedOrUnknownSaysSo(t *testing.T) {
	h := newHouse(t)
	h.opts.Most = 2
	r, _ := h.room("")
	h.join(r, "a")
	h.join(r, "b")
	_, err := r.Join(t.Context(), "c")
	wants(t, "a full room", err, Full, "full: 2 are in it")
	h.change(r, Change{Closed: is(true)})
	_, err = r.Join(t.Context(), "d")
	wants(t, "a closed room", err, Conflict, "closed")
	_, err = r.Answer(t.Context(), 1, Guess, "open", exercise.Answer{})
	wants(t, "an answer in a closed room", err, Conflict, "closed")
	for _, code := range []string{"BCDFGH", "", "ABCDEFGHIJK", "<script>"} {
		_, err = h.Room(t.Context(), "there", code)
		wants(t, "code "+code, err, NotFound, "no room with this code")
	}
}

func TestGuessedCodesAreSlowedDownAndThoseInsideAreNot(t *testing.T) {
	h := newHouse(t)
	r, key := h.room("")
	ada := h.join(r, "Ada")
	for range wrongBurst {
		_, err := h.Room(t.Context(), "school", "BCDFGH")
		wants(t, "a guess", err, NotFound, "")
	}
	_, err := h.Room(t.Context(), "school", r.Code())
	wants(t, "a right code after many wrong ones", err, TooFast, "wait a minute")
	for _, secret := range []string{ada.Secret, key} {
		if _, _, err := h.Known(t.Context(), "school", r.Code(), secret); err != nil {
			t.Error("somebody inside was shut out: ", err)
		}
	}
	if _, err := h.Room(t.Context(), "elsewhere", r.Code()); err != nil {
		t.Error("another address was shut out: ", err)
	}
}

func TestTenThousandJoinsOfOneRoomHarmNobodyInAnother(t *testing.T) {
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
			switch CodeOf(err) {
			case TooFast:
				tooFast++
			default:
				others++
			}
		}
		close(stop)
	})
	answers := 0
	for done := false; !done || answers < 10; answers++ {
		if answers < maxGuesses {
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

func TestAGuessCountsUntilTheTruthIsShownAndTheTruthIsHiddenUntilThen(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("first-contact")
	h.join(r, "Ada")
	h.join(r, "Bo")
	_, err := r.Answer(t.Context(), 1, Guess, "where-will-it-end", exercise.Answer{Choice: is(3)})
	wants(t, "a guess before its step", err, Conflict, "has not come to this step")
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
	wants(t, "a late guess", err, Conflict, "too late")
}

func seen(t *testing.T, r *Room, number int64) Student {
	t.Helper()
	s, err := r.AsStudent(number, "")
	if err != nil {
		t.Fatal(err)
	}
	return s
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
	wants(t, "frozen", say(), Conflict, "look up")
	h.change(r, Change{Frozen: is(false)})
	wants(t, "locked", say(), Refused, "rho is locked")
	h.change(r, Change{Locked: &[]string{}})
	if err := say(); err != nil {
		t.Error(err)
	}
	wants(t, "an unknown key", r.Change(t.Context(), Change{Locked: &[]string{"rhoo"}}), Refused, "rho")
}

func TestWhatIsHandedInEarnsCreditOnceTheBestCountsAndTurnsRunOut(t *testing.T) {
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
	wants(t, "a fourth", hand("1.09"), Conflict, "handed in 3 times")
	s := seen(t, r, 1)
	if s.Credit != 1 {
		t.Errorf("credit %g", s.Credit)
	}
	given, err := r.Given(Role{Member: 1}, 2)
	if err != nil || *given.Credit != 1 || len(given.Receipt) != 19 {
		t.Errorf("%+v, %v", given, err)
	}
	_, err = r.Given(Role{Member: 2}, 2)
	wants(t, "another student's answer", err, NotFound, "no answer")
	if _, err = r.Given(Role{Teacher: true}, 2); err != nil {
		t.Error(err)
	}
}

// awaits what comes by itself.
func awaits(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for until := time.Now().Add(60 * time.Second); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal(what)
		}
	}
}

// The runs are those of Catch, 30 000 steps each. The server is stopped in the middle, and the same answer is judged by
// the same hidden seeds after the next start.
func TestARoomGoesOnAfterARestartWithEverybodyAndWhatWasBeingJudged(t *testing.T) {
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
	awaits(t, "nothing was trained", func() bool { s := seen(t, r, 1); return s.Run != nil && len(s.Run.Curve) > 0 })
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
		"hidden seeds") {
		t.Errorf("%+v", g)
	}
	if len(s.Run.Curve) < curvePoints/2 {
		t.Errorf("the curve has %d points", len(s.Run.Curve))
	}
	b, _ := json.Marshal([]any{r.AsTeacher(), s, r.File()})
	for _, seed := range r.hidden("five-times-fewer", 8) {
		if strings.Contains(string(b), fmt.Sprint(seed)) {
			t.Error("a hidden seed is told")
		}
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
	wants(t, "a deleted room", err, NotFound, "")
	_, err = r.AsStudent(ada.Member, "")
	wants(t, "a page that is still open", err, NotFound, "deleted")
	err = h.kept.View(t.Context(), func(tx *store.Tx) error { _, err := tx.Room(r.Code()); return err })
	if !errors.Is(err, store.ErrNotFound) {
		t.Error("the store still has it")
	}
}

func TestTilesAreInTheOrderOfNeed(t *testing.T) {
	now := time.Now()
	h := newHouse(t)
	h.opts.Now = func() time.Time { return now }
	r, _ := h.room("exercises")
	h.change(r, Change{Step: stepNamed(t, r, "half-way-house")})
	for _, name := range []string{"working", "found", "idle", "stuck", "help", "gone"} {
		j := h.join(r, name)
		if name != "gone" {
			r.Enter(j.Member)
		}
	}
	now = now.Add(5 * time.Minute)
	for _, c := range []struct {
		member int64
		rho    string
		times  int
		kind   string
	}{{1, "1", 1, Try}, {2, "1.08", 1, HandIn}, {4, "2", 3, Try}} {
		for range c.times {
			if _, err := r.Answer(t.Context(), c.member, c.kind, "half-way-house",
				exercise.Answer{Settings: map[string]string{"rho": c.rho}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := r.Move(t.Context(), 5, Own{Help: is(true)}); err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, tile := range r.AsTeacher().Tiles {
		if order = append(order, tile.State); tile.State != tile.Nickname {
			t.Errorf("%s is %s: %s", tile.Nickname, tile.State, tile.Why)
		}
	}
	if fmt.Sprint(order) != "[help stuck idle working found gone]" {
		t.Error(order)
	}
}

func TestCreditsAreATableThatCanvasAndMoodleRead(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("off-policy")
	h.join(r, "Ada")
	h.join(r, "=cmd()")
	h.change(r, Change{Step: stepNamed(t, r, "by-hand")})
	if _, err := r.Answer(t.Context(), 1, HandIn, "by-hand", exercise.Answer{Numbers: []float64{3.718, 3.02,
		0}}); err != nil {
		t.Fatal(err)
	}
	for form, want := range map[string]string{
		Plain: "Nickname,Number,By hand,Long and late,Half-way house,Do it without a correction,\"By hand, " +
			"with an end\",Write V-trace\nAda,1,0.67,,,,,\n'=cmd(),2,,,,,,\n",
		Canvas: "Student,ID,SIS User ID,SIS Login ID,Section,By hand,",
		Moodle: "First name,Last name,ID number,Email address,By hand,",
	} {
		var b strings.Builder
		if err := r.Credits(&b, form); err != nil || !strings.HasPrefix(b.String(), want) {
			t.Errorf("%s: %v\n%s", form, err, b.String())
		}
	}
	file, _ := json.Marshal(r.File())
	for _, part := range []string{`"impalab room 1"`, `"=cmd()"`, `"by-hand"`} {
		if !strings.Contains(string(file), part) {
			t.Errorf("the room's file lacks %s: %s", part, file)
		}
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
	wants(t, "targets of somebody else's unrolls", err, Conflict, "another draw")
	h.shut() // unrolls are not kept, and the same after a restart
	h.open(Options{})
	r = h.at(r.Code())
	if _, err = r.Answer(t.Context(), 1, HandIn, "write-vtrace", zeros(first)); err != nil {
		t.Fatal(err)
	}
	_, err = r.Answer(t.Context(), 1, HandIn, "write-vtrace", zeros(first))
	wants(t, "the same once more", err, Conflict, "another draw")
	s := seen(t, r, 1)
	for _, e := range s.Answers {
		if e.Task == "write-vtrace" && (*e.Credit != 0 || e.Said.Targets != nil || e.Said.Draw != first.Draw) {
			t.Errorf("%+v", e)
		}
	}
	for i := range 4 { // formulas count as hand-ins too
		text := "vs[t] = V[t]\nadv[t] = " + fmt.Sprint(i)
		if _, err = r.Answer(t.Context(), 1, HandIn, "write-vtrace", exercise.Answer{Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	_, err = r.Unrolls(1, "write-vtrace", HandIn)
	wants(t, "unrolls for a sixth hand-in", err, Conflict, "handed in 5 times")
	_, err = r.Unrolls(1, "by-hand", HandIn)
	wants(t, "unrolls of another task", err, Refused, "no task for a program")
	_, err = r.Answer(t.Context(), 2, HandIn, "write-vtrace", exercise.Answer{Text: "vs[t] = "})
	wants(t, "a text that cannot be read", err, Refused, "line 1")
}

// A receipt is worked out from what the room has kept: what was changed in the store by another hand has another.
func TestAReceiptOutlivesARestartAndFitsOnlyWhatItWasGivenFor(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("exercises")
	h.join(r, "Ada")
	for _, rho := range []string{"1.08", "2"} {
		if _, err := r.Answer(t.Context(), 1, HandIn, "half-way-house",
			exercise.Answer{Settings: map[string]string{"rho": rho}}); err != nil {
			t.Fatal(err)
		}
	}
	given, err := r.Given(Role{Member: 1}, 1)
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
	wants(t, "a receipt whose credit was raised", err, NotFound, "none of this room")
	other, _ := h.room("exercises")
	_, err = other.Verify(good)
	wants(t, "a receipt of another room", err, NotFound, "none of this room")
	_, err = r.Verify("")
	wants(t, "no receipt", err, NotFound, "none of this room")
}

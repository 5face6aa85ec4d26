package class

import (
	"fmt"
	"testing"
	"time"

	"impalab/server/errcode"
	"impalab/server/places"
)

// guess sends wrong codes from an address until it is slowed down.
func (h *house) guess(address string) {
	h.t.Helper()
	for range wrongBurst + 1 {
		h.Room(h.t.Context(), address, "BCDFGH")
	}
	_, err := h.Room(h.t.Context(), address, "BCDFGH")
	wants(h.t, "a guess too many", err, errcode.TooFast, "let your teacher open the room on this network")
}

// One student guesses codes without end behind the one address of a school.
func TestWrongCodesOfOneStudentKeepNoClassmateOut(t *testing.T) {
	h := newHouse(t)
	ways := map[string]func(school, code, key string){
		"the teacher made the room there": func(_, _, _ string) {},
		"somebody joined from there": func(school, code, _ string) {
			if _, err := h.Rooms.Join(t.Context(), school, code, "Ada"); err != nil {
				t.Fatal(err)
			}
		},
		"the teacher opened it there": func(school, code, key string) {
			if _, _, err := h.Known(t.Context(), school, code, key); err != nil {
				t.Fatal(err)
			}
		},
	}
	for what, open := range ways {
		school, home := what, "home"
		if what == "the teacher made the room there" {
			home = school
		}
		code, key, err := h.Make(t.Context(), home, "A class", "")
		if err != nil {
			t.Fatal(err)
		}
		open(school, code, key)
		for i := range 36 {
			h.guess(school)
			if _, err := h.Rooms.Join(t.Context(), school, code, fmt.Sprint("s", i)); err != nil {
				t.Fatalf("%s: classmate %d: %v", what, i, err)
			}
		}
	}
	other, _, err := h.Make(t.Context(), "home", "Another class", "")
	if err != nil {
		t.Fatal(err)
	}
	h.guess("school")
	_, err = h.Room(t.Context(), "school", other)
	wants(t, "a room that nobody at this address knows", err, errcode.TooFast, "")
	if _, _, err := h.Known(t.Context(), "school", other, "a wrong key"); err == nil {
		t.Error("a wrong key is let in")
	}
	_, err = h.Room(t.Context(), "school", other)
	wants(t, "the same after a wrong key", err, errcode.TooFast, "")
}

func TestAnAddressIsRememberedForADay(t *testing.T) {
	now := time.Unix(1e9, 0)
	d := newDoors(func() time.Time { return now })
	d.open("school", "BCDFGH")
	for _, c := range []struct {
		after time.Duration
		want  bool
	}{{0, true}, {24 * time.Hour, true}, {48*time.Hour + 2, false}} {
		now = time.Unix(1e9, 0).Add(c.after)
		if got := d.opened("school", "BCDFGH"); got != c.want {
			t.Errorf("after %s: %v", c.after, got)
		}
	}
	d.open("school", "BCDFGH")
	for i := range 3 * mostDoors {
		d.open(fmt.Sprint(i), "BCDFGH")
	}
	if n := len(d.now) + len(d.before); n > 2*mostDoors {
		t.Errorf("%d addresses are remembered", n)
	}
}

// Another address floods a room with joins, here with names that the room refuses.
func TestJoinsOfOneAddressKeepNoOtherOut(t *testing.T) {
	h := newHouse(t)
	code, _, err := h.Make(t.Context(), "school", "A class", "")
	if err != nil {
		t.Fatal(err)
	}
	join := func(address, name string) error {
		_, err := h.Rooms.Join(places.By(t.Context(), address), address, code, name)
		return err
	}
	for range joinsBurst {
		wants(t, "a name", join("elsewhere", ""), errcode.Refused, "")
	}
	wants(t, "a name too many", join("elsewhere", ""), errcode.TooFast, "5 a second, and 60 at once")
	if err := join("school", "Ada"); err != nil {
		t.Errorf("a classmate meanwhile: %v", err)
	}
}

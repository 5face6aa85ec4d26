package store

import (
	"crypto/sha256"
	"errors"
	"reflect"
	"testing"
	"time"
)

// peopled keeps a room of one member and one answer.
func peopled(t *testing.T, s *Store, code string) {
	t.Helper()
	do(t, s, func(tx *Tx) error {
		return errors.Join(
			tx.AddRoom(Room{Code: code, Secret: []byte{1, 2}, State: `{"step":1}`}, "key"),
			tx.AddMember(code, Member{Number: 1, Nickname: "Áda <b>", Folded: "áda <b>"}, "secret"),
			tx.AddAnswer(code, Answer{Number: 1, Member: 1, Kind: "guess", Task: "first", Answer: `{"number":3}`}))
	})
}

func TestARoomIsKeptWithItsMembersAndAnswers(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		peopled(t, s, "BCDFGH")
		half := .5
		do(t, s, func(tx *Tx) error {
			return errors.Join(tx.SetRoom("BCDFGH", `{"step":2}`, true), tx.SetVerdict("BCDFGH", 1,
				`{"say":"yes"}`, &half))
		})
		room := get(t, s, func(tx *Tx) (Room, error) { return tx.Room("BCDFGH") })
		digest := sha256.Sum256([]byte("key"))
		if room.State != `{"step":2}` || !room.Closed || string(room.KeySHA256) != string(digest[:]) ||
			string(room.Secret) != "\x01\x02" {
			t.Errorf("%+v", room)
		}
		members := get(t, s, func(tx *Tx) ([]Member, error) { return tx.Members("BCDFGH") })
		if len(members) != 1 || members[0].Nickname != "Áda <b>" || len(members[0].SecretSHA256) != 32 {
			t.Errorf("%+v", members)
		}
		answers := get(t, s, func(tx *Tx) ([]Answer, error) { return tx.Answers("BCDFGH") })
		if len(answers) != 1 || *answers[0].Credit != .5 || answers[0].Judged == 0 ||
			answers[0].Verdict != `{"say":"yes"}` {
			t.Errorf("%+v", answers)
		}
	})
}

func TestANicknameIsOnesOwnUntilItsBearerIsRemoved(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		peopled(t, s, "BCDFGH")
		second := Member{Number: 2, Nickname: "áda <B>", Folded: "áda <b>", Step: 2, Help: true}
		join := func(tx *Tx) error { return tx.AddMember("BCDFGH", second, "other") }
		if err := s.Do(t.Context(), join); !errors.Is(err, ErrConflict) {
			t.Fatalf("the same nickname twice: %v", err)
		}
		members := get(t, s, func(tx *Tx) ([]Member, error) { return tx.Members("BCDFGH") })
		members[0].Folded, members[0].Reopen = "", true
		do(t, s, func(tx *Tx) error { return tx.SetMember("BCDFGH", members[0]) })
		do(t, s, join)
	})
}

func TestAnInvalidRoomIsRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		peopled(t, s, "BCDFGH")
		for what, c := range map[string]struct {
			want error
			do   func(*Tx) error
		}{
			"a code twice": {ErrConflict, func(tx *Tx) error {
				return tx.AddRoom(Room{Code: "BCDFGH",
					Secret: []byte{1}, State: "{}"}, "k")
			}},
			"no such room": {ErrNotFound, func(tx *Tx) error { return tx.SetRoom("XXXXXX", "{}", false) }},
			"a member of none": {ErrNotFound, func(tx *Tx) error {
				return tx.AddMember("XXXXXX", Member{Number: 1}, "s")
			}},
			"an answer twice": {ErrConflict, func(tx *Tx) error {
				return tx.AddAnswer("BCDFGH", Answer{Number: 1,
					Answer: "{}"})
			}},
			"a verdict of none": {ErrNotFound, func(tx *Tx) error { return tx.SetVerdict("BCDFGH", 7, "{}", nil) }},
			"a nickname with \\0": {ErrInvalid, func(tx *Tx) error {
				return tx.SetMember("BCDFGH", Member{Number: 1, Nickname: "\x00"})
			}},
		} {
			if err := s.Do(t.Context(), c.do); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, not %v", what, err, c.want)
			}
		}
	})
}

func TestARoomIsDeletedAtOnceOrAfterItsTimeWithItsMembers(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		for _, code := range []string{"BCDFGH", "JKMNPQ", "RSTVWX"} {
			peopled(t, s, code)
		}
		do(t, s, func(tx *Tx) error { return tx.DeleteRoom("JKMNPQ") })
		do(t, s, func(tx *Tx) error { // the newest use of all
			return tx.AddAnswer("RSTVWX", Answer{Number: 2, Member: 1, Kind: "guess", Task: "first", Answer: "{}"})
		})
		// The clock advances by a second at each look; the last use is a few seconds old.
		if _, _, err := s.Retain(t.Context(), Retention{Age: 5 * time.Second}); err != nil {
			t.Fatal(err)
		}
		for code, there := range map[string]bool{"BCDFGH": false, "JKMNPQ": false, "RSTVWX": true} {
			err := s.View(t.Context(), func(tx *Tx) error { _, err := tx.Room(code); return err })
			if there != (err == nil) {
				t.Errorf("room %s: %v", code, err)
			}
			left := get(t, s, func(tx *Tx) ([]Answer, error) { return tx.Answers(code) })
			if there != (len(left) > 0) {
				t.Errorf("room %s still has %d answers", code, len(left))
			}
		}
		if open := get(t, s, (*Tx).RoomsOpen); !reflect.DeepEqual(open, []string{"RSTVWX"}) {
			t.Errorf("open are %v", open)
		}
	})
}

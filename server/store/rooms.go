package store

// Rooms: a class, who is in it, and what they answered. What a teacher has set and what an answer says are JSON
// objects, which package class reads and writes.

import (
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
)

// Room is one class.
type Room struct {
	Code             string // six letters: whoever has them may join
	KeySHA256        []byte // of the teacher's key
	Secret           []byte // that hidden seeds are drawn from
	State            string // a JSON object
	Closed           bool
	Created, Changed int64 // milliseconds since 1970, UTC; set by the store
}

// Member is somebody in a room.
type Member struct {
	Number       int64 // from 1
	Nickname     string
	Folded       string // as it is compared; "": removed
	SecretSHA256 []byte // of what the browser keeps to come back
	State        string // a JSON object
	Joined       int64  // set by the store
}

// Answer is a guess, a try or what was handed in.
type Answer struct {
	Number, Member int64
	Kind, Task     string
	Answer         string   // a JSON object
	Verdict        string   // a JSON object; "" until it has been judged
	Credit         *float64 // nil: none, or none yet
	Sent, Judged   int64    // set by the store; Judged is 0 until then
}

// AddRoom keeps a new room and the digest of its key. A code that is taken is ErrConflict.
func (tx *Tx) AddRoom(r Room, key string) error {
	if err := objects(r.State); err != nil {
		return err
	}
	if err := tx.take(r.State); err != nil {
		return err
	}
	digest := sha256.Sum256([]byte(key))
	rows, err := tx.exec(`INSERT INTO rooms (code, key_sha256, secret, state, closed, created, changed)
		VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (code) DO NOTHING`,
		r.Code, digest[:], r.Secret, r.State, r.Closed, tx.s.now())
	if err == nil && rows == 0 {
		return fmt.Errorf("room %s: %w", r.Code, ErrConflict)
	}
	return err
}

// objects refuses what is no JSON object.
func objects(texts ...string) error {
	for _, text := range texts {
		var object map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &object); err != nil || object == nil {
			return fmt.Errorf("%w: want a JSON object, not %.40q", ErrInvalid, text)
		}
		if err := plain(text); err != nil {
			return err
		}
	}
	return nil
}

// Room is the room of this code, or ErrNotFound.
func (tx *Tx) Room(code string) (r Room, err error) {
	err = tx.one("SELECT code, key_sha256, secret, state, closed, created, changed FROM rooms WHERE code = $1",
		[]any{code}, &r.Code, &r.KeySHA256, &r.Secret, &r.State, &r.Closed, &r.Created, &r.Changed)
	return r, err
}

// SetRoom keeps what the teacher has set.
func (tx *Tx) SetRoom(code, state string, closed bool) error {
	if err := objects(state); err != nil {
		return err
	}
	return tx.change("UPDATE rooms SET changed = $2, state = $3, closed = $4 WHERE code = $1", code, tx.s.now(), state,
		closed)
}

// DeleteRoom forgets a room with everybody and everything in it.
func (tx *Tx) DeleteRoom(code string) error {
	return tx.change("DELETE FROM rooms WHERE code = $1", code)
}

// RoomsOpen lists the rooms in which something has not been judged yet: what a server goes on with after a restart.
func (tx *Tx) RoomsOpen() (codes []string, err error) {
	err = tx.each("SELECT DISTINCT room FROM room_answers WHERE verdict = '' ORDER BY room", nil,
		func(rows *sql.Rows) error {
			var code string
			err := rows.Scan(&code)
			codes = append(codes, code)
			return err
		})
	return codes, err
}

// AddMember keeps somebody who joins, and the digest of what the browser keeps. A number or a nickname that is taken is
// ErrConflict.
func (tx *Tx) AddMember(room string, m Member, secret string) error {
	if err := errors.Join(plain(m.Nickname), plain(m.Folded), objects(m.State)); err != nil {
		return err
	}
	if err := errors.Join(tx.take(m.Nickname, m.Folded, m.State), tx.touchRoom(room)); err != nil {
		return err
	}
	digest := sha256.Sum256([]byte(secret))
	rows, err := tx.exec(`INSERT INTO room_members (room, number, nickname, folded, secret_sha256, state, joined)
		VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
		room, m.Number, m.Nickname, m.Folded, digest[:], m.State, tx.s.now())
	if err == nil && rows == 0 {
		return fmt.Errorf("%.40q in room %s: %w", m.Nickname, room, ErrConflict)
	}
	return err
}

// touchRoom says that somebody was there: a room is forgotten by when it was last used.
func (tx *Tx) touchRoom(code string) error {
	return tx.change("UPDATE rooms SET changed = $2 WHERE code = $1", code, tx.s.now())
}

// SetMember keeps what has changed of a member; all but Joined.
func (tx *Tx) SetMember(room string, m Member) error {
	if err := errors.Join(plain(m.Nickname), plain(m.Folded), objects(m.State)); err != nil {
		return err
	}
	return tx.change(`UPDATE room_members SET nickname = $3, folded = $4, secret_sha256 = $5, state = $6
		WHERE room = $1 AND number = $2`, room, m.Number, m.Nickname, m.Folded, m.SecretSHA256, m.State)
}

// Members are all who have been in a room, in the order in which they joined.
func (tx *Tx) Members(room string) (all []Member, err error) {
	query := `SELECT number, nickname, folded, secret_sha256, state, joined FROM room_members WHERE room = $1 ORDER BY number`
	err = tx.each(query, []any{room}, func(rows *sql.Rows) error {
		var m Member
		err := rows.Scan(&m.Number, &m.Nickname, &m.Folded, &m.SecretSHA256, &m.State, &m.Joined)
		all = append(all, m)
		return err
	})
	return all, err
}

// AddAnswer keeps an answer under its number, with its verdict if it has one. A number that is taken is ErrConflict.
func (tx *Tx) AddAnswer(room string, a Answer) error {
	if err := errors.Join(plain(a.Kind), plain(a.Task), objects(a.Answer)); err != nil {
		return err
	}
	var judged int64
	if a.Verdict != "" {
		if err := objects(a.Verdict); err != nil {
			return err
		}
		judged = tx.s.now()
	}
	if err := errors.Join(tx.take(a.Answer, a.Verdict), tx.touchRoom(room)); err != nil {
		return err
	}
	rows, err := tx.exec(`INSERT INTO room_answers
		(room, number, member, kind, task, answer, verdict, credit, sent, judged)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
		room, a.Number, a.Member, a.Kind, a.Task, a.Answer, a.Verdict, a.Credit, tx.s.now(), judged)
	if err == nil && rows == 0 {
		return fmt.Errorf("answer %d in room %s: %w", a.Number, room, ErrConflict)
	}
	return err
}

// SetVerdict keeps what an answer was judged to be. credit nil: it earns none and loses none.
func (tx *Tx) SetVerdict(room string, number int64, verdict string, credit *float64) error {
	if err := objects(verdict); err != nil {
		return err
	}
	tx.grow(verdict)
	return tx.change("UPDATE room_answers SET verdict = $3, credit = $4, judged = $5 WHERE room = $1 AND number = $2",
		room, number, verdict, credit, tx.s.now())
}

const answerColumns = "number, member, kind, task, answer, verdict, credit, sent, judged"

func (a *Answer) fields() []any {
	return []any{&a.Number, &a.Member, &a.Kind, &a.Task, &a.Answer, &a.Verdict, &a.Credit, &a.Sent, &a.Judged}
}

// Answer is the answer of this number, or ErrNotFound.
func (tx *Tx) Answer(room string, number int64) (a Answer, err error) {
	err = tx.one("SELECT "+answerColumns+" FROM room_answers WHERE room = $1 AND number = $2", []any{room, number},
		a.fields()...)
	return a, err
}

// Answers are all that were given in a room, in their order.
func (tx *Tx) Answers(room string) (all []Answer, err error) {
	query := "SELECT " + answerColumns + " FROM room_answers WHERE room = $1 ORDER BY number"
	err = tx.each(query, []any{room}, func(rows *sql.Rows) error {
		var a Answer
		err := rows.Scan(a.fields()...)
		all = append(all, a)
		return err
	})
	return all, err
}

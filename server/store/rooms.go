package store

// Rooms: classes, their members and answers. Package class reads and writes the JSON objects in them.

import (
	"errors"
	"fmt"
)

// Room is one class. Times are milliseconds since 1970, UTC.
type Room struct {
	Code      string `db:"code"`       // six letters: everybody who has them may join
	KeySHA256 []byte `db:"key_sha256"` // of the teacher's key; set by AddRoom
	Secret    []byte `db:"secret"`     // makes hidden seeds and receipts
	State     string `db:"state"`      // a JSON object
	Closed    bool   `db:"closed"`
	Created   int64  `db:"created"` // set by the store
	Changed   int64  `db:"changed"`
}

// Member is a student in a room.
type Member struct {
	Number       int64  `db:"number"` // from 1
	Nickname     string `db:"nickname"`
	Folded       string `db:"folded"`        // the nickname as it is compared; "": removed
	SecretSHA256 []byte `db:"secret_sha256"` // of the secret with which the browser comes back; set by AddMember
	Step         int    `db:"step"`          // of the room's plan, from 0
	Help         bool   `db:"help"`          // the student asks for help
	Reopen       bool   `db:"reopen"`        // the next browser with this nickname becomes this member
	Joined       int64  `db:"joined"`        // set by the store
}

// Answer is a guess, a try or a program that was handed in.
type Answer struct {
	Number  int64    `db:"number"`
	Member  int64    `db:"member"`
	Kind    string   `db:"kind"`
	Task    string   `db:"task"`
	Answer  string   `db:"answer"`  // a JSON object
	Verdict string   `db:"verdict"` // a JSON object; "" until it is judged
	Job     string   `db:"job"`     // judges it; "": it needs none
	Credit  *float64 `db:"credit"`  // nil: none, or none yet
	Sent    int64    `db:"sent"`    // set by the store
	Judged  int64    `db:"judged"`  // set by the store; 0 until it is judged
}

// AddRoom adds a room and the digest of its key. If the code is taken, the error is ErrConflict.
func (tx *Tx) AddRoom(r Room, key string) error {
	if err := tx.allow(&roomsAndBoard, r.State); err != nil {
		return err
	}
	r.Created, r.KeySHA256 = tx.s.now(), Digest(key)
	r.Changed = r.Created
	return tx.insert("room "+r.Code, "rooms", r)
}

// Room returns the room of this code, or ErrNotFound.
func (tx *Tx) Room(code string) (Room, error) {
	return read[Room](tx, "SELECT * FROM rooms WHERE code = $1", code)
}

// SetRoom stores the teacher's settings.
func (tx *Tx) SetRoom(code, state string, closed bool) error {
	return tx.change("UPDATE rooms SET changed = $2, state = $3, closed = $4 WHERE code = $1", code, tx.s.now(), state,
		closed)
}

// DeleteRoom deletes a room with its members and answers.
func (tx *Tx) DeleteRoom(code string) error {
	return tx.change("DELETE FROM rooms WHERE code = $1", code)
}

// RoomsOpen lists the rooms with answers that are not judged yet. A server continues with them after a restart.
func (tx *Tx) RoomsOpen() ([]string, error) {
	return list[string](tx, "SELECT DISTINCT room FROM room_answers WHERE verdict = '' ORDER BY room")
}

// AddMember adds a member and the digest of the browser's secret. If the number or the nickname is taken, the error is
// ErrConflict.
func (tx *Tx) AddMember(room string, m Member, secret string) error {
	if err := errors.Join(tx.allow(&roomsAndBoard, m.Nickname, m.Folded), tx.touchRoom(room)); err != nil {
		return err
	}
	m.Joined, m.SecretSHA256 = tx.s.now(), Digest(secret)
	return tx.insert(fmt.Sprintf("%.40q in room %s", m.Nickname, room), "room_members", m, "room", room)
}

// touchRoom sets when a room was last used: Retain deletes rooms by that time.
func (tx *Tx) touchRoom(code string) error {
	return tx.change("UPDATE rooms SET changed = $2 WHERE code = $1", code, tx.s.now())
}

// SetMember stores all of a member except Joined.
func (tx *Tx) SetMember(room string, m Member) error {
	return tx.change(`UPDATE room_members SET nickname = $3, folded = $4, secret_sha256 = $5, step = $6, help = $7,
		reopen = $8 WHERE room = $1 AND number = $2`, room, m.Number, m.Nickname, m.Folded, m.SecretSHA256, m.Step, m.Help,
		m.Reopen)
}

// Members lists the members of a room, removed ones too, in the order in which they joined.
func (tx *Tx) Members(room string) ([]Member, error) {
	return list[Member](tx, "SELECT * FROM room_members WHERE room = $1 ORDER BY number", room)
}

// RoomSize is how much a room has.
type RoomSize struct {
	Rows  int64 `db:"COUNT(*)"`
	Open  int64 `db:"COALESCE(SUM(CASE WHEN verdict = '' THEN 1 ELSE 0 END), 0)"` // answers without a verdict
	Texts int64 `db:"COALESCE(SUM(octet_length(answer) + octet_length(verdict)), 0)"`
}

// RoomSize returns how much the answers of a room have, and how many members it has.
func (tx *Tx) RoomSize(room string) (answers RoomSize, members int64, err error) {
	if answers, err = read[RoomSize](tx, "SELECT * FROM room_answers WHERE room = $1", room); err != nil {
		return answers, 0, err
	}
	members, err = read[int64](tx, "SELECT COUNT(*) FROM room_members WHERE room = $1", room)
	return answers, members, err
}

// AddAnswer adds an answer under its number, with its verdict if it has one. If the number is taken, the error is
// ErrConflict.
func (tx *Tx) AddAnswer(room string, a Answer) error {
	if err := errors.Join(tx.allow(&roomsAndBoard, a.Answer, a.Verdict), tx.touchRoom(room)); err != nil {
		return err
	}
	a.Sent, a.Judged = tx.s.now(), 0
	if a.Verdict != "" {
		a.Judged = a.Sent
	}
	return tx.insert(fmt.Sprintf("answer %d in room %s", a.Number, room), "room_answers", a, "room", room)
}

// SetVerdict stores the verdict on an answer. With a nil credit, the answer changes no student's credit.
func (tx *Tx) SetVerdict(room string, number int64, verdict string, credit *float64) error {
	tx.count(verdict)
	return tx.change("UPDATE room_answers SET verdict = $3, credit = $4, judged = $5 WHERE room = $1 AND number = $2",
		room, number, verdict, credit, tx.s.now())
}

// FailAnswer stores the verdict on the answer of a job that gave no result.
func (tx *Tx) FailAnswer(job, verdict string) error {
	tx.count(verdict)
	return tx.change("UPDATE room_answers SET verdict = $2, judged = $3 WHERE job = $1", job, verdict, tx.s.now())
}

// Answer returns the answer of this number, or ErrNotFound.
func (tx *Tx) Answer(room string, number int64) (Answer, error) {
	return read[Answer](tx, "SELECT * FROM room_answers WHERE room = $1 AND number = $2", room, number)
}

// Answers lists the answers of a room in order.
func (tx *Tx) Answers(room string) ([]Answer, error) {
	return list[Answer](tx, "SELECT * FROM room_answers WHERE room = $1 ORDER BY number", room)
}

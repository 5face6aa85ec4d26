package api

// Rooms: how one is made and joined, who may do what in it, and what its teacher sets.

import (
	"context"
	"crypto/subtle"
	"net/http"

	"impalab/server/class"
	"impalab/server/errcode"
)

// MakeRoom is the body that makes a room.
type MakeRoom struct {
	Title string `json:"title,omitempty" doc:"What stands above it, up to 80 letters."`
	Plan  string `json:"plan,omitempty" doc:"Of GET /plans; without it the first."`
}

// Made is a room that has just been made.
type Made struct {
	Code string `json:"code" doc:"Six letters: whoever has them may join."`
	Key  string `json:"key" doc:"The teacher's. It is told here and nowhere again."`
}

// JoinRoom is the body that joins one.
type JoinRoom struct {
	Nickname string `json:"nickname" doc:"1 to 24 letters; nobody else in the room may have it."`
}

// Seated is who has just joined.
type Seated struct {
	Number   int64  `json:"number"`
	Nickname string `json:"nickname"`
	Secret   string `json:"secret" doc:"By which the same browser comes back. It is told here and nowhere again."`
}

// Door is what everybody may know of a room who has its code.
type Door struct {
	Code   string `json:"code"`
	Title  string `json:"title"`
	Closed bool   `json:"closed"`
	Here   int    `json:"here" doc:"How many are in it."`
}

// InRoom is a room by its code.
type InRoom struct {
	Code string `path:"code" doc:"Code of the room."`
}

func (a *api) makeRoom(ctx context.Context, in *struct {
	Caller
	Body MakeRoom
}) (*body[Made], error) {
	if a.Host != "" && subtle.ConstantTimeCompare([]byte(in.key()), []byte(a.Host)) != 1 {
		return nil, problem(http.StatusForbidden, "this server lets only those make rooms who have its "+
			"--admin-token; send it "+
			"as Authorization: Bearer TOKEN")
	}
	code, key, err := a.Rooms.Make(ctx, addressOf(ctx), in.Body.Title, in.Body.Plan)
	if err != nil {
		return nil, a.classSaid(err)
	}
	return answer(Made{code, key}), nil
}

func (a *api) door(ctx context.Context, in *InRoom) (*body[Door], error) {
	r, err := a.Rooms.Room(ctx, addressOf(ctx), in.Code)
	if err != nil {
		return nil, a.classSaid(err)
	}
	t := r.AsTeacher()
	return answer(Door{t.Code, t.Title, t.Closed, len(t.Tiles)}), nil
}

func (a *api) joinRoom(ctx context.Context, in *struct {
	InRoom
	Body JoinRoom
}) (*body[Seated], error) {
	r, err := a.Rooms.Room(ctx, addressOf(ctx), in.Code)
	if err != nil {
		return nil, a.classSaid(err)
	}
	j, err := r.Join(ctx, in.Body.Nickname)
	if err != nil {
		return nil, a.classSaid(err)
	}
	return answer(Seated{j.Member, j.Nickname, j.Secret}), nil
}

// inside is the room of a request and who asks.
func (a *api) inside(ctx context.Context, code string, c *Caller) (*class.Room, class.Role, error) {
	r, role, err := a.Rooms.Known(ctx, addressOf(ctx), code, c.key())
	return r, role, a.classSaid(err)
}

// taught is the room of a request that only its teacher may make.
func (a *api) taught(ctx context.Context, code string, c *Caller) (*class.Room, error) {
	r, role, err := a.inside(ctx, code, c)
	if err == nil && !role.Teacher {
		err = problem(http.StatusForbidden, "only the teacher of this room may do this")
	}
	return r, err
}

func (a *api) changeRoom(ctx context.Context, in *struct {
	Caller
	InRoom
	Body class.Change
}) (*body[View], error) {
	r, err := a.taught(ctx, in.Code, &in.Caller)
	if in.Body.Fleet != nil {
		in.Body.Fleet.Address = addressOf(ctx)
	}
	if err == nil {
		err = a.classSaid(r.Change(ctx, in.Body))
	}
	if err != nil {
		return nil, err
	}
	v, err := view(r, class.Role{Teacher: true}, "")
	return answer(v), err
}

func (a *api) deleteRoom(ctx context.Context, in *struct {
	Caller
	InRoom
}) (*struct{}, error) {
	r, err := a.taught(ctx, in.Code, &in.Caller)
	if err == nil {
		err = a.classSaid(r.Delete(ctx))
	}
	return nil, err
}

// OfMember is somebody in a room.
type OfMember struct {
	InRoom
	Number int64 `path:"number" doc:"Number of the student."`
}

func (a *api) seat(ctx context.Context, in *struct {
	Caller
	OfMember
	Body class.Seat
}) (*struct{}, error) {
	r, err := a.taught(ctx, in.Code, &in.Caller)
	if err == nil {
		err = a.classSaid(r.Seat(ctx, in.Number, in.Body))
	}
	return nil, err
}

func (a *api) move(ctx context.Context, in *struct {
	Caller
	InRoom
	Body class.Own
}) (*struct{}, error) {
	r, who, err := a.inside(ctx, in.Code, &in.Caller)
	if err == nil {
		err = a.classSaid(r.Move(ctx, who.Member, in.Body))
	}
	return nil, err
}

// classSaid turns an error of the rooms' into an answer.
func (a *api) classSaid(err error) error {
	if err == nil {
		return nil
	}
	status, known := map[errcode.Code]int{errcode.NotFound: http.StatusNotFound, errcode.Forbidden: http.StatusForbidden,
		errcode.Refused: http.StatusUnprocessableEntity, errcode.Conflict: http.StatusConflict,
		errcode.Full: http.StatusServiceUnavailable, errcode.TooFast: http.StatusTooManyRequests}[errcode.Of(err)]
	if known {
		return problem(status, err.Error())
	}
	return a.said(err)
}

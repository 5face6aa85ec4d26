package api

// What somebody sees of a room, once or as a stream.

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"impalab/server/class"
	"impalab/server/errcode"
)

// View is what somebody sees of a room: one of the two.
type View struct {
	Teacher *class.Teacher `json:"teacher,omitempty"`
	Student *class.Student `json:"student,omitempty"`
	Now     int64          `json:"now" doc:"The server's clock, milliseconds since 1970."`
}

func view(r *class.Room, who class.Role, task string) (v View, err error) {
	if who.Teacher {
		t := r.AsTeacher()
		v.Teacher = &t
		return v, nil
	}
	s, err := r.AsStudent(who.Member, task)
	v.Student = &s
	return v, err
}

func (a *api) viewRoom(ctx context.Context, in *struct {
	Caller
	InRoom
	Task string `query:"task" doc:"Name of the homework that the student looks at."`
}) (*body[View], error) {
	r, who, err := a.inside(ctx, in.Code, &in.Caller)
	if err != nil {
		return nil, err
	}
	v, err := view(r, who, in.Task)
	if err != nil {
		return nil, a.classSaid(err)
	}
	v.Now = time.Now().UnixMilli()
	return answer(v), nil
}

// Between two views that a stream sends, at least and, because time alone changes some, at most.
const (
	viewsLeast = 150 * time.Millisecond
	viewsMost  = time.Second
)

// roomEvents streams the view: the whole of it, whenever it has changed. So nothing is lost that is not in the next.
func (a *api) roomEvents(ctx context.Context, in *struct {
	Caller
	InRoom
	Task string `query:"task" doc:"Name of the homework that the student looks at."`
}) (*huma.StreamResponse, error) {
	r, who, err := a.inside(ctx, in.Code, &in.Caller)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		defer r.Enter(who.Member)()
		to := streamTo(c)
		var last []byte
		sent := time.Now()
		for {
			news := r.Watch()
			v, err := view(r, who, in.Task)
			if err != nil { // removed, or the room is gone
				text, _ := json.Marshal(Fault{string(errcode.Of(err)), err.Error()})
				to.write("event: over\ndata: " + string(text) + "\n\n")
				return
			}
			text, err := json.Marshal(v) // without the time, which would always differ
			if err != nil {
				a.Log.Error("a view of a room cannot be sent", "error", err)
				return
			}
			if !bytes.Equal(text, last) {
				v.Now = time.Now().UnixMilli()
				if to.event(0, "view", v) != nil {
					return
				}
				last, sent = text, time.Now()
			} else if time.Since(sent) > a.Beat {
				if to.write(":\n\n") != nil {
					return
				}
				sent = time.Now()
			}
			wait := time.NewTimer(viewsMost)
			select {
			case <-news:
			case <-wait.C:
			case <-ctx.Done():
			case <-a.Closing.Done():
			}
			wait.Stop()
			select {
			case <-time.After(viewsLeast):
			case <-ctx.Done():
				return
			case <-a.Closing.Done():
				return
			}
		}
	}}, nil
}

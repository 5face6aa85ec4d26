package api

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"impalab/server/class"
	"impalab/server/exercise"
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

// SendAnswer is the body of a guess, a try or what is handed in.
type SendAnswer struct {
	Kind     string           `json:"kind" enum:"guess,try,hand-in"`
	Task     string           `json:"task" doc:"The name that the view's task has."`
	Settings map[string]Value `json:"settings,omitempty"`
	Number   *float64         `json:"number,omitempty"`
	Numbers  []float64        `json:"numbers,omitempty"`
	Choice   *int             `json:"choice,omitempty" doc:"A place in choose, from 0."`
	Second   *int             `json:"second,omitempty" doc:"A place in second, from 0."`
}

// Sent is the number of an answer.
type Sent struct {
	Number int64 `json:"number"`
}

// Plan is a plan that a room may have.
type Plan struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	For      string   `json:"for"`
	Aim      string   `json:"aim"`
	Minutes  int      `json:"minutes" doc:"0: at one's own pace."`
	Steps    []string `json:"steps"`
	Homework []string `json:"homework"`
}

// Plans are all there are.
func Plans() (all []Plan) {
	for _, p := range exercise.Plans() {
		plan := Plan{p.Name, p.Title, p.For, p.Aim, p.Minutes, []string{}, append([]string{}, p.Homework...)}
		for _, s := range p.Steps {
			plan.Steps = append(plan.Steps, s.Title)
		}
		all = append(all, plan)
	}
	return all
}

// InRoom is a room by its code.
type InRoom struct {
	Code string `path:"code" doc:"Of the room."`
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
	Task string `query:"task" doc:"The homework that a student looks at."`
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
	Task string `query:"task" doc:"The homework that a student looks at."`
}) (*huma.StreamResponse, error) {
	r, who, err := a.inside(ctx, in.Code, &in.Caller)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		defer r.Enter(who.Member)()
		to := &stream{to: c}
		var last []byte
		sent := time.Now()
		for {
			news := r.Watch()
			v, err := view(r, who, in.Task)
			if err != nil { // removed, or the room is gone
				text, _ := json.Marshal(Fault{string(class.CodeOf(err)), err.Error()})
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

func (a *api) changeRoom(ctx context.Context, in *struct {
	Caller
	InRoom
	Body class.Change
}) (*body[View], error) {
	r, err := a.taught(ctx, in.Code, &in.Caller)
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
	Number int64 `path:"number" doc:"Of the member."`
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

func (a *api) sendAnswer(ctx context.Context, in *struct {
	Caller
	InRoom
	Body SendAnswer
}) (*body[Sent], error) {
	r, who, err := a.inside(ctx, in.Code, &in.Caller)
	if err != nil {
		return nil, err
	}
	b := &in.Body
	said := exercise.Answer{Number: b.Number, Numbers: b.Numbers, Choice: b.Choice, Second: b.Second}
	if len(b.Settings) > 0 {
		said.Settings = map[string]string{}
	}
	for key, value := range b.Settings {
		said.Settings[key] = string(value)
	}
	number, err := r.Answer(ctx, who.Member, b.Kind, b.Task, said)
	if err != nil {
		return nil, a.classSaid(err)
	}
	return answer(Sent{number}), nil
}

func (a *api) readAnswer(ctx context.Context, in *struct {
	Caller
	InRoom
	Number int64 `path:"number" doc:"Of the answer."`
}) (*body[class.Given], error) {
	r, who, err := a.inside(ctx, in.Code, &in.Caller)
	if err != nil {
		return nil, err
	}
	given, err := r.Given(who, in.Number)
	if err != nil {
		return nil, a.classSaid(err)
	}
	return answer(given), nil
}

func (a *api) report(ctx context.Context, in *struct {
	Caller
	OfMember
}) (*body[class.Report], error) {
	r, who, err := a.inside(ctx, in.Code, &in.Caller)
	if err != nil {
		return nil, err
	}
	report, err := r.Report(who, in.Number)
	if err != nil {
		return nil, a.classSaid(err)
	}
	return answer(report), nil
}

func (a *api) credits(ctx context.Context, in *struct {
	Caller
	InRoom
	Form string `query:"form" enum:"plain,canvas,moodle" default:"plain" doc:"Whose headings it has."`
}) (*huma.StreamResponse, error) {
	r, err := a.taught(ctx, in.Code, &in.Caller)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		c.SetHeader("Content-Type", csvType)
		c.SetHeader("Content-Disposition", `attachment; filename="`+r.Code()+`.csv"`)
		r.Credits(c.BodyWriter(), in.Form) // nobody may read on
	}}, nil
}

func (a *api) roomFile(ctx context.Context, in *struct {
	Caller
	InRoom
}) (*struct {
	Disposition string `header:"Content-Disposition"`
	Body        class.File
}, error) {
	r, err := a.taught(ctx, in.Code, &in.Caller)
	if err != nil {
		return nil, err
	}
	return &struct {
		Disposition string `header:"Content-Disposition"`
		Body        class.File
	}{`attachment; filename="room-` + r.Code() + `.json"`, r.File()}, nil
}

func (a *api) script(ctx context.Context, in *struct {
	Caller
	InRoom
}) (*body[class.Script], error) {
	r, err := a.taught(ctx, in.Code, &in.Caller)
	if err != nil {
		return nil, err
	}
	script, err := r.Script()
	if err != nil {
		return nil, a.classSaid(err)
	}
	return answer(script), nil
}

// classSaid turns an error of the rooms' into an answer.
func (a *api) classSaid(err error) error {
	if err == nil {
		return nil
	}
	status, known := map[class.Code]int{class.NotFound: http.StatusNotFound, class.Forbidden: http.StatusForbidden,
		class.Refused: http.StatusUnprocessableEntity, class.Conflict: http.StatusConflict,
		class.Full: http.StatusServiceUnavailable, class.TooFast: http.StatusTooManyRequests}[class.CodeOf(err)]
	if known {
		return problem(status, err.Error())
	}
	return a.said(err)
}

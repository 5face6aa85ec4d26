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
	"impalab/server/errcode"
	"impalab/server/places"
	"impalab/web/exercise"
	"impalab/web/hub"
)

// MakeRoom is the body of a request for a new room.
type MakeRoom struct {
	Title string `json:"title,omitempty" doc:"Title of the room, up to 80 letters."`
	Plan  string `json:"plan,omitempty" doc:"Name of a plan, from GET /plans; without it the first."`
}

// Made is a new room.
type Made struct {
	Code string `json:"code" doc:"Six letters. Students join with them."`
	Key  string `json:"key" doc:"Key of the teacher. No other answer contains it."`
}

// JoinRoom is the body of a request to join a room.
type JoinRoom struct {
	Nickname string `json:"nickname" doc:"1 to 24 letters; unique in the room."`
}

// Door is the part of a room that its code is enough for.
type Door struct {
	Code   string `json:"code"`
	Title  string `json:"title"`
	Closed bool   `json:"closed"`
	Here   int    `json:"here" doc:"Number of students in the room."`
}

// Plan is a plan of a lesson that a room can follow.
type Plan struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	For      string   `json:"for"`
	Aim      string   `json:"aim"`
	Minutes  int      `json:"minutes" doc:"0: each student works at their own pace."`
	Steps    []string `json:"steps"`
	Homework []string `json:"homework"`
}

func plans() (all []Plan) {
	for _, p := range exercise.Plans() {
		plan := Plan{p.Name, p.Title, p.For, p.Aim, p.Minutes, []string{}, append([]string{}, p.Homework...)}
		for _, s := range p.Steps {
			plan.Steps = append(plan.Steps, s.Title)
		}
		all = append(all, plan)
	}
	return all
}

// InRoom names a room.
type InRoom struct {
	Code string `path:"code" doc:"Code of the room."`
}

// Member is a request of a teacher or a student.
type Member struct {
	Caller
	InRoom
}

func (m *Member) at() (code, key string) { return m.Code, m.key() }

// OfMember is such a request about a student.
type OfMember struct {
	Member
	Number int64 `path:"number" doc:"Number of the student."`
}

func (a *api) makeRoom(ctx context.Context, in *struct {
	Caller
	Body MakeRoom
}) (Made, error) {
	if a.Host != "" && subtle.ConstantTimeCompare([]byte(in.key()), []byte(a.Host)) != 1 {
		return Made{}, problem(http.StatusForbidden,
			"opening a room needs the --admin-token of this server; send it as Authorization: Bearer TOKEN")
	}
	code, key, err := a.Rooms.Make(ctx, places.Visitor(ctx), in.Body.Title, in.Body.Plan)
	return Made{code, key}, err
}

func (a *api) door(ctx context.Context, in *InRoom) (Door, error) {
	r, err := a.Rooms.Room(ctx, places.Visitor(ctx), in.Code)
	if err != nil {
		return Door{}, err
	}
	t := r.AsTeacher()
	return Door{t.Code, t.Title, t.Closed, len(t.Tiles)}, nil
}

func (a *api) joinRoom(ctx context.Context, in *struct {
	InRoom
	Body JoinRoom
}) (class.Joined, error) {
	return a.Rooms.Join(ctx, places.Visitor(ctx), in.Code, in.Body.Nickname)
}

// member is a pointer to a request of type I that embeds Member.
type member[I any] interface {
	*I
	at() (code, key string)
}

// inside returns a handler that finds the room of a request and the role of its caller.
func inside[I any, P member[I], O any](a *api,
	handle func(context.Context, *class.Room, class.Role, *I) (O, error)) func(context.Context, *I) (O, error) {
	return func(ctx context.Context, in *I) (out O, err error) {
		code, key := P(in).at()
		r, who, err := a.Rooms.Known(ctx, places.Visitor(ctx), code, key)
		if err != nil {
			return out, err
		}
		return handle(ctx, r, who, in)
	}
}

// taught returns a handler for requests that only the room's teacher may send.
func taught[I any, P member[I], O any](a *api,
	handle func(context.Context, *class.Room, *I) (O, error)) func(context.Context, *I) (O, error) {
	return inside[I, P](a, func(ctx context.Context, r *class.Room, who class.Role, in *I) (out O, err error) {
		if !who.Teacher {
			return out, problem(http.StatusForbidden, "only the teacher of this room may do this")
		}
		return handle(ctx, r, in)
	})
}

func (a *api) changeRoom(ctx context.Context, r *class.Room, in *struct {
	Member
	Body class.Change
}) (View, error) {
	if in.Body.Fleet != nil {
		in.Body.Fleet.Address = places.Visitor(ctx)
	}
	if err := r.Change(ctx, in.Body); err != nil {
		return View{}, err
	}
	return viewOf(r, class.Role{Teacher: true}, "")
}

func (a *api) deleteRoom(ctx context.Context, r *class.Room, _ *Member) (*struct{}, error) {
	return nil, r.Delete(ctx)
}

func (a *api) changeMember(ctx context.Context, r *class.Room, in *struct {
	OfMember
	Body class.MemberChange
}) (*struct{}, error) {
	return nil, r.ChangeMember(ctx, in.Number, in.Body)
}

func (a *api) changeOwn(ctx context.Context, r *class.Room, who class.Role, in *struct {
	Member
	Body class.OwnChange
}) (*struct{}, error) {
	return nil, r.ChangeOwn(ctx, who.Member, in.Body)
}

// View is a room as its teacher or one of its students sees it.
type View struct {
	Teacher *class.Teacher `json:"teacher,omitempty"`
	Student *class.Student `json:"student,omitempty"`
	Now     int64          `json:"now" doc:"The server's clock, milliseconds since 1970."`
}

func viewOf(r *class.Room, who class.Role, task string) (v View, err error) {
	if who.Teacher {
		t := r.AsTeacher()
		v.Teacher = &t
		return v, nil
	}
	s, err := r.AsStudent(who.Member, task)
	v.Student = &s
	return v, err
}

// Viewing is a request for a view.
type Viewing struct {
	Member
	Task string `query:"task" doc:"Name of the homework that the student looks at."`
}

func (a *api) viewRoom(_ context.Context, r *class.Room, who class.Role, in *Viewing) (View, error) {
	v, err := viewOf(r, who, in.Task)
	v.Now = time.Now().UnixMilli()
	return v, err
}

// Between two views of a stream: time alone changes some views.
const (
	viewsLeast = 150 * time.Millisecond
	viewsMost  = time.Second
)

// roomEvents streams the whole view whenever it has changed. It may skip a view.
func (a *api) roomEvents(ctx context.Context, r *class.Room, who class.Role, in *Viewing) (*huma.StreamResponse,
	error) {
	var last []byte
	views := a.stream(ctx, viewsLeast, viewsMost, func(to *stream) (<-chan struct{}, error) {
		news := r.Watch()
		if r.Away() {
			return nil, hub.ErrClosed // the page asks again
		}
		v, err := viewOf(r, who, in.Task)
		if err != nil { // the student was removed or the room deleted
			to.event("", "over", Fault{string(errcode.Of(err)), err.Error()})
			return nil, hub.ErrClosed
		}
		text, err := json.Marshal(v) // without Now, which always differs
		if err != nil {
			a.Log.Error("a view of a room cannot be sent", "error", err)
			return nil, err
		}
		if bytes.Equal(text, last) {
			return news, nil
		}
		v.Now, last = time.Now().UnixMilli(), text
		return news, to.event("", "view", v)
	})
	return &huma.StreamResponse{Body: func(c huma.Context) {
		defer r.Enter(who.Member)()
		views.Body(c)
	}}, nil
}

// SendAnswer is the body of a guess, a try or a submission.
type SendAnswer struct {
	Kind string `json:"kind" enum:"guess,try,hand-in,sentence"`
	Task string `json:"task" doc:"Name of the task, from the view."`
	exercise.Answer
	Settings map[string]Value `json:"settings,omitempty"`
}

// Sent is the number of an answer.
type Sent struct {
	Number int64 `json:"number"`
}

func (a *api) sendAnswer(ctx context.Context, r *class.Room, who class.Role, in *struct {
	Member
	Body SendAnswer
}) (Sent, error) {
	said := in.Body.Answer
	if len(in.Body.Settings) > 0 {
		said.Settings = map[string]string{}
	}
	for key, value := range in.Body.Settings {
		said.Settings[key] = string(value)
	}
	number, err := r.Answer(ctx, who.Member, in.Body.Kind, in.Body.Task, said)
	return Sent{number}, err
}

func (a *api) unrolls(_ context.Context, r *class.Room, who class.Role, in *struct {
	Member
	Task string `path:"task" doc:"Name of the task, from the view."`
	Kind string `query:"kind" enum:"try,hand-in" default:"hand-in" doc:"try: unrolls to check a program with; hand-in: unrolls of an answer."`
}) (exercise.Inputs, error) {
	return r.Unrolls(who.Member, in.Task, in.Kind)
}

func (a *api) readAnswer(_ context.Context, r *class.Room, who class.Role, in *struct {
	Member
	Number int64 `path:"number" doc:"Number of the answer."`
}) (class.Given, error) {
	return r.SentAnswer(who, in.Number)
}

func (a *api) report(_ context.Context, r *class.Room, who class.Role, in *OfMember) (class.Report, error) {
	return r.Report(who, in.Number)
}

func (a *api) homework(_ context.Context, r *class.Room, _ *Member) (class.Homework, error) {
	return r.Homework(), nil
}

func (a *api) work(_ context.Context, r *class.Room, in *struct {
	OfMember
	Task string `path:"task" doc:"Name of the exercise, from the room's homework."`
}) (class.Work, error) {
	return r.Work(in.Number, in.Task)
}

func (a *api) verify(_ context.Context, r *class.Room, in *struct {
	Member
	Receipt string `path:"receipt" maxLength:"2000" doc:"Receipt of the answer, as the student has it."`
}) (class.Receipted, error) {
	return r.Verify(in.Receipt)
}

func (a *api) credits(_ context.Context, r *class.Room, in *struct {
	Member
	Form string `query:"form" enum:"plain,canvas,moodle" default:"plain" doc:"Headings of the file: plain, or those that Canvas or Moodle import."`
	Late string `query:"late" enum:"counts,half,not" default:"counts" doc:"What a hand-in after its due date earns: its credit, half of it, or none."`
}) (*huma.StreamResponse, error) {
	return download(csvType, r.Code()+".csv", func(c huma.Context) {
		r.Credits(c.BodyWriter(), in.Form, in.Late)
	}), nil
}

// RoomFile is a room as a file.
type RoomFile struct {
	Disposition string `header:"Content-Disposition"`
	Body        class.File
}

func (a *api) roomFile(_ context.Context, r *class.Room, _ *Member) (*RoomFile, error) {
	return &RoomFile{`attachment; filename="room-` + r.Code() + `.json"`, r.File()}, nil
}

func (a *api) script(_ context.Context, r *class.Room, _ *Member) (class.Script, error) {
	return r.Script()
}

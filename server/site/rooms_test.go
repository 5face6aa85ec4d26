package site

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/server/class"
	"impalab/server/site/api"
	"impalab/web/exercise"
)

// taught is a room of a plan with its teacher, and how a student joins it.
type taught struct {
	*program
	code, teacher string
}

func newTaught(t *testing.T, plan string) *taught {
	t.Helper()
	c := &taught{program: newProgram(t)}
	var made api.Made
	c.call("POST", "/rooms", 201, fmt.Sprintf(`{"title": "A class", "plan": %q}`, plan), &made)
	c.code, c.teacher, c.key = made.Code, made.Key, made.Key
	return c
}

// joins is a student of the room.
func (c *taught) joins(nickname string) *program {
	c.t.Helper()
	s := *c.program
	s.key = ""
	var seated class.Joined
	s.call("POST", "/rooms/"+c.code+"/members", 201, fmt.Sprintf(`{"nickname": %q}`, nickname), &seated)
	s.key = seated.Secret
	return &s
}

func (c *taught) view(p *program) (v api.View) {
	c.t.Helper()
	p.call("GET", "/rooms/"+c.code+"/view", 200, "", &v)
	return v
}

func TestALessonFromTheFirstGuessToTheCSV(t *testing.T) {
	c := newTaught(t, "first-contact")
	ada, bo := c.joins("Ada"), c.joins("Bo")
	at := "/rooms/" + c.code
	c.call("PATCH", at, 200, `{"step": 3, "timer": 60}`, nil)
	v := c.view(ada)
	if v.Student.Task.Kind != "predict" || v.Student.Nickname != "Ada" || v.Student.Timer <= v.Now {
		t.Errorf("%+v", v.Student)
	}
	ada.call("POST", at+"/answers", 201, `{"kind": "guess", "task": "where-will-it-end", "choice": 3}`, nil)
	bo.call("POST", at+"/answers", 201, `{"kind": "guess", "task": "where-will-it-end", "choice": 0}`, nil)
	if g := c.view(c.program).Teacher.Guesses; fmt.Sprint(g.Columns) != "[1 0 0 1]" || g.Truth != "" {
		t.Errorf("%+v", g)
	}
	c.call("PATCH", at, 200, `{"revealed": true}`, nil)
	if g := c.view(bo).Student.Guesses; g == nil || g.Truth != "Below 22" {
		t.Errorf("%+v", g)
	}
	c.call("PATCH", at, 200, `{"plan": "exercises", "step": 2, "follow": true}`, nil)
	ada.call("POST", at+"/answers", 201,
		`{"kind": "hand-in", "task": "half-way-house", "settings": {"rho": 1.08}}`, nil)
	if csv := c.call("GET", at+"/credits.csv?form=canvas", 200, "", nil); !strings.Contains(csv,
		"\n\"Ada\",\"\",\"\",\"\",\""+c.code+"\",") ||
		!strings.Contains(csv, "1.00") {
		t.Error(csv)
	}
	var given class.Given
	ada.call("GET", at+"/answers/3", 200, "", &given)
	var is class.Receipted
	c.call("GET", at+"/receipts/"+strings.ToLower(given.Receipt), 200, "", &is)
	if is.Nickname != "Ada" || is.Title != "Half-way house" || is.Credit != 1 || is.Number != 3 {
		t.Errorf("the receipt %s stands for %+v", given.Receipt, is)
	}
	forged := "A" + given.Receipt[1:]
	if given.Receipt[0] == 'A' {
		forged = "B" + given.Receipt[1:]
	}
	if _, sentence := c.refused("GET", at+"/receipts/"+forged, 404, ""); !strings.Contains(sentence, "not of this room") {
		t.Error(sentence)
	}
	ada.refused("GET", at+"/receipts/"+given.Receipt, 403, "")
	var report struct{ Credit float64 }
	ada.call("GET", at+"/members/1/report", 200, "", &report)
	if report.Credit != 1 {
		t.Errorf("%+v", report)
	}
	if file := c.call("GET", at+"/room.json", 200, "", nil); strings.Contains(file, c.teacher) || strings.Contains(file,
		ada.key) || !strings.Contains(file, "impalab room 1") {
		t.Error(file)
	}
	c.call("DELETE", at, 204, "", nil)
	if _, sentence := ada.refused("GET", at+"/view", 404, ""); !strings.Contains(sentence, "no room with this code") {
		t.Error(sentence)
	}
}

func TestOthersThingsInARoomAreForbiddenOrMissing(t *testing.T) {
	c := newTaught(t, "exercises")
	ada, bo := c.joins("Ada"), c.joins("Bo")
	at := "/rooms/" + c.code
	ada.call("POST", at+"/answers", 201, `{"kind": "try", "task": "half-way-house", "settings": {"rho": 2}}`, nil)
	nobody := *c.program
	nobody.key = ""
	guesser := *c.program
	guesser.key = "QWERTYUIOPASDFGHJKLZXCVBNM"
	for _, r := range []struct {
		what         string
		as           *program
		method, path string
		body         string
		status       int
	}{
		{"a guessed code", &nobody, "GET", "/rooms/BCDFGH", "", 404},
		{"a guessed code", &nobody, "POST", "/rooms/BCDFGH/members", `{"nickname": "Eve"}`, 404},
		{"no key", &nobody, "GET", at + "/view", "", 403},
		{"no key", &nobody, "GET", at + "/events", "", 403},
		{"a guessed key", &guesser, "GET", at + "/view", "", 403},
		{"a guessed key", &guesser, "PATCH", at, `{"step": 1}`, 403},
		{"a stolen nickname", &nobody, "POST", at + "/members", `{"nickname": "ADA"}`, 403},
		{"another student's answer", bo, "GET", at + "/answers/1", "", 404},
		{"an answer that there is none of", ada, "GET", at + "/answers/99", "", 404},
		{"another student's report", bo, "GET", at + "/members/1/report", "", 404},
		{"a teacher's answer", c.program, "POST", at + "/answers", `{"kind": "try", "task": "half-way-house"}`, 403},
		{"a teacher's request by a student", ada, "PATCH", at, `{"revealed": true}`, 403},
		{"a teacher's request by a student", ada, "PATCH", at, `{"fleet": {"settings": {"preset": "cartpole"}}}`, 403},
		{"a teacher's request by a student", ada, "PATCH", at + "/members/2", `{"removed": true}`, 403},
		{"a teacher's request by a student", ada, "DELETE", at, "", 403},
		{"a teacher's request by a student", ada, "GET", at + "/credits.csv", "", 403},
		{"a teacher's request by a student", ada, "GET", at + "/room.json", "", 403},
		{"a teacher's request by a student", ada, "GET", at + "/script", "", 403},
		{"a teacher's request by a student", ada, "GET", at + "/receipts/AAAA-AAAA-AAAA-AAAA", "", 403},
		{"a student's request by the teacher", c.program, "PATCH", at + "/me", `{"help": true}`, 403},
	} {
		if _, sentence := r.as.refused(r.method, r.path, r.status, r.body); sentence == "" {
			t.Errorf("%s: %s %s says nothing", r.what, r.method, r.path)
		}
	}
	if _, answer := ada.send("GET", at+"/answers/1", ""); answer.StatusCode != 200 {
		t.Error("one's own answer cannot be read: ", answer.Status)
	}
	other := newTaught(t, "exercises")
	stranger := *ada
	stranger.url = other.url
	stranger.refused("GET", "/rooms/"+other.code+"/view", 403, "")
}

func TestARoomsStreamTellsAllThatChanges(t *testing.T) {
	c := newTaught(t, "first-contact")
	ada := c.joins("Ada")
	follow := func(p *program) (next func(what string, ok func(api.View) bool)) {
		request, err := http.NewRequestWithContext(t.Context(), "GET", p.url+"/rooms/"+c.code+"/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+p.key)
		answer, err := http.DefaultClient.Do(request)
		if err != nil || answer.Header.Get("Content-Type") != "text/event-stream" {
			t.Fatal(err, answer)
		}
		t.Cleanup(func() { answer.Body.Close() })
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(nil, 1<<20)
		return func(what string, ok func(api.View) bool) {
			t.Helper()
			began := time.Now()
			for lines.Scan() {
				if data, found := strings.CutPrefix(lines.Text(), "data: "); found {
					var v api.View
					if err := json.Unmarshal([]byte(data), &v); err != nil {
						t.Fatal(err)
					}
					if ok(v) {
						return
					}
				}
				if time.Since(began) > kit.Patience {
					break
				}
			}
			t.Fatal("never told: ", what)
		}
	}
	teacher, student := follow(c.program), follow(ada)
	teacher("the first view", func(v api.View) bool { return len(v.Teacher.Tiles) == 1 })
	student("the first view", func(v api.View) bool { return v.Student.Nickname == "Ada" })
	c.call("PATCH", "/rooms/"+c.code, 200, `{"step": 3}`, nil)
	student("the step", func(v api.View) bool { return v.Student.Task.Name == "where-will-it-end" })
	ada.call("POST", "/rooms/"+c.code+"/answers", 201,
		`{"kind": "guess", "task": "where-will-it-end", "choice": 1}`, nil)
	teacher("the guess", func(v api.View) bool { return v.Teacher.Guesses != nil && v.Teacher.Guesses.Sent == 1 })
	ada.call("PATCH", "/rooms/"+c.code+"/me", 204, `{"help": true}`, nil)
	teacher("the call for help", func(v api.View) bool { return v.Teacher.Tiles[0].State == "help" })
	c.call("PATCH", "/rooms/"+c.code+"/members/1", 204, `{"nickname": "Ada L."}`, nil)
	student("the new name", func(v api.View) bool { return v.Student.Nickname == "Ada L." })
}

func TestVTraceIsHandedInAsTheNumbersOfAProgram(t *testing.T) {
	c := newTaught(t, "exercises")
	ada := c.joins("Ada")
	at := "/rooms/" + c.code
	for _, kind := range []string{"try", "hand-in"} {
		var in exercise.Inputs
		ada.call("GET", at+"/unrolls/write-vtrace?kind="+kind, 200, "", &in)
		send := api.SendAnswer{Kind: kind, Task: "write-vtrace", Answer: exercise.Answer{Draw: in.Draw}}
		for _, u := range in.Unrolls {
			var out exercise.Targets
			out.VS, out.Advantage = byHand(&u)
			send.Targets = append(send.Targets, out)
		}
		body, err := json.Marshal(send)
		if err != nil {
			t.Fatal(err)
		}
		var sent api.Sent
		ada.call("POST", at+"/answers", 201, string(body), &sent)
		var given class.Given
		ada.call("GET", fmt.Sprint(at, "/answers/", sent.Number), 200, "", &given)
		if kind == "try" && !strings.Contains(given.Say, "hand it in") || kind == "hand-in" && (given.Credit == nil ||
			*given.Credit != 1) {
			t.Errorf("%s: %+v", kind, given)
		}
	}
	ada.refused("POST", at+"/answers", 409, `{"kind": "hand-in", "task": "write-vtrace", "draw": "x", "text": "vs = 1"}`)
	if s := c.view(ada).Student; s.Credit != 1 {
		t.Errorf("%+v", s)
	}
	nobody := *c.program
	nobody.key = ""
	nobody.refused("GET", at+"/unrolls/write-vtrace", 403, "")
	c.refused("GET", at+"/unrolls/write-vtrace", 403, "") // a teacher hands nothing in
}

// byHand is V-trace as a student would write it.
func byHand(u *exercise.Trajectory) (vs, adv []float64) {
	n := len(u.Reward)
	bar := func(ceiling *float64) float64 {
		if ceiling == nil {
			return math.Inf(1)
		}
		return *ceiling
	}
	vs, adv = make([]float64, n+1), make([]float64, n)
	v := append(u.Value, u.Bootstrap)
	vs[n] = u.Bootstrap
	for t := n - 1; t >= 0; t-- {
		delta := u.Reward[t] + u.Discount[t]*v[t+1] - v[t]
		vs[t] = v[t] + min(bar(u.RhoBar), u.Ratio[t])*delta +
			u.Discount[t]*u.Lambda*min(bar(u.CBar), u.Ratio[t])*(vs[t+1]-v[t+1])
		adv[t] = u.Reward[t] + u.Discount[t]*vs[t+1] - v[t]
	}
	return vs[:n], adv
}

// The test looks for answers in everything that students receive: pages and their scripts, the plans and handouts, the
// description, unrolls, the view at each exercise, the reply to a wrong hand-in, the report. A stream has views.
func TestNothingSentToAStudentContainsAnAnswer(t *testing.T) {
	c := newTaught(t, "exercises")
	ada := c.joins("Ada")
	at := "/rooms/" + c.code
	site := *ada
	site.url = strings.TrimSuffix(ada.url, "api/v1")
	var traffic strings.Builder
	pages := []string{"class", "class/" + c.code}
	for _, p := range exercise.Plans()[:3] {
		pages = append(pages, "class/plan/"+p.Name)
	}
	for _, page := range pages {
		html := site.call("GET", page, 200, "", nil)
		traffic.WriteString(html)
		for _, script := range regexp.MustCompile(`src="/([^"]*class[^"]*\.js[^"]*)"`).FindAllStringSubmatch(html, -1) {
			traffic.WriteString(site.call("GET", script[1], 200, "", nil))
		}
	}
	if !strings.Contains(traffic.String(), "Class.student") {
		t.Error("the scripts of the page were not seen")
	}
	traffic.WriteString(ada.call("GET", "/plans", 200, "", nil) + ada.call("GET", "/openapi.json", 200, "", nil))
	one := 1e6
	for i, e := range exercise.All() {
		c.call("PATCH", at, 200, fmt.Sprintf(`{"step": %d, "follow": true}`, i), nil)
		traffic.WriteString(ada.call("GET", at+"/view", 200, "", nil))
		send := api.SendAnswer{Kind: "hand-in", Task: e.Name}
		switch {
		case e.Number != nil:
			send.Number = &one
		case e.Numbers != nil:
			send.Numbers = make([]float64, len(e.Numbers.Are))
			for i := range send.Numbers {
				send.Numbers[i] = one
			}
		case e.Program != nil:
			var in exercise.Inputs
			traffic.WriteString(ada.call("GET", at+"/unrolls/"+e.Name, 200, "", &in))
			send.Draw = in.Draw
			for _, u := range in.Unrolls {
				send.Targets = append(send.Targets, exercise.Targets{VS: u.Value, Advantage: u.Value})
			}
		case e.Find != nil:
			send.Settings = map[string]api.Value{e.Find.Key.Key: "8"}
		case e.Cause != nil: // a choice has its reply
			continue
		case e.Trained():
			continue // package class looks for the hidden seeds in what such an answer leads to
		}
		body, err := json.Marshal(send)
		if err != nil {
			t.Fatal(err)
		}
		traffic.WriteString(ada.call("POST", at+"/answers", 201, string(body), nil))
		traffic.WriteString(ada.call("GET", at+"/view", 200, "", nil))
	}
	traffic.WriteString(ada.call("GET", at+"/members/1/report", 200, "", nil))
	for _, e := range exercise.All() {
		if !strings.Contains(traffic.String(), fmt.Sprintf("%q", e.Name)) {
			t.Errorf("%s was not seen", e.Name)
		}
		for _, secret := range append(secretsOf(e), "3.718", "near 9", "at .277", "comes to 500") {
			// 13.718 may be a second of some minute, and 3.7182 a ratio of a random unroll.
			told := regexp.MustCompile(`(^|[^0-9])` + regexp.QuoteMeta(secret) + `([^0-9]|$)`)
			if told.MatchString(traffic.String()) {
				t.Errorf("%s: %q is told", e.Name, secret)
			}
		}
	}
	for _, p := range exercise.Plans() {
		for _, s := range p.Steps {
			for _, secret := range []string{s.Teacher, reveal(&s)} {
				if secret != "" && strings.Contains(traffic.String(), secret) {
					t.Errorf("%s, %s: %q is told", p.Name, s.Name, secret)
				}
			}
		}
	}
}

func reveal(s *exercise.Step) string {
	if s.Predict == nil {
		return ""
	}
	return s.Predict.Reveal
}

// secretsOf are texts of an exercise that only a verdict may tell.
func secretsOf(e *exercise.Exercise) (list []string) {
	list = append(list, e.Answer)
	for _, s := range e.Say {
		if e.Find == nil { // a wrong one is handed in, and is told why
			list = append(list, s.Say)
		}
	}
	switch {
	case e.Number != nil:
		for _, s := range e.Number.Slips {
			list = append(list, s.Say)
		}
	case e.Numbers != nil:
		for _, s := range e.Numbers.Slips {
			list = append(list, s.Say)
		}
	case e.Program != nil:
		for _, s := range e.Program.Slips {
			list = append(list, s.Say)
		}
	case e.Cause != nil:
		for _, o := range e.Cause.Choose {
			list = append(list, o.Why)
		}
		list = append(list, `"right":`)
	}
	return list
}

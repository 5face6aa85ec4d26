package class

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"impalab/web/exercise"
)

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
	if err := r.ChangeOwn(t.Context(), 5, OwnChange{Help: is(true)}); err != nil {
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
	for _, name := range []string{"=cmd()", "x;=1+1", `a ";+2`} {
		h.join(r, name)
	}
	h.change(r, Change{Step: stepNamed(t, r, "by-hand")})
	if _, err := r.Answer(t.Context(), 1, HandIn, "by-hand", exercise.Answer{Numbers: []float64{3.718, 3.02,
		0}}); err != nil {
		t.Fatal(err)
	}
	for form, want := range map[string]string{
		"plain": `"Nickname","Number","By hand","Long and late","Half-way house","Do it without a correction",` +
			`"By hand, with an end","Write V-trace"
"Ada","1","0.67","","","","",""
"'=cmd()","2","","","","","",""
"x;'=1+1","3","","","","","",""
"a "";'+2","4","","","","","",""
`,
		Canvas: `"Student","ID","SIS User ID","SIS Login ID","Section","By hand",`,
		Moodle: `"First name","Last name","ID number","Email address","By hand",`,
	} {
		var b strings.Builder
		if err := r.Credits(&b, form, LateCounts); err != nil || !strings.HasPrefix(b.String(), want) {
			t.Errorf("%s: %v\n%s", form, err, b.String())
		}
		if rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll(); err != nil || len(rows) < 5 {
			t.Errorf("%s: %d rows, %v", form, len(rows), err)
		}
	}
	if got, want := cell("a\t=1,-2"), "\"a\t'=1,'-2\""; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	file, _ := json.Marshal(r.File())
	for _, part := range []string{`"impalab room 1"`, `"=cmd()"`, `"by-hand"`} {
		if !strings.Contains(string(file), part) {
			t.Errorf("the room's file lacks %s: %s", part, file)
		}
	}
}

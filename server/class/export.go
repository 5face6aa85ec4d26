package class

// What a teacher takes home: credits as a table, one student's report, and the whole room as one file.

import (
	"crypto/hmac"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"impalab/server/errcode"
	"impalab/server/exercise"
)

// Forms of the table of credits.
const (
	Plain  = "plain"
	Canvas = "canvas"
	Moodle = "moodle"
)

// Credits writes a row for each student and a column for each exercise, as Canvas or Moodle import it: credits count
// 0 to 1. A cell is empty where nothing was handed in.
func (r *Room) Credits(to io.Writer, form string) error {
	r.mu.Lock()
	names := r.graded()
	head := []string{"Nickname", "Number"}
	lead := func(m *member) []string { return []string{m.Nickname, strconv.FormatInt(m.Number, 10)} }
	var points []string
	switch form {
	case Canvas:
		head = []string{"Student", "ID", "SIS User ID", "SIS Login ID", "Section"}
		lead = func(m *member) []string { return []string{m.Nickname, "", "", "", r.code} }
		points = []string{"Points Possible", "", "", "", ""}
	case Moodle:
		head = []string{"First name", "Last name", "ID number", "Email address"}
		lead = func(m *member) []string { return []string{m.Nickname, "", "", ""} }
	}
	rows := [][]string{append([]string{}, head...)}
	for _, name := range names {
		rows[0] = append(rows[0], titleOfExercise(name))
		points = append(points, "1")
	}
	if form == Canvas {
		rows = append(rows, points)
	}
	for _, m := range r.members {
		if m.removed() {
			continue
		}
		row := lead(m)
		for _, name := range names {
			if credit, handedIn := m.best(name); handedIn {
				row = append(row, strconv.FormatFloat(credit, 'f', 2, 64))
			} else {
				row = append(row, "")
			}
		}
		rows = append(rows, row)
	}
	r.mu.Unlock() // who reads may be slow
	var out strings.Builder
	for _, row := range rows {
		for i, text := range row {
			row[i] = cell(text)
		}
		out.WriteString(strings.Join(row, ",") + "\n")
	}
	_, err := io.WriteString(to, out.String())
	return err
}

func titleOfExercise(name string) string {
	if e, err := exercise.Named(name); err == nil {
		return e.Title
	}
	return name
}

// cell is a text as a cell of a table. All are quoted: a spreadsheet may cut at semicolons or tabs. None begins with a
// sign that a spreadsheet takes for a formula, not even after such a cut.
func cell(text string) string {
	return `"` + strings.ReplaceAll(formula.ReplaceAllString(text, "$1'$2"), `"`, `""`) + `"`
}

var formula = regexp.MustCompile(`(^|[;,\t|]\s*)([=+\-@])`)

// Report is one student's.
type Report struct {
	Room     string    `json:"room"`
	Title    string    `json:"title"`
	Number   int64     `json:"number"`
	Nickname string    `json:"nickname"`
	Joined   time.Time `json:"joined"`
	Credit   float64   `json:"credit"`
	Of       float64   `json:"of"`
	Answers  []Given   `json:"answers" doc:"All of them, oldest first."`
}

// Report is of a member, for that member or for the teacher.
func (r *Room) Report(who Role, number int64) (Report, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.member(number)
	if m == nil || !who.Teacher && who.Member != number {
		return Report{}, errcode.Errorf(errcode.NotFound, "there is no report of member %d for you in this room", number)
	}
	return r.report(m), nil
}

func (r *Room) report(m *member) Report {
	graded := r.graded()
	p := Report{Room: r.code, Title: r.set.Title, Number: m.Number, Nickname: m.Nickname,
		Joined: time.UnixMilli(m.Joined).UTC(), Credit: m.credit(graded), Of: float64(len(graded)), Answers: []Given{}}
	for _, a := range m.answers {
		p.Answers = append(p.Answers, r.given(a))
	}
	return p
}

// Receipted is what a receipt stands for.
type Receipted struct {
	Number   int64     `json:"number"`
	Nickname string    `json:"nickname" doc:"As it is now; empty for somebody who was removed."`
	Task     string    `json:"task"`
	Title    string    `json:"title" doc:"Of the exercise."`
	Credit   float64   `json:"credit"`
	Sent     time.Time `json:"sent"`
}

// Verify says what a receipt stands for, however it was copied: for the teacher, to whom a student shows it. It is
// worked out anew from what the room has kept, so one that fits nothing was never given, or not for this.
func (r *Room) Verify(receipt string) (Receipted, error) {
	plain := func(text string) string {
		return strings.Map(func(c rune) rune {
			if c == '-' || c == ' ' {
				return -1
			}
			return unicode.ToUpper(c)
		}, text)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, a := range r.answers {
		if a.Kind != HandIn || a.Credit == nil || !hmac.Equal([]byte(plain(r.receipt(a, *a.Credit))),
			[]byte(plain(receipt))) {
			continue
		}
		is := Receipted{Number: a.Number, Task: a.Task, Title: titleOfExercise(a.Task), Credit: *a.Credit,
			Sent: time.UnixMilli(a.Sent).UTC()}
		if m := r.member(a.Member); m != nil {
			is.Nickname = m.Nickname
		}
		return is, nil
	}
	return Receipted{}, errcode.Errorf(errcode.NotFound, "this receipt is none of this room's: look at its sixteen signs "+
		"again, or ask in which room it was given")

}

// File is the room as a single file: all but keys, secrets and hidden seeds.
type File struct {
	Format   string    `json:"format"` // impalab room 1
	Code     string    `json:"code"`
	Settings Settings  `json:"settings"`
	Closed   bool      `json:"closed"`
	Made     time.Time `json:"made"`
	Members  []Report  `json:"members"`
}

// File is the room as it stands.
func (r *Room) File() File {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := File{Format: "impalab room 1", Code: r.code, Settings: r.set, Closed: r.closed,
		Made: time.UnixMilli(r.born).UTC(), Members: []Report{}}
	for _, m := range r.members {
		if !m.removed() {
			f.Members = append(f.Members, r.report(m))
		}
	}
	return f
}

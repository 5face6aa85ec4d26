package class

// What a teacher takes home: credits as a table, one student's report, and the whole room as one file.

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

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
	lead := func(m *member) []string { return []string{cell(m.Nickname), strconv.FormatInt(m.Number, 10)} }
	var points []string
	switch form {
	case Canvas:
		head = []string{"Student", "ID", "SIS User ID", "SIS Login ID", "Section"}
		lead = func(m *member) []string { return []string{cell(m.Nickname), "", "", "", r.code} }
		points = []string{"Points Possible", "", "", "", ""}
	case Moodle:
		head = []string{"First name", "Last name", "ID number", "Email address"}
		lead = func(m *member) []string { return []string{cell(m.Nickname), "", "", ""} }
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
			if credit, handedIn := r.best(m.Number, name); handedIn {
				row = append(row, strconv.FormatFloat(credit, 'f', 2, 64))
			} else {
				row = append(row, "")
			}
		}
		rows = append(rows, row)
	}
	r.mu.Unlock() // who reads may be slow
	out := csv.NewWriter(to)
	return out.WriteAll(rows)
}

func titleOfExercise(name string) string {
	if e, err := exercise.Named(name); err == nil {
		return e.Title
	}
	return name
}

// cell keeps a nickname from being taken for a formula by a spreadsheet.
func cell(text string) string {
	if strings.ContainsAny(text[:1], "=+-@") {
		return "'" + text
	}
	return text
}

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
		return Report{}, &Error{NotFound, fmt.Errorf("there is no report of member %d for you in this room", number)}
	}
	return r.report(m), nil
}

func (r *Room) report(m *member) Report {
	p := Report{Room: r.code, Title: r.set.Title, Number: m.Number, Nickname: m.Nickname,
		Joined: time.UnixMilli(m.Joined).UTC(), Credit: r.credit(m), Of: float64(len(r.graded())), Answers: []Given{}}
	for _, a := range r.answers {
		if a.Member == m.Number {
			p.Answers = append(p.Answers, r.given(a))
		}
	}
	return p
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

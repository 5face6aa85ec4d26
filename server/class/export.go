package class

// Downloads for the teacher: credits as a table, reports of students, and the room as one file.

import (
	"crypto/hmac"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"impalab/server/errcode"
	"impalab/web/exercise"
)

// credit sums a member's best credits.
func (r *Room) credit(m *member, graded []string) (sum float64) {
	for _, name := range graded {
		if b := r.best(m, name); b.all != nil {
			sum += *b.all
		}
	}
	return sum
}

// graded returns the exercises of the room's plan, and the exercises handed in under an earlier plan.
func (r *Room) graded() (names []string) {
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if plan, err := exercise.PlanNamed(r.set.Plan); err == nil {
		for _, s := range plan.Whole() {
			add(s.Exercise)
		}
	}
	for _, a := range r.answers {
		if a.Kind == HandIn {
			add(a.Task)
		}
	}
	return names
}

// Forms of the table of credits beside the plain one.
const (
	Canvas = "canvas"
	Moodle = "moodle"
)

// Ways to count late hand-ins: like all others, half, or not at all.
const (
	LateCounts = "counts"
	LateHalf   = "half"
	LateNot    = "not"
)

// counted returns the credit of a table of results; nil if nothing was judged.
func (b best) counted(late string) *float64 {
	if b.all == nil || !b.late() {
		return b.all
	}
	share := map[string]float64{LateHalf: .5, LateNot: 0}
	credit := *b.all
	if factor, less := share[late]; less {
		credit *= factor
	}
	if b.onTime != nil {
		credit = max(credit, *b.onTime)
	}
	return &credit
}

// Credits writes a row for each student and a column for each exercise, as Canvas or Moodle import it. Credits are 0 to
// 1; a cell is empty if nothing was handed in. late is how hand-ins after the due date count; "" is LateCounts.
func (r *Room) Credits(to io.Writer, form, late string) error {
	r.mu.Lock()
	names := r.graded()
	head := []string{"Nickname", "Number"}
	lead := func(m *member) []string { return []string{m.Nickname, strconv.FormatInt(m.Number, 10)} }
	switch form {
	case Canvas:
		head = []string{"Student", "ID", "SIS User ID", "SIS Login ID", "Section"}
		lead = func(m *member) []string { return []string{m.Nickname, "", "", "", r.code} }
	case Moodle:
		head = []string{"First name", "Last name", "ID number", "Email address"}
		lead = func(m *member) []string { return []string{m.Nickname, "", "", ""} }
	}
	points := []string{"Points Possible", "", "", "", ""}
	for _, name := range names {
		head, points = append(head, titleOfExercise(name)), append(points, "1")
	}
	rows := [][]string{head}
	if form == Canvas {
		rows = append(rows, points)
	}
	for _, m := range r.present() {
		row := lead(m)
		for _, name := range names {
			text := ""
			if credit := r.best(m, name).counted(late); credit != nil {
				text = strconv.FormatFloat(*credit, 'f', 2, 64)
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	r.mu.Unlock() // before the write, which may be slow
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

// cell writes a cell of a table. Every cell is quoted, because a spreadsheet may split at semicolons or tabs. No cell
// begins with the sign of a formula, not even after such a split.
func cell(text string) string {
	return `"` + strings.ReplaceAll(formula.ReplaceAllString(text, "$1'$2"), `"`, `""`) + `"`
}

var formula = regexp.MustCompile(`(^|[;,\t|]\s*)([=+\-@])`)

// Report is one student's report.
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

// Report returns the report of a member, to that member or to the teacher.
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
		Joined: time.UnixMilli(m.Joined).UTC(), Credit: r.credit(m, graded), Of: float64(len(graded)), Answers: []Given{}}
	for _, a := range m.answers {
		p.Answers = append(p.Answers, r.sentAnswer(a))
	}
	return p
}

// Receipted is the hand-in of a receipt.
type Receipted struct {
	Number   int64     `json:"number"`
	Nickname string    `json:"nickname" doc:"The current one; empty for a removed member."`
	Task     string    `json:"task"`
	Title    string    `json:"title" doc:"Of the exercise."`
	Credit   float64   `json:"credit"`
	Sent     time.Time `json:"sent"`
}

// Verify returns the hand-in of a receipt that a student shows to the teacher. It computes the receipts again from the
// stored answers, so a forged or altered one matches nothing. Case, spaces and hyphens do not matter.
func (r *Room) Verify(receipt string) (Receipted, error) {
	given, _ := exercise.FromLetters(receipt) // another text matches nothing
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, a := range r.answers {
		if a.Kind != HandIn || a.Credit == nil || !hmac.Equal(r.receipt(a, *a.Credit), given) {
			continue
		}
		is := Receipted{Number: a.Number, Task: a.Task, Title: titleOfExercise(a.Task), Credit: *a.Credit,
			Sent: time.UnixMilli(a.Sent).UTC()}
		if m := r.member(a.Member); m != nil {
			is.Nickname = m.Nickname
		}
		return is, nil
	}
	if _, err := exercise.ReadReceipt(receipt); err == nil {
		return Receipted{}, errcode.Errorf(errcode.NotFound, "this receipt is of a page without a server, and of no room: "+
			"check it on the page Class of that site")
	}
	return Receipted{}, errcode.Errorf(errcode.NotFound, "this receipt is not of this room: check its sixteen signs, "+
		"or ask in which room it was given")
}

// File is the room as one file, without keys, secrets and hidden seeds.
type File struct {
	Format   string    `json:"format"` // impalab room 1
	Code     string    `json:"code"`
	Settings Settings  `json:"settings"`
	Closed   bool      `json:"closed"`
	Made     time.Time `json:"made"`
	Members  []Report  `json:"members"`
}

// File returns the room as one file.
func (r *Room) File() File {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := File{Format: "impalab room 1", Code: r.code, Settings: r.set, Closed: r.closed,
		Made: time.UnixMilli(r.born).UTC(), Members: []Report{}}
	f.Settings.Maker = ""
	for _, m := range r.present() {
		f.Members = append(f.Members, r.report(m))
	}
	return f
}

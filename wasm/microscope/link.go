package microscope

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"impalab/learner/hyper"
	"impalab/web/chart"
	"impalab/web/link"
)

// Link is an address of the page: /microscope#run=ID&update=400&trajectory=3&step=7&row=delta&rho=2.
type Link struct {
	Run    string // "": the stored example
	Update uint64 // 0: the newest
	Column int
	Theme  string
	Said   []string // sentences about unreadable parts

	step    string
	row     string
	changes []hyper.Setting
}

// rowKeys are the rows in links, from the top down.
var rowKeys = [chart.BackupRows]string{"chance", "ratio", "rho", "c", "reach", "delta", "value", "weight", "advantage"}

// ParseLink reads a fragment. It leaves out unreadable parts, and says so.
func ParseLink(fragment string) (l Link) {
	for _, pair := range strings.Split(strings.TrimPrefix(fragment, "#"), "&") {
		key, value, _ := strings.Cut(pair, "=")
		value, err := url.QueryUnescape(value)
		if pair == "" {
			continue
		}
		switch key {
		case "run":
			l.Run = value
		case "update":
			l.Update, err = strconv.ParseUint(value, 10, 64)
		case "trajectory":
			if l.Column, err = strconv.Atoi(value); l.Column < 0 {
				l.Column, err = 0, strconv.ErrRange
			}
		case "step":
			l.step = value
		case "row":
			l.row = value
		case "theme":
			l.Theme = value
		default:
			if !slices.Contains(link.MicroscopeKeys, key) {
				l.Said = append(l.Said, fmt.Sprintf("This link has an unknown key: %s. It changes nothing.", key))
				continue
			}
			l.changes = append(l.changes, hyper.Setting{Key: key, Value: value})
		}
		if err != nil {
			l.Said = append(l.Said, fmt.Sprintf("The link’s %s is not a valid number: %s. It is left out.", key, value))
		}
	}
	return l
}

// Follow applies the settings and the cell of the link to a scope. It returns sentences about missing ones, in place of
// which it selects the nearest.
func (l *Link) Follow(s *Scope) (said []string) {
	for _, c := range l.changes {
		if err := s.Set(c.Key, c.Value); err != nil {
			said = append(said, "The link has a value that is not possible: "+err.Error()+".")
		}
	}
	step, row := s.Step, s.Row
	if l.step != "" {
		n, err := strconv.Atoi(l.step)
		last := len(s.Unroll.Steps) - 1
		if step = min(max(n, 0), last); err != nil || n != step {
			said = append(said, fmt.Sprintf("There is no step %s: this unroll has steps 0 to %d. This is step %d.", l.step, last,
				step))
		}
	}
	if l.row != "" {
		if i := slices.Index(rowKeys[:], l.row); i >= 0 {
			row = i
		} else {
			said = append(said, fmt.Sprintf("The diagram has no row “%s”. This is the row of %s.", l.row, rowKeys[row]))
		}
	}
	s.Choose(step, row)
	return said
}

// Fragment returns the link to the shown unroll and cell.
func (s *Scope) Fragment(run, theme string) string {
	var b strings.Builder
	add := func(key, value string) {
		b.WriteString("&" + key + "=" + url.QueryEscape(value))
	}
	if run != "" {
		add("run", run)
		add("update", strconv.FormatUint(s.Unroll.Update, 10))
		add("trajectory", strconv.Itoa(s.Unroll.Column))
	}
	add("step", strconv.Itoa(s.Asked))
	add("row", rowKeys[s.Row])
	for _, c := range s.Changed() {
		add(c.Key, c.Value)
	}
	if theme != "" {
		add("theme", theme)
	}
	return "#" + b.String()[1:]
}

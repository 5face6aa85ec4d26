package tape

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"

	"impalab/learner/hyper"
)

// Limits of a file.
const (
	MaxLine   = 64 << 10  // bytes
	MaxEvents = 1_000_000 // lines after the header
	maxText   = 4000      // bytes of a value, a reason or a name
	maxCount  = 1 << 53   // updates and steps: every reader of JSON holds them exactly
)

// header is the first line of the file. Fields are never renamed and never change their meaning.
type header struct {
	Tape       int               `json:"tape"`
	Build      string            `json:"build"`
	Arithmetic string            `json:"arithmetic"`
	Settings   map[string]string `json:"settings"` // written in the order of the keys
	Parent     *Parent           `json:"parent,omitempty"`
	SeedRef    string            `json:"seed_ref,omitempty"`
}

// line is a later line: an event, and the fields of a continuation, whose update may be 0.
type line struct {
	Event
	Since      *uint64 `json:"since,omitempty"`
	Arithmetic string  `json:"arithmetic,omitempty"`
	Build      string  `json:"build,omitempty"`
}

func isHash(text string) bool {
	return len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
}

// Append writes one event with one Write, so that a crash breaks at most one line.
func Append(to io.Writer, e Event) error {
	if e.Kind == Later {
		return writeLine(to, []byte(e.Line+"\n"))
	}
	l := line{Event: e, Arithmetic: e.Arithmetic, Build: e.Build}
	if e.Kind == Continued {
		l.Since = &e.Since
	}
	return write(to, l)
}

// Begin writes the first line of a file.
func Begin(to io.Writer, h Header) error {
	out := header{
		Tape: Version, Build: h.Build, Arithmetic: h.Arithmetic, Parent: h.Parent, SeedRef: h.SeedRef,
		Settings: make(map[string]string, len(h.Settings)),
	}
	for _, s := range h.Settings {
		if s.Key != "seed" || h.SeedRef == "" {
			out.Settings[s.Key] = s.Value
		}
	}
	return write(to, out)
}

func write(to io.Writer, v any) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out) // ends the line
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("tape: %w", err)
	}
	return writeLine(to, out.Bytes())
}

func writeLine(to io.Writer, line []byte) error {
	if _, err := to.Write(line); err != nil {
		return fmt.Errorf("tape: %w", err)
	}
	return nil
}

// Fault says where a file stops being a tape. The lines before it were read.
type Fault struct {
	Line int // from 1
	Why  string
}

func (f *Fault) Error() string { return fmt.Sprintf("line %d of the tape: %s", f.Line, f.Why) }

// ReadLines reads a file's lines, without their ends.
func ReadLines(lines []string) (*Tape, error) {
	return Read(strings.NewReader(strings.Join(lines, "\n")))
}

// Read reads a file. If the file is cut short, edited or of a newer version, the error is a *Fault, and the tape holds
// the lines before it; nil if the header is faulty. Read ignores unknown fields, and keeps lines of an unknown kind.
func Read(from io.Reader) (*Tape, error) {
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 0, 4<<10), MaxLine)
	var t *Tape
	n := 0
	for lines.Scan() {
		n++
		if t == nil {
			h, err := readHeader(lines.Bytes())
			if err != nil {
				return nil, &Fault{n, err.Error()}
			}
			t = &Tape{Header: h}
			continue
		}
		if len(t.Events) == MaxEvents {
			return t, &Fault{n, fmt.Sprintf("a tape has at most %d lines after the first", MaxEvents)}
		}
		if t.End() != nil {
			return t, &Fault{n, "the run has already ended on the line before"}
		}
		e, err := readEvent(lines.Bytes())
		if err == nil {
			err = follows(e, t)
		}
		if err != nil {
			return t, &Fault{n, err.Error()}
		}
		t.Events = append(t.Events, e)
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return t, &Fault{n + 1, fmt.Sprintf("it is longer than %d bytes", MaxLine)}
	case err != nil:
		return t, err
	case t == nil:
		return nil, &Fault{1, "the file is empty"}
	}
	return t, nil
}

// decode reads the JSON of one line. A key in another case is unknown, and a key that is given twice is refused. A line
// that is cut short gets an error of its own.
func decode(text []byte, into any) error {
	err := jsonv2.Unmarshal(text, into)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it is cut short")
	}
	return fmt.Errorf("it is not a line of a tape: %w", err)
}

func readHeader(text []byte) (h Header, err error) {
	var version struct {
		Tape *int `json:"tape"`
	}
	if err := decode(text, &version); err != nil {
		return h, err
	}
	switch {
	case version.Tape == nil:
		return h, errors.New(`this is not a tape: a tape's first line has "tape" and its version`)
	case *version.Tape > Version:
		return h, fmt.Errorf("it is of version %d, and this build reads up to %d: a newer build of impalab reads it",
			*version.Tape, Version)
	case *version.Tape < 1:
		return h, fmt.Errorf("there is no version %d", *version.Tape)
	}
	var in header
	if err := decode(text, &in); err != nil {
		return h, err
	}
	if len(in.Settings) == 0 {
		return h, errors.New("it does not say which settings the run began with")
	}
	if in.Parent != nil && (in.Parent.Update > maxCount || tooLong(in.Parent.Run)) ||
		tooLong(in.Build, in.Arithmetic, in.SeedRef) {
		return h, errors.New("a name in it is too long")
	}
	h = Header{Build: in.Build, Arithmetic: in.Arithmetic, Parent: in.Parent, SeedRef: in.SeedRef}
	for key, value := range in.Settings {
		if key == "" || tooLong(key, value) {
			return h, errors.New("a setting's name is missing, or its text too long")
		}
		if key == "seed" && in.SeedRef != "" {
			return h, errors.New("it has a seed and a reference to one kept elsewhere")
		}
		h.Settings = append(h.Settings, hyper.Setting{Key: key, Value: value})
	}
	slices.SortFunc(h.Settings, func(a, b hyper.Setting) int { return strings.Compare(a.Key, b.Key) })
	return h, nil
}

func readEvent(text []byte) (Event, error) {
	var in line
	if err := decode(text, &in); err != nil {
		return Event{}, err
	}
	e := in.Event
	e.Arithmetic, e.Build = in.Arithmetic, in.Build
	switch {
	case e.Update > maxCount || e.Step > maxCount:
		return e, fmt.Errorf("update %d and step %d: a tape counts to %d", e.Update, e.Step, int64(maxCount))
	case e.Kind != "" && e.Kind != Continued && e.Kind != Outside:
		return Event{Kind: Later, Update: e.Update, Step: e.Step, Line: string(bytes.TrimSpace(text))}, nil
	case tooLong(e.Key, e.From, e.To, e.By, e.Reason, e.Device, e.Arithmetic, e.Build):
		return e, fmt.Errorf("a text in it is longer than %d bytes", maxText)
	case e.Kind == Outside:
		return Event{Kind: Outside, Update: e.Update, Step: e.Step, By: e.By}, nil
	case e.Kind == Continued:
		if in.Since == nil || *in.Since > e.Update || e.Arithmetic == "" {
			return e, errors.New("a continuation says with which arithmetic, and since which update up to its own")
		}
		e.Since = *in.Since
	case e.Device != "" && e.State == "":
		return e, errors.New("a device belongs to an end, and this line has no state")
	case e.Key != "":
		if e.From == "" || e.To == "" || e.ParamsSHA256 != "" || e.State != "" || e.Reason != "" {
			return e, fmt.Errorf("a change of %.64q has from and to, and no fields of a mark or an end", e.Key)
		}
		e.Kind = Changed
	case !isHash(e.ParamsSHA256):
		return e, errors.New("it is neither a change, which has a key, nor a mark or an end, which have a params_sha256 " +
			"of 64 hexadecimal digits")
	case e.From != "" || e.To != "" || e.By != "":
		return e, errors.New("a mark has no from, to or by")
	case e.State == "" && e.Reason != "":
		return e, errors.New("a reason belongs to an end, and this line has no state")
	case e.State == "":
		e.Kind = Marked
	case e.State == Done || e.State == Diverged:
		e.Kind = Ended
	default:
		return e, fmt.Errorf("a run ends done or diverged, not %.64q", e.State)
	}
	return e, nil
}

// follows refuses an event that cannot follow the events before it.
func follows(e Event, t *Tape) error {
	update, step := t.Last()
	if e.Update < update || e.Step < step {
		return fmt.Errorf("update %d at step %d cannot come after update %d at step %d", e.Update, e.Step, update, step)
	}
	if e.Update == update && e.Step != step && len(t.Events) > 0 && e.Kind != Ended { // a run diverges within an update
		return fmt.Errorf("update %d was at step %d on the line before, and is at %d here", update, step, e.Step)
	}
	return nil
}

func tooLong(texts ...string) bool {
	return slices.ContainsFunc(texts, func(s string) bool { return len(s) > maxText })
}

package tape

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
)

const (
	first = `{"tape":1,"build":"b","arithmetic":"fused","settings":{"world":"catch"}}`
	sum   = `"params_sha256":"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"`
)

func TestAFaultNamesItsLineAndTheLinesBeforeAreRead(t *testing.T) {
	mark := `{"update":10,"step":360,` + sum + `}`
	for _, c := range []struct {
		file   string
		line   int
		events int // -1: not even a header
		want   string
	}{
		{"", 1, -1, "empty"},
		{"\n" + first, 1, -1, "cut short"},
		{`{"settings":{"world":"catch"}}`, 1, -1, "not a tape"},
		{`{"tape":2,"notes":[]}`, 1, -1, "of version 2, and this build reads up to 1"},
		{`{"tape":0}`, 1, -1, "no version 0"},
		{`{"tape":1}`, 1, -1, "which settings"},
		{first[:40], 1, -1, "cut short"},
		{`{"tape":1,"settings":{"seed":"1"},"seed_ref":"secret:1"}`, 1, -1, "a seed and a reference"},
		{`{"tape":1,"settings":{"world":7}}`, 1, -1, "not a line of a tape"},
		{`{"Tape":1,"settings":{"world":"catch"}}`, 1, -1, "not a tape"},
		{`{"tape":1,"SETTINGS":{"world":"catch"}}`, 1, -1, "which settings"},
		{`{"tape":1,"tape":1,"settings":{"world":"catch"}}`, 1, -1, "not a line of a tape"},
		{`{"tape":1,"settings":{"world":"catch","world":"cartpole"}}`, 1, -1, "not a line of a tape"},
		{first + "\n" + `{"update":1,"Update":2,"step":1,"step":2,` + sum + `}`, 2, 0, "not a line of a tape"},
		{first + "\n" + `{"update":1,"step":1,"Params_SHA256":"` + strings.Repeat("0", 64) + `"}`, 2, 0, "neither a change"},
		{"PK\x03\x04", 1, -1, "not a line of a tape"},
		{first + "\n" + mark + "\n" + mark[:30], 3, 1, "cut short"},
		{first + "\n" + mark + "\n\n" + mark, 3, 1, "cut short"},
		{first + "\n" + mark + "\n" + `{"update":9,"step":360,` + sum + `}`, 3, 1, "cannot come after update 10"},
		{first + "\n" + mark + "\n" + `{"update":10,"step":361,` + sum + `}`, 3, 1, "was at step 360"},
		{first + "\n" + mark + "\n" + `{"update":-1,"step":360,` + sum + `}`, 3, 1, "not a line of a tape"},
		{first + "\n" + `{"update":1e300,"step":360,` + sum + `}`, 2, 0, "not a line of a tape"},
		{first + "\n" + `{"update":18446744073709551615,"step":1,` + sum + `}`, 2, 0, "a tape counts to"},
		{first + "\n" + `{"update":1,"step":1}`, 2, 0, "neither a change"},
		{first + "\n" + `{"update":1,"step":1,"params_sha256":"12"}`, 2, 0, "64 hexadecimal digits"},
		{first + "\n" + `{"update":1,"step":1,"key":"rho","to":"2"}`, 2, 0, "from and to"},
		{first + "\n" + `{"update":1,"step":1,"key":"rho","from":"1","to":"2",` + sum + `}`, 2, 0, "no fields of a mark"},
		{first + "\n" + `{"update":1,"step":1,"state":"bored",` + sum + `}`, 2, 0, "not \"bored\""},
		{first + "\n" + `{"update":1,"step":1,"state":"done",` + sum + "}\n" + mark, 3, 1, "already ended"},
		{first + "\n" + `{"update":1,"step":1,"by":"` + strings.Repeat("x", 4001) + `","key":"c","from":"1","to":"2"}`, 2, 0,
			"longer than 4000 bytes"},
		{first + "\n" + `{"update":1,"step":1,"kind":"continued","arithmetic":"plain"}`, 2, 0, "since which update"},
		{first + "\n" + `{"update":1,"step":1,"kind":"continued","since":2,"arithmetic":"plain"}`, 2, 0, "since which update"},
		{first + "\n" + mark + "\n" + `{"update":9,"step":360,"kind":"applause"}`, 3, 1, "cannot come after update 10"},
		{first + "\n" + mark + "\n" + strings.Repeat(" ", MaxLine+1), 3, 1, "longer than 65536 bytes"},
	} {
		tape, err := Read(strings.NewReader(c.file))
		var fault *Fault
		if !errors.As(err, &fault) || fault.Line != c.line || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.90q: %v, want line %d and …%s…", c.file, err, c.line, c.want)
		}
		if events := length(tape); events != c.events {
			t.Errorf("%.90q: %d events were read, want %d", c.file, events, c.events)
		}
	}
}

func length(t *Tape) int {
	if t == nil {
		return -1
	}
	return len(t.Events)
}

func TestFieldsOfLaterBuildsArePassedOver(t *testing.T) {
	tape, err := Read(strings.NewReader(strings.Replace(first, `"build"`, `"mood":"good","build"`, 1) + "\n" +
		`{"update":1,"step":36,"mood":"better",` + sum + "}\n"))
	if err != nil || len(tape.Events) != 1 || tape.Build != "b" {
		t.Errorf("%+v %v", tape, err)
	}
}

func TestAWrittenTapeIsReadBack(t *testing.T) {
	file, _ := played(t, "catch", "steps=400", "100:rho=2 200:lag=1")
	tape := read(t, file)
	tape.Parent = &Parent{Run: "abc", Update: 5}
	var out bytes.Buffer
	if err := tape.Write(&out); err != nil {
		t.Fatal(err)
	}
	if back := read(t, out.Bytes()); !reflect.DeepEqual(back, tape) {
		t.Errorf("%+v came back as %+v", tape, back)
	}
}

// Whatever is read without complaint is the same tape when it is written and read again; nothing crashes, and a fault
// has a line.
func FuzzWhatIsReadIsWrittenAndReadAgain(f *testing.F) {
	f.Add([]byte(first + "\n" + `{"update":10,"step":360,` + sum + "}\n" +
		`{"update":10,"step":360,"key":"rho","from":"1","to":"2","by":"me"}` + "\n" +
		`{"update":12,"step":500,` + sum + `,"state":"diverged","reason":"so"}`))
	f.Add([]byte(strings.Replace(first, "}}", `},"seed_ref":"secret:1","parent":{"run":"a","update":3}}`, 1)))
	f.Add([]byte(first + "\n" + `{"update":4,"step":9,"kind":"continued","since":3,"arithmetic":"plain","build":"c"}` + "\n" +
		` {"update":4, "step":9,"kind":"applause","hands":2}`))
	f.Add([]byte(first[:30]))
	f.Fuzz(func(t *testing.T, file []byte) {
		tape, err := Read(bytes.NewReader(file))
		var fault *Fault
		if err != nil && (!errors.As(err, &fault) || fault.Line < 1 || fault.Why == "") {
			t.Fatalf("%v", err)
		}
		if tape == nil {
			if err == nil {
				t.Fatal("neither a tape nor an error")
			}
			return
		}
		_, _ = tape.Config(nil) // must not crash
		var out bytes.Buffer
		if err := tape.Write(&out); err != nil {
			t.Fatal(err)
		}
		for _, l := range bytes.Split(out.Bytes(), []byte("\n")) {
			if len(l) >= MaxLine {
				return // a text that needs more bytes as we write it
			}
		}
		back, err := Read(bytes.NewReader(out.Bytes()))
		if err != nil || !reflect.DeepEqual(back, tape) {
			t.Fatalf("%+v was written and read as %+v, %v", tape, back, err)
		}
	})
}

// Write writes a whole tape.
func (t *Tape) Write(to io.Writer) error {
	if err := Begin(to, t.Header); err != nil {
		return err
	}
	for _, e := range t.Events {
		if err := Append(to, e); err != nil {
			return err
		}
	}
	return nil
}

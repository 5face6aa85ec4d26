package wire

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"
)

// samples is one message of each type, every field different from its zero.
func samples() []Message {
	settings := []Setting{{"preset", "catch"}, {"rho", "+Inf"}, {"lag", "8"}}
	bins := make([]uint32, 40)
	for i := range bins {
		bins[i] = uint32(i * i)
	}
	nan := float32(math.NaN())
	stand := Stand{Worlds: []byte{1, 2, 255}, Chance: [2]uint64{1 << 63, 3}, Core: []float32{0.5}, Last: []float32{nan, 2}}
	return []Message{
		&Hello{Run: "r1", Key: "secret", After: 300, From: Origin{"r0", 120}, Settings: settings},
		&Set{Seq: 7, Key: "rho", Value: "1.5"},
		&Do{Seq: 8, Verb: VerbStep},
		&Want{Frames: true, Weights: true},
		&Welcome{Run: "r1", Key: "secret", Steers: true, Build: "v1", Event: 301, Fresh: true, State: StatePaused,
			From: Origin{"r0", 120}, Settings: settings, Unknown: []string{"rhö", "x"}, Figures: []string{"ess", "cut-c"}},
		&Changed{Event: 302, Intent: 7, Step: 1 << 40, Update: 900, Key: "rho", From: "1", To: "1.5"},
		&Status{Event: 303, State: StateDiverged, Reason: "NaN in the value loss at update 900"},
		&Point{
			Event: 304, Step: 20_000, Update: 1000, Episodes: 55, Return: -12.5, Recent: -9, Low: nan, High: 3, Ended: 12,
			Traces:  []Trace{{"gamma", 0.99, float32(math.Inf(1))}, {"kl-policy", 0.0015, 0.002}},
			Figures: []float32{0.75, nan},
		},
		&XRay{
			Step: 20_000, Update: 1000, Episodes: 55, StepsPerSecond: 4000, Figures: []float32{0.75, nan},
			Ratios: bins, Ages: bins[:32], Returns: []float32{0.5, nan},
		},
		&Frame{
			Number: 60, World: "cartpole", State: []byte{1, 2, 3, 0, 255}, Action: 1, Reward: 1, Return: 17, Length: 17, End: 2,
			Policy: 1, Behaviour: []float32{0.25, 0.75}, Target: []float32{0.5, 0.5}, Control: []float32{-0.5},
			Value: 9.5, Ratio: 0.667, Rho: 0.667, C: 0.6, Cells: []Cell{{Light: 0.25, Reach: 0.125}},
		},
		&Gauge{Behaviour: -2, Target: -1, Implied: -1.5, Learned: -1.75, FromTarget: 0.6, FromImplied: 0.1, Contraction: 0.9,
			Worst: -10, Best: -0.5},
		&Weights{Update: 900, Scale: []float32{2, 1}, Shift: []float32{-1, 0.5}, Target: []float32{0.5, -0.25, nan},
			Behaviour: []float32{0.5, -0.5, 1}},
		&Judged{Event: 305, Step: 19_000, Update: 950, ValueError: 0.25, States: 2048},
		&Refused{Intent: 9, Key: "lag", Reason: "lag is −1; it goes from 0 to 64 updates"},
		&Bye{Reason: "the server is stopping; the page will come back by itself"},
		&Join{Run: "r1", Key: "secret", Name: "desk 4", Build: "v1"},
		&Block{Number: 7, Obs: []float32{0.5, nan}, Mu: []float32{-0.25}, Real: []float32{1.5}, Reward: []float32{1},
			Action: []byte{1, 0}, End: []byte{0, 2}, Cut: []float32{-0.5}, Stand: stand},
		&Place{Settings: settings, Arithmetic: "plain", Copies: 2, Stream: 1 << 21, Played: 9,
			Returns: []float32{3, 4}, Lengths: []uint32{3, 4},
			Stand: stand},
		&Order{Number: 7, Version: 900, Theta: []float32{0.5, -0.25}},
		&Belt{Update: 900, Poses: []Pose{{Lean: -0.125, Weight: 1}, {Lean: 0.25, Weight: 0.5}}},
		&Leave{Reason: "the server is stopping", Again: true},
	}
}

func sample(name string) Message {
	for _, m := range samples() {
		if find(m.Type()).name == name {
			return m
		}
	}
	panic("no sample is called " + name)
}

func frame(t testing.TB, m Message) []byte {
	t.Helper()
	b, err := Append(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestEveryMessageKeepsItsBytes(t *testing.T) {
	text, err := os.ReadFile("testdata/frames.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, bytes, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name != "#" {
			want[name] = bytes
		}
	}
	if len(want) != len(table) {
		t.Errorf("testdata/frames.txt has %d frames for %d messages", len(want), len(table))
	}
	for _, m := range samples() {
		name := find(m.Type()).name
		if got := hex.EncodeToString(frame(t, m)); got != want[name] {
			t.Errorf("frame of %s\n got %s\nwant %s", name, got, want[name])
		}
	}
}

func TestEveryFieldTravels(t *testing.T) {
	seen := map[byte]bool{}
	for _, m := range samples() {
		of := find(m.Type())
		seen[m.Type()] = true
		v := reflect.ValueOf(m).Elem()
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Errorf("the sample of %s leaves %s at zero", of.name, v.Type().Field(i).Name)
			}
		}
		got, err := Decode(frame(t, m), of.from)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", m) { // %#v, because NaN differs from itself
			t.Errorf("%s came back as %#v, not %#v", of.name, got, m)
		}
	}
	for _, of := range table {
		if !seen[of.number] || of.empty().Type() != of.number || reflect.TypeOf(of.empty()).Elem().Name() != of.name {
			t.Errorf("the table's row of %s does not fit it, or it has no sample", of.name)
		}
	}
}

func TestEveryShorterFrameIsRefused(t *testing.T) {
	for _, m := range samples() {
		whole := frame(t, m)
		for n := range whole {
			if got, err := Decode(whole[:n], find(m.Type()).from); err == nil {
				t.Fatalf("the first %d of %d bytes pass for %#v", n, len(whole), got)
			}
		}
	}
}

func TestEveryBitOfANaNIsKept(t *testing.T) {
	for _, bits := range []uint32{0x7fc00000, 0x7f800001, 0xffc12345, 0x80000000, 0x7f800000} {
		b := frame(t, &Gauge{FromTarget: math.Float32frombits(bits)})
		m, err := Decode(b, FromServer)
		if err != nil {
			t.Fatal(err)
		}
		if got := math.Float32bits(m.(*Gauge).FromTarget); got != bits {
			t.Errorf("%#x came back as %#x", bits, got)
		}
	}
}

// edit is a copy of the frame with a few bytes changed from at on.
func edit(b []byte, at int, to ...byte) []byte {
	b = bytes.Clone(b)
	copy(b[at:], to)
	return b
}

func TestErrorsNameTheMistakeAndTheLimit(t *testing.T) {
	set, hello := frame(t, &Set{Seq: 1, Key: "rho", Value: "1"}), frame(t, &Hello{})
	welcome, world, weights := frame(t, &Welcome{}), frame(t, &Frame{}), frame(t, &Weights{})
	for _, c := range []struct {
		frame []byte
		from  Direction
		want  string
	}{
		{nil, FromBrowser, "the frame has 0 bytes; the shortest has 2"},
		{edit(set, 0, 9), FromBrowser,
			"the browser speaks version 9 of the protocol and this side version 5; reload the page"},
		{edit(set, 1, 99), FromBrowser, "a message of type 99 is unknown"},
		{set, FromServer, "Set: a server does not send it"},
		{welcome, FromBrowser, "Welcome: a browser does not send it"},
		{append(bytes.Clone(set), 0), FromBrowser, "Set: 1 bytes follow its end"},
		{set[:5], FromBrowser, "Set: the frame ends 1 bytes early"},
		{make([]byte, MaxFromBrowser+1), FromBrowser, "the frame has 16385 bytes; the limit from a browser is 16384"},
		{edit(set, 6, 0xff, 0xff), FromBrowser, "Set: Key has length 65535; the limit is 64"},
		{edit(set, 6, 60), FromBrowser, "Set: Key has length 60; the frame ends 54 bytes early"},
		{edit(set, 8, 0xff), FromBrowser, "Set: Key is not UTF-8"},
		{edit(hello, 24, 128), FromBrowser, "Hello: Settings has length 128; the frame ends 512 bytes early"},
		{edit(hello, 24, 129), FromBrowser, "Hello: Settings has length 129; the limit is 128"},
		{edit(welcome, 17, 2), FromServer, "Welcome: Fresh is 2; a flag is 0 or 1"},
		{edit(world, 12, 0, 0, 0, 0x80), FromServer, "Frame: State has length 2147483648; the limit is 262144"},
		{edit(weights, 14, 0, 0, 4, 1), FromServer, "Weights: Target has length 17039360; the limit is 786432"},
		{edit(weights, 14, 0, 0, 4, 0), FromServer, "Weights: Target has length 262144; the frame ends 1048572 bytes early"},
		{edit(world, 12, 0, 0, 4, 0), FromServer, "Frame: State has length 262144; the frame ends 262105 bytes early"},
	} {
		if m, err := Decode(c.frame, c.from); err == nil || err.Error() != c.want {
			t.Errorf("got %#v, %v\nwant the error %q", m, err, c.want)
		}
	}
}

func TestALongFieldIsNotSent(t *testing.T) {
	many := make([]Setting, MaxSettings)
	for i := range many {
		many[i] = Setting{"key", strings.Repeat("v", 200)}
	}
	for _, c := range []struct {
		m    Message
		want string
	}{
		{&Set{Value: strings.Repeat("9", 4097)}, "Set: Value has length 4097; the limit is 4096"},
		{&Set{Key: "\xff"}, "Set: Key is not UTF-8"},
		{&Hello{Settings: make([]Setting, 129)}, "Hello: Settings has length 129; the limit is 128"},
		{&Hello{Settings: many}, "Hello: the frame has 26522 bytes; the limit from a browser is 16384"},
		{&Frame{State: make([]byte, MaxState+1)}, "Frame: State has length 262145; the limit is 262144"},
		{&Weights{Target: make([]float32, MaxParameters+1)}, "Weights: Target has length 786433; the limit is 786432"},
		{&Point{Traces: make([]Trace, 33)}, "Point: Traces has length 33; the limit is 32"},
		{&XRay{Figures: make([]float32, 65)}, "XRay: Figures has length 65; the limit is 64"},
		{&XRay{Ages: make([]uint32, 70_000)}, "XRay: Ages has length 70000; the limit is 256"},
	} {
		dst := []byte("before")
		got, err := Append(dst, c.m)
		if err == nil || err.Error() != c.want {
			t.Errorf("got the error %v\nwant %q", err, c.want)
		}
		if string(got) != "before" {
			t.Errorf("a refused message left %d bytes", len(got))
		}
	}
}

func TestTheLargestNetworkFitsAFrame(t *testing.T) {
	full := make([]float32, MaxParameters)
	frame(t, &Weights{Target: full, Behaviour: full})
}

func TestALongSentenceLosesItsEndAndTheMessageKeepsIt(t *testing.T) {
	for _, long := range []string{strings.Repeat("ρ̄", 2000), strings.Repeat("a", MaxReason+1), "bad \xff byte",
		strings.Repeat("\xff", 9000)} {
		m := &Bye{Reason: long}
		got, err := Decode(frame(t, m), FromServer)
		if err != nil {
			t.Fatal(err)
		}
		reason := got.(*Bye).Reason
		if len(reason) > MaxReason || !utf8.ValidString(reason) || reason == "" {
			t.Errorf("the sentence came out as %q", reason)
		}
		if m.Reason != long {
			t.Error("Append changed the message")
		}
	}
}

func TestAFrameDecodesIntoNoMoreThanItCarries(t *testing.T) {
	// A frame of a few bytes that claims the longest lists of all.
	claims := edit(frame(t, &Welcome{}), 29, 128, 0, 0)
	const times = 100
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range times {
		if _, err := Decode(claims, FromServer); err == nil {
			t.Fatal("accepted")
		}
	}
	runtime.ReadMemStats(&after)
	most := (after.TotalAlloc - before.TotalAlloc) / times
	if most > 1024 {
		t.Errorf("a frame of %d bytes made Decode allocate %d", len(claims), most)
	}
}

func TestAppendAllocatesNothing(t *testing.T) {
	buf := make([]byte, 0, 4096)
	for _, m := range samples() {
		if n := testing.AllocsPerRun(100, func() { buf, _ = Append(buf[:0], m) }); n != 0 {
			t.Errorf("%s allocates %v times", find(m.Type()).name, n)
		}
	}
}

func FuzzFramesReencodeToTheSameBytes(f *testing.F) {
	for _, m := range samples() {
		f.Add(frame(f, m))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, from := range []Direction{FromBrowser, FromServer, FromActor, ToActor} {
			m, err := Decode(b, from)
			if err != nil {
				continue
			}
			again, err := Append(nil, m)
			if err != nil {
				t.Fatalf("%#v was accepted and cannot be sent: %v", m, err)
			}
			if !bytes.Equal(again, b) {
				t.Fatalf("%#v\ncame as %x\n   went %x", m, b, again)
			}
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	for _, name := range []string{"Frame", "XRay", "Point"} {
		b.Run(name, func(b *testing.B) {
			m := sample(name)
			buf := make([]byte, 0, 4096)
			for b.Loop() {
				buf, _ = Append(buf[:0], m)
			}
			b.SetBytes(int64(len(buf)))
		})
	}
}

func BenchmarkDecodeXRay(b *testing.B) {
	buf := frame(b, sample("XRay"))
	b.ReportAllocs()
	b.SetBytes(int64(len(buf)))
	for b.Loop() {
		if _, err := Decode(buf, FromServer); err != nil {
			b.Fatal(err)
		}
	}
}

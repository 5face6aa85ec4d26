package session

import (
	"encoding/binary"
	"errors"
	"testing"

	"golang.org/x/time/rate"

	"impalab/web/wire"
)

// join packs frames into one input, each behind its length.
func join(frames ...[]byte) (b []byte) {
	for _, f := range frames {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(f)))
		b = append(b, f...)
	}
	return b
}

func split(b []byte) (frames [][]byte) {
	for len(b) >= 2 {
		n := min(int(binary.LittleEndian.Uint16(b)), len(b)-2)
		frames = append(frames, b[2:2+n])
		b = b[2+n:]
	}
	return frames
}

// FuzzAnyFramesEndAtMostTheirOwnSession says them all to one session and compares with the rules, written again;
// another session of the same run must not notice.
func FuzzAnyFramesEndAtMostTheirOwnSession(f *testing.F) {
	hello, resume := encode(f, &wire.Hello{}), encode(f, &wire.Hello{Run: "r", Key: "k", After: 1})
	set := encode(f, &wire.Set{Seq: 1, Key: "rho", Value: "2"})
	do := encode(f, &wire.Do{Seq: 2, Verb: wire.VerbPause})
	f.Add(join(hello, set, do))
	f.Add(join(hello, encode(f, &wire.Want{Weights: true}), set))
	f.Add(join(encode(f, &wire.Want{Frames: true}), hello))
	f.Add(join(resume, set, set))
	f.Add(join(hello, hello))
	f.Add(join(set, hello))
	f.Add(join(hello, encode(f, &wire.Set{Seq: 1, Key: "lag", Value: "x"}), encode(f, &wire.Do{Seq: 2, Verb: 200})))
	f.Add(join(hello, encode(f, &wire.Bye{Reason: "x"})))
	f.Add(join(nil, hello))
	f.Fuzz(func(t *testing.T, b []byte) {
		l := newOneRun()
		p := &paper{}
		other, otherDone := pumping(l, &paper{})
		if err := other.receive(hello); err != nil {
			t.Fatal(err)
		}
		s, done := pumping(l, p)
		s.limit.SetLimit(rate.Inf) // the rules written here know no time
		var greeted, ended bool
		var seq uint32
		for _, frame := range split(b) {
			m, err := wire.Decode(frame, wire.FromBrowser)
			sound := err == nil && !ended
			switch m := m.(type) {
			case *wire.Hello:
				for _, s := range m.Settings {
					sound = sound && (s.Key != "preset" || s.Value != "none")
				}
				sound = sound && !greeted
				greeted = true
			case *wire.Set:
				sound = sound && greeted && m.Seq == seq+1 && m.Key != "panic"
				seq++
			case *wire.Want:
				sound = sound && greeted
			case *wire.Do:
				sound = sound && greeted && m.Seq == seq+1
				seq++
			}
			if err := s.receive(frame); (err == nil) != sound {
				t.Fatalf("%x is answered by %v; by the rules it is sound: %v", frame, err, sound)
			}
			ended = ended || !sound
		}
		s.end(errGone)
		<-done
		if err := other.receive(encode(t, &wire.Set{Seq: 1, Key: "rho", Value: "5"})); err != nil {
			t.Errorf("another session ended: %v", err)
		}
		other.end(errGone)
		<-otherDone
		if came, left := l.watchers(); came != left || l.topic.Subscribers() != 0 {
			t.Errorf("%d came to the run, %d left it, %d subscribers are there", came, left, l.topic.Subscribers())
		}
		if err := s.receive(set); err == nil || !ended && !errors.Is(err, errGone) {
			t.Errorf("a session that has ended answers %v", err)
		}
	})
}

package wire

import (
	"bytes"
	"fmt"
	"testing"
)

// toBrowser is a sample of each message that a server sends.
func toBrowser() (messages []Message) {
	for _, m := range samples() {
		if find(m.Type()).from == FromServer {
			messages = append(messages, m)
		}
	}
	return messages
}

func joined(t testing.TB, messages ...Message) []byte {
	t.Helper()
	b, err := AppendJoined(nil, messages)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestJoinedMessagesComeBackInOrder(t *testing.T) {
	want := toBrowser()
	got, err := DecodeAll(joined(t, want...), FromServer)
	if err != nil || len(got) != len(want) {
		t.Fatalf("%d of %d messages came back, %v", len(got), len(want), err)
	}
	for i := range want {
		if fmt.Sprintf("%#v", got[i]) != fmt.Sprintf("%#v", want[i]) {
			t.Errorf("message %d came back as %#v, not %#v", i, got[i], want[i])
		}
	}
}

func TestOneMessageTravelsAsItself(t *testing.T) {
	for _, m := range samples() {
		b := joined(t, m)
		if !bytes.Equal(b, frame(t, m)) {
			t.Errorf("%T alone is joined", m)
		}
		if got, err := DecodeAll(b, find(m.Type()).from); err != nil || len(got) != 1 {
			t.Errorf("%T alone came back as %v, %v", m, got, err)
		}
	}
}

func TestAJoinedFrameThatIsCutShortGivesNothing(t *testing.T) {
	whole := joined(t, &Bye{Reason: "one"}, &Status{Event: 2}, &Bye{Reason: "three"})
	first := joined(t, &Bye{Reason: "one"}, &Status{Event: 2}) // ends where the third message begins, so it is sound
	for n := range whole {
		if got, err := DecodeAll(whole[:n], FromServer); (err == nil) != (n == len(first)) || err != nil && got != nil {
			t.Errorf("the first %d of %d bytes give %v, %v", n, len(whole), got, err)
		}
	}
}

func TestErrorsOfJoinedFramesNameTheMistake(t *testing.T) {
	two := joined(t, &Bye{}, &Bye{}) // version, 32, and twice: 3, 0, 0, 0, 24, 0, 0
	for _, c := range []struct {
		frame []byte
		from  Direction
		want  string
	}{
		{two[:2], FromServer, "a joined frame carries 0 messages; it is at least 2"},
		{two[:9], FromServer, "a joined frame carries 1 messages; it is at least 2"},
		{two[:12], FromServer, "the joined frame ends 2 bytes early"},
		{edit(two, 2, 0), FromServer, "a message of a joined frame has 0 bytes; the shortest has 1"},
		{edit(two, 9, 0xff, 0xff, 0xff, 0xff), FromServer, "the joined frame ends 4294967292 bytes early"},
		{edit(two, 2, 2), FromServer, "Bye: the frame ends 1 bytes early"},
		{edit(two, 6, typeJoined), FromServer, "a message of type 32 is unknown"}, // none within another
		{edit(two, 6, new(Hello).Type()), FromServer, "Hello: a server does not send it"},
		{edit(two, 0, 1), FromServer, "the server speaks version 1 of the protocol and this side version 5; reload the page"},
		{two, FromBrowser, "a message of type 32 is unknown"},
		{append(two[:2:2], make([]byte, MaxToBrowser)...), FromServer,
			"the frame has 7077890 bytes; the limit from a server is 7077888"},
		{append(two[:2:2], bytes.Repeat(two[2:9], MaxJoined+1)...), FromServer,
			"the joined frame carries more than 256 messages"},
	} {
		if m, err := DecodeAll(c.frame, c.from); m != nil || err == nil || err.Error() != c.want {
			t.Errorf("got %v, %v\nwant the error %q", m, err, c.want)
		}
	}
}

func TestInvalidJoinsAreNotSent(t *testing.T) {
	weights := &Weights{Target: make([]float32, MaxParameters), Behaviour: make([]float32, MaxParameters/2)}
	for _, c := range []struct {
		messages []Message
		want     string
	}{
		{nil, "0 messages are joined; it may be 1 to 256"},
		{make([]Message, MaxJoined+1), "257 messages are joined; it may be 1 to 256"},
		{[]Message{&Bye{}, &Set{}}, "Set: only a server joins messages"},
		{[]Message{&Bye{}, &Point{Traces: make([]Trace, 33)}}, "Point: Traces has length 33; the limit is 32"},
		{[]Message{weights, weights}, "the joined frame has 9437236 bytes; the limit from a server is 7077888"},
	} {
		got, err := AppendJoined([]byte("before"), c.messages)
		if err == nil || err.Error() != c.want || string(got) != "before" {
			t.Errorf("got the error %v, and %d bytes; want %q", err, len(got), c.want)
		}
	}
}

func FuzzJoinedFramesReencodeToTheSameBytes(f *testing.F) {
	f.Add(joined(f, toBrowser()...))
	f.Add(joined(f, &Bye{}, &Bye{}))
	f.Add(joined(f, &Bye{}))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, from := range []Direction{FromBrowser, FromServer, FromActor, ToActor} {
			messages, err := DecodeAll(b, from)
			if err != nil {
				continue
			}
			if again, err := AppendJoined(nil, messages); err != nil || !bytes.Equal(again, b) {
				t.Fatalf("%v\ncame as %x\n   went %x, %v", messages, b, again, err)
			}
		}
	})
}

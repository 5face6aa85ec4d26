package hub

import (
	"errors"
	"fmt"

	"impalab/web/wire"
)

// Run is what a page talks to. An error of Set or Do says what is allowed, and is shown to the person. Neither waits
// for the learner.
type Run interface {
	Subscribe(after uint64) *Subscriber
	Set(owner uint64, intent uint32, key, value string) error
	Do(owner uint64, intent uint32, verb uint8) error
	Leave() // called once
}

// Talk is what one page says to its run after Hello, and its place among those who are told of the run.
type Talk struct {
	*Subscriber
	run  Run
	last uint32 // Seq of the newest Set or Do
}

// Begin begins with a run that the page was given, from event after on.
func Begin(run Run, after uint64) *Talk { return &Talk{Subscriber: run.Subscribe(after), run: run} }

var errUnread = errors.New("too many answers wait unread")

// Hear does what a message asks. An error ends the talk, and is what the page is told.
func (t *Talk) Hear(m wire.Message) error {
	switch m := m.(type) {
	case *wire.Hello:
		return errors.New("out of order: Hello comes once")
	case *wire.Set:
		if err := t.next(m.Seq); err != nil {
			return err
		}
		return t.answer(m.Seq, m.Key, t.run.Set(t.ID(), m.Seq, m.Key, m.Value))
	case *wire.Want:
		t.Want(m.Frames, m.Weights)
		return nil
	case *wire.Do:
		if err := t.next(m.Seq); err != nil {
			return err
		}
		return t.answer(m.Seq, "", t.run.Do(t.ID(), m.Seq, m.Verb))
	}
	return fmt.Errorf("message type %d is not expected here", m.Type())
}

func (t *Talk) next(seq uint32) error {
	if seq != t.last+1 {
		return fmt.Errorf("out of order: message %d came where %d belongs", seq, t.last+1)
	}
	t.last = seq
	return nil
}

// answer tells the browser that asked, and no other, why its request changed nothing.
func (t *Talk) answer(intent uint32, key string, refusal error) error {
	if refusal != nil && !t.Tell(&wire.Refused{Intent: intent, Key: key, Reason: refusal.Error()}) {
		return errUnread
	}
	return nil
}

// End gives the run back.
func (t *Talk) End() {
	t.Close()
	t.run.Leave()
}

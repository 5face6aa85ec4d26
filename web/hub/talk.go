package hub

import (
	"errors"
	"fmt"

	"impalab/web/wire"
)

// Run is a run as a page sees it. An error of Set or Do names the allowed values, and the page shows it. Neither
// waits for the learner.
type Run interface {
	Subscribe(after uint64) *Subscriber
	Set(owner uint64, intent uint32, key, value string) error
	Do(owner uint64, intent uint32, verb uint8) error
	Leave() // called once
}

// Talk is the conversation of a page with its run, after Hello.
type Talk struct {
	*Subscriber
	run  Run
	last uint32 // Seq of the newest Set or Do
}

// Begin starts a talk, with the events after a number.
func Begin(run Run, after uint64) *Talk { return &Talk{Subscriber: run.Subscribe(after), run: run} }

var errUnread = errors.New("too many answers wait unread")

// Hear handles a message. An error ends the talk, and the page shows it.
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

// answer tells the page that asked why its request was refused.
func (t *Talk) answer(intent uint32, key string, refusal error) error {
	if refusal != nil && !t.Send(&wire.Refused{Intent: intent, Key: key, Reason: refusal.Error()}) {
		return errUnread
	}
	return nil
}

// End leaves the run.
func (t *Talk) End() {
	t.Close()
	t.run.Leave()
}

package actorwire

import (
	"errors"

	"impalab/learner/telemetry"
	"impalab/web/wire"
)

// HearFrame is Hear for encoded messages. It returns the encoded answer, or nil. A Leave is an error: a Final, unless
// the actor may connect again.
func (a *Actor) HearFrame(frame []byte, ended func(telemetry.Episode)) (answer []byte, err error) {
	m, err := wire.Decode(frame, wire.ToActor)
	if err != nil {
		return nil, Final{err.Error()}
	}
	if leave, ok := m.(*wire.Leave); ok {
		if leave.Again {
			return nil, errors.New(leave.Reason)
		}
		return nil, Final{leave.Reason}
	}
	block, err := a.Hear(m, ended)
	if err == nil && block != nil {
		answer, err = wire.Append(nil, block)
	}
	if err != nil {
		return nil, Final{err.Error()}
	}
	return answer, nil
}

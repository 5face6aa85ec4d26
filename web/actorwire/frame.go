package actorwire

import (
	"errors"

	"impalab/learner/telemetry"
	"impalab/web/wire"
)

// HearFrame is Hear for a message as it travels: it gives the answer as it is to be sent, nil where there is none. A
// Leave is an error, as it ends the actor: a Final, unless the actor may come back.
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

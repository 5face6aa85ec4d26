package actorwire

import (
	"context"

	"impalab/web/wire"
)

// Peer is a remote actor as its run sees it.
type Peer interface {
	// Next waits for the next messages for the actor: a place, an order, or both. The error says why there are no more.
	Next(ctx context.Context) ([]wire.Message, error)
	// Largest is the most bytes that the frame of a block of this run has.
	Largest() int64
	// Accept reads a block. After an error the actor must leave.
	Accept(*wire.Block) error
	// Leave is called once, when the actor has left.
	Leave()
}

// Final is a reason to leave that is the same at the next attempt. After any other reason the actor connects again.
type Final struct{ Reason string }

func (f Final) Error() string { return f.Reason }

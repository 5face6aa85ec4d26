package actorwire

import (
	"context"

	"impalab/web/wire"
)

// Seat is a remote actor as the run has it that it plays for.
type Seat interface {
	// Next waits for what the actor is to be told next: a place, an order, or both. The error is why there is no more.
	Next(ctx context.Context) ([]wire.Message, error)
	// Take takes a block. After an error the actor has to leave.
	Take(*wire.Block) error
	// Leave is called once, when the actor is gone.
	Leave()
}

// Final is a reason to leave that will be the same the next time; after any other the actor comes back by itself.
type Final struct{ Reason string }

func (f Final) Error() string { return f.Reason }

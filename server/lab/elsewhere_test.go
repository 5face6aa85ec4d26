package lab

import (
	"testing"

	"impalab/server/store"
	"impalab/web/runloop"
	"impalab/web/wire"
)

// Most worlds have no value error. Its missing series does not make the lab read the points again.
func TestOnlyNewPointsAreReadOfARunThatAnotherProcessTrains(t *testing.T) {
	c := &record{Record: &runloop.Record{}}
	c.Record.SetPublished([]*wire.Point{{Step: 1000}}, nil)
	if from := c.unread(store.CurveReturn); from != 1001 {
		t.Errorf("points from step %d on are read again and again", from)
	}
	if from := c.unread(store.CurveValueError); from != 1 {
		t.Errorf("the first measurement of the value error is of step 1 or later, and what is from %d on is read", from)
	}
}

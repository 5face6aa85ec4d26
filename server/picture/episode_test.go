package picture

import (
	"bytes"
	"errors"
	"image/gif"
	"io"
	"testing"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/graph"
	"impalab/web/watch"
)

func TestAFilmEndsWhenNobodyWaitsForIt(t *testing.T) {
	cfg := kit.Config(t, "catch", "")
	agent, err := learner.Engine{Lower: graph.Lower}.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer agent.Close()
	var by watch.Policies
	by.CopyFrom(agent, 1)
	var made bytes.Buffer
	calls := 0
	film := func(to io.Writer, most int) error {
		calls = 0
		_, err := Episode(to, &cfg, agent.Machine().Spec, &by.Policies, func() error {
			if calls++; calls > most {
				return errLeft
			}
			return nil
		})
		return err
	}
	if err := film(&made, 1e6); err != nil {
		t.Fatal(err)
	}
	all := calls
	shown, err := gif.DecodeAll(&made)
	if err != nil || all < 2*len(shown.Image) {
		t.Fatalf("%d frames in %d parts, %v", len(shown.Image), all, err)
	}
	for most := range all {
		if err := film(io.Discard, most); !errors.Is(err, errLeft) || calls != most+1 {
			t.Errorf("nobody waits after part %d of %d: it ends after part %d with %v", most, all, calls, err)
		}
	}
}

var errLeft = errors.New("the asker has left")

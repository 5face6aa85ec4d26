package actorwire

import (
	"testing"

	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/web/wire"
)

// No frame of a block is larger than the server reads. A world's state grows while it is played.
func TestNoBlockIsLargerThanItsBound(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays every preset")
	}
	for i := range hyper.Presets {
		cfg := hyper.Presets[i].Config()
		copies := max(2, cfg.Tasks())
		cfg.UnrollLen = min(cfg.UnrollLen, 40)
		if Admit(&cfg, copies) != nil {
			continue
		}
		most, err := Largest(&cfg, copies)
		if err != nil {
			t.Fatal(err)
		}
		p, theta := place(t, cfg, copies)
		var a Actor
		if _, err := a.Hear(PlaceMessage(p), quiet); err != nil {
			t.Fatal(err)
		}
		for number := range uint64(10) {
			block, err := a.Hear(&wire.Order{Number: number, Theta: theta}, quiet)
			if err != nil {
				t.Fatal(err)
			}
			frame, err := wire.Append(nil, block)
			if err != nil {
				t.Fatal(err)
			}
			if n := int64(len(frame)); n > most || number == 0 && most > 3*n+8<<10 {
				t.Errorf("%s: a block of %d bytes, and the bound is %d", hyper.Presets[i].Name, n, most)
			}
		}
	}
}

func TestTheBoundOfABlockHasRoomForEpisodesOfOneStep(t *testing.T) {
	cfg := kit.Config(t, "cartpole", "world=cartpole:limit=1")
	const copies = 3
	most, err := Largest(&cfg, copies)
	if err != nil {
		t.Fatal(err)
	}
	p, theta := place(t, cfg, copies)
	var a Actor
	if _, err := a.Hear(PlaceMessage(p), quiet); err != nil {
		t.Fatal(err)
	}
	block, err := a.Hear(&wire.Order{Number: 1, Theta: theta}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	frame, err := wire.Append(nil, block)
	if err != nil {
		t.Fatal(err)
	}
	if spec, _ := cfg.Network(); len(block.Cut) != copies*cfg.UnrollLen*spec.Inputs() {
		t.Fatalf("%d numbers of truncated observations: this shows nothing", len(block.Cut))
	}
	if n := int64(len(frame)); n > most {
		t.Errorf("a block of %d bytes, and the bound is %d", n, most)
	}
}

package play

import (
	"math"
	"testing"

	"impalab/envs"
)

// The head's biases are set by hand and its weights are 0, so the reach of each cell is known without a network. The
// light of a cell is summed pixel by pixel.
func TestAFrameHasTheReachAndTheLightOfEveryCell(t *testing.T) {
	cfg, player, by := preset(t, "breakout", "pixel-control=0.002", "pixel-cell=3")
	spec := player.spec
	const cells = 9
	if spec.Cells() != cells {
		t.Fatalf("%d cells in a picture of %v, want %d", spec.Cells(), spec.Image, cells)
	}
	for _, l := range spec.Layers() {
		if !l.Aside {
			continue
		}
		clear(l.Weights(by.Target))
		for i, width := 0, 1+spec.Actions; i < cells*width; i++ {
			cell, a := i/width, i%width // a = 0 is V, which the choice of the action does not move
			l.Bias(by.Target)[i] = float32(cell * (7 - a) * a)
		}
	}
	world := player.World().Spec()
	obs := make([]float32, world.Size())
	for range 30 {
		player.World().Observe(obs)
		f := step(t, player, by, &cfg)
		for i, c := range f.Cells {
			least, most := math.Inf(1), math.Inf(-1)
			for a := 1; a <= spec.Actions; a++ {
				least, most = min(least, float64(i*(7-a)*a)), max(most, float64(i*(7-a)*a))
			}
			light := 0.0
			for y := range 3 {
				for x := range 3 { // 10 pixels hold three cells of 3; the margin of 1 is at the end
					for ch := range world.Obs[2] {
						light += float64(obs[((i/3*3+y)*world.Obs[1]+i%3*3+x)*world.Obs[2]+ch])
					}
				}
			}
			light /= float64(9 * world.Obs[2])
			if math.Abs(float64(c.Reach)-(most-least)) > 1e-4 || math.Abs(float64(c.Light)-light) > 1e-6 {
				t.Fatalf("step %d, cell %d: reach %v and light %v, want %v and %v", f.Length, i, c.Reach, c.Light, most-least,
					light)
			}
		}
		if len(f.Cells) != cells {
			t.Fatalf("a frame of %d cells, want %d", len(f.Cells), cells)
		}
		if f.End != uint8(envs.Running) {
			return // the next frame begins another episode
		}
	}
}

func TestAFrameWithoutPixelControlHasNoCells(t *testing.T) {
	cfg, player, by := preset(t, "breakout")
	if f := step(t, player, by, &cfg); f.Cells != nil {
		t.Errorf("a frame of %d cells, want none", len(f.Cells))
	}
}

package envtest

import (
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"impalab/envs"
)

// With -artifacts the pictures stay, to be looked at.
func TestWorldsCanBeSeen(t *testing.T) {
	for i := range envs.Table {
		e := &envs.Table[i]
		p := newPlayer(e, 8)
		for range 6 {
			p.advance()
		}
		r := NewRaster(e.Spec.View, 480, Light)
		p.Draw(r)
		picture := r.Image()
		agent := 0
		for y := range picture.Bounds().Dy() {
			for x := range picture.Bounds().Dx() {
				if picture.RGBAAt(x, y) == Light[envs.Agent] {
					agent++
				}
			}
		}
		if share := float64(agent) / float64(len(picture.Pix)/4); share < .001 || share > .3 {
			t.Errorf("%s: the agent covers %.4f of the picture", e.Spec.Name, share)
		}
		f, err := os.Create(filepath.Join(t.ArtifactDir(), e.Spec.Name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		if err := png.Encode(f, picture); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

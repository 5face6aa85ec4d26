package envtest

import (
	"image/color"
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

func TestAPictureLiesWhereItIsPut(t *testing.T) {
	r := NewRaster([2]float32{4, 3}, 40, Light)
	r.Picture(1, 1, 2, 1, []byte{9, 0, 0, 0, 9, 0, 0, 0, 9, 9, 9, 9}, 2)
	got := r.Image()
	for _, c := range []struct {
		x, y int
		want color.RGBA
	}{
		{10, 10, color.RGBA{9, 0, 0, 255}}, {19, 14, color.RGBA{9, 0, 0, 255}}, {20, 14, color.RGBA{0, 9, 0, 255}},
		{10, 15, color.RGBA{0, 0, 9, 255}}, {29, 19, color.RGBA{9, 9, 9, 255}},
		{9, 10, color.RGBA{255, 255, 255, 255}}, {30, 19, color.RGBA{255, 255, 255, 255}},
		{29, 20, color.RGBA{255, 255, 255, 255}},
	} {
		if p := got.RGBAAt(c.x, c.y); p != c.want {
			t.Errorf("pixel (%d, %d) is %v, want %v", c.x, c.y, p, c.want)
		}
	}
}

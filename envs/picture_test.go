package envs_test

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"impalab/envs"
	"impalab/envs/envtest"
)

var draw = flag.Bool("draw", false, "write the pictures of testdata/pictures anew; look at them before they are kept")

// A world's picture changes only on purpose.
func TestPicturesAreTheOnesKept(t *testing.T) {
	const room = 345 // the view within is then shown pixel by pixel
	for _, c := range []struct {
		name string
		wide int
	}{
		{"breakout", 160}, {"asterix", 160}, {"freeway", 160}, {"seaquest", 160}, {"space-invaders", 160},
		{"rooms-watermaze", room}, {"rooms-keys-doors", room}, {"rooms-lasertag", room}, {"rooms-explore", room}, {"rooms-collect", room},
	} {
		name, w := c.name, envs.MidGame(c.name)
		r := envtest.NewRaster(w.Spec().View, c.wide, envtest.Light)
		w.Draw(r)
		var picture bytes.Buffer
		if err := png.Encode(&picture, r.Image()); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("testdata", "pictures", name+".png")
		if *draw {
			if err := os.WriteFile(file, picture.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := png.Decode(f)
		f.Close()
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		got, bounds := r.Image(), r.Image().Bounds()
		if kept.Bounds() != bounds {
			t.Fatalf("%s is %v, kept is %v", name, bounds, kept.Bounds())
		}
		for i := range bounds.Dx() * bounds.Dy() {
			x, y := i%bounds.Dx(), i/bounds.Dx()
			if kr, kg, kb, _ := kept.At(x, y).RGBA(); [3]uint32{kr >> 8, kg >> 8, kb >> 8} != [3]uint32{uint32(got.RGBAAt(x, y).R), uint32(got.RGBAAt(x, y).G), uint32(got.RGBAAt(x, y).B)} {
				t.Fatalf("%s differs at (%d, %d); if that is meant, run: go test ./envs -run Pictures -draw", name, x, y)
			}
		}
	}
}

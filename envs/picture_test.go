package envs_test

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/envs/envtest"
)

var draw = flag.Bool("draw", false, "write the pictures of testdata/pictures anew; look at them before they are kept")

// A world's picture changes only on purpose.
func TestPicturesAreTheOnesKept(t *testing.T) {
	for i := range envs.Table {
		name, wide := envs.Table[i].Spec.Name, 160
		if strings.HasPrefix(name, "rooms-") {
			wide = 345 // the view within is then shown pixel by pixel
		}
		w := envs.MidGame(name)
		r := envtest.NewRaster(w.Spec().View, wide, envtest.Light)
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
			if kr, kg, kb, _ := kept.At(x, y).RGBA(); apart(kr, got.RGBAAt(x, y).R) || apart(kg, got.RGBAAt(x, y).G) ||
				apart(kb, got.RGBAAt(x, y).B) {
				t.Fatalf("%s differs at (%d, %d); if that is meant, run: go test ./envs -run Pictures -draw", name, x, y)
			}
		}
	}
}

// apart allows what another machine's rounding of a pole's angle may do to the edge of the pole.
func apart(kept uint32, got uint8) bool {
	d := int(kept>>8) - int(got)
	return d < -3 || d > 3
}

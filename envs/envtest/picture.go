package envtest

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"impalab/envs"
)

var draw = flag.Bool("draw", false, "write the pictures of testdata/pictures again; look at them afterwards")

// Picture draws a world at a width in pixels and compares it with the picture kept in testdata/pictures, which changes
// only on purpose. With the flag -draw the picture is written instead.
func Picture(t *testing.T, w envs.World, wide int) {
	t.Helper()
	name := w.Spec().Name
	r := NewRaster(w.Spec().View, wide, Light)
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
		return
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
			t.Fatalf("%s differs at (%d, %d); if that is meant, run in its package: go test -run Pictures -draw", name, x, y)
		}
	}
}

// apart allows the difference that another machine's rounding of a pole's angle makes at the edge of the pole.
func apart(kept uint32, got uint8) bool {
	d := int(kept>>8) - int(got)
	return d < -3 || d > 3
}

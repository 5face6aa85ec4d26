package envs_test

import (
	"flag"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"impalab/envs"
	"impalab/envs/envtest"
)

var writePictures = flag.Bool("write-pictures", false, "write testdata/pictures anew")

// What people see of a room at play stays as it is in testdata/pictures. Floats place the shapes of the map, so a
// few pixels on their edges may differ from machine to machine.
func TestRoomsLookAsTheyDid(t *testing.T) {
	for _, c := range []struct {
		world       string
		seed, steps int
	}{{"rooms-watermaze", 30, 10}, {"rooms-keys-doors", 5, 10}, {"rooms-lasertag", 20, 12}, {"rooms-explore", 21, 19}, {"rooms-collect", 5, 46}} {
		w, err := envs.New(c.world)
		if err != nil {
			t.Fatal(err)
		}
		r := envs.NewRand(uint64(c.seed), 0)
		w.Reset(&r)
		envs.Scripted(w, &r, c.steps)
		const unit = 20 // pixels: the view within is then shown one to one
		raster := envtest.NewRaster(w.Spec().View, int(w.Spec().View[0]*unit), envtest.Light)
		w.Draw(raster)
		got := raster.Image()
		name := filepath.Join("testdata", "pictures", c.world+".png")
		if *writePictures {
			writePNG(t, name, got)
			continue
		}
		want := readPNG(t, name)
		differs := 0
		for i := 0; i < len(got.Pix); i += 4 {
			if got.Rect != want.Rect || string(got.Pix[i:i+4]) != string(want.Pix[i:i+4]) {
				differs++
			}
		}
		if differs > len(got.Pix)/4/1000 {
			out := filepath.Join(t.ArtifactDir(), c.world+".png")
			writePNG(t, out, got)
			t.Errorf("%s: %d of %d pixels differ: compare %s, or accept it with -write-pictures", name, differs, len(got.Pix)/4, out)
		}
	}
}

func writePNG(t *testing.T, name string, picture image.Image) {
	t.Helper()
	f, err := os.Create(name)
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

func readPNG(t *testing.T, name string) *image.RGBA {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	out := image.NewRGBA(picture.Bounds())
	draw.Draw(out, out.Rect, picture, out.Rect.Min, draw.Src)
	return out
}

package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// The pictures in docs/screenshots are taken from the real page by make screenshots.
var screenshots = flag.String("screenshots", "", "folder to write pictures of the page into")

// previewName is the picture that other sites show beside a link.
const previewName = "../../static/preview.png"

func TestScreenshots(t *testing.T) {
	if *screenshots == "" {
		t.Skip("only with -screenshots DIR")
	}
	for _, shot := range []struct {
		name, link    string
		width, height int64
		wait          time.Duration
	}{
		{"first-light.png", "#first&theme=light", 1366, 650, 40 * time.Second},
		{"microscope-light.png", "microscope#theme=light", 1366, 650, time.Second},
		{previewName, "#first&speed=30000&theme=light", 1200, 630, 12 * time.Second},
	} {
		t.Run(filepath.Base(shot.name), func(t *testing.T) {
			url, ctx := serve(t), browser(t)
			do(t, ctx, "size", chromedp.EmulateViewport(shot.width, shot.height, chromedp.EmulateScale(1)))
			if strings.HasPrefix(shot.link, "microscope") {
				bare(t, ctx, url+shot.link)
			} else {
				open(t, ctx, url+shot.link)
			}
			do(t, ctx, "learn", chromedp.Sleep(shot.wait))
			photograph(t, ctx, shot.name)
		})
	}
}

// photograph writes the visible part of a page into the folder of pictures.
func photograph(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*screenshots, name), small(t, picture), 0o644); err != nil {
		t.Fatal(err)
	}
}

// small returns a picture with its 256 most frequent colours. It has a third of the bytes and looks the same, because
// all other colours are edges of letters.
func small(t *testing.T, picture []byte) []byte {
	t.Helper()
	whole, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	count, box := map[color.Color]int{}, whole.Bounds()
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			count[whole.At(x, y)]++
		}
	}
	palette := color.Palette(slices.SortedFunc(maps.Keys(count), func(a, b color.Color) int {
		return cmp.Or(count[b]-count[a], cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	}))
	out := image.NewPaletted(box, palette[:min(256, len(palette))])
	place := map[color.Color]uint8{}
	for c := range count {
		place[c] = uint8(out.Palette.Index(c))
	}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			out.SetColorIndex(x, y, place[whole.At(x, y)])
		}
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, out); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

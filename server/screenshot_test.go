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
	const story = "lab#v=1&p=cartpole&seed=7&speed=8000&correction=vtrace&lag=8&rho=1"
	for _, shot := range []struct {
		name, link    string
		width, height int64
		phone         bool
		wait          time.Duration
	}{
		{"lab-light.png", story + "&theme=light", 1280, 900, false, 12 * time.Second},
		{"lab-dark.png", story + "&theme=dark", 1280, 900, false, 6 * time.Second},
		{"rooms-light.png", "lab#v=1&p=destination&seed=7&speed=20000&theme=light", 1280, 900, false, 8 * time.Second},
		{"room-dark.png", "lab#v=1&p=rooms-collect&seed=7&theme=dark", 1280, 900, false, 10 * time.Second},
		{"breakout-light.png", "lab#v=1&p=breakout&seed=7&theme=light", 1280, 900, false, 14 * time.Second},
		{"stac-light.png", "lab#v=1&p=stac-lag&seed=7&speed=20000&theme=light", 1280, 900, false, 10 * time.Second},
		{"phone-light.png", story + "&theme=light", 390, 844, true, 6 * time.Second},
		{"phone-dark.png", "lab#v=1&p=catch&seed=3&lag=4&theme=dark", 390, 844, true, 6 * time.Second},
		{"first-light.png", "#first&theme=light", 1366, 650, false, 40 * time.Second},
		{"first-dark.png", "#first&speed=30000&theme=dark", 1366, 650, false, 9 * time.Second},
		{"first-phone.png", "#first&speed=30000&theme=light", 390, 844, true, 9 * time.Second},
		{"lessons-light.png", "learn", 1366, 650, false, time.Second},
		{"lesson-light.png", "learn/rho-bar", 1366, 650, false, time.Second},
		{"lesson-phone.png", "learn/late", 390, 844, true, time.Second},
		{"errata-light.png", "learn/errata", 1366, 650, false, time.Second},
		{"microscope-light.png", "microscope#theme=light", 1366, 650, false, time.Second},
		{"microscope-phone.png", "microscope#theme=dark", 390, 844, true, time.Second},
		{"two-states-dark.png", "microscope/two-states#theme=dark", 1366, 650, false, time.Second},
		{"board-light.png", "board", 1366, 650, false, time.Second},
		{"lab-wide.png", story + "&theme=light", 1920, 1080, false, 10 * time.Second},
		{"first-wide-dark.png", "#first&speed=30000&theme=dark", 1920, 1080, false, 9 * time.Second},
		{"fell-light.png", "lab#v=1&p=lag-cliff&correction=none&seed=7&speed=40000&theme=light", 1366, 650, false,
			10 * time.Second},
		{"gallery-light.png", "gallery", 1366, 650, false, time.Second},
		{"gallery-phone-dark.png", "gallery", 390, 844, true, time.Second},
		{"lesson-dark.png", "learn/late", 1366, 650, false, time.Second},
		{"board-dark.png", "board", 1366, 650, false, time.Second},
		{previewName, "#first&speed=30000&theme=light", 1200, 630, false, 12 * time.Second},
	} {
		t.Run(filepath.Base(shot.name), func(t *testing.T) {
			url, ctx := serve(t), browser(t)
			frame(t, ctx, shot.width, shot.height, shot.phone)
			switch page, _, _ := strings.Cut(strings.Split(shot.link, "#")[0], "/"); page {
			case "learn", "board", "gallery": // they run no program
				do(t, ctx, "open "+shot.link, chromedp.Navigate(url+shot.link))
				if strings.Contains(shot.name, "dark") {
					do(t, ctx, "dark", js(`document.documentElement.dataset.theme = "dark"`))
				}
			case "microscope":
				bare(t, ctx, url+shot.link)
			default:
				open(t, ctx, url+shot.link)
			}
			do(t, ctx, "learn", chromedp.Sleep(shot.wait/2))
			if shot.name == "lab-light.png" {
				do(t, ctx, "turn ρ̄", chromedp.Focus(`[data-key="rho"] [data-part="number"]`),
					js(`document.activeElement.select()`),
					chromedp.KeyEvent("2\r"), js(`document.activeElement.blur()`))
			}
			do(t, ctx, "learn", chromedp.Sleep(shot.wait/2))
			photograph(t, ctx, shot.name)
		})
	}
}

// frame is the size of a page and its device.
func frame(t *testing.T, ctx context.Context, width, height int64, phone bool) {
	t.Helper()
	options := []chromedp.EmulateViewportOption{chromedp.EmulateScale(1)}
	if phone {
		options = []chromedp.EmulateViewportOption{chromedp.EmulateMobile, chromedp.EmulateScale(2)}
	}
	do(t, ctx, "size", chromedp.EmulateViewport(width, height, options...))
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

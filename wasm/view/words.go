//go:build js && wasm

package view

import (
	"image/color"
	"strconv"
	"syscall/js"

	"github.com/hajimehoshi/ebiten/v2"

	"impalab/wasm/browser"
)

// words are labels in the page's own type. The browser sets each label once, as a white image that is tinted when
// drawn, so the program needs no font.
type words struct {
	context js.Value // of a hidden canvas
	canvas  js.Value
	kept    map[wordKey]*ebiten.Image
}

type wordKey struct {
	text  string
	style style
	size  int // pixels of the screen
}

type style uint8

const (
	sans style = iota
	serif
	bold
)

var families = [...]string{
	bold:  `px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif`,
	sans:  `px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif`,
	serif: `px "STIX Two Text", Cambria, "Times New Roman", "Liberation Serif", serif`,
}

func newWords() *words {
	canvas := js.Global().Get("document").Call("createElement", "canvas")
	context := canvas.Call("getContext", "2d", map[string]any{"willReadFrequently": true})
	return &words{context, canvas, map[wordKey]*ebiten.Image{}}
}

// image returns a label's picture, as wide as its words and one and a half times as tall as its size.
func (w *words) image(text string, s style, size float32) *ebiten.Image {
	key := wordKey{text, s, max(1, int(size+0.5))}
	if img := w.kept[key]; img != nil {
		return img
	}
	if len(w.kept) > 200 { // a screen that keeps changing its scale
		for k, img := range w.kept {
			img.Deallocate()
			delete(w.kept, k)
		}
	}
	img := w.set(key)
	w.kept[key] = img
	return img
}

func (w *words) set(key wordKey) *ebiten.Image {
	font := strconv.Itoa(key.size) + families[key.style]
	switch key.style {
	case serif:
		font = "italic " + font
	case bold:
		font = "700 " + font
	}
	w.context.Set("font", font)
	wide := int(w.context.Call("measureText", key.text).Get("width").Float()) + 3
	tall := key.size * 3 / 2
	w.canvas.Set("width", wide) // this also clears the canvas and forgets the font
	w.canvas.Set("height", tall)
	w.context.Set("font", font)
	w.context.Set("textBaseline", "middle")
	w.context.Call("fillText", key.text, 1, float64(tall)/2)
	data := w.context.Call("getImageData", 0, 0, wide, tall).Get("data")
	pixels := browser.Bytes(data)
	for i := 0; i < len(pixels); i += 4 {
		a := pixels[i+3]
		pixels[i], pixels[i+1], pixels[i+2] = a, a, a // white, multiplied by its alpha
	}
	img := ebiten.NewImage(wide, tall)
	img.WritePixels(pixels)
	return img
}

func (w *words) wide(text string, s style, size float32) float32 {
	return float32(w.image(text, s, size).Bounds().Dx())
}

// place says which part of a label is at x.
type place uint8

const (
	left place = iota
	centre
	right
)

// write draws a label with its middle at height y, and returns how wide it is.
func (w *words) write(screen *ebiten.Image, text string, s style, size float32, p place, x, y float32,
	c color.RGBA) float32 {
	img := w.image(text, s, size)
	wide, tall := float32(img.Bounds().Dx()), float32(img.Bounds().Dy())
	switch p {
	case centre:
		x -= wide / 2
	case right:
		x -= wide
	}
	var o ebiten.DrawImageOptions
	o.GeoM.Translate(float64(round(x)), float64(round(y-tall/2)))
	o.ColorScale.ScaleWithColor(c)
	screen.DrawImage(img, &o)
	return wide
}

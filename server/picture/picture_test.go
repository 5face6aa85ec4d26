package picture

import (
	"bytes"
	"encoding/xml"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/learner/telemetry"
	"impalab/server/store"
	"impalab/web/palette"
)

// steered is a run of 50 000 steps with two changes, and a value for each of telemetry's figures.
func steered() Run {
	cfg, _ := hyper.FromPreset("vmpo")
	header := tape.Header{Settings: cfg.Settings()}
	r := Run{Curves: map[string][]store.Point{}, Tape: &tape.Tape{Header: header, Events: []tape.Event{
		{Kind: tape.Changed, Step: 12_000, Update: 120, Key: "rho", From: "1", To: "4"},
		{Kind: tape.Changed, Step: 30_000, Update: 300, Key: "lag", From: "0", To: "64"},
	}}, Steps: 50_000}
	add := func(series string, step int64, v float64) {
		r.Curves[series] = append(r.Curves[series], store.Point{Step: step, Value: v})
	}
	for i := range 400 {
		step, x := int64(i+1)*125, float64(i)/400
		add("return_mean_100", step, 200*x+20*math.Sin(20*x))
		add("return_mean_10", step, 200*x+60*math.Sin(55*x))
		add("return_low", step, 150*x)
		add("return_high", step, 250*x)
		add("episodes_ended", step, 5)
		for k := range telemetry.Metrics {
			add(telemetry.Metrics[k].Name, step, math.Abs(math.Sin(7*x+float64(k))))
		}
		kl := telemetry.AlgoMetrics[telemetry.OfPolicy].Name
		add(kl, step, 0.004*x)
		add(kl+"_bound", step, 0.002)
	}
	r.Curves["entropy"][50].Value = math.NaN()
	return r
}

func sheets(t *testing.T, dark bool) (list []Sheet) {
	t.Helper()
	for _, c := range Charts(steered()) {
		list = append(list, Sheet{Chart: c, From: "CartPole, seed 7 · http://127.0.0.1:8080/r/0123456789abcdef", Dark: dark})
	}
	if len(list) < 10 {
		t.Fatalf("%d charts of %d figures", len(list), telemetry.NumMetrics)
	}
	return list
}

// TestASheetStandsAlone holds an SVG to what any program can read: no class, no style sheet, nothing from elsewhere.
func TestASheetStandsAlone(t *testing.T) {
	for _, s := range append(sheets(t, false), sheets(t, true)...) {
		svg, err := s.SVG()
		if err != nil {
			t.Fatal(err)
		}
		in, words := xml.NewDecoder(bytes.NewReader(svg)), ""
		for {
			token, err := in.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", s.Name, err)
			}
			switch token := token.(type) {
			case xml.CharData:
				words += string(token) + " "
			case xml.StartElement:
				for _, a := range token.Attr {
					if a.Name.Local == "class" || a.Name.Local == "style" || a.Name.Local == "href" ||
						strings.Contains(a.Value, "var(") || strings.Contains(a.Value, "NaN") {
						t.Errorf("%s has %s=%q", s.Name, a.Name.Local, a.Value)
					}
				}
			}
		}
		for _, part := range []string{s.Title, s.Says, s.From, " 1 → 4", "policy lag 0 → 64", "20\u2009k"} {
			if !strings.Contains(words, part) {
				t.Errorf("%s does not say %q", s.Name, part)
			}
		}
	}
}

// TestAPNGShowsWhatItsSVGSays looks for the line's own colour and for letters.
func TestAPNGShowsWhatItsSVGSays(t *testing.T) {
	for _, dark := range []bool{false, true} {
		s := sheets(t, dark)[0]
		blob, err := s.PNG()
		if err != nil {
			t.Fatal(err)
		}
		if to := os.Getenv("LOOK"); to != "" { // to look at it
			os.WriteFile(to+map[bool]string{true: "-dark.png", false: ".png"}[dark], blob, 0o600)
		}
		got, err := png.Decode(bytes.NewReader(blob))
		if err != nil {
			t.Fatal(err)
		}
		w, h := s.size(0)
		if size := got.Bounds().Size(); size != image.Pt(int(2*w), int(2*h)) {
			t.Errorf("it has %v pixels", size)
		}
		for role, where := range map[palette.Role]image.Rectangle{
			palette.Strong: image.Rect(2*left, 16, 600, 60), palette.Quiet: image.Rect(2*left, int(2*h)-60, 900, int(2*h)),
		} {
			if n := count(got, where, ink(role, 1, dark)); n < 200 {
				t.Errorf("dark %v: %d pixels of role %v in %v: no letters", dark, n, role, where)
			}
		}
		if n := count(got, got.Bounds(), dress("path", []string{"line", "hand", "pi"}, dark).stroke); n < 2000 {
			t.Errorf("dark %v: %d pixels of the return", dark, n)
		}
	}
}

func count(of image.Image, where image.Rectangle, c color.NRGBA) (n int) {
	for y := where.Min.Y; y < where.Max.Y; y++ {
		for x := where.Min.X; x < where.Max.X; x++ {
			if color.NRGBAModel.Convert(of.At(x, y)) == color.Color(c) {
				n++
			}
		}
	}
	return n
}

func TestATableHasTheNewestValue(t *testing.T) {
	for _, c := range Charts(steered()) {
		if n := len(c.Rows); n < 10 || n > tableRows || c.Rows[n-1][0] != "50\u2009000" {
			t.Errorf("%s: %d rows, ending with %+v", c.Name, n, c.Rows[n-1])
		}
	}
}

func TestARunThatHasToldNothingHasAChartThatSaysSo(t *testing.T) {
	r := steered()
	r.Curves, r.Steps = nil, 0
	charts := Charts(r)
	if len(charts) != 1 || !strings.Contains(charts[0].Drawn[0].Inside, "no episode yet") ||
		!strings.Contains(charts[0].Says, "Nothing yet.") {
		t.Errorf("%+v", charts)
	}
	if _, err := (&Sheet{Chart: charts[0]}).PNG(); err != nil {
		t.Error(err)
	}
}

package page

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"slices"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner/hyper"
)

func TestEveryPresetHasItsPictureAndLeadsToItsRun(t *testing.T) {
	root := parse(t, Gallery(data()))
	for _, p := range hyper.Presets {
		link := one(t, root, p.Name, with("href", "/lab/lab#v=1&p="+p.Name))
		if picture := one(t, link, p.Name, tagged("svg")); picture.FirstChild == nil {
			t.Errorf("%s has an empty picture", p.Name)
		}
		if !strings.Contains(text(link), p.Title) {
			t.Errorf("%s is called %q", p.Name, text(link))
		}
	}
	if got := len(all(root, tagged("li"))); got != len(hyper.Presets) {
		t.Errorf("%d cards for %d presets", got, len(hyper.Presets))
	}
}

// unprinted lists the algorithms whose papers print no settings.
var unprinted = []hyper.Algo{hyper.A2C}

// A card says which of its values are not those in the paper of its algorithm.
func TestACardSaysWhereItsPresetDepartsFromThePaper(t *testing.T) {
	cards := all(parse(t, Gallery(data())), tagged("li"))
	said, silent := 0, []string{}
	for _, card := range cards {
		if n := len(all(card, tagged("details"))); n > 0 {
			said += n
		} else {
			silent = append(silent, text(card))
		}
		if !strings.Contains(text(card), "CartPole by imitating the better half") {
			continue
		}
		for _, want := range []string{"PopArt off (paper: on)",
			"Learning rate 0.005 (paper: 0.0001)", "Gradient norm 1 (paper: ∞)"} {
			if !strings.Contains(strings.Join(strings.Fields(text(card)), " "), want) {
				t.Errorf("the card of vmpo does not say %q: %s", want, text(card))
			}
		}
	}
	want := 0
	for _, p := range hyper.Presets {
		cfg := kit.Config(t, p.Name, "")
		if !slices.Contains(unprinted, cfg.Algo) {
			want++
		}
	}
	if said != want {
		t.Errorf("%d cards say it, want %d; add Printed to an algorithm, or the algorithm to unprinted. No list: %q", said,
			want, silent)
	}
}

// Covering the words, a visitor tells the cards apart.
func TestNoTwoCardsHaveTheSamePicture(t *testing.T) {
	seen := map[string]string{}
	for _, p := range hyper.Presets {
		picture, err := drawn(p, pictureHigh)
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[picture]; ok {
			t.Errorf("%s and %s have the same picture", p.Name, other)
		}
		seen[picture] = p.Name
	}
}

// Every group but the last claims presets by a rule, and the rail counts them.
func TestTheRailLeadsToEveryGroupAndCountsIt(t *testing.T) {
	d := data()
	root := parse(t, Gallery(d))
	for _, s := range d.shelves() {
		links := all(root, with("href", "#"+s.id)) // the first may be the link that skips the masthead
		link := links[len(links)-1]
		if got := strings.Join(strings.Fields(text(link)), " "); got != fmt.Sprintf("%s %d", s.title, len(s.presets)) {
			t.Errorf("the rail says %q", got)
		}
	}
}

// It is one page with all its pictures: a phone fetches no more than a photograph.
func TestTheGalleryIsSmall(t *testing.T) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(render(t, Gallery(data()))))
	w.Close()
	if b.Len() > 120_000 {
		t.Errorf("%d bytes, packed", b.Len())
	}
}

func TestAPictureIsDrawnByItsWorldAndAlwaysTheSame(t *testing.T) {
	for _, e := range envs.Table {
		a, err := worldPicture(e.Spec.Name, "x", 160, 94)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := worldPicture(e.Spec.Name, "x", 160, 94); a != again || len(a) < 100 {
			t.Errorf("%s: %d bytes, then others", e.Spec.Name, len(a))
		}
	}
	if a, _ := worldPicture("cartpole", "x", 160, 94); a == first(worldPicture("cartpole", "y", 160, 94)) {
		t.Error("presets of one world have one picture")
	}
	if _, err := worldPicture("nowhere", "x", 160, 94); err == nil {
		t.Error("a world that does not exist has a picture")
	}
}

func first(text string, _ error) string { return text }

// Without a server those are shown that the browser can train.
func TestWithoutAServerOnlyPresetsForTheBrowserAreShown(t *testing.T) {
	d := data()
	d.Alone = &Alone{Networks: "none"}
	if n := len(all(parse(t, Gallery(d)), tagged("li"))); n != 0 {
		t.Errorf("%d presets, and no network is there", n)
	}
}

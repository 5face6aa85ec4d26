package class

import (
	"encoding/json"
	"strings"
	"testing"

	"impalab/server/errcode"
	"impalab/web/exercise"
)

func TestSentencesStandOnTheWallWithoutNamesAndThePhonesSeeThemOnceShown(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("first-contact")
	for _, name := range []string{"Ada", "Bo", "Chiara"} {
		h.join(r, name)
	}
	write := func(member int64, words string) error {
		_, err := r.Answer(t.Context(), member, Sentence, "one-sentence", exercise.Answer{Text: words, Choice: is(1)})
		return err
	}
	wants(t, "a sentence before its step", write(1, "early"), errcode.Conflict, "has not reached this step")
	h.change(r, Change{Step: stepNamed(t, r, "one-sentence")})
	for member, words := range map[int64]string{1: "", 2: strings.Repeat("x", 201), 3: "a\nb"} {
		wants(t, words, write(member, words), errcode.Refused, "sentence")
	}
	for _, one := range []struct {
		member int64
		words  string
	}{{1, "first try"}, {1, " old <b>data</b> "}, {2, "something rude"}} {
		if err := write(one.member, one.words); err != nil {
			t.Fatal(err)
		}
	}
	wall := r.AsTeacher().Wall
	if wall == nil || wall.Sent != 2 || wall.Of != 3 || len(wall.Sentences) != 2 || seen(t, r, 3).Wall != nil {
		t.Fatalf("%+v", wall)
	}
	for _, s := range wall.Sentences {
		if s.Text == "something rude" {
			h.change(r, Change{Hide: &s.Number})
		}
	}
	wants(t, "to hide what is no sentence", r.Change(t.Context(), Change{Hide: is(int64(99))}),
		errcode.Refused, "no sentence 99")
	h.change(r, Change{Revealed: is(true)})
	view := seen(t, r, 3)
	text, _ := json.Marshal(view)
	if len(view.Wall.Sentences) != 1 || view.Wall.Sentences[0].Text != "old <b>data</b>" || view.Wall.Sent != 2 ||
		strings.Contains(string(text), "Ada") {
		t.Errorf("%s", text)
	}
	if err := write(3, "late, and taken all the same"); err != nil {
		t.Error(err)
	}
	h.shut()
	h.open(Options{})
	if wall := h.at(r.Code()).AsTeacher().Wall; len(wall.Sentences) != 2 || wall.Sent != 3 {
		t.Errorf("after a restart %+v", wall)
	}
}

// A tile shows the run of the current step. If the step trains nothing, it shows the run before and says so.
func TestATileShowsNoRunOfAnEarlierStepAsOneOfThis(t *testing.T) {
	h := newHouse(t)
	r, _ := h.room("first-contact")
	h.join(r, "Ada")
	h.change(r, Change{Step: stepNamed(t, r, "fresh")})
	if _, err := r.Answer(t.Context(), 1, Try, "fresh", exercise.Answer{}); err != nil {
		t.Fatal(err)
	}
	tile := func(step string) Tile {
		h.change(r, Change{Step: stepNamed(t, r, step)})
		return r.AsTeacher().Tiles[0]
	}
	if is := tile("fresh"); is.Steps == 0 || is.Earlier {
		t.Errorf("at its own step %+v", is)
	}
	if is := tile("where-will-it-end"); is.Steps == 0 || !is.Earlier {
		t.Errorf("at a step that trains nothing %+v", is)
	}
	if is := tile("run-it-late"); is.Steps != 0 || is.Chart != "" || is.Earlier {
		t.Errorf("at the next step that trains %+v", is)
	}
}

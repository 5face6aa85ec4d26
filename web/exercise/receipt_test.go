package exercise

import (
	"strings"
	"testing"
)

func TestAReceiptIsReadAsItWasWrittenAndNoChangedLetterPasses(t *testing.T) {
	figure, number, choice := 496.3137, .25, 2
	for name, said := range map[string]Answer{
		"keep-it-standing": {Settings: map[string]string{"correction": "vtrace", "rho": "2"}},
		"edge":             {Settings: map[string]string{"lag": "3"}},
		"by-hand":          {Numbers: []float64{1, 2.5, -3}},
		"which-bound":      {Choice: &choice, Second: &choice},
		"typical":          {Number: &number},
		"write-vtrace": {Text: "def vtrace(r, gamma):\n    return [], []\n", Draw: "AB",
			Targets: []Targets{{VS: []float64{1}}}},
	} {
		r := NewReceipt(&Exercise{Name: name}, &said, &Verdict{Credit: 1, Figure: &figure})
		code, err := r.Code()
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range strings.Split(strings.TrimSuffix(code, code[strings.LastIndex(code, "-"):]), "-") {
			if len(group) != 4 {
				t.Fatalf("%s has the group %q, want groups of four", code, group)
			}
		}
		t.Logf("%s: %d groups", name, strings.Count(code, "-")+1)
		got, err := ReadReceipt(" " + strings.ToLower(strings.ReplaceAll(code, "-", " \n")))
		if err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		if got.Exercise != name || got.Result() != "1 of 1, at 496.31" || got.Said.Targets != nil || got.Said.Draw != "" ||
			got.Said.Text != said.Text || len(got.Said.Settings) != len(said.Settings) {
			t.Errorf("%s was read as %+v %s", name, got, got.Result())
		}
		for i, c := range []byte(code) {
			if c == '-' {
				continue
			}
			other := byte('A')
			if c == 'A' {
				other = 'B'
			}
			wrong := code[:i] + string(other) + code[i+1:]
			if _, err := ReadReceipt(wrong); err == nil || !strings.Contains(err.Error(), "a letter is wrong or missing") {
				t.Fatalf("letter %d of %s may be %c: %v", i, name, other, err)
			}
		}
		for _, wrong := range []string{"", "x", code[:len(code)-5], code + "AAAA", "Hello, teacher!", "ÄÖÜ0"} {
			if _, err := ReadReceipt(wrong); err == nil {
				t.Errorf("%q is taken for a receipt", wrong)
			}
		}
	}
}

// In the last letter of five bytes and one, some bits have no meaning.
func TestLettersAreOneWayToWriteBytes(t *testing.T) {
	for n := range 20 {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(37 * (i + n))
		}
		got, err := FromLetters(Letters(b))
		if err != nil || string(got) != string(b) {
			t.Errorf("%x is read back as %x, %v", b, got, err)
		}
	}
	if _, err := FromLetters("AB"); err == nil { // one byte, with a bit of a second
		t.Error("unused bits are ignored")
	}
}

func TestASmallReceiptIsShortEnoughToReadOut(t *testing.T) {
	figure := 496.31
	r := NewReceipt(&Exercise{Name: "keep-it-standing"},
		&Answer{Settings: map[string]string{"correction": "vtrace", "rho": "2"}}, &Verdict{Credit: 1, Figure: &figure})
	code, err := r.Code()
	if groups := strings.Count(code, "-") + 1; err != nil || groups > 28 {
		t.Errorf("%s has %d groups of letters, want 28 at most (%v)", code, groups, err)
	}
}

func TestOpenSeedsAreLikeHiddenOnesAndNoPublicOnes(t *testing.T) {
	seen := map[uint64]string{}
	for _, e := range All() {
		if e.Reach == nil {
			continue
		}
		seeds := e.Reach.OpenSeeds(e.Name)
		if len(seeds) != e.Reach.Hidden.Seeds {
			t.Errorf("%s has %d seeds, want %d", e.Name, len(seeds), e.Reach.Hidden.Seeds)
		}
		for _, s := range seeds {
			if s < 1<<31 || s >= 1<<32 || seen[s] != "" {
				t.Errorf("%s has the seed %d, which %q has or which is not of 32 bits", e.Name, s, seen[s])
			}
			seen[s] = e.Name
		}
	}
}

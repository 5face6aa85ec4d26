package words

import (
	"strings"
	"testing"
)

func catalogue(t *testing.T, pairs ...string) *Catalogue {
	t.Helper()
	all := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		all[pairs[i]] = pairs[i+1]
	}
	c, err := New(all)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestATextIsFoundAsItIsByItsPatternOrSentenceForSentence(t *testing.T) {
	c := catalogue(t, "Pause", "Anhalten", "entropy", "Entropie", "What is {}?", "Was ist {}?",
		"Takes {} to {}", "Von {} bis {}", "{} updates ago", "vor {} Updates", "1 update ago", "vor 1 Update",
		"First in: {}, {} updates before", "{2} Updates vorher zuerst: {1}",
		"one of {}", "eines von {=}", "At least {}.", "Mindestens {=}.", "Wait. Now.", "Gleich.")
	for english, want := range map[string]string{
		"Pause":                                 "Anhalten",
		"one of Pause, entropy":                 "eines von Pause, entropy",
		"1 update ago":                          "vor 1 Update",
		"64 updates ago":                        "vor 64 Updates",
		"What is entropy?":                      "Was ist Entropie?",
		"First in: entropy, 12 updates before.": "12 Updates vorher zuerst: Entropie.",
		"Takes 0 to 1.5. Pause.":                "Von 0 bis 1.5. Anhalten.",
		"At least 3. Takes 0 to 1.5.":           "Mindestens 3. Von 0 bis 1.5.",
		"At least 3. Wait. Now. At least 4.":    "Mindestens 3. Gleich. Mindestens 4.",
		"Pause\nPause.":                         "Anhalten\nAnhalten.",
		"π = 3.1":                               "π = 3.1",
	} {
		if got, known := c.Look(english); got != want || !known {
			t.Errorf("%q: %q, known %v; want %q", english, got, known, want)
		}
	}
}

func TestWhatIsMissingStaysEnglishAndIsReported(t *testing.T) {
	c := catalogue(t, "What is {}?", "Was ist {}?", "Pause", "Anhalten")
	for english, want := range map[string]string{"Play": "Play", "What is lag?": "Was ist lag?",
		"Pause. Play": "Pause. Play"} {
		if got, known := c.Look(english); got != want || known {
			t.Errorf("%q: %q, known %v; want %q, unknown", english, got, known, want)
		}
	}
	var none *Catalogue
	if got, known := none.Look("Play"); got != "Play" || !known {
		t.Errorf("without a catalogue %q is %q", "Play", got)
	}
}

func TestTheMoreSpecificPatternWins(t *testing.T) {
	c := catalogue(t, "{} steps", "{} Schritte", "in {} steps", "in {} Schritten")
	if got := c.Say("in 5 steps"); got != "in 5 Schritten" {
		t.Error(got)
	}
}

func TestAFileIsReadInParts(t *testing.T) {
	parts, err := Parse("# of the page\n## page\n\nPause\n\tAnhalten\nV-trace\n\t=\n## program\nPause\n\tPause\n")
	if err != nil || len(parts) != 2 || parts[0].Pairs["V-trace"] != "V-trace" || parts[0].Pairs["Pause"] != "Anhalten" ||
		parts[1].Name != "program" || parts[1].Pairs["Pause"] != "Pause" {
		t.Errorf("%v %v", parts, err)
	}
	for text, want := range map[string]string{
		"Pause\n\tAnhalten\n":               "line 1: a text before the first part",
		"## page\n\tAnhalten\n":             "line 2: no English",
		"## page\nPause\nPlay\n\tAb\n":      "line 3: the text above",
		"## page\nPause\n\tA\nPause\n\tB\n": "line 4: it is there twice",
		"## page\nPause\n":                  "the last text",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for _, other := range []string{"{} {}", "{x}", "{"} {
		if _, err := New(map[string]string{"a {} b": other}); err == nil {
			t.Errorf("%q is taken for %q", other, "a {} b")
		}
	}
}

func TestADrawingsTextsAreTranslatedAndNothingElse(t *testing.T) {
	c := catalogue(t, "steps", "Schritte", "path", "Weg")
	const drawing, want = `<path class="path"/><text x="1">steps</text><text>0 <tspan>steps</tspan></text>`,
		`<path class="path"/><text x="1">Schritte</text><text>0 <tspan>Schritte</tspan></text>`
	if got := c.SayMarkup(drawing); got != want {
		t.Error(got)
	}
	var none *Catalogue
	if got := none.SayMarkup(drawing); got != drawing {
		t.Error(got)
	}
}

package nickname

import (
	"strings"
	"testing"
)

func TestNamesThatWouldFoolAReaderAreRefused(t *testing.T) {
	for name, why := range map[string]string{
		"": "1 to 24", "   ": "1 to 24", "a\nb": "1 to 24", "\u202eada": "", "x\x00": "", "\u200b": "",
		strings.Repeat("n", 25): "at most 24 letters",
		"\u2800":                "visible", "Ada\u2800": "visible", "Ada\u3164": "", "Ada\ufe0f": "", "A\u034fda": "",
		"\u0410da":                         "mixes Cyrillic and Latin", // А of Cyrillic
		"Ad\u03b1":                         "mixes Greek and Latin",
		"\u0430\u03b1":                     "mixes Cyrillic and Greek",
		"a" + strings.Repeat("\u0316", 3):  "at most 2 accents",
		"a" + strings.Repeat("\u0316", 10): "at most 2 accents",
	} {
		if clean, _, err := Clean(name); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q is %q, %v; want %q", name, clean, err, why)
		}
	}
}

func TestNamesOfTheWorldAreTaken(t *testing.T) {
	for _, name := range []string{"Ada", "<b>Zoë</b> 李", "Ада", "Αθηνά", "אדה", "عائشة", "山田たろう", "山田タロウ Taro", "지민 Kim",
		"Nguyễn", "Ada 2 🙂", "आदा", "அடா", "a\u0316\u0317"} {
		if _, _, err := Clean(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	clean, folded, err := Clean("  Ada  LOVELACE ")
	if clean != "Ada LOVELACE" || folded != "ada lovelace" || err != nil {
		t.Errorf("%q, %q, %v", clean, folded, err)
	}
}

// Package nickname cleans visitors' nicknames, so that two names in one room look different. Start with Clean.
package nickname

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/secure/precis"
)

const (
	Most      = 24 // letters of a nickname
	mostMarks = 2  // accents on one letter
)

// Clean returns a nickname as RFC 8266 stores it and as it is compared. It returns an error for invisible letters, more
// than two accents on a letter, and letters of two alphabets with the same look.
func Clean(name string) (clean, folded string, err error) {
	if clean, err = precis.Nickname.String(name); err == nil {
		folded, err = precis.Nickname.CompareKey(name)
	}
	switch {
	case err != nil || clean == "":
		return "", "", fmt.Errorf("a nickname has 1 to %d letters or digits", Most)
	case utf8.RuneCountInString(clean) > Most:
		return "", "", fmt.Errorf("this nickname is too long: at most %d letters", Most)
	}
	marks, found := 0, map[string]bool{}
	for _, c := range clean {
		if !unicode.IsPrint(c) || blank(c) {
			return "", "", errors.New("a nickname needs visible letters or digits")
		}
		if marks++; !unicode.IsMark(c) {
			marks = 0
		}
		if marks > mostMarks {
			return "", "", fmt.Errorf("a nickname has at most %d accents on a letter", mostMarks)
		}
		if s := script(c); s != "" {
			found[s] = true
		}
	}
	scripts := slices.Sorted(maps.Keys(found))
	if len(scripts) > 1 && !slices.ContainsFunc(together, func(group []string) bool {
		return !slices.ContainsFunc(scripts, func(s string) bool { return !slices.Contains(group, s) })
	}) {
		return "", "", fmt.Errorf("this nickname mixes %s and %s letters, which may look the same: use the letters "+
			"of one alphabet", scripts[0], scripts[1])
	}
	return clean, folded, nil
}

// blank reports whether a letter is drawn as nothing.
func blank(c rune) bool {
	const braille = '\u2800' // the pattern without dots
	return c == braille || unicode.In(c, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// together are scripts that may stand in one name: UTS 39's highly restrictive level.
var together = [][]string{
	{"Latin", "Han", "Hiragana", "Katakana"},
	{"Latin", "Han", "Bopomofo"},
	{"Latin", "Han", "Hangul"},
}

// script returns the alphabet of a letter; "" for digits, signs and accents.
func script(c rune) string {
	if unicode.In(c, unicode.Common, unicode.Inherited) {
		return ""
	}
	if unicode.Is(unicode.Latin, c) {
		return "Latin" // the usual case first
	}
	for name, table := range unicode.Scripts {
		if unicode.Is(table, c) {
			return name
		}
	}
	return ""
}

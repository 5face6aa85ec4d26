package web

import (
	"html"
	"strings"
	"unicode"
)

// tones colours the letters of formulas as the charts are coloured, so that the eye can follow a quantity.
var tones = map[string]string{
	"π": "pi", "μ": "mu",
	"π̃": "corrected", "ρ": "corrected", "ρ̄": "corrected", "c": "corrected", "c̄": "corrected",
	"α": "corrected", "v": "corrected", "v′": "corrected",
}

// typeset turns the plain text of a formula into HTML: x_t and x_{ij} are lowered, x^t and x^{ij} raised, names
// and numbers stand upright among italic letters. Everything else is escaped.
func typeset(formula string) string {
	var b strings.Builder
	set(&b, []rune(formula))
	return b.String()
}

// prose is a plain sentence in which a word like V^π is set as a symbol.
func prose(sentence string) string {
	list := strings.Split(sentence, " ")
	for i, w := range list {
		if strings.ContainsAny(w, "^_") {
			list[i] = `<i class="symbol">` + typeset(w) + `</i>`
		} else {
			list[i] = html.EscapeString(w)
		}
	}
	return strings.Join(list, " ")
}

func set(b *strings.Builder, s []rune) {
	for len(s) > 0 {
		switch {
		case (s[0] == '_' || s[0] == '^') && len(s) > 1:
			tag := map[rune]string{'_': "sub", '^': "sup"}[s[0]]
			inner, rest := argument(s[1:])
			b.WriteString("<" + tag + ">")
			set(b, inner)
			b.WriteString("</" + tag + ">")
			s = rest
		case wordRune(s[0]):
			n := run(s, wordRune)
			word(b, string(s[:n]))
			s = s[n:]
		case unicode.IsDigit(s[0]):
			n := run(s, func(r rune) bool { return unicode.IsDigit(r) || r == '.' })
			b.WriteString(`<span class="upright">` + string(s[:n]) + `</span>`)
			s = s[n:]
		default:
			b.WriteString(html.EscapeString(string(s[0])))
			s = s[1:]
		}
	}
}

// argument is what a _ or ^ governs: a braced group, or one run of letters, or a single rune.
func argument(s []rune) (inner, rest []rune) {
	if s[0] != '{' {
		n := max(1, run(s, wordRune))
		return s[:n], s[n:]
	}
	depth := 0
	for i, r := range s {
		switch r {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return s[1:i], s[i+1:]
			}
		}
	}
	return s[1:], nil // an unclosed group reaches to the end
}

func word(b *strings.Builder, w string) {
	switch tone := tones[w]; {
	case tone != "":
		b.WriteString(`<span class="` + tone + `">` + w + `</span>`)
	case len([]rune(w)) > 1 && w[0] < 0x80:
		b.WriteString(`<span class="upright">` + w + `</span>`)
	default:
		b.WriteString(w)
	}
}

// wordRune takes letters with their bars, tildes and primes.
func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.Mn, r) || r == '′' }

func run(s []rune, in func(rune) bool) int {
	n := 0
	for n < len(s) && in(s[n]) {
		n++
	}
	return n
}

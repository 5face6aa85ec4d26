package page

import (
	"html"
	"strings"
	"unicode"
)

// tones are the colours of letters in formulas. The charts use the same colours.
var tones = map[string]string{
	"π": "pi", "μ": "mu",
	"π̃": "corrected", "ρ": "corrected", "ρ̄": "corrected", "c": "corrected", "c̄": "corrected",
	"α": "corrected", "v": "corrected", "v′": "corrected",
}

// typeset turns the text of a formula into HTML. x_t and x_{ij} are subscripts, x^t and x^{ij} superscripts. Names and
// numbers are upright, other letters italic. It escapes everything else.
func typeset(formula string) string {
	var b strings.Builder
	set(&b, []rune(formula))
	return b.String()
}

// prose sets a sentence. Words like V^π become symbols.
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
			n := prefix(s, wordRune)
			word(b, string(s[:n]))
			s = s[n:]
		case unicode.IsDigit(s[0]):
			n := prefix(s, func(r rune) bool { return unicode.IsDigit(r) || r == '.' })
			b.WriteString(`<span class="upright">` + string(s[:n]) + `</span>`)
			s = s[n:]
		default:
			b.WriteString(html.EscapeString(string(s[0])))
			s = s[1:]
		}
	}
}

// argument returns the argument of _ or ^: a group in braces, a run of letters, or one rune.
func argument(s []rune) (inner, rest []rune) {
	if s[0] != '{' {
		n := max(1, prefix(s, wordRune))
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
	return s[1:], nil // an unclosed group ends with the text
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

// wordRune reports whether r is a letter, a bar, a tilde or a prime.
func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.Mn, r) || r == '′' }

// prefix returns the number of runes before the first that is not in a class.
func prefix(s []rune, in func(rune) bool) int {
	n := 0
	for n < len(s) && in(s[n]) {
		n++
	}
	return n
}

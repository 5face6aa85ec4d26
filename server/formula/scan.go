package formula

// Reading a text into words. What people copy from a paper is read too: −, ·, ×, ≤, ρ̄ and ∞.

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind uint8

const (
	ofName kind = iota
	ofNumber
	ofSign
	endOfLine
)

// word is one word of a text.
type word struct {
	kind kind
	text string
	line int
}

// plain are signs as the parser knows them.
var plain = strings.NewReplacer("−", "-", "–", "-", "·", "*", "×", "*", "≤", "<=", "≥", ">=", "≠", "!=", "∞", " inf ",
	"\r\n", "\n", "\r", "\n")

const signs = "+-*/()[],=<>!"

func (p *parser) scan(text string) error {
	if !utf8.ValidString(text) {
		return &Error{0, "the text is no valid UTF-8"}
	}
	text = plain.Replace(text)
	line := 1
	for text != "" {
		c, size := utf8.DecodeRuneInString(text)
		switch {
		case c == '\n':
			p.words = append(p.words, word{endOfLine, "", line})
			line++
		case c == '#':
			size = len(text)
			if end := strings.IndexByte(text, '\n'); end >= 0 {
				size = end
			}
		case unicode.IsSpace(c):
		case unicode.IsDigit(c) && c < utf8.RuneSelf || c == '.':
			size = len(text) - len(strings.TrimLeft(text, "0123456789."))
			if rest := text[size:]; len(rest) > 1 && (rest[0] == 'e' || rest[0] == 'E') {
				digits := strings.TrimLeft(rest[1:], "-")
				if n := len(digits) - len(strings.TrimLeft(digits, "0123456789")); n > 0 {
					size += 1 + len(rest[1:]) - len(digits) + n // like 1e-3
				}
			}
			p.words = append(p.words, word{ofNumber, text[:size], line})
		case ofNames(c):
			size = strings.IndexFunc(text, func(c rune) bool { return !ofNames(c) && !unicode.IsDigit(c) })
			if size < 0 {
				size = len(text)
			}
			p.words = append(p.words, word{ofName, text[:size], line})
		case strings.ContainsRune(signs, c):
			if size = 1; len(text) > 1 && text[1] == '=' && strings.ContainsRune("<>!=", c) {
				size = 2
			}
			p.words = append(p.words, word{ofSign, text[:size], line})
		default:
			return &Error{line, fmt.Sprintf("%q is no sign of this language", c)}
		}
		text = text[size:]
	}
	p.words = append(p.words, word{endOfLine, "", line})
	return nil
}

// ofNames reports whether a letter may be part of a name: any script's letters, what stands over them, and _.
func ofNames(c rune) bool { return unicode.IsLetter(c) || unicode.Is(unicode.Mn, c) || c == '_' }

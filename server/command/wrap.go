package command

import (
	"strings"
	"unicode/utf8"
)

// wrapped breaks a text at its spaces into lines of at most width characters. Each line begins with indent.
func wrapped(text, indent string, width int) string {
	var out strings.Builder
	room := 0
	for _, word := range strings.Fields(text) {
		length := utf8.RuneCountInString(word) + 1
		switch {
		case out.Len() == 0:
			out.WriteString(indent)
			room = width - len(indent) + 1
		case length > room:
			out.WriteString("\n" + indent)
			room = width - len(indent) + 1
		default:
			out.WriteByte(' ')
		}
		out.WriteString(word)
		room -= length
	}
	return out.String()
}

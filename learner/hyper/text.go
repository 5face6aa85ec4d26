package hyper

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// ParseText reads settings as one text: "lag=8 rho=2". A value with spaces or lines is in double quotes, as
// strconv.Quote writes it. Without quotes, a value of a setting that takes lines is the whole rest of the text.
func ParseText(text string) (settings []Setting, err error) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		word, rest := text, ""
		if at := strings.IndexFunc(text, unicode.IsSpace); at >= 0 {
			word, rest = text[:at], text[at:]
		}
		key, value, _ := strings.Cut(word, "=")
		row, _ := Lookup(key)
		if strings.HasPrefix(value, `"`) {
			quoted, err := strconv.QuotedPrefix(text[len(key)+1:])
			if err != nil {
				return nil, fmt.Errorf(`%.64q: must end with a double quote; inside it, write \n for a new line and \" for `+
					`a quote`, word)
			}
			rest = text[len(key)+1+len(quoted):]
			value, _ = strconv.Unquote(quoted) // QuotedPrefix has read it
		} else if row.lines() && value != "" {
			value, rest = text[len(key)+1:], ""
		}
		if key == "" || value == "" {
			return nil, fmt.Errorf("%.64q: must be KEY=VALUE, like rho=2", word)
		}
		settings = append(settings, Setting{key, value})
		text = rest
	}
	return settings, nil
}

// Text returns settings as ParseText reads them; "" for none.
func Text(settings []Setting) string {
	pairs := make([]string, len(settings))
	for i, s := range settings {
		row, _ := Lookup(s.Key)
		if row.lines() || strings.ContainsFunc(s.Value, unicode.IsSpace) || strings.HasPrefix(s.Value, `"`) {
			s.Value = strconv.Quote(s.Value)
		}
		pairs[i] = s.Key + "=" + s.Value
	}
	return strings.Join(pairs, " ")
}

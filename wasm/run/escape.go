package run

import "strings"

// Percent signs for links, written here because net/url would bring its address parser into the page.

const hexDigits = "0123456789ABCDEF"

// plain bytes stand for themselves in a fragment; commas, slashes and colons keep links readable.
func plain(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || strings.IndexByte("-._~,/:", b) >= 0
}

// escape writes a key, or, with more bytes that stand for themselves, a value.
func escape(out *strings.Builder, s, more string) {
	for i := range len(s) {
		if b := s[i]; plain(b) || strings.IndexByte(more, b) >= 0 {
			out.WriteByte(b)
		} else {
			out.WriteByte('%')
			out.WriteByte(hexDigits[b>>4])
			out.WriteByte(hexDigits[b&15])
		}
	}
}

// unescape leaves a percent sign that announces nothing as it is.
func unescape(s string) string {
	if !strings.ContainsRune(s, '%') {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if hi, lo := nibble(s[i+1]), nibble(s[i+2]); hi >= 0 && lo >= 0 {
				out = append(out, byte(hi<<4|lo))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

func nibble(b byte) int {
	switch {
	case '0' <= b && b <= '9':
		return int(b - '0')
	case 'A' <= b && b <= 'F':
		return int(b-'A') + 10
	case 'a' <= b && b <= 'f':
		return int(b-'a') + 10
	}
	return -1
}

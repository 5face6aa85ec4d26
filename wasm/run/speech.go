package run

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Speech is the notices of a page about all its runs.
type Speech struct {
	Notices       []string   // to read: unknown keys, refused links, reasons of an end
	Announcements []string   // for a screen reader to speak
	Correction    Correction // beside the notices of a misspelled link
}

// Announce adds an announcement. It drops the oldest of too many: late speech is noise.
func (s *Speech) Announce(text string) {
	const most = 8
	s.Announcements = append(s.Announcements, text)
	s.Announcements = s.Announcements[max(0, len(s.Announcements)-most):]
}

// Spoken joins announcements, with a full stop between two.
func Spoken(announcements []string) string {
	said := slices.Clone(announcements)
	for i := range len(said) - 1 {
		said[i] = strings.TrimSuffix(said[i], ".") + "."
	}
	return strings.Join(said, " ")
}

// Notice adds a notice, unless the page shows it already.
func (s *Speech) Notice(text string) {
	if !slices.Contains(s.Notices, text) {
		s.Notices = append(s.Notices, text)
	}
}

// Withdraw removes a notice that is no longer true.
func (s *Speech) Withdraw(notice *string) {
	s.Notices = slices.DeleteFunc(s.Notices, func(have string) bool { return have == *notice })
	*notice = ""
}

// Sentence returns words that begin with a capital and end with a full stop. A setting at the beginning, like rho=2,
// stays.
func Sentence(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if first, _, _ := strings.Cut(s, " "); r < utf8.RuneSelf && !strings.Contains(first, "=") {
		s = strings.ToUpper(s[:n]) + s[n:]
	}
	if s != "" && !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

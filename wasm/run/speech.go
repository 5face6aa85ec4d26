package run

import (
	"slices"
	"strings"
)

// Speech is what a page has to say to its reader, of all its runs.
type Speech struct {
	// Notices wait to be read: unknown keys, refused links, reasons of an end.
	Notices []string
	// Announcements wait to be spoken to a screen reader.
	Announcements []string
	// Correction is offered beside the notices of a misspelled link.
	Correction Correction
}

// Announce has something spoken.
func (s *Speech) Announce(text string) {
	const most = 8 // speech that comes too late is noise
	s.Announcements = append(s.Announcements, text)
	if n := len(s.Announcements); n > most {
		s.Announcements = s.Announcements[n-most:]
	}
}

// Spoken is several announcements in one breath, with one full stop between two of them.
func Spoken(announcements []string) string {
	said := slices.Clone(announcements)
	for i := range said {
		if i < len(said)-1 && !strings.HasSuffix(said[i], ".") {
			said[i] += "."
		}
	}
	return strings.Join(said, " ")
}

// Notice shows a notice, unless it is there already.
func (s *Speech) Notice(text string) {
	if !slices.Contains(s.Notices, text) {
		s.Notices = append(s.Notices, text)
	}
}

// Withdraw takes a notice back that is no longer true: that the run ended, that the server left.
func (s *Speech) Withdraw(notice *string) {
	s.Notices = slices.DeleteFunc(s.Notices, func(have string) bool { return have == *notice })
	*notice = ""
}

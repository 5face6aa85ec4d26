// Package words is how a page speaks another language. The pages and their program are written in English; a catalogue
// has each of their texts in another language, under the English one. What is on its way to a reader is looked up as
// the last thing before it is shown, so nothing that makes texts knows of languages. Look at Say first.
package words

import (
	"fmt"
	"slices"
	"strings"
)

// Catalogue is texts by their English. Nil is English itself.
type Catalogue struct {
	exact    map[string]string
	patterns []pattern // with holes; those that say more come first
}

// pattern is a text with holes: what stands between them, in English and in the other language.
type pattern struct {
	english []string
	other   []string
	order   []int  // which English hole stands behind each part of the other,
	as      []byte // …and how: translated (0), as it is ('='), or with the titles in it translated ('*')
	letters int    // of the English
}

// hole stands for whatever stands there: a number, a name. In the other language {2} is the second one, and {=} or {2=}
// one that is not translated; {*} or {2*} is a list of titles with values, "seed 7, policy lag 4", whose titles are.
const hole = "{}"

// New is a catalogue of pairs.
func New(pairs map[string]string) (*Catalogue, error) {
	c := &Catalogue{exact: map[string]string{}}
	for english, other := range pairs {
		if !strings.Contains(english, hole) {
			c.exact[english] = other
			continue
		}
		p, err := newPattern(english, other)
		if err != nil {
			return nil, err
		}
		c.patterns = append(c.patterns, p)
	}
	slices.SortFunc(c.patterns, func(a, b pattern) int {
		if a.letters != b.letters {
			return b.letters - a.letters
		}
		return strings.Compare(strings.Join(a.english, hole), strings.Join(b.english, hole))
	})
	return c, nil
}

func newPattern(english, other string) (p pattern, err error) {
	p.english = strings.Split(english, hole)
	p.letters = len(english)
	n := len(p.english) - 1
	rest := other
	for {
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			break
		}
		end := strings.IndexByte(rest[open:], '}')
		if end < 0 {
			return p, fmt.Errorf("%q: a hole that does not end", other)
		}
		which := len(p.order)
		number, as := rest[open+1:open+end], byte(0)
		if n := len(number); n > 0 && (number[n-1] == '=' || number[n-1] == '*') {
			number, as = number[:n-1], number[n-1]
		}
		switch {
		case number == "":
		case len(number) == 1 && number >= "1" && number <= "9":
			which = int(number[0] - '1')
		default:
			return p, fmt.Errorf("%q: a hole is {}, {=}, {*}, or {1} to {9}", other)
		}
		if which >= n {
			return p, fmt.Errorf("%q has a hole that %q has not", other, english)
		}
		p.other, p.order, p.as = append(p.other, rest[:open]), append(p.order, which), append(p.as, as)
		rest = rest[open+end+1:]
	}
	p.other = append(p.other, rest)
	return p, nil
}

// fill is the text in the other language, if it fits the pattern. What stands in the holes is translated too.
func (p *pattern) fill(text string, c *Catalogue) (string, bool, bool) {
	last := len(p.english) - 1
	if len(text) < p.letters-len(hole)*last || !strings.HasPrefix(text, p.english[0]) ||
		!strings.HasSuffix(text, p.english[last]) {
		return "", false, false
	}
	rest := text[len(p.english[0]) : len(text)-len(p.english[last])]
	holes := make([]string, 0, last)
	for _, between := range p.english[1:last] {
		at := strings.Index(rest, between)
		if at < 0 {
			return "", false, false
		}
		holes, rest = append(holes, rest[:at]), rest[at+len(between):]
	}
	holes = append(holes, rest)
	var out strings.Builder
	known := true
	for i, part := range p.other {
		out.WriteString(part)
		if i < len(p.order) {
			in := holes[p.order[i]]
			switch p.as[i] {
			case 0:
				translated, ok := c.Look(in)
				in, known = translated, known && ok
			case '*':
				titled, ok := c.titles(in)
				in, known = titled, known && ok
			}
			out.WriteString(in)
		}
	}
	return out.String(), known, true
}

// titles has each part of a list begin with the other language's title, where it begins with an English one: of a part
// the longest is taken. Inside a sentence English titles begin small. A part without one is a text of its own.
func (c *Catalogue) titles(list string) (other string, known bool) {
	var out strings.Builder
	known = true
	for more := true; more; {
		part, between := list, ""
		if at := strings.IndexAny(list, ",;"); at >= 0 {
			part, between = list[:at], list[at:min(at+2, len(list))]
		}
		list, more = list[len(part)+len(between):], between != ""
		titled, ok := c.title(part)
		known = known && ok
		out.WriteString(titled + between)
	}
	return out.String(), known
}

func (c *Catalogue) title(part string) (other string, known bool) {
	for end := len(part); end > 0; end = max(0, strings.LastIndexByte(part[:end], ' ')) {
		if title, ok := c.exact[strings.ToUpper(part[:1])+part[1:end]]; ok {
			return title + part[end:], true
		}
	}
	return c.Look(part)
}

// Say is a text in the catalogue's language; what it does not have stays English.
func (c *Catalogue) Say(english string) string {
	other, _ := c.Look(english)
	return other
}

// SayMarkup is Say for what stands between the tags of a drawing.
func (c *Catalogue) SayMarkup(drawing string) string {
	if c == nil {
		return drawing
	}
	var out strings.Builder
	for tag := range strings.SplitAfterSeq(drawing, ">") {
		text, rest := tag, ""
		if at := strings.IndexByte(tag, '<'); at >= 0 {
			text, rest = tag[:at], tag[at:]
		}
		out.WriteString(c.Say(text))
		out.WriteString(rest)
	}
	return out.String()
}

// Look is Say, and reports whether the catalogue has all of it: the text as a whole, or each of its lines or sentences.
// What has no word in it is the same in every language.
func (c *Catalogue) Look(english string) (other string, known bool) {
	if c == nil || !hasWord(english) {
		return english, true
	}
	if other, ok := c.exact[english]; ok {
		return other, true
	}
	if text, ok := c.sentences(english); ok { // else the last hole of a pattern would take in the sentences behind it
		return text, true
	}
	best, found := "", false
	for i := range c.patterns {
		if text, ok, fits := c.patterns[i].fill(english, c); ok {
			return text, true
		} else if fits && !found {
			best, found = text, true
		}
	}
	if line, rest, more := strings.Cut(english, "\n"); more {
		one, ok := c.Look(line)
		others, also := c.Look(rest)
		return one + "\n" + others, ok && also
	}
	if bare, stopped := strings.CutSuffix(english, "."); stopped {
		if other, ok := c.Look(bare); ok {
			return other + ".", true
		}
	}
	if found {
		return best, false
	}
	return english, false
}

// sentences looks for the first sentence by itself, or as many of the first as are known together, and for the rest.
func (c *Catalogue) sentences(english string) (other string, known bool) {
	for at := range len(english) - 1 {
		if english[at:at+2] != ". " {
			continue
		}
		if first, ok := c.Look(english[:at+1]); ok {
			rest, also := c.Look(english[at+2:])
			return first + " " + rest, also
		}
	}
	return english, false
}

// hasWord reports whether a text has two letters of the alphabet side by side; a symbol, a unit or a number has not.
func hasWord(text string) bool {
	before := false
	for _, r := range text {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if letter && before {
			return true
		}
		before = letter
	}
	return false
}

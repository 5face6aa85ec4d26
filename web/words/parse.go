package words

import (
	"fmt"
	"strings"
)

// Part is one part of a catalogue file: what the pages say, or what their program says.
type Part struct {
	Name  string
	Pairs map[string]string
}

// Same stands for a text that is the same in the other language.
const Same = "="

// Parse reads a catalogue. An English text begins its line, the other language's follows on the next one behind a tab;
// "## name" begins a part, and a line that begins with "# " is a comment.
func Parse(text string) (parts []Part, err error) {
	english, number := "", 0
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSuffix(line, "\n")
		fault := func(says string) error { return fmt.Errorf("line %d: %s: %q", number, says, line) }
		switch other, indented := strings.CutPrefix(line, "\t"); {
		case strings.HasPrefix(line, "## "):
			parts = append(parts, Part{line[3:], map[string]string{}})
		case line == "" || strings.HasPrefix(line, "# "):
		case len(parts) == 0:
			return nil, fault("a text before the first part")
		case indented && english == "":
			return nil, fault("no English text is above it")
		case indented:
			if other == Same {
				other = english
			}
			parts[len(parts)-1].Pairs[english] = other
			english = ""
		case english != "":
			return nil, fault("the text above it is not translated")
		case seen[parts[len(parts)-1].Name+"\n"+line]:
			return nil, fault("it is there twice")
		default:
			english = line
			seen[parts[len(parts)-1].Name+"\n"+line] = true
		}
	}
	if english != "" {
		return nil, fmt.Errorf("the last text is not translated: %q", english)
	}
	return parts, nil
}

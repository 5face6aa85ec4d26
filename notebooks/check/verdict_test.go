package check

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A notebook is right if no cell complained, the last one ends with "ok", and readers see the present output of the
// cells.

// notebook is the part of Jupyter's format 4 that check reads.
type notebook struct {
	Cells []cell `json:"cells"`
}

type cell struct {
	Type    string   `json:"cell_type"`
	Outputs []output `json:"outputs"`
}

type output struct {
	Type      string   `json:"output_type"` // stream, error, display_data, execute_result
	Name      string   `json:"name"`        // of a stream: stdout, stderr
	Text      lines    `json:"text"`
	EName     string   `json:"ename"`
	Traceback []string `json:"traceback"`
}

// lines is a text that the format stores whole or cut into lines.
type lines string

func (l *lines) UnmarshalJSON(b []byte) error {
	var cut []string
	if json.Unmarshal(b, &cut) == nil {
		*l = lines(strings.Join(cut, ""))
		return nil
	}
	return json.Unmarshal(b, (*string)(l))
}

// stdout is all that the cell printed; Jupyter may deliver it in pieces.
func (c *cell) stdout() string {
	var s strings.Builder
	for _, o := range c.Outputs {
		if o.Type == "stream" && o.Name == "stdout" {
			s.WriteString(string(o.Text))
		}
	}
	return s.String()
}

// faults returns the faults of an executed notebook. A panic shows only on stderr, where nothing else belongs.
func (n *notebook) faults() []string {
	var faults []string
	last := -1
	for i, c := range n.Cells {
		if c.Type != "code" {
			continue
		}
		last = i
		for _, o := range c.Outputs {
			switch {
			case o.Type == "error":
				faults = append(faults, fmt.Sprintf("cell %d stopped: %s\n%s", i, o.EName, strings.Join(o.Traceback, "\n")))
			case o.Type == "stream" && o.Name == "stderr":
				faults = append(faults, fmt.Sprintf("cell %d complained:\n%s", i, o.Text))
			}
		}
	}
	if last < 0 {
		return append(faults, "there is no code in it")
	}
	if said := strings.TrimSpace(n.Cells[last].stdout()); said != "ok" && !strings.HasSuffix(said, "\nok") {
		faults = append(faults, fmt.Sprintf(`the last code cell %d must end with the line "ok"; it wrote %q`, last, said))
	}
	return faults
}

// changes returns the places where a notebook's output differs from the stored one.
func (n *notebook) changes(kept *notebook) []string {
	var changes []string
	for i := range n.Cells {
		if was, is := kept.Cells[i].stdout(), n.Cells[i].stdout(); was != is {
			changes = append(changes, fmt.Sprintf("cell %d shows its readers\n%sbut writes\n%sIf that is right: go -C "+
				"notebooks test ./check -write", i, was, is))
		}
	}
	return changes
}

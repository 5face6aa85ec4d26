package palette

import (
	"fmt"
	"strings"
)

// CSS returns the style sheet static/palette.css, with a custom property for each role. A test compares it with the
// file; `go test ./web/palette -write` writes the file.
func CSS() string {
	var b strings.Builder
	b.WriteString("/* Written from web/palette by go test ./web/palette -write: edit the table there. */\n")
	b.WriteString(":root { color-scheme: light dark }\n")
	b.WriteString(":root[data-theme=light] { color-scheme: light }\n")
	b.WriteString(":root[data-theme=dark] { color-scheme: dark }\n")
	b.WriteString(":root {\n")
	for _, e := range table {
		fmt.Fprintf(&b, "\t--%s: light-dark(#%06X, #%06X);\n", e.name, e.light, e.dark)
	}
	b.WriteString("}\n")
	return b.String()
}

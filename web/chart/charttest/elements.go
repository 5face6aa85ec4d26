// Package charttest reads charts back in tests.
package charttest

import (
	"encoding/xml"
	"io"
	"strings"
)

// Elements reads the inside of a chart as XML, which must be well formed. It calls see, if not nil, for every element.
func Elements(t interface{ Fatalf(string, ...any) }, name, inside string, see func(xml.StartElement)) {
	d := xml.NewDecoder(strings.NewReader("<svg>" + inside + "</svg>"))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v in %s", name, err, inside)
		}
		if e, ok := token.(xml.StartElement); ok && see != nil {
			see(e)
		}
	}
}

// Attribute returns an attribute of an element, or "".
func Attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

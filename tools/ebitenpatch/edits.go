package main

import (
	"bytes"
	"fmt"
)

// edit is a change of a few lines of a file.
type edit struct{ file, from, to string }

// edits are the changed lines of the copy. Each occurs once in its file.
var edits = []edit{
	{"/internal/ui/ui_js.go", `func (u *UserInterface) outsideSize() (float64, float64) {
	if document.Truthy() {
		body := document.Get("body")
		bw := body.Get("clientWidth").Float()
		bh := body.Get("clientHeight").Float()
		return bw, bh
	}
`, `// outside is the size of the window, measured by tools/ebitenpatch's edit when it may have changed.
var outside struct {
	width, height float64
	known         bool
}

func (u *UserInterface) outsideSize() (float64, float64) {
	if document.Truthy() {
		if !outside.known {
			body := document.Get("body")
			outside.width, outside.height = body.Get("clientWidth").Float(), body.Get("clientHeight").Float()
			outside.known = outside.width > 0 && outside.height > 0
		}
		return outside.width, outside.height
	}
`},
	{"/internal/ui/ui_js.go", `	v.Call("addEventListener", "resize", js.FuncOf(func(this js.Value, args []js.Value) any {
		u.updateScreenSize()
`, `	v.Call("addEventListener", "resize", js.FuncOf(func(this js.Value, args []js.Value) any {
		outside.known = false
		u.updateScreenSize()
`},
}

// edited returns the body of a file after its edits.
func edited(file string, body []byte) ([]byte, error) {
	for _, e := range edits {
		if e.file != file {
			continue
		}
		if n := bytes.Count(body, []byte(e.from)); n != 1 {
			return nil, fmt.Errorf("%s has the edited lines %d times, not once: fix tools/ebitenpatch/edits.go", file, n)
		}
		body = bytes.Replace(body, []byte(e.from), []byte(e.to), 1)
	}
	return body, nil
}

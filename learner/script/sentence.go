package script

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// File is the name of a program in positions.
const File = "program"

// At puts the line of an error of Starlark before a sentence.
func At(err error, say string) string {
	line := int32(0)
	var read syntax.Error
	var names resolve.ErrorList
	var ran *starlark.EvalError
	switch {
	case errors.As(err, &read):
		line, say = read.Pos.Line, read.Msg
		if read.Pos.Col == 1 && strings.HasPrefix(say, "got newline") {
			line-- // which it ends
		}
	case errors.As(err, &names):
		line, say = names[0].Pos.Line, names[0].Msg
	case errors.As(err, &ran):
		for i := range ran.CallStack {
			if pos := ran.CallStack.At(i).Pos; pos.Filename() == File {
				line = pos.Line
				break
			}
		}
	}
	if line == 0 {
		return say
	}
	return fmt.Sprintf("line %d: %s", line, say)
}

func sentence(err error) error { return errors.New(At(err, err.Error())) }

// Package errcode gives errors a code for programs beside their sentence for people. The HTTP API, the class room, the
// board and front ends return these codes.
package errcode

import (
	"errors"
	"fmt"
)

// Code is the kind of an error.
type Code string

const (
	NotFound  Code = "not_found" // or the key is wrong: the answer does not say which
	Forbidden Code = "forbidden" // the key or the secret is not one for this
	Refused   Code = "refused"   // the request is invalid; the sentence says why
	Conflict  Code = "conflict"  // not in the present state
	Full      Code = "full"      // no space now; try again later
	TooFast   Code = "too_fast"  // this address asks too often
)

// Error is an error with a code.
type Error struct {
	Code Code
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Of returns the code of an error, or "" for an internal error.
func Of(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// Errorf returns an error with a code, whose sentence is formatted as by fmt.Errorf.
func Errorf(code Code, format string, args ...any) error {
	return &Error{Code: code, Err: fmt.Errorf(format, args...)}
}

// Refuse returns err with the code Refused.
func Refuse(err error) error { return &Error{Code: Refused, Err: err} }

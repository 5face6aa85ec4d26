// Package coded is errors as they cross a border: a sentence for people, and a code for those who answer machines.
package coded

import "errors"

// Code is what kind of error it is.
type Code string

const (
	NotFound  Code = "not_found"
	Forbidden Code = "forbidden" // the key or the secret is not one for this
	Refused   Code = "refused"   // it cannot be, for a reason that the sentence gives
	Conflict  Code = "conflict"  // it cannot be now
	Full      Code = "full"      // there is no room; later there may be
	TooFast   Code = "too_fast"
)

// Error is an error with its code.
type Error struct {
	Code Code
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Of is the code of an error; "" for a fault of our own.
func Of(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

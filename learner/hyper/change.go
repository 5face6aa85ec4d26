package hyper

import (
	"fmt"
	"slices"
	"strings"
)

// Change is one setting and the value that it is to have: read once, where it came in, and allowed by itself. Whether
// the other settings allow it is asked when its turn comes, by Validate, because they may have changed by then. The
// zero value changes nothing.
type Change struct {
	row  *Row
	text string  // of a choice or a text
	real float64 // of a number
}

// ParseChange reads a setting's value. The error names the key and the allowed values.
func ParseChange(key, text string) (Change, error) {
	row, err := Lookup(key)
	if err != nil {
		return Change{}, err
	}
	return row.change(text)
}

// ParseHot reads a setting that may change during a run.
func ParseHot(key, text string) (Change, error) {
	change, err := ParseChange(key, text)
	if err == nil && !change.Hot() {
		err = fmt.Errorf("%s cannot change during a run: start another with %s=%s", key, key, change.Value())
	}
	return change, err
}

// change reads a value of the row.
func (r *Row) change(text string) (Change, error) {
	text = strings.TrimSpace(text)
	if r.Numeric() {
		v, err := r.Parse(text)
		return Change{row: r, real: v}, err
	}
	if r.check != nil { // it decides alone: choices may then be only the usual ones
		if err := r.check(text); err != nil {
			return Change{}, err
		}
	} else if r.Choices != nil && !slices.Contains(r.Choices(), text) {
		return Change{}, fmt.Errorf("%s=%q: must be one of %s%s", r.Key, text, strings.Join(r.Choices(), ", "),
			DidYouMean(text, r.Choices(), ""))
	}
	return Change{row: r, text: text}, nil
}

// Key is the setting's, "" of the zero value.
func (c Change) Key() string {
	if c.row == nil {
		return ""
	}
	return c.row.Key
}

// Value is the new value as links spell it.
func (c Change) Value() string {
	if c.row == nil {
		return ""
	}
	var with Config
	c.Apply(&with)
	return c.row.get(&with)
}

// Hot reports whether a run can continue with the change; a cold one restarts the run.
func (c Change) Hot() bool { return c.row == nil || c.row.Hot }

// Apply makes the change in cfg, which may then be invalid.
func (c Change) Apply(cfg *Config) {
	if c.row == nil {
		return
	}
	switch p := c.row.field(cfg).(type) {
	case *string:
		*p = c.text
	case *uint8:
		*p = uint8(slices.Index(c.row.Choices(), c.text)) // change has checked that it is one of them
	case *float64:
		*p = c.real
	case *int:
		*p = int(c.real)
	case *uint64:
		*p = uint64(c.real)
	default:
		panic("hyper: a row's field must be *float64, *int, *uint64, *uint8 or *string")
	}
}

package hyper

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Change is a setting with a new value, which was parsed once and is allowed by itself. Validate checks it against the
// other settings when the change is made, because they may have changed by then. The zero value changes nothing.
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

// change parses a value of the row.
func (r *Row) change(text string) (Change, error) {
	text = strings.TrimSpace(text)
	if r.Numeric() {
		v, err := r.Parse(text)
		return Change{row: r, real: v}, err
	}
	if r.Lines > 0 && (text == "" || len(text) > r.Lines || !utf8.ValidString(text)) {
		return Change{}, fmt.Errorf("%s of %d bytes: must be %s", r.Key, len(text), r.Allowed())
	}
	if r.check != nil { // it decides alone: choices may then be only the usual ones
		if err := r.check(text); err != nil {
			return Change{}, err
		}
	} else if r.Choices != nil && !slices.Contains(r.Choices, text) {
		return Change{}, fmt.Errorf("%s=%.64q: must be one of %s%s", r.Key, text, strings.Join(r.Choices, ", "),
			DidYouMean(text, r.Choices, ""))
	}
	return Change{row: r, text: text}, nil
}

// Key returns the setting's key; "" for the zero value.
func (c Change) Key() string {
	if c.row == nil {
		return ""
	}
	return c.row.Key
}

// Value returns the new value as links spell it.
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
	switch v := c.row.in(cfg); c.row.kind {
	case reflect.String:
		v.SetString(c.text)
	case reflect.Uint8:
		v.SetUint(uint64(slices.Index(c.row.Choices, c.text))) // change has checked that it is one of them
	case reflect.Float64:
		v.SetFloat(c.real)
	case reflect.Int:
		v.SetInt(int64(c.real))
	case reflect.Uint64:
		v.SetUint(uint64(c.real))
	}
}

// rule refuses a combination of settings that makes no sense.
type rule struct {
	when   condition
	refuse string // names the settings and the way out, see settings.txt
}

func (r *rule) check(c *Config) error {
	if !r.when(c) {
		return nil
	}
	return errors.New(os.Expand(r.refuse, func(name string) string {
		key, alone := strings.CutPrefix(name, "#")
		switch figure := figures[key]; {
		case !alone:
			return key + "=" + c.Get(key)
		case figure != nil:
			return figure(c)
		}
		return c.Get(key)
	}))
}

// Validate refuses combinations that make no sense, naming both settings and the way out. Single values were checked
// when they were set.
func (c *Config) Validate() error {
	var errs []error
	for i := range Table {
		row := &Table[i]
		for k := range row.rules {
			errs = append(errs, row.rules[k].check(c))
		}
	}
	return errors.Join(errs...)
}

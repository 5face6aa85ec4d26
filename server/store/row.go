package store

// Rows: a struct whose fields have db tags is a row of a table. The tags are the only list of the table's columns.

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
)

// columns returns the fields of a row that have a db tag; none if row is not a struct.
func columns(row reflect.Type) (fields []reflect.StructField) {
	if row.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range reflect.VisibleFields(row) {
		if f.Tag.Get("db") != "" {
			fields = append(fields, f)
		}
	}
	return fields
}

// list returns all rows of a query such as "SELECT * FROM runs WHERE owner = $1". T is a struct, whose columns replace
// the star, or the type of the only column.
func list[T any](tx *Tx, query string, args ...any) (all []T, err error) {
	fields := columns(reflect.TypeFor[T]())
	var names []string
	for _, f := range fields {
		names = append(names, f.Tag.Get("db"))
	}
	if names != nil {
		query = strings.Replace(query, "*", strings.Join(names, ", "), 1)
	}
	err = tx.each(query, args, func(rows *sql.Rows) error {
		var row T
		places := []any{&row}
		if names != nil {
			places = nil
		}
		for _, f := range fields {
			place := reflect.ValueOf(&row).Elem().FieldByIndex(f.Index).Addr().Interface()
			if x, ok := place.(*float64); ok {
				place = (*number)(x)
			}
			places = append(places, place)
		}
		err := rows.Scan(places...)
		all = append(all, row)
		return err
	})
	return all, err
}

// read returns the only row of such a query, or ErrNotFound.
func read[T any](tx *Tx, query string, args ...any) (row T, err error) {
	all, err := list[T](tx, query, args...)
	switch {
	case err != nil:
		return row, err
	case len(all) == 0:
		return row, ErrNotFound
	}
	return all[0], nil
}

// insert adds a row, with further columns and their values. If the table has the row's key, the error is ErrConflict.
// what names the row in the error.
func (tx *Tx) insert(what, table string, row any, further ...any) error {
	var names, marks []string
	var values []any
	add := func(name string, value any) {
		if x, ok := value.(float64); ok {
			value = number(x)
		}
		names, values = append(names, name), append(values, value)
		marks = append(marks, fmt.Sprintf("$%d", len(values)))
	}
	v := reflect.ValueOf(row)
	for _, f := range columns(v.Type()) {
		add(f.Tag.Get("db"), v.FieldByIndex(f.Index).Interface())
	}
	for i := 0; i < len(further); i += 2 {
		add(further[i].(string), further[i+1])
	}
	n, err := tx.exec("INSERT INTO "+table+" ("+strings.Join(names, ", ")+") VALUES ("+strings.Join(marks, ", ")+
		") ON CONFLICT DO NOTHING", values...)
	if err == nil && n == 0 {
		return fmt.Errorf("%s: %w", what, ErrConflict)
	}
	return err
}

// number is a float64 whose NaN is NULL in a table: SQLite has no NaN.
type number float64

// Value implements driver.Valuer.
func (x number) Value() (driver.Value, error) {
	if math.IsNaN(float64(x)) {
		return nil, nil
	}
	return float64(x), nil
}

// Scan implements sql.Scanner.
func (x *number) Scan(from any) error {
	var v sql.NullFloat64
	if err := v.Scan(from); err != nil {
		return err
	}
	*x = number(math.NaN())
	if v.Valid {
		*x = number(v.Float64)
	}
	return nil
}

// JSON returns a struct or a map as a row keeps it. Its values must be texts, finite numbers, and types that write
// others.
func JSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

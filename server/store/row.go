package store

// Rows: a struct whose fields have db tags is a row of a table. The tags are the only list of the table's columns.

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
)

// tagged holds the fields with a db tag of each type of row.
var tagged sync.Map

// columns returns the fields of a row that have a db tag.
func columns(row reflect.Type) []reflect.StructField {
	if known, ok := tagged.Load(row); ok {
		return known.([]reflect.StructField)
	}
	var fields []reflect.StructField
	for _, f := range reflect.VisibleFields(row) {
		if f.Tag.Get("db") != "" {
			fields = append(fields, f)
		}
	}
	tagged.Store(row, fields)
	return fields
}

// selects returns the query with the names of T's columns in place of its star, if T is a struct.
func selects[T any](query string) string {
	if reflect.TypeFor[T]().Kind() != reflect.Struct {
		return query
	}
	var names []string
	for _, f := range columns(reflect.TypeFor[T]()) {
		names = append(names, f.Tag.Get("db"))
	}
	return strings.Replace(query, "*", strings.Join(names, ", "), 1)
}

// places returns where a query's columns go: into the tagged fields of row, or into row itself if it is not a struct.
func places[T any](row *T) (all []any) {
	v := reflect.ValueOf(row).Elem()
	if v.Kind() != reflect.Struct {
		return []any{row}
	}
	for _, f := range columns(v.Type()) {
		place := v.FieldByIndex(f.Index).Addr().Interface()
		if x, ok := place.(*float64); ok {
			place = (*number)(x)
		}
		all = append(all, place)
	}
	return all
}

// read returns the row of a query such as "SELECT * FROM runs WHERE id = $1", or ErrNotFound. T is a struct, or the
// type of the only column.
func read[T any](tx *Tx, query string, args ...any) (row T, err error) {
	err = tx.one(selects[T](query), args, places(&row)...)
	return row, err
}

// list returns all rows of such a query.
func list[T any](tx *Tx, query string, args ...any) (all []T, err error) {
	err = tx.each(selects[T](query), args, func(rows *sql.Rows) error {
		var row T
		err := rows.Scan(places(&row)...)
		all = append(all, row)
		return err
	})
	return all, err
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

package store

// The archive: the whole store in one file that either database can write and read, and that a person can look into
// with zstdcat. It is JSON Lines, compressed with zstd:
//
//	{"impalab_archive":1,"schema":1,"made":1790000000000,"from":"sqlite"}
//	{"table":"runs","columns":[{"name":"id","kind":"text"}, …]}
//	["5f…", …]                                   a row, in the order of the columns
//	{"end":true,"rows":{"runs":1, …}}
//
// Kinds are text, int, float, bool and bytes (base64). A float that JSON does not know is a string: "+Inf".

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/klauspost/compress/zstd"
)

const (
	archiveVersion = 1
	lineLimit      = snapshotLimit/3*4 + 1<<20 // bytes of a line: a snapshot in base64 fits
)

// archiveHeader is the first line.
type archiveHeader struct {
	Version int    `json:"impalab_archive"`
	Schema  int64  `json:"schema"` // of the database that it was made of
	Made    int64  `json:"made"`   // milliseconds since 1970, UTC
	From    string `json:"from"`   // sqlite or postgres
}

type archiveColumn struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// archiveMark is a line that is neither the first nor a row.
type archiveMark struct {
	Table   string           `json:"table,omitempty"`
	Columns []archiveColumn  `json:"columns,omitempty"`
	End     bool             `json:"end,omitempty"`
	Rows    map[string]int64 `json:"rows,omitempty"`
}

// archiveWriter writes an archive: a header, tables with their rows, close.
type archiveWriter struct {
	zip   *zstd.Encoder
	table string
	rows  map[string]int64
}

func newArchiveWriter(w io.Writer, h archiveHeader) (*archiveWriter, error) {
	zip, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	h.Version = archiveVersion
	a := &archiveWriter{zip: zip, rows: map[string]int64{}}
	return a, a.line(h)
}

func (a *archiveWriter) line(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = a.zip.Write(append(text, '\n'))
	return err
}

func (a *archiveWriter) begin(table string, columns []archiveColumn) error {
	a.table, a.rows[table] = table, 0
	return a.line(archiveMark{Table: table, Columns: columns})
}

// row takes string, int64, float64, bool, []byte and nil.
func (a *archiveWriter) row(values []any) error {
	for i, v := range values {
		if f, ok := v.(float64); ok && (math.IsInf(f, 0) || math.IsNaN(f)) {
			values[i] = strconv.FormatFloat(f, 'g', -1, 64)
		}
	}
	a.rows[a.table]++
	return a.line(values)
}

func (a *archiveWriter) close() error {
	return errors.Join(a.line(archiveMark{End: true, Rows: a.rows}), a.zip.Close())
}

// archiveVisitor is called for what readArchive finds, in this order. An error of its ends the reading.
type archiveVisitor struct {
	header func(archiveHeader) error
	table  func(name string, columns []archiveColumn) error
	row    func(values []any) error // string, int64, float64, bool, []byte or nil; valid until it returns
}

// readArchive reads an archive, or says with ErrDamaged at which line it is none. What it has called visit for before
// that is what could be read. limit bounds the bytes of a line.
func readArchive(r io.Reader, limit int, visit archiveVisitor) error {
	zip, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20))
	if err != nil {
		return err
	}
	defer zip.Close()
	lines := bufio.NewScanner(zip)
	lines.Buffer(make([]byte, 0, min(limit, 64<<10)), limit)
	a := archiveReader{visit: visit, rows: map[string]int64{}}
	for lines.Scan() {
		a.number++
		if err := a.line(lines.Bytes()); err != nil {
			return fmt.Errorf("line %d of the archive: %w", a.number, err)
		}
	}
	switch err := lines.Err(); {
	case err != nil:
		return fmt.Errorf("%w: the archive after line %d: %w", ErrDamaged, a.number, err)
	case !a.ended:
		return fmt.Errorf("%w: the archive is cut short after line %d", ErrDamaged, a.number)
	}
	return nil
}

type archiveReader struct {
	visit   archiveVisitor
	number  int // of the line
	table   string
	columns []archiveColumn
	rows    map[string]int64
	ended   bool
}

func (a *archiveReader) line(text []byte) error {
	switch {
	case a.ended:
		return fmt.Errorf("%w: it goes on after its end", ErrDamaged)
	case a.number == 1:
		return a.head(text)
	case bytes.HasPrefix(text, []byte("[")):
		return a.row(text)
	}
	var m archiveMark
	if err := json.Unmarshal(text, &m); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	switch _, seen := a.rows[m.Table]; {
	case m.End:
		for table, n := range m.Rows {
			if a.rows[table] != n {
				return fmt.Errorf("%w: it should hold %d rows of %s, and holds %d", ErrDamaged, n, table, a.rows[table])
			}
		}
		a.ended = len(m.Rows) == len(a.rows)
		if !a.ended {
			return fmt.Errorf("%w: it holds other tables than its end says", ErrDamaged)
		}
		return nil
	case m.Table == "" || len(m.Columns) == 0 || seen:
		return fmt.Errorf("%w: %.60q begins no table", ErrDamaged, text)
	}
	a.table, a.columns, a.rows[m.Table] = m.Table, m.Columns, 0
	return a.visit.table(m.Table, m.Columns)
}

func (a *archiveReader) head(text []byte) error {
	var h archiveHeader
	if err := json.Unmarshal(text, &h); err != nil || h.Version < 1 {
		return fmt.Errorf("%w: it does not begin as an archive of impalab does", ErrDamaged)
	}
	if h.Version > archiveVersion {
		return fmt.Errorf("%w: the archive is of version %d, and this program reads version %d; restore it with a "+
			"newer impalab", ErrSchema, h.Version, archiveVersion)
	}
	return a.visit.header(h)
}

func (a *archiveReader) row(text []byte) error {
	var cells []json.RawMessage
	if err := json.Unmarshal(text, &cells); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if a.table == "" || len(cells) != len(a.columns) {
		return fmt.Errorf("%w: a row of %d cells where %s has %d columns", ErrDamaged, len(cells), a.table,
			len(a.columns))
	}
	values := make([]any, len(cells))
	for i, cell := range cells {
		var err error
		if values[i], err = parseCell(cell, a.columns[i].Kind); err != nil {
			return fmt.Errorf("%w: %s of %s: %w", ErrDamaged, a.columns[i].Name, a.table, err)
		}
	}
	a.rows[a.table]++
	return a.visit.row(values)
}

func parseCell(cell json.RawMessage, kind string) (any, error) {
	if string(cell) == "null" {
		return nil, nil
	}
	switch kind {
	case "text":
		return parseAs[string](cell)
	case "int":
		return parseAs[int64](cell)
	case "bool":
		return parseAs[bool](cell)
	case "bytes":
		return parseAs[[]byte](cell)
	case "float":
		if text, err := parseAs[string](cell); err == nil {
			return strconv.ParseFloat(text.(string), 64)
		}
		return parseAs[float64](cell)
	}
	return nil, fmt.Errorf("a cell of kind %.20q", kind)
}

func parseAs[T any](cell json.RawMessage) (any, error) {
	var v T
	err := json.Unmarshal(cell, &v)
	return v, err
}

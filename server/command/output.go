package command

import (
	"encoding/json"
	"fmt"
	"go/doc/comment"
	"io"
	"log/slog"
	"math"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/term"
)

// Output is standard output, which carries results. It remembers the first write that failed: the program then stops
// with exit code 1. Several goroutines may write.
type Output struct {
	to     io.Writer
	failed func() // called once, at the first error

	mu    sync.Mutex
	err   error
	wrote bool
}

// NewOutput writes to w, and calls failed at the first error.
func NewOutput(w io.Writer, failed func()) *Output { return &Output{to: w, failed: failed} }

// Write implements io.Writer.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	o.wrote = true
	n, err := o.to.Write(p)
	if err != nil {
		o.err = fmt.Errorf("the result could not be printed: %w", err)
		o.failed()
	}
	return n, o.err
}

// Err returns the first error, or nil.
func (o *Output) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// Discarded reports whether output was lost without an error, because standard output is closed.
func (o *Output) Discarded() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	file, ok := o.to.(*os.File)
	return ok && o.wrote && discards(file)
}

// terminal returns the file descriptor of the terminal that w writes to.
func terminal(w io.Writer) (fd int, ok bool) {
	if o, wraps := w.(*Output); wraps {
		w = o.to
	}
	file, ok := w.(*os.File)
	if !ok {
		return 0, false
	}
	return int(file.Fd()), term.IsTerminal(int(file.Fd()))
}

func isTerminal(w io.Writer) bool {
	_, ok := terminal(w)
	return ok
}

// terminalWidth returns the columns of the terminal that w writes to. A file or a pipe has no limit.
func terminalWidth(w io.Writer) int {
	if fd, ok := terminal(w); ok {
		if width, _, err := term.GetSize(fd); err == nil && width > 0 {
			return width
		}
	}
	return math.MaxInt
}

// printJSON prints v as one line of JSON.
func printJSON(w io.Writer, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic("command: JSON cannot hold a report: " + err.Error())
	}
	fmt.Fprintf(w, "%s\n", text)
}

// table prints rows under a heading, in columns. On a terminal it wraps cells so that a row is as wide as the terminal.
// Elsewhere each row is one line.
func table(w io.Writer, heading string, fill func(row func(...any))) error {
	rows := [][]string{strings.Split(heading, "\t")}
	fill(func(cells ...any) {
		text := make([]string, len(cells))
		for i, c := range cells {
			text[i] = fmt.Sprint(c)
		}
		rows = append(rows, text)
	})
	_, err := io.WriteString(w, formatTable(rows, terminalWidth(w)))
	return err
}

const gap = 2 // spaces between columns

// formatTable lays out rows in at most width columns, as far as their longest words allow.
func formatTable(rows [][]string, width int) string {
	widths, least := make([]int, len(rows[0])), make([]int, len(rows[0]))
	total := -gap
	for i := range widths {
		for _, row := range rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
			for word := range strings.FieldsSeq(row[i]) {
				least[i] = max(least[i], utf8.RuneCountInString(word))
			}
		}
		total += widths[i] + gap
	}
	for total > width {
		widest := -1
		for i := range widths {
			if widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
		total--
	}
	var out strings.Builder
	for _, row := range rows {
		cells, height := make([][]string, len(row)), 1
		for i, text := range row {
			cells[i] = []string{text}
			if utf8.RuneCountInString(text) > widths[i] {
				cells[i] = strings.Split(wrapped(text, "", widths[i]), "\n")
			}
			height = max(height, len(cells[i]))
		}
		for n := range height {
			line := ""
			for i := range row {
				cell := ""
				if n < len(cells[i]) {
					cell = cells[i][n]
				}
				line += cell + strings.Repeat(" ", widths[i]+gap-utf8.RuneCountInString(cell))
			}
			out.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	return out.String()
}

// wrapped breaks a text at its spaces into lines of at most width characters. Each line begins with indent.
func wrapped(text, indent string, width int) string {
	p := comment.Printer{TextPrefix: indent, TextWidth: width - len(indent)}
	paragraph := &comment.Paragraph{Text: []comment.Text{comment.Plain(text)}}
	return strings.TrimSuffix(string(p.Text(&comment.Doc{Content: []comment.Block{paragraph}})), "\n")
}

// warnings returns a log of a command that has no log flags.
func (prog *Program) warnings() *slog.Logger { return (&logFlags{LogLevel: "warn"}).logger(prog) }

// logFlags configure the log, which goes to standard error.
type logFlags struct {
	LogLevel  string `default:"info" enum:"debug,info,warn,error" help:"Least important entries to log: ${enum}." placeholder:"LEVEL"`
	LogFormat string `default:"text" enum:"text,json" help:"Form of the log: ${enum}." placeholder:"FORMAT"`
}

// logger returns the log that the flags ask for.
func (f *logFlags) logger(prog *Program) *slog.Logger {
	var least slog.Level
	if err := least.UnmarshalText([]byte(f.LogLevel)); err != nil {
		panic("command: the grammar allows an unknown log level: " + f.LogLevel)
	}
	options := &slog.HandlerOptions{Level: least}
	if f.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(prog.Stderr, options))
	}
	return slog.New(slog.NewTextHandler(prog.Stderr, options))
}

package hyper

import (
	_ "embed"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

//go:embed settings.txt
var settings string

// Table is every setting, in the order of settings.txt. A new setting is a field of Config, with its key as a tag, and
// an entry there.
var Table = read(settings)

// Groups lists all groups in the order of the page: the six settings in sight first.
var Groups = func() []Group {
	all := []Group{"In sight"}
	for i := range Table {
		if g := Table[i].Group; !slices.Contains(all, g) {
			all = append(all, g)
		}
	}
	return all
}()

// read reads the text of settings.txt. A mistake in it panics.
func read(text string) (rows []Row) {
	var group Group
	var of condition
	const longer = "\n             " // a line that continues the one before
	for line := range strings.Lines(strings.ReplaceAll(text, longer, " ")) {
		switch line = strings.TrimSuffix(line, "\n"); {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "=="):
			name, whose, _ := strings.Cut(strings.Trim(line, "= "), " of ")
			group, of = Group(name), when(whose)
		case line[0] != ' ':
			key, words, _ := strings.Cut(line, ": ")
			field := fieldOf(key)
			rows = append(rows, Row{Key: key, Words: words, Group: group, of: of, check: checks[key],
				field: field.Index[0], kind: field.Type.Kind()})
		default:
			name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			rows[len(rows)-1].read(name, strings.TrimSpace(value))
		}
	}
	return rows
}

// fieldOf returns the field of Config whose tag is key.
func fieldOf(key string) reflect.StructField {
	config := reflect.TypeFor[Config]()
	for i := range config.NumField() {
		if f := config.Field(i); f.Tag.Get("key") == key {
			return f
		}
	}
	panic("hyper: no field of Config has the key " + key)
}

var scales = map[string]Scale{"": Linear, "log": Log, "log(1+x)": LogZero}

// read reads one line of the setting.
func (r *Row) read(name, value string) {
	texts := map[string]*string{"symbol": &r.Symbol, "sentence": &r.Sentence, "formula": &r.Formula, "paper": &r.Paper,
		"unit": &r.Unit, "tone": &r.Tone, "takes": &r.takes, "base": &r.base, "example": &r.Example}
	switch words := strings.Fields(value); name {
	case "hot":
		r.Hot = true
	case "range": // 0 to inf, above 0 to 1, 0 to 1 or same as rho
		if r.Open = words[0] == "above"; r.Open {
			words = words[1:]
		}
		r.Min, r.Max = mustNumber(words[0]), mustNumber(words[2])
		if len(words) > 3 {
			r.Same = words[len(words)-1]
		}
	case "slider": // 0 to 1, 0.1 to 10 log
		scale, ok := scales[strings.Join(words[3:], " ")]
		if !ok {
			panic("hyper: no scale is called " + words[3])
		}
		r.Slider = Slider{mustNumber(words[0]), mustNumber(words[2]), scale}
	case "lines":
		r.Lines = int(mustNumber(value))
	case "choices":
		r.Choices = words
		if list, ok := lists[value]; ok {
			r.Choices, r.words = list()
		}
	case "names": // rmsprop=RMSProp, adam=Adam
		r.words = map[string]string{}
		for _, pair := range strings.Split(value, ", ") {
			choice, words, _ := strings.Cut(pair, "=")
			r.words[choice] = words
		}
	case "of":
		r.of = when(value)
	case "when":
		r.Used = when(value)
	case "refuse":
		condition, sentence, _ := strings.Cut(value, ": ")
		r.rules = append(r.rules, rule{when(condition), sentence})
	default:
		text, ok := texts[name]
		if !ok {
			panic("hyper: the setting " + r.Key + " has a line of an unknown kind: " + name)
		}
		*text = value
	}
}

func mustNumber(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("hyper: " + err.Error())
	}
	return v
}

package page

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"impalab/web/lesson"
)

// The pictures of a lesson's plot that no lens turns: a map of how many seeds fell for each policy lag and learning
// rate, and the ratios of a late batch.

// FallenFile has the numbers of the maps, below the top folder of the source.
const FallenFile = "web/page/fallen.json"

// FallenStudy is the study whose lines the maps show.
const FallenStudy = "lag-times-rate"

// Fallen is the map of one line of the study.
type Fallen struct {
	Rates  []string   `json:"rates"`  // upwards
	Lags   []string   `json:"lags"`   // to the right
	Fell   [][]int    `json:"fell"`   // seeds that ended at chance, by rate and lag
	Of     int        `json:"of"`     // seeds of a cell
	Border [3]float64 `json:"border"` // lag times rate at which half fell, and its interval; 0: beyond the map
}

//go:embed fallen.json
var fallenText []byte

var fallenMaps = sync.OnceValues(func() (maps map[string]*Fallen, err error) {
	err = json.Unmarshal(fallenText, &maps)
	return maps, err
})

// fallenOf returns the map of a line.
func fallenOf(line string) (*Fallen, error) {
	maps, err := fallenMaps()
	if err != nil || maps[line] == nil {
		return nil, fmt.Errorf("%s has no line %q (%v)", FallenFile, line, err)
	}
	return maps[line], nil
}

// mapCell is the side of a cell in the coordinates of the drawing.
const mapCell = 100

// line returns where the cells of a product of lag and rate lie: its distance from the left at the top of the map, and
// at the bottom. Both axes are logarithmic, with one factor from cell to cell.
func (m *Fallen) line(product float64) (top, bottom float64) {
	var at [3]float64
	for i, text := range []string{m.Lags[0], m.Lags[1], m.Rates[0]} {
		at[i], _ = strconv.ParseFloat(text, 64) // values of the study's axes
	}
	bottom = mapCell * (1 + math.Log(product/(at[0]*at[2]))/math.Log(at[1]/at[0])) // half a cell for each axis
	return bottom - m.height(), bottom
}

func (m *Fallen) height() float64 { return mapCell * float64(len(m.Rates)) }

// band is the outline of the border's interval, and path the border.
func (m *Fallen) band() string {
	lowTop, low := m.line(m.Border[1])
	highTop, high := m.line(m.Border[2])
	foot := coord(m.height())
	return fmt.Sprintf("M%s 0L%s 0L%s %sL%s %sZ", coord(lowTop), coord(highTop), coord(high), foot, coord(low), foot)
}

func (m *Fallen) path() string {
	top, bottom := m.line(m.Border[0])
	return fmt.Sprintf("M%s 0L%s %s", coord(top), coord(bottom), coord(m.height()))
}

// says is the sentence below a map.
func (m *Fallen) says() string {
	if m.Border[0] == 0 {
		return "Nowhere on this map does the share reach a half along a product."
	}
	return fmt.Sprintf("Half of the seeds fall at lag × rate = %s [%s, %s], the line with its 95 %% interval.",
		short(m.Border[0]), short(m.Border[1]), short(m.Border[2]))
}

// picture is one position of the switch: the map of a line, measured curves, or the ratios of a late batch.
type picture struct {
	Map    *Fallen
	Curves string // a file of static/plots, without its ending
	Bars   []lateBar
	Batch  lateBatch
}

// pictureOf reads "map LINE", "curves FILE", "ratios recorded" or "ratios computed again".
func pictureOf(p *lesson.Plot, choice int) (out picture, err error) {
	kind, of, _ := strings.Cut(p.Pictures[choice], " ")
	if kind == "map" {
		out.Map, err = fallenOf(of)
		return out, err
	}
	if kind == "curves" {
		return picture{Curves: of}, nil
	}
	if out.Batch, err = readLate(); err != nil || kind != "ratios" {
		return out, fmt.Errorf("no such picture: %q (%v)", p.Pictures[choice], err)
	}
	counts, most := make([]int, lateBins), 0
	for i := range counts {
		n := out.Batch.Good[i] + out.Batch.Bad[i]
		if of != "recorded" { // π/π
			i = int(math.Round(1 / lateBin))
		}
		counts[i] += n
		most = max(most, counts[i])
	}
	for i, n := range counts {
		out.Bars = append(out.Bars, lateBar{At: 100 * float64(i) / lateBins, High: tenth(float64(n) / float64(most))})
	}
	return out, nil
}

// Package palette states each colour once. Colour means the same thing everywhere, in sliders, histograms,
// worlds and curves, so the page's style sheet (css.go) and the client's canvas both read this one table.
package palette

import "image/color"

// Role is what a colour means. The first eight stand in the order of envs.Ink, so that Role(ink) is its colour.
type Role uint8

const (
	Ground    Role = iota // paper: what everything stands on
	Wall                  // neutral solid shapes
	Faint                 // hairlines and grids
	Strong                // ink: words, outlines
	Target                // π, the present that learns
	Cut                   // cut, clipped, rejected
	Corrected             // what the correction gives
	Behaviour             // μ, the past that acted

	Quiet         // words that stand back
	Edge          // outlines of what can be operated
	BehaviourText // Behaviour, dark enough for words on light paper
	Fresh         // age 0
	Old           // the greatest age
	Meta          // metaparameters and dual variables
	Ghost         // lines of former runs
	Sunk          // the floor of worlds
	Held          // the row in hand, the chosen item

	Roles // how many there are

	Agent = Target // what the policy moves
	Harm  = Cut
	Prize = Corrected
	Past  = Behaviour
	Truth = Strong // what is exact: always dashed
)

// entry is one role: its name in the style sheet and its colour, 0xRRGGBB, on light and on dark paper.
type entry struct {
	name        string
	light, dark uint32
}

var table = [Roles]entry{
	Ground:    {"ground", 0xFCFCFA, 0x14171B},
	Wall:      {"wall", 0xB4B8BC, 0x4C535B},
	Faint:     {"faint", 0xDADCDB, 0x2E3339},
	Strong:    {"strong", 0x1B1D21, 0xE8E6E1},
	Target:    {"pi", 0x0B62A8, 0x6CB8F0},
	Cut:       {"cut", 0xB5402C, 0xF0795F},
	Corrected: {"corrected", 0x00795A, 0x3CC79A},
	Behaviour: {"mu", 0xB36B00, 0xF0B04A},

	Quiet:         {"quiet", 0x5A6068, 0x9DA3AB},
	Edge:          {"edge", 0x868C92, 0x6E757E},
	BehaviourText: {"mu-text", 0x965900, 0xF0B04A},
	Fresh:         {"fresh", 0xB9A3E6, 0x5B3AA0}, // the ramp of ages: light to dark on light paper,
	Old:           {"old", 0x5B3AA0, 0xB9A3E6},   // the same ramp reversed on dark
	Meta:          {"meta", 0x7A5195, 0xB79AD6},
	Ghost:         {"ghost", 0xA4A9AE, 0x5F666E},
	Sunk:          {"sunk", 0xF3F3EF, 0x1B1F24},
	Held:          {"held", 0xEDEDE6, 0x20252B},
}

// Of is the colour of a role, opaque.
func Of(r Role, dark bool) color.RGBA {
	if dark {
		return rgb(table[r].dark)
	}
	return rgb(table[r].light)
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 0xFF}
}

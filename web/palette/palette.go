// Package palette defines each colour once. A colour has the same meaning everywhere, so the style sheet (css.go) and
// the client's canvas both use this table.
package palette

import "image/color"

// Role is the meaning of a colour. The first eight are in the order of envs.Ink, so Role(ink) is the colour of an ink.
type Role uint8

const (
	Ground    Role = iota // paper: the background
	Wall                  // neutral solid shapes
	Faint                 // hairlines and grids
	Strong                // ink: words, outlines
	Target                // π, the policy that learns
	Cut                   // cut, clipped, rejected
	Corrected             // result of the correction
	Behaviour             // μ, the policy that acted

	Quiet         // less important words
	Edge          // outlines of controls
	BehaviourText // Behaviour, dark enough for words on light paper
	Fresh         // age 0
	Old           // the highest age
	Meta          // metaparameters and dual variables
	Ghost         // lines of previous runs
	Sunk          // the floor of worlds
	Held          // the selected row or item
	Worth         // the area between a corrected and an uncorrected curve
	Sore          // the stage of an agent that lies on the floor

	Roles // number of roles

	Agent = Target // the parts that the policy moves
	Harm  = Cut
	Prize = Corrected
	Past  = Behaviour
	Truth = Strong // exact values: always dashed
)

// entry is a role: its name in the style sheet and its colour, 0xRRGGBB, on light and on dark paper.
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
	Old:           {"old", 0x5B3AA0, 0xB9A3E6},   // and dark to light on dark paper
	Meta:          {"meta", 0x7A5195, 0xB79AD6},
	Ghost:         {"ghost", 0xA4A9AE, 0x5F666E},
	Sunk:          {"sunk", 0xF3F3EF, 0x1B1F24},
	Held:          {"held", 0xEDEDE6, 0x20252B},
	Worth:         {"worth", 0xD3E4DA, 0x1D3D36},
	Sore:          {"sore", 0xF8EAE6, 0x2C2122},
}

// Of returns the colour of a role, opaque.
func Of(r Role, dark bool) color.RGBA {
	if dark {
		return rgb(table[r].dark)
	}
	return rgb(table[r].light)
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 0xFF}
}

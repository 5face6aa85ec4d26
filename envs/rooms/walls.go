package rooms

import "sync"

// The materials of the rooms, painted by rule: no file is read. Every task has its own materials, so one glance
// identifies it.

// Places in a theme's pictures.
const (
	pictureWall uint8 = iota
	pictureFloor
	pictureFloorToo // a few cells have it
	picturePad      // the platform of the water maze
	pictureCeiling
	picturePoster
	pictureDoor  = picturePoster + posters
	pictureCount = pictureDoor + roomColours
)

const (
	posters     = 8
	roomColours = 4
)

// roomColour are the colours of keys, doors and balls; roomColourName their names in instructions.
var (
	roomColour     = [roomColours]uint32{rgb(0xF0A830), rgb(0x4FA3E8), rgb(0xA86BC4), rgb(0xB4D455)}
	roomColourName = [roomColours]string{"amber", "blue", "plum", "lime"}
)

type roomTheme struct {
	pictures [pictureCount]roomImage
	sky      bool   // instead of a ceiling
	air      uint32 // the colour of the far distance
	high     uint32 // the sky overhead
	thick    int    // how fast it fades
}

// texel paints one texel of a 64 × 64 picture.
type texel = func(u, v int) uint32

func newTheme(air, high uint32, thick int, wall, floor, floorToo, ceiling texel) *roomTheme {
	t := &roomTheme{sky: ceiling == nil, air: rgb(air), high: rgb(high), thick: thick}
	t.pictures[pictureWall].paint(wall)
	t.pictures[pictureFloor].paint(floor)
	t.pictures[pictureFloorToo].paint(floorToo)
	t.pictures[picturePad].paint(discTexel(floor))
	if ceiling != nil {
		t.pictures[pictureCeiling].paint(ceiling)
	}
	for i := range posters {
		t.pictures[int(picturePoster)+i].paint(posterTexel(i, wall))
	}
	for i := range roomColours {
		t.pictures[int(pictureDoor)+i].paint(doorTexel(roomColour[i]))
	}
	return t
}

var (
	hallTheme = sync.OnceValue(func() *roomTheme {
		return newTheme(0xD5D8DA, 0, 26, plasterTexel(0xE6E1D6, 0x8C7B66), planksTexel(0xB99B74), planksTexel(0xA98A63),
			panelsTexel(0xF1EFEA))
	})
	houseTheme = sync.OnceValue(func() *roomTheme {
		return newTheme(0xC3C7CC, 0, 28, plasterTexel(0xC9D3D6, 0x5D6B73), checksTexel(0xB9B3A7, 0x8F897E),
			checksTexel(0xA79F90, 0x837B6D), panelsTexel(0xE9EAEA))
	})
	poolTheme = sync.OnceValue(func() *roomTheme {
		return newTheme(0xCFE0E2, 0, 24, tilesTexel(0xE9EFEE, 0x2C8C93), waterTexel(0x3F9AA6), waterTexel(0x3A919E),
			panelsTexel(0xEFF4F3))
	})
	arenaTheme = sync.OnceValue(func() *roomTheme {
		return newTheme(0x242B34, 0, 20, metalTexel(0x5A6672, 0x7FD8E6), gratingTexel(0x3A424C, 0x4E5864),
			gratingTexel(0x444D58, 0x5A6572), gratingTexel(0x2A3038, 0x343C46))
	})
	mazeTheme = sync.OnceValue(func() *roomTheme {
		return newTheme(0xC9D6DE, 0x6FA3CC, 30, bricksTexel(0xB98A6A, 0xD8CCBB), earthTexel(0xA39A82), earthTexel(0x96A077),
			nil)
	})
)

// plasterTexel has a moulding above and a skirting board below.
func plasterTexel(base, board uint32) texel {
	return func(u, v int) uint32 {
		c := tone(rgb(base), 262-v/3+speckle(u, v, 1, 3))
		switch {
		case v < 3:
			c = tone(rgb(base), 215)
		case v == 3:
			c = tone(rgb(base), 180)
		case v > 55:
			c = tone(rgb(board), 256+speckle(u/8, v, 2, 8))
			if v == 56 {
				c = tone(rgb(board), 320)
			}
		case v == 55:
			c = tone(rgb(base), 175)
		}
		if u == 0 {
			c = tone(c, 236)
		}
		return c
	}
}

func bricksTexel(base, joint uint32) texel {
	return func(u, v int) uint32 {
		row := v / 8
		x := (u + row%2*8) & (imageSide - 1)
		c := tone(rgb(base), 256+speckle(row, x/16, 3, 26)+speckle(u, v, 4, 7))
		if v%8 == 7 || x%16 == 15 {
			c = tone(rgb(joint), 245+speckle(u, v, 5, 8))
		} else if v%8 == 0 {
			c = tone(c, 276)
		}
		return tone(c, 270-v/2)
	}
}

// tilesTexel have a coloured band at the height of the eye.
func tilesTexel(base, band uint32) texel {
	return func(u, v int) uint32 {
		c := tone(rgb(base), 256+speckle(u/8, v/8, 6, 7))
		if row := v / 8; row == 5 || row == 6 {
			c = tone(rgb(band), 256+speckle(u/8, row, 7, 36))
		}
		if u%8 == 7 || v%8 == 7 {
			c = tone(c, 216)
		}
		return tone(c, 264-v/3)
	}
}

// metalTexel is plates with a strip of light.
func metalTexel(base, light uint32) texel {
	return func(u, v int) uint32 {
		c := tone(rgb(base), 270-v+speckle(u, v, 8, 5))
		switch x := u % 32; {
		case v >= 19 && v < 23:
			return tone(rgb(light), 256-8*fixAbs(v-21))
		case v == 18 || v == 23:
			return tone(rgb(light), 120)
		case x == 0 || v == 40 || v == 0:
			c = tone(c, 150)
		case x == 1 || v == 41:
			c = tone(c, 310)
		case (x == 4 || x == 28) && (v == 5 || v == 58):
			c = tone(c, 380) // rivets
		}
		return c
	}
}

func planksTexel(base uint32) texel {
	return func(u, v int) uint32 {
		plank := v / 8
		end := 8 + 40*(plank%2) + 5*(plank%3)
		c := tone(rgb(base), 256+speckle(plank, oneIf(u > end), 9, 22)+speckle(u/6, v, 10, 7))
		if v%8 == 7 || u == end {
			c = tone(c, 200)
		}
		return c
	}
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

func checksTexel(light, dark uint32) texel {
	return func(u, v int) uint32 {
		c := rgb(light)
		if (u/32+v/32)%2 == 1 {
			c = rgb(dark)
		}
		if u%32 == 31 || v%32 == 31 {
			return tone(c, 215)
		}
		return tone(c, 256+speckle(u, v, 11, 6))
	}
}

func panelsTexel(base uint32) texel {
	return func(u, v int) uint32 {
		if u >= 22 && u < 42 && v >= 22 && v < 42 { // a lamp
			return rgb(0xFFFFFF)
		}
		if u < 2 || v < 2 {
			return tone(rgb(base), 226)
		}
		return tone(rgb(base), 246+speckle(u, v, 12, 2))
	}
}

// waterTexel has crests that run aslant and bend.
func waterTexel(base uint32) texel {
	return func(u, v int) uint32 {
		bend := roomSine(v*roomTurn/imageSide*2) * 5 >> 16
		wave := roomSine((u+bend+2*v)*roomTurn/imageSide*3) + roomSine((3*u-v+bend)*roomTurn/imageSide)
		c := tone(rgb(base), 256+wave*22>>16)
		if wave > 105_000 {
			c = tone(c, 300)
		}
		return c
	}
}

func gratingTexel(base, line uint32) texel {
	return func(u, v int) uint32 {
		if u < 2 || v < 2 {
			return rgb(line)
		}
		return tone(rgb(base), 256+speckle(u/4, v/4, 13, 10))
	}
}

func earthTexel(base uint32) texel {
	return func(u, v int) uint32 {
		c := tone(rgb(base), 256+speckle(u/8, v/8, 14, 10)+speckle(u/2, v/2, 15, 14))
		if speckle(u/3, v/3, 16, 20) == 20 {
			c = tone(c, 310) // pebbles
		}
		return c
	}
}

// discTexel is a round platform in the middle of a floor.
func discTexel(floor texel) texel {
	return func(u, v int) uint32 {
		d := fixRoot(((u-32)*(u-32) + (v-32)*(v-32)) * 16)
		switch { // quarter texels
		case d < 76:
			return tone(rgb(0x3CC79A), 256-d)
		case d < 96:
			return rgb(0xF4F7F5)
		case d < 112:
			return rgb(0x00795A)
		}
		return floor(u, v)
	}
}

// doorTexel has panels, a bright frame of its colour and a lock.
func doorTexel(colour uint32) texel {
	return func(u, v int) uint32 {
		x, y := fixAbs(2*u-63), v
		c := tone(colour, 225-v/3)
		switch {
		case x > 55 || y < 4:
			c = tone(colour, 130)
		case x > 51 || y < 6:
			c = tone(colour, 330)
		case x < 3:
			c = tone(colour, 110)
		case x < 41 && x > 11 && (y > 10 && y < 26 || y > 42 && y < 58):
			c = tone(colour, 185)
			if y == 11 || y == 43 || x == 39 {
				c = tone(colour, 140)
			}
		}
		if d := x*x/4 + (y-34)*(y-34); d < 30 {
			c = rgb(0xF6F1E4)
			if d < 8 || x < 3 && y > 34 && y < 38 {
				c = rgb(0x22262B)
			}
		}
		return c
	}
}

// posterTexel hangs one of eight signs on a wall; no two share a shape.
func posterTexel(i int, wall texel) texel {
	paper := [posters]uint32{0xF7F3E8, 0x24486B, 0xF0B04A, 0x5B3AA0, 0xF7F3E8, 0x00795A, 0xF3D7CF, 0x2A2F36}[i]
	ink := [posters]uint32{0x0B62A8, 0xF7F3E8, 0x7A2E1E, 0xF0B04A, 0x7A5195, 0xF7F3E8, 0xB5402C, 0x6CB8F0}[i]
	return func(u, v int) uint32 {
		x, y := u-32, v-29 // from the middle of the sheet
		ax, ay := fixAbs(2*x+1), fixAbs(2*y+1)
		switch {
		case ax > 43 || ay > 43:
			if ax <= 47 && y > 0 && ay <= 47 {
				return tone(wall(u, v), 190) // its shadow
			}
			return wall(u, v)
		case ax > 39 || ay > 39:
			return rgb(0x4A4038)
		}
		d := ax*ax + ay*ay
		var on bool
		switch i {
		case 0:
			on = d < 26*26
		case 1:
			on = ax < 10 && ay < 30 || ay < 10 && ax < 30
		case 2:
			on = y/4%2 == 0 == (y >= 0)
		case 3:
			on = ax < y*2+26 && y < 12
		case 4:
			on = d < 32*32 && d > 18*18
		case 5:
			on = ax+ay < 34
		case 6:
			on = (x+32)/8%2 == (y+32)/8%2
		case 7:
			on = (x+y+64)/6%2 == 0
		}
		if on {
			return rgb(ink)
		}
		return tone(rgb(paper), 256+speckle(u, v, 17, 3))
	}
}

package rooms

import "sync"

// Things are flat pictures that always face the eye. The lowest rows of each hold its shadow on the floor.

// Places among the pictures of things.
const (
	thingBall  uint8 = 0
	thingKey         = thingBall + roomColours
	thingGoal        = thingKey + roomColours
	thingRival       = thingGoal + 1
	thingAim         = thingRival + 1 // a rival about to fire
	thingGun         = thingAim + 1   // in the agent's hands
	thingFlash       = thingGun + 1   // the same, firing
	thingCross       = thingFlash + 1
	thingPad         = thingCross + 1
	thingCount       = thingPad + 1
)

var roomThings = sync.OnceValue(func() *[thingCount]roomImage {
	things := new([thingCount]roomImage)
	for i := range roomColours {
		things[int(thingBall)+i].paint(ballTexel(roomColour[i]))
		things[int(thingKey)+i].paint(keyTexel(roomColour[i]))
	}
	things[thingGoal].paint(gemTexel(rgb(0x3CC79A)))
	things[thingRival].paint(robotTexel(rgb(0xD9573C), rgb(0xF0B04A)))
	things[thingAim].paint(robotTexel(rgb(0xFF9A78), rgb(0xFFFFFF)))
	things[thingGun].paint(gunTexel(false))
	things[thingFlash].paint(gunTexel(true))
	things[thingCross].paint(crossTexel)
	things[thingPad].paint(padTexel)
	return things
})

// softEdge is c where d < edge, nothing where d > edge + 1, in sixteenths, and in between the covered part of a pixel.
func softEdge(c uint32, d, edge int) uint32 { return sheer(c, (edge-d)*16+128) }

// sixteenths is the distance from (x, y), in half texels, to the origin, in sixteenths of a texel.
func sixteenths(x, y int) int { return fixRoot((x*x + y*y) * 64) }

// shadowTexel is an ellipse on the floor, wide texels each way.
func shadowTexel(u, v, wide int) uint32 {
	d := sixteenths(2*u-63, 4*(2*v-118))
	return softEdge(sheer(rgb(0)&^0xFFFFFF, 110), d/2, wide*8-8)
}

func ballTexel(colour uint32) texel {
	const r = 34
	return func(u, v int) uint32 {
		x, y := 2*u-63, 2*v-77
		z := fixRoot(max(r*r-x*x-y*y, 0))
		c := tone(colour, 128+(-4*x-6*y+7*z)*17/r)
		if (x+12)*(x+12)+(y+16)*(y+16) < 50 {
			c = meanTexel(c, rgb(0xFFFFFF), rgb(0xFFFFFF))
		}
		return above(softEdge(c, sixteenths(x, y), r*8), shadowTexel(u, v, 16))
	}
}

func keyTexel(colour uint32) texel {
	return func(u, v int) uint32 {
		x, y := u-20, v-34
		d := sixteenths(2*x+1, 2*y+1)
		inside := d < 13*16 && d > 6*16
		inside = inside || u > 30 && u < 58 && fixAbs(2*y+1) < 7
		inside = inside || y >= 0 && (u > 43 && u < 48 && y < 11 || u > 52 && u < 58 && y < 13)
		edge := d < 15*16 && d > 4*16 ||
			u > 28 && u < 60 && fixAbs(2*y+1) < 11 ||
			y >= 0 && (u > 41 && u < 50 && y < 13 || u > 50 && u < 60 && y < 15)
		switch {
		case inside:
			return tone(colour, 300-7*(y+13))
		case edge:
			return tone(colour, 90)
		}
		return shadowTexel(u, v, 18)
	}
}

// gemTexel returns the picture of a gem with four facets and its point at the bottom.
func gemTexel(colour uint32) texel {
	return func(u, v int) uint32 {
		x, y := 2*(u-32)+1, v-30
		wide := 40 - fixAbs(y+6)*40/(oneIf(y < -6)*14+oneIf(y >= -6)*28) // of its half, in half texels
		if fixAbs(x) > wide {
			halo := max(0, 70-fixRoot(x*x/4+y*y)*5/2)
			return above(sheer(rgb(0xE9FFF5), halo), shadowTexel(u, v, 14))
		}
		light := 256
		switch {
		case y < -6 && fixAbs(x) < 18:
			light = 400
		case y < -6:
			light = 300 - x
		case fixAbs(x) < wide*2/5:
			light = 290
		case x < 0:
			light = 235
		default:
			light = 165
		}
		if fixAbs(x) > wide-3 {
			light = light * 3 / 4
		}
		return tone(colour, light)
	}
}

// robotTexel has a round head with a visor that shines brighter when it aims.
func robotTexel(body, visor uint32) texel {
	return func(u, v int) uint32 {
		x := fixAbs(2*(u-32) + 1) // from the middle, in half texels
		head := sixteenths(x, 2*v-29)
		switch {
		case v >= 12 && v < 18 && x < 17: // visor
			if fixAbs(v-15) < 2 && x < 15 {
				return visor
			}
			return rgb(0x1B1D21)
		case head < 12*16:
			return tone(body, 330-v*7-(u-32)*3)
		case v < 4 && v >= 1 && x < 3:
			return rgb(0x4C535B)
		case v >= 27 && v < 46 && x < 34-(v-27)/2: // trunk
			if v > 31 && v < 40 && x < 13 {
				return tone(rgb(0x39414A), 256+oneIf(v%3 == 0)*120)
			}
			return tone(body, 270-(u-32)*4)
		case v >= 28 && v < 43 && x >= 36 && x < 44: // arms
			return tone(rgb(0x59626C), 256-(u-32)*2)
		case v >= 24 && v < 30 && x < 10: // neck
			return rgb(0x39414A)
		case v >= 46 && v < 59 && x > 5 && x < 21: // legs
			return tone(rgb(0x59626C), 256-(u-32)*3-oneIf(v > 54)*90)
		}
		return shadowTexel(u, v, 18)
	}
}

func gunTexel(flash bool) texel {
	return func(u, v int) uint32 {
		x := fixAbs(2*(u-32) + 1)
		glow := uint32(0)
		if flash {
			d := sixteenths(x, 2*v-41)
			glow = above(softEdge(rgb(0xFFF6D8), d, 7*16), sheer(rgb(0xF0B04A), 230-d*230/(20*16)))
		}
		wide := 9 + (v-22)*2/3
		if v < 22 || x > wide {
			return glow
		}
		c := tone(rgb(0x59626C), 330-x*8)
		if v < 25 {
			c = rgb(0x14171B)
		} else if x < 3 {
			c = rgb(0x7FD8E6)
		}
		return above(glow, c)
	}
}

// padTexel is the platform of the water maze under a body that stands on it.
func padTexel(u, v int) uint32 {
	d := sixteenths(2*u-63, 4*(2*v-63)) / 16
	switch {
	case d < 21:
		return tone(rgb(0x3CC79A), 280-v)
	case d < 26:
		return rgb(0xF4F7F5)
	case d < 31:
		return rgb(0x00795A)
	}
	return 0
}

func crossTexel(u, v int) uint32 {
	x, y := fixAbs(2*(u-32)+1), fixAbs(2*(v-32)+1)
	if x < 5 && y > 14 && y < 60 || y < 5 && x > 14 && x < 60 {
		return sheer(rgb(0xFFFFFF), 210)
	}
	return 0
}

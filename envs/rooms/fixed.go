package rooms

import "math"

// The rooms are computed in whole numbers with 16 fractional bits: places in cells, directions, distances. A float
// may be fused and rounded otherwise on another machine; these are the same on every one, picture and all.

const (
	fixOne   = 1 << 16
	roomTurn = 1024 // headings there are: 0 looks along x, a quarter turn along y, which points down on the map
)

// roomSines are the sines of all headings. One quarter is rounded and the rest mirrors it.
var roomSines = func() (t [roomTurn]int32) {
	for i := range roomTurn/4 + 1 {
		s := int32(math.Round(fixOne * math.Sin(2*math.Pi*float64(i)/roomTurn)))
		t[i], t[roomTurn/2-i] = s, s
		t[(roomTurn/2+i)%roomTurn], t[(roomTurn-i)%roomTurn] = -s, -s
	}
	return t
}()

func roomSine(heading int) int   { return int(roomSines[heading&(roomTurn-1)]) }
func roomCosine(heading int) int { return roomSine(heading + roomTurn/4) }

// fixTimes is a·b.
func fixTimes(a, b int) int { return int(int64(a) * int64(b) >> 16) }

// fixOver is a/b, b not 0.
func fixOver(a, b int) int { return int(int64(a) << 16 / int64(b)) }

// fixRoot is the whole part of √n.
func fixRoot(n int) int {
	r := 0
	for bit := 1 << 15; bit > 0; bit >>= 1 {
		if next := r | bit; next*next <= n {
			r = next
		}
	}
	return r
}

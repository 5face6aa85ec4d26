//go:build (!amd64 && !arm64) || purego

package kernel

// Without assembly these routines are plain Go.

func vectors() []string { return nil }

func packBits(words, x []float32, blocks int) bool { return packBitsGo(words, x, blocks) }

func (Set) lstmCellBack(dz, dc, dh, dCells, cells, cPrev []float32) {
	lstmCellBackGo(dz, dc, dh, dCells, cells, cPrev)
}

func (Set) lstmCellTangent(tCells, tz, cells, cPrev, tcPrev []float32) {
	lstmCellTangentGo(tCells, tz, cells, cPrev, tcPrev)
}

func poolMax(y, x []float32, s stretch)          { poolMaxGo(y, x, s) }
func poolBack(dx, dy, x, y []float32, s stretch) { poolBackGo(dx, dy, x, y, s) }
func poolPick(out, v, x, y []float32, s stretch) { poolPickGo(out, v, x, y, s) }

func (Set) fmaLoop(n int) { fmaLoopGo(n) }

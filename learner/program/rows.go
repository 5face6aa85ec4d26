package program

import "impalab/learner/kernel"

// Operations on rows: columns of a matrix and back, sums over rows and back.

func columnsValid(z *[maxSizes]int) bool {
	rows, cols, from, n := z[0], z[1], z[2], z[3]
	return rows >= 1 && n >= 1 && from >= 0 && from+n <= cols
}

func columnsExtents(z *[maxSizes]int) [1 + maxInputs]int {
	return [1 + maxInputs]int{volume(z[0], z[3]), volume(z[0], z[1])}
}

func scatterExtents(z *[maxSizes]int) [1 + maxInputs]int {
	return [1 + maxInputs]int{volume(z[0], z[1]), volume(z[0], z[3])}
}

func colSumExtents(z *[maxSizes]int) [1 + maxInputs]int {
	return [1 + maxInputs]int{z[1], volume(z[0], z[1])}
}

func repeatExtents(z *[maxSizes]int) [1 + maxInputs]int {
	return [1 + maxInputs]int{volume(z[0], z[1]), z[1]}
}

func runColumns(c *call) {
	rows, cols, from, n := c.size[0], c.size[1], c.size[2], c.size[3]
	copyColumns(c.args[0], n, c.args[1][from:], cols, n, rows)
}

func runPlace(c *call) {
	rows, cols, from, n := c.size[0], c.size[1], c.size[2], c.size[3]
	if !c.add {
		clear(c.args[0])
	}
	addColumns(c.args[0][from:], cols, c.args[1], n, n, rows)
}

func runColSum(c *call) { kernel.ColSum(c.args[0], c.args[1], c.size[0], c.size[1], c.add) }

func runRepeat(c *call) {
	if !c.add {
		clear(c.args[0])
	}
	c.kernels.BiasAct(c.args[0], c.args[1], c.size[0], c.size[1], kernel.Identity)
}

// few is the largest number of columns that are copied one by one: for so few, a call of copy costs more than the row.
const few = 12

// copyColumns copies n columns between matrices with rows of dstCols and srcCols.
func copyColumns(dst []float32, dstCols int, src []float32, srcCols, n, rows int) {
	if n > few {
		for r := range rows {
			copy(dst[r*dstCols:][:n], src[r*srcCols:])
		}
		return
	}
	for j := range n {
		for r, d, s := 0, j, j; r < rows; r, d, s = r+1, d+dstCols, s+srcCols {
			dst[d] = src[s]
		}
	}
}

func addColumns(dst []float32, dstCols int, src []float32, srcCols, n, rows int) {
	if n > few {
		for r := range rows {
			kernel.Add(dst[r*dstCols:][:n], src[r*srcCols:][:n])
		}
		return
	}
	for j := range n {
		for r, d, s := 0, j, j; r < rows; r, d, s = r+1, d+dstCols, s+srcCols {
			dst[d] += src[s]
		}
	}
}

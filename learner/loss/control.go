// Pixel control (UNREAL, Jaderberg et al. 2017, §3.1), an auxiliary task of the agents of LASER §5.1 and V-MPO table 5.
//
// The observation is cut into square cells. The pseudo-reward r^c of a cell is the mean |change| of its numbers from
// one observation to the next. For each cell the network learns the values of the policy that changes this cell most:
//
//	R_t^c = r_t^c + γ·R_{t+1}^c,   R_T^c = max_a Q^c(x_T, a)
//	L     = Σ_t w_t Σ_c (R_t^c − Q^c(x_t, a_t))²
//	Q^c(x, a) = V^c(x) + A^c(x, a) − mean_a A^c(x, a)          (dueling: Wang et al. 2016, eq. 9)
//
// The papers leave room, and the code decides:
//
//   - The square has no half, as in UNREAL §3.1. The sum runs over the cells; a mean of losses averages over steps.
//   - R is a constant of the step, made with the present parameters, as V-trace's bootstrap is. It is not corrected:
//     Q-learning is meant for old data too, and UNREAL trains on a replay.
//   - No observation follows the end of an episode. The change of such a step is 0, and so is everything after it.
//     After a time limit the cut observation counts, and its values continue the sum.
//   - Cells that do not fill the image leave out an equal margin on both sides, as UNREAL's central 80×80 does.
//   - The head is linear, or has the layers of head-hidden. A deconvolution, as in UNREAL, is a special case of it, for
//     images that are larger than ours.
package loss

import "math"

// ControlDiscount is γ of the pseudo-rewards. LASER and V-MPO print none; 0.9 is usual.
const ControlDiscount = 0.9

// Cells are the squares of an image whose changes pixel control predicts.
type Cells struct{ Height, Width, Channels, Side int }

// Rows returns the number of cells below each other.
func (c Cells) Rows() int { return c.Height / c.Side }

// Columns returns the number of cells beside each other.
func (c Cells) Columns() int { return c.Width / c.Side }

// Count returns the number of all cells.
func (c Cells) Count() int { return c.Rows() * c.Columns() }

// Offset is where the numbers of cell i begin in an observation, row by row.
func (c Cells) Offset(i int) int {
	top, left := (c.Height-c.Rows()*c.Side)/2, (c.Width-c.Columns()*c.Side)/2
	return ((top+i/c.Columns()*c.Side)*c.Width + left + i%c.Columns()*c.Side) * c.Channels
}

// Change writes the pseudo-reward of every cell to dst [Count], row by row: the mean |after − before| over the pixels
// and channels of the cell. before and after [Height, Width, Channels] are consecutive observations.
func Change[F Float](dst []F, c Cells, before, after []F) {
	sameLen(len(dst), c.Count())
	sameLen(len(before), c.Height*c.Width*c.Channels)
	sameLen(len(after), len(before))
	wide := c.Side * c.Channels
	each := 1 / float64(c.Side*wide)
	for i := range dst {
		at := c.Offset(i)
		sum := 0.0
		for range c.Side {
			row := before[at : at+wide]
			for k, x := range after[at : at+wide] {
				sum += math.Abs(float64(x - row[k]))
			}
			at += c.Width * c.Channels
		}
		dst[i] = F(sum * each)
	}
}

// ControlReturns replaces the pseudo-rewards [T, B, cells] of trajectories from to to−1 by their returns R. discount is
// [T, B]: γ, or 0 where nothing follows. final [B, cells] is max_a Q of the observation after the last step.
func ControlReturns[F Float](rewards, discount, final []F, b, cells, from, to int) {
	sameLen(len(rewards), len(discount)*cells)
	sameLen(len(final), b*cells)
	for i := from; i < to; i++ {
		next := final[i*cells : (i+1)*cells]
		for row := len(discount) - b + i; row >= 0; row -= b {
			now := rewards[row*cells : (row+1)*cells]
			for k := range now {
				now[k] += F(discount[row] * next[k])
			}
			next = now
		}
	}
}

// Control is Σ_c (R^c − Q^c(a))² of one step, whose returns [cells] are constants. head [cells, 1+A] has V and then A
// of each cell; d, of its shape, becomes cost times the derivative in it.
func Control[F Float](d, head, returns []F, action int, cost F) (sum float64) {
	sameLen(len(d), len(head))
	width := len(head) / len(returns)
	sameLen(len(head), width*len(returns))
	for k, r := range returns {
		cell, slope := head[k*width:(k+1)*width], d[k*width:(k+1)*width]
		gap := dueling(cell, action) - float64(r)
		sum += float64(gap * gap)               // rounded on every machine
		pull := finite(float64(cost) * 2 * gap) // ∂L/∂Q(a) = ∂L/∂V
		slope[0] = F(pull)
		for a := 1; a < width; a++ {
			slope[a] = F(-pull / float64(width-1))
		}
		slope[1+action] += F(pull)
	}
	return sum
}

// ControlRange writes the least and the largest Q^c of every cell, [cells] each. A nil least is left out.
func ControlRange[F Float](least, largest, head []F) {
	if least != nil {
		sameLen(len(least), len(largest))
	}
	width := len(head) / len(largest)
	sameLen(len(head), width*len(largest))
	for k := range largest {
		cell := head[k*width : (k+1)*width]
		low, high := math.Inf(1), math.Inf(-1)
		for a := range width - 1 {
			q := dueling(cell, a)
			low, high = min(low, q), max(high, q)
		}
		largest[k] = F(high)
		if least != nil {
			least[k] = F(low)
		}
	}
}

// dueling is Q(a) = V + A(a) − mean A of a cell.
func dueling[F Float](cell []F, action int) float64 {
	mean := 0.0
	for _, a := range cell[1:] {
		mean += float64(a)
	}
	return float64(cell[0]) + float64(cell[1+action]) - mean/float64(len(cell)-1)
}

package program

import "impalab/learner/kernel"

// Op is an operation. Matrices are row-major, and images lie in rows as in kernel.Conv. The comment of each name gives
// its result, its inputs, and Step.Size. An operation's number never changes: programs are stored.
type Op uint8

const (
	_ Op = iota

	Dense     // y [m, n] = act(x [m, k]·W [k, n] + b [n]): x, W, b. Sizes m, n, k
	ProductAB // C [m, n] = A [m, k]·B [k, n]: A, B. Sizes m, n, k. Adds
	ProductAT // C [m, n] = A [k, m]ᵀ·B [k, n]: A, B. Sizes m, n, k. Adds
	ProductBT // C [m, n] = A [m, k]·B [n, k]ᵀ: A, B. Sizes m, n, k. Adds

	// Of a convolution, Sizes rows, then H, W, In, Out, Size, Stride, Pad of kernel.Conv.
	ConvLayer   // y = act(x∗w + b): x, w, b
	ConvForward // y = x∗w: x, w. Adds
	ConvInput   // dx from dy and w. Adds
	ConvWeights // dw from x and dy. Adds

	// Of a pooling, Sizes rows, then H, W, C, Size, Stride, Pad of kernel.Pool.
	Pool     // y = the largest of each window of x: x
	PoolBack // dx from dy, x, y. Adds
	PoolPick // the number of v at the place that each window picked: v, x, y

	// Of an LSTM, Sizes T, B, H: z [T·B, 4H], Wh [H, 4H], state [B, 2H], keep [T·B], cells [T·B, 7H] (kernel.LSTM).
	LSTM         // cells from z, Wh, state, keep
	LSTMBack     // dz [T·B, 4H] from dCells [T·B, 7H], cells, Wh, state, keep
	LSTMTangent  // tCells [T·B, 7H] from tz [T·B, 4H], cells, Wh, state, keep
	LSTMPrevious // h′ [T·B, H], the hidden state before each step: cells, state, keep

	Columns // y [rows, n] = columns from from on of x [rows, cols]: x. Sizes rows, cols, from, n
	Place   // y [rows, cols] = x [rows, n] as the columns from from on, else 0: x. Sizes rows, cols, from, n. Adds
	ColSum  // y [cols] = Σ_rows x [rows, cols]: x. Sizes rows, cols. Adds
	Repeat  // y [rows, cols] = x [cols] in each row: x. Sizes rows, cols. Adds

	Copy     // y [n] = x [n]: x. Size n. Adds
	Activate // y [n] = act(x [n]): x, over which it may write. Size n
	ActGrad  // dz [n] = dy ⊙ act′(z), read off y = act(z): dy, over which it may write, and y. Size n

	// The optimisers' operations, which no network's program contains. x is θ [n], then the optimiser's memory [n] or
	// [2, n]; rates are the constants of kernel.RMSPropRates or kernel.AdamRates. Size n.
	Squares         // y [64], the lanes of Σ x_i²: x [n]
	Scale           // y [n] = a·x: x, over which it may write, and a [1]
	RMSProp         // x [2, n] after a step along g: x, over which it may write, g [n], rates [6]
	RMSPropMomentum // RMSProp with momentum: x [3, n], g [n], rates [6]
	Adam            // x [3, n] after a step along g: x, over which it may write, g [n], rates [5]

	// For bits on their way to a device, in no network's program. Size n.
	Unpack // y [n], 0 or 1 as bit i mod 32 of number i/32 is: x [⌈n/32⌉], see kernel.PackBits

	// Of a gated Transformer-XL. Of an attention, Sizes T, B, D, heads H, memory M: n and q [T·B, D], W
	// [kernel.AttentionWeights], state [B, kernel.MemorySize], keep [T·B], cells [T·B, kernel.AttentionWidth], back
	// [T·B, kernel.AttentionBack].
	Attend        // cells from n, q, W, state, keep
	AttendBack    // back from dCells, cells, n, W, state. It reads only y's part of dCells
	AttendWeights // dW from dCells, cells, back, q, W

	Norm     // y [rows, cols] = kernel.Norm(x): x. Sizes rows, cols
	NormBack // dx from dy and x. Sizes rows, cols. Adds
	Multiply // y [n] = a ⊙ b: a, b. Size n. Adds
	Negate   // y [n] = −x: x. Size n. Adds

	ops
)

// operation has the parts that all operations have.
type operation struct {
	name          string
	inputs, sizes int
	adds, acts    bool
	inPlace       bool // may write over its first input

	// extents is how many numbers it writes, then reads. A product too large for an arena is MaxArena+1.
	extents func(z *[maxSizes]int) [1 + maxInputs]int
	valid   func(z *[maxSizes]int) bool // nil: every size is at least 1
	run     func(c *call)
}

// Every operation in the order of its number.
var operations = [ops]operation{
	Dense:     {name: "dense", inputs: 3, sizes: 3, acts: true, extents: denseExtents, run: runDense},
	ProductAB: {name: "A·B", inputs: 2, sizes: 3, adds: true, extents: productExtents, run: runAB},
	ProductAT: {name: "Aᵀ·B", inputs: 2, sizes: 3, adds: true, extents: productExtents, run: runAT},
	ProductBT: {name: "A·Bᵀ", inputs: 2, sizes: 3, adds: true, extents: productExtents, run: runBT},

	ConvLayer: {name: "conv layer", inputs: 3, sizes: 8, acts: true, extents: convLayerExtents, valid: convValid,
		run: runConvLayer},
	ConvForward: {name: "conv", inputs: 2, sizes: 8, adds: true, extents: convExtents(convY, convX, convW),
		valid: convValid, run: runConvForward},
	ConvInput: {name: "conv input", inputs: 2, sizes: 8, adds: true, extents: convExtents(convX, convY, convW),
		valid: convValid, run: runConvInput},
	ConvWeights: {name: "conv weights", inputs: 2, sizes: 8, adds: true, extents: convExtents(convW, convX, convY),
		valid: convValid, run: runConvWeights},

	Pool: {name: "pool", inputs: 1, sizes: 7, extents: poolExtents(poolY, poolX), valid: poolValid, run: runPool},
	PoolBack: {name: "pool back", inputs: 3, sizes: 7, adds: true, extents: poolExtents(poolX, poolY, poolX, poolY),
		valid: poolValid, run: runPoolBack},
	PoolPick: {name: "pool pick", inputs: 3, sizes: 7, extents: poolExtents(poolY, poolX, poolX, poolY),
		valid: poolValid, run: runPoolPick},

	LSTM: {name: "lstm", inputs: 4, sizes: 3, extents: lstmExtents(lstmCells, lstmZ, lstmWh, lstmState, lstmKeep),
		run: runLSTM},
	LSTMBack: {name: "lstm back", inputs: 5, sizes: 3,
		extents: lstmExtents(lstmZ, lstmCells, lstmCells, lstmWh, lstmState, lstmKeep), run: runLSTMBack},
	LSTMTangent: {name: "lstm tangent", inputs: 5, sizes: 3,
		extents: lstmExtents(lstmCells, lstmZ, lstmCells, lstmWh, lstmState, lstmKeep), run: runLSTMTangent},
	LSTMPrevious: {name: "lstm previous", inputs: 3, sizes: 3,
		extents: lstmExtents(lstmH, lstmCells, lstmState, lstmKeep), run: runLSTMPrevious},

	Columns: {name: "columns", inputs: 1, sizes: 4, extents: columnsExtents, valid: columnsValid, run: runColumns},
	Place:   {name: "place", inputs: 1, sizes: 4, adds: true, extents: scatterExtents, valid: columnsValid, run: runPlace},
	ColSum:  {name: "column sum", inputs: 1, sizes: 2, adds: true, extents: colSumExtents, run: runColSum},
	Repeat:  {name: "repeat", inputs: 1, sizes: 2, adds: true, extents: repeatExtents, run: runRepeat},

	Copy: {name: "copy", inputs: 1, sizes: 1, adds: true, extents: elementwiseExtents, run: runCopy},
	Activate: {name: "activate", inputs: 1, sizes: 1, acts: true, inPlace: true, extents: elementwiseExtents,
		run: runActivate},
	ActGrad: {name: "act′", inputs: 2, sizes: 1, acts: true, inPlace: true, extents: elementwiseExtents,
		run: runActGrad},

	Squares: {name: "squares", inputs: 1, sizes: 1, extents: squaresExtents, run: runSquares},
	Scale:   {name: "scale", inputs: 2, sizes: 1, inPlace: true, extents: scaleExtents, run: runScale},
	RMSProp: {name: "RMSProp", inputs: 3, sizes: 1, inPlace: true, extents: stepExtents(2, kernel.RMSPropNumbers),
		run: runRMSProp},
	RMSPropMomentum: {name: "RMSProp with momentum", inputs: 3, sizes: 1, inPlace: true,
		extents: stepExtents(3, kernel.RMSPropNumbers), run: runRMSPropMomentum},
	Adam: {name: "Adam", inputs: 3, sizes: 1, inPlace: true, extents: stepExtents(3, kernel.AdamNumbers), run: runAdam},

	Unpack: {name: "unpack", inputs: 1, sizes: 1, extents: unpackExtents, run: runUnpack},

	Attend: {name: "attend", inputs: 5, sizes: 5, valid: attentionValid, run: runAttend,
		extents: attentionExtents(attentionCells, attentionUnits, attentionUnits, attentionWeights, attentionState,
			attentionKeep)},
	AttendBack: {name: "attend back", inputs: 5, sizes: 5, valid: attentionValid, run: runAttendBack,
		extents: attentionExtents(attentionBack, attentionCells, attentionCells, attentionUnits, attentionWeights,
			attentionState)},
	AttendWeights: {name: "attend weights", inputs: 5, sizes: 5, valid: attentionValid, run: runAttendWeights,
		extents: attentionExtents(attentionWeights, attentionCells, attentionCells, attentionBack, attentionUnits,
			attentionWeights)},
	Norm:     {name: "norm", inputs: 1, sizes: 2, extents: normExtents, run: runNorm},
	NormBack: {name: "norm back", inputs: 2, sizes: 2, adds: true, extents: normExtents, run: runNormBack},
	Multiply: {name: "multiply", inputs: 2, sizes: 1, adds: true, extents: elementwiseExtents, run: runMultiply},
	Negate:   {name: "negate", inputs: 1, sizes: 1, adds: true, extents: elementwiseExtents, run: runNegate},
}

// Adds reports whether o has a form that adds its result to the output.
func (o Op) Adds() bool { return operations[o].adds }

// CoresOnly reports whether o has no kernel for other devices than the cores: the operations of a Transformer-XL.
func (o Op) CoresOnly() bool { return o >= Attend && o < ops }

// InPlace reports whether o may write over its first input.
func (o Op) InPlace() bool { return operations[o].inPlace }

func (o Op) String() string {
	if o == 0 || o >= ops {
		return "no operation"
	}
	return operations[o].name
}

// call is a step with its memory found.
type call struct {
	run     func(c *call)
	args    [1 + maxInputs][]float32 // the output, then the inputs
	size    [maxSizes]int
	add     bool
	act     kernel.Activation
	kernels kernel.Set
	scratch []float32 // of a convolution, back to its input
	core    *kernel.LSTM

	attention *kernel.Attention
}

// volume is the product of sizes, or MaxArena+1 where no arena holds it.
func volume(sizes ...int) int {
	product := 1
	for _, n := range sizes {
		if n <= 0 {
			return 0
		}
		if product > MaxArena/n {
			return MaxArena + 1
		}
		product *= n
	}
	return product
}

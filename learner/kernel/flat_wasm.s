#include "textflag.h"

// A browser's elementwise loops, for the reason that gemm_wasm.s gives.

// func addRows(y, x *float32, rows, cols, stepY, stepX int)
//
// y += x for rows of cols numbers, neither 0. Steps are in bytes, from one row to the next.
TEXT ·addRows(SB), NOSPLIT, $0-48
	MOVD y+0(FP), R0
	MOVD x+8(FP), R1
	MOVD rows+16(FP), R2
	Loop // a row
		MOVD R0, R3
		MOVD R1, R4
		MOVD cols+24(FP), R5
		Loop
			Get R3
			I32WrapI64
			Get R3
			I32WrapI64
			F32Load $0
			Get R4
			I32WrapI64
			F32Load $0
			F32Add
			F32Store $0
			Get R3
			I64Const $4
			I64Add
			Set R3
			Get R4
			I64Const $4
			I64Add
			Set R4
			Get R5
			I64Const $1
			I64Sub
			Tee R5
			I64Eqz
			I32Eqz
			BrIf $0
		End
		Get R0
		I64Load stepY+32(FP)
		I64Add
		Set R0
		Get R1
		I64Load stepX+40(FP)
		I64Add
		Set R1
		Get R2
		I64Const $1
		I64Sub
		Tee R2
		I64Eqz
		I32Eqz
		BrIf $0
	End
	RET

// func tanhs(dst, src *float32, n int)
//
// dst = tanh src of n ≥ 1 numbers, as tanhGo has it, but that 2ⁿ is read off the sum that rounded n: a NaN has none,
// and makes the result NaN whatever stands there.
TEXT ·tanhs(SB), NOSPLIT, $0-24
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	MOVD n+16(FP), R2
	Loop
		Get R1
		I32WrapI64
		F32Load $0
		Set F0

		// F1 = min(2|x|, tanhMax)
		Get F0
		F32Abs
		F32Const $(2.0)
		F32Mul
		F32Const $(20.0)
		F32Min
		Set F1

		// F2 = n + roundMagic, F3 = s = 2ⁿ
		Get F1
		F32Const $(1.44269504088896340735992468100189214)
		F32Mul
		F32Const $(12582912.0)
		F32Add
		Set F2
		Get F2
		I32ReinterpretF32
		I32Const $(127-0x4B400000)
		I32Add
		I32Const $23
		I32Shl
		F32ReinterpretI32
		Set F3
		Get F2
		F32Const $(12582912.0)
		F32Sub
		Set F2

		// F1 = r = F1 − n·ln2Hi − n·ln2Lo
		Get F1
		Get F2
		F32Const $(0.693145751953125)
		F32Mul
		F32Sub
		Get F2
		F32Const $(1.4286068203094173e-06)
		F32Mul
		F32Sub
		Set F1

		// F2 = q = r²·P(r) + r
		Get F1
		Get F1
		F32Mul
		F32Const $(0.0013814538048359485)
		Get F1
		F32Mul
		F32Const $(0.008368745323895328)
		F32Add
		Get F1
		F32Mul
		F32Const $(0.04166839082873499)
		F32Add
		Get F1
		F32Mul
		F32Const $(0.1666652039672944)
		F32Add
		Get F1
		F32Mul
		F32Const $(0.49999993431900736)
		F32Add
		F32Mul
		Get F1
		F32Add
		Set F2

		// F2 = t = s·q + (s − 1); tanh |x| = t/(t + 2)
		Get F3
		Get F2
		F32Mul
		Get F3
		F32Const $(1.0)
		F32Sub
		F32Add
		Set F2
		Get R0
		I32WrapI64
		Get F2
		Get F2
		F32Const $(2.0)
		F32Add
		F32Div
		Get F0
		F32Copysign
		F32Store $0

		Get R0
		I64Const $4
		I64Add
		Set R0
		Get R1
		I64Const $4
		I64Add
		Set R1
		Get R2
		I64Const $1
		I64Sub
		Tee R2
		I64Eqz
		I32Eqz
		BrIf $0
	End
	RET

#include "textflag.h"

// A browser's products. The Go compiler takes every round of a loop through a table of jumps, and keeps in memory
// whatever sums are more than sixteen numbers; here a loop is a loop. Each product and each sum is rounded by itself,
// and an element accumulates over k in order, as in gemm_go.go. Strides are in bytes.

#define LOAD(at, off, to) Get at; I32WrapI64; F32Load $off; Set to
#define STORE(at, off, from) Get at; I32WrapI64; Get from; F32Store $off
#define ADD(p, n) Get p; Get n; I64Add; Set p
#define MADD(sum, x, y) Get sum; Get x; Get y; F32Mul; F32Add; Set sum

// AGAIN goes back to the head of the innermost loop until count, less step, is 0.
#define AGAIN(count, step) Get count; I64Const $step; I64Sub; Set count; Get count; I64Eqz; I32Eqz; BrIf $0

// COLUMN adds what row p of B has in a column to both sums of the tile there.
#define COLUMN(b, top, bottom) LOAD(b, 0, F10); MADD(top, F8, F10); MADD(bottom, F9, F10)

// func tiles(c, a, b *float32, m, n, k, ldc, ra, ca, rb, cb int)
//
// C += A·B for m rows by twos and n columns by fours, none of them 0, k ≥ 1.
TEXT ·tiles(SB), NOSPLIT, $0-88
	MOVD c+0(FP), R0
	MOVD b+16(FP), R2
	MOVD n+32(FP), R3
	MOVD ca+64(FP), R14
	MOVD rb+72(FP), R15
	Loop // four columns
		MOVD R0, R12
		MOVD a+8(FP), R1
		MOVD m+24(FP), R4
		Loop // two rows
			MOVD R12, R13
			MOVD ldc+48(FP), R5
			ADD(R13, R5)
			LOAD(R12, 0, F0)
			LOAD(R12, 4, F1)
			LOAD(R12, 8, F2)
			LOAD(R12, 12, F3)
			LOAD(R13, 0, F4)
			LOAD(R13, 4, F5)
			LOAD(R13, 8, F6)
			LOAD(R13, 12, F7)

			MOVD cb+80(FP), R5
			MOVD R2, R8
			MOVD R8, R9
			ADD(R9, R5)
			MOVD R9, R10
			ADD(R10, R5)
			MOVD R10, R11
			ADD(R11, R5)
			MOVD R1, R6
			MOVD R1, R7
			MOVD ra+56(FP), R5
			ADD(R7, R5)
			MOVD k+40(FP), R5
			Loop
				LOAD(R6, 0, F8)
				LOAD(R7, 0, F9)
				COLUMN(R8, F0, F4)
				COLUMN(R9, F1, F5)
				COLUMN(R10, F2, F6)
				COLUMN(R11, F3, F7)
				ADD(R6, R14)
				ADD(R7, R14)
				ADD(R8, R15)
				ADD(R9, R15)
				ADD(R10, R15)
				ADD(R11, R15)
				AGAIN(R5, 1)
			End

			STORE(R12, 0, F0)
			STORE(R12, 4, F1)
			STORE(R12, 8, F2)
			STORE(R12, 12, F3)
			STORE(R13, 0, F4)
			STORE(R13, 4, F5)
			STORE(R13, 8, F6)
			STORE(R13, 12, F7)
			MOVD ldc+48(FP), R5
			MOVD R13, R12
			ADD(R12, R5)
			MOVD ra+56(FP), R5
			ADD(R1, R5)
			ADD(R1, R5)
			AGAIN(R4, 2)
		End
		MOVD cb+80(FP), R5
		ADD(R2, R5)
		ADD(R2, R5)
		ADD(R2, R5)
		ADD(R2, R5)
		Get R0
		I64Const $16
		I64Add
		Set R0
		AGAIN(R3, 4)
	End
	RET

// func column(c, a, b *float32, m, k, ldc, ra, ca, rb int)
//
// C += A·b for m rows by fours, not 0, and one column, k ≥ 1.
TEXT ·column(SB), NOSPLIT, $0-72
	MOVD c+0(FP), R0
	MOVD a+8(FP), R1
	MOVD m+24(FP), R4
	MOVD ldc+40(FP), R12
	MOVD ra+48(FP), R13
	MOVD ca+56(FP), R14
	MOVD rb+64(FP), R15
	Loop // four rows
		MOVD R0, R8
		MOVD R8, R9
		ADD(R9, R12)
		MOVD R9, R10
		ADD(R10, R12)
		MOVD R10, R11
		ADD(R11, R12)
		LOAD(R8, 0, F0)
		LOAD(R9, 0, F1)
		LOAD(R10, 0, F2)
		LOAD(R11, 0, F3)
		MOVD R1, R3
		MOVD R1, R5
		ADD(R5, R13)
		MOVD R5, R6
		ADD(R6, R13)
		MOVD R6, R7
		ADD(R7, R13)
		MOVD b+16(FP), R2
		MOVD k+32(FP), R0
		Loop
			LOAD(R2, 0, F4)
			LOAD(R3, 0, F5)
			MADD(F0, F5, F4)
			LOAD(R5, 0, F5)
			MADD(F1, F5, F4)
			LOAD(R6, 0, F5)
			MADD(F2, F5, F4)
			LOAD(R7, 0, F5)
			MADD(F3, F5, F4)
			ADD(R2, R15)
			ADD(R3, R14)
			ADD(R5, R14)
			ADD(R6, R14)
			ADD(R7, R14)
			AGAIN(R0, 1)
		End
		STORE(R8, 0, F0)
		STORE(R9, 0, F1)
		STORE(R10, 0, F2)
		STORE(R11, 0, F3)
		MOVD R11, R0
		ADD(R0, R12)
		ADD(R1, R13)
		ADD(R1, R13)
		ADD(R1, R13)
		ADD(R1, R13)
		AGAIN(R4, 4)
	End
	RET

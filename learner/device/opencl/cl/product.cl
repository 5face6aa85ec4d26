// Products, in tiles: BM×BN of C in a work-group, TM×TN of them in a work-item, BK of k at once in local memory. An
// element accumulates over k in order, from what lies there or from 0, so tiles cannot be seen in the result.
//
// TILED writes a product whose A, B and C lie anywhere: A_AT is A's element (i, k), B_AT is B's (k, j), C_AT is where
// (i, j) goes. ALONG_K says whether A lies in memory along k, and B likewise, so that neighbours load neighbours. ZERO is
// added to every sum: NO_ZERO changes none, and 0 makes −0 to 0.

//
// Flags are what else a product does in passing: ADD to what lies there; BIAS, a layer's, which an activation follows;
// SLOPE, where what came out of that activation lies at bias, C's every number times its slope there; ONES, A's last row
// is ones and stands nowhere, so that C's last row, where a layer's bias follows its weights, is the sum of B's rows.

#define ADD 1
#define BIAS 2
#define SLOPE 4
#define ONES 8

#define TILED(NAME, BM, BN, BK, TM, TN, PARAMETERS, A_AT, B_AT, C_AT, A_ALONG_K, B_ALONG_K, ZERO, ALSO)         \
__kernel __attribute__((reqd_work_group_size(BN / TN, BM / TM, 1)))                                             \
void NAME(__global float *m, ARG(c), ARG(a), ARG(b), ARG(bias), int M, int N, int K, int flags, int act PARAMETERS) { \
	__global float *C = AT(c);                                                                                  \
	__global const float *A = AT(a), *B = AT(b);                                                                \
	__local float As[BK][BM], Bs[BK][BN];                                                                       \
	const int tx = get_local_id(0), ty = get_local_id(1), item = ty * (BN / TN) + tx;                           \
	const int items = (BN / TN) * (BM / TM);                                                                    \
	const int i0 = get_group_id(1) * BM, j0 = get_group_id(0) * BN;                                             \
	float sum[TM][TN];                                                                                          \
	for (int p = 0; p < TM; p++)                                                                                \
		for (int q = 0; q < TN; q++) {                                                                          \
			int i = i0 + ty * TM + p, j = j0 + tx * TN + q;                                                     \
			sum[p][q] = (flags & ADD) && i < M && j < N ? C[C_AT] : 0.0f;                                       \
		}                                                                                                       \
	for (int k0 = 0; k0 < K; k0 += BK) {                                                                        \
		for (int e = item; e < BM * BK; e += items) {                                                           \
			int ii = A_ALONG_K ? e / BK : e % BM, kk = A_ALONG_K ? e % BK : e / BM;                             \
			int i = i0 + ii, k = k0 + kk;                                                                       \
			As[kk][ii] = i < M && k < K ? A_AT : 0.0f;                                                          \
		}                                                                                                       \
		for (int e = item; e < BN * BK; e += items) {                                                           \
			int jj = B_ALONG_K ? e / BK : e % BN, kk = B_ALONG_K ? e % BK : e / BN;                             \
			int j = j0 + jj, k = k0 + kk;                                                                       \
			Bs[kk][jj] = j < N && k < K ? B_AT : 0.0f;                                                          \
		}                                                                                                       \
		barrier(CLK_LOCAL_MEM_FENCE);                                                                           \
		const int depth = min(BK, K - k0);                                                                      \
		for (int kk = 0; kk < depth; kk++) {                                                                    \
			float x[TM], y[TN];                                                                                 \
			for (int p = 0; p < TM; p++) x[p] = As[kk][ty * TM + p];                                            \
			for (int q = 0; q < TN; q++) y[q] = Bs[kk][tx * TN + q];                                            \
			for (int p = 0; p < TM; p++)                                                                        \
				for (int q = 0; q < TN; q++) sum[p][q] = fma(x[p], y[q], sum[p][q]);                            \
		}                                                                                                       \
		barrier(CLK_LOCAL_MEM_FENCE);                                                                           \
	}                                                                                                           \
	_Pragma("unroll")                                                                                           \
	for (int p = 0; p < TM; p++)                                                                                \
		_Pragma("unroll")                                                                                       \
		for (int q = 0; q < TN; q++) {                                                                          \
			int i = i0 + ty * TM + p, j = j0 + tx * TN + q;                                                     \
			if (i >= M || j >= N) continue;                                                                     \
			float v = sum[p][q] + ZERO;                                                                         \
			if (flags & BIAS) v = layer1(v + AT(bias)[j], act);                                                 \
			if (flags & SLOPE) v = actGrad1(v, AT(bias)[C_AT], act);                                            \
			C[C_AT] = v;                                                                                        \
			ALSO                                                                                                \
		}                                                                                                       \
}

#define NOTHING
#define NO_ZERO -0.0f
#define ROW_MAJOR (size_t)i * N + j

// Columns of C that go elsewhere too: n1 from from1 on, and n2 from from2 on.
#define COMMA ,
#define COLUMNS COMMA ARG(y1) COMMA int from1 COMMA int n1 COMMA ARG(y2) COMMA int from2 COMMA int n2
#define WRITE_COLUMNS                                                                                  \
	if (j >= from1 && j < from1 + n1) AT(y1)[(size_t)i * n1 + j - from1] = v;                          \
	if (j >= from2 && j < from2 + n2) AT(y2)[(size_t)i * n2 + j - from2] = v;

#define LAST_IS_ONES(X) ((flags & ONES) && i == M - 1 ? 1.0f : X)
#define COLUMNS_OF_A (M - ((flags & ONES) ? 1 : 0))

TILED(productAB, TILE_M, TILE_N, TILE_K, ITEM_M, ITEM_N, COLUMNS, A[(size_t)i * K + k], B[(size_t)k * N + j], ROW_MAJOR,
	1, 0, NO_ZERO, WRITE_COLUMNS)
TILED(productAT, TILE_M, TILE_N, TILE_K, ITEM_M, ITEM_N, NOTHING, LAST_IS_ONES(A[(size_t)k * COLUMNS_OF_A + i]),
	B[(size_t)k * N + j], ROW_MAJOR, 0, 0, NO_ZERO, NOTHING)
TILED(productBT, TILE_M, TILE_N, TILE_K, ITEM_M, ITEM_N, NOTHING, A[(size_t)i * K + k], B[(size_t)j * K + k], ROW_MAJOR,
	1, 1, NO_ZERO, NOTHING)

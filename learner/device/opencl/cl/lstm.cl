// The recurrent core over whole unrolls: see kernel.LSTM. Trajectories know nothing of each other, so a work-group
// takes one of them through all its steps; its items share the units out.

#define CORE ARG(wh), ARG(state), ARG(keep), int T, int B, int H

// The parts of a row of the cells.
enum { H_, C_, I_, F_, G_, O_, TANH_C, PARTS };

#define UNITS (int j = get_local_id(0); j < H; j += get_local_size(0))

// What step t of trajectory b starts from: part p of the cells, or of the state; 0 behind a wall.
#define CARRY(cells, p)                                    \
	(KEEP[t * B + b] == 0.0f ? 0.0f                        \
	 : t == 0 ? STATE[b * 2 * H + p * H + j]               \
	          : cells[((size_t)(t - 1) * B + b) * PARTS * H + p * H + j])

#define LOOK                                                                                                        \
	__global const float *WH = AT(wh), *STATE = AT(state), *KEEP = AT(keep);                                        \
	const int b = get_group_id(1);

// h is room for h′ and c′.
__kernel void lstm(__global float *m, ARG(cells), ARG(z), CORE, __local float *h) {
	LOOK
	__global float *CELLS = AT(cells);
	__global const float *Z = AT(z);
	__local float *c = h + H;
	for (int t = 0; t < T; t++) {
		for UNITS {
			h[j] = CARRY(CELLS, H_);
			c[j] = CARRY(CELLS, C_);
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		__global const float *in = Z + (size_t)(t * B + b) * 4 * H;
		__global float *to = CELLS + (size_t)(t * B + b) * PARTS * H;
		for UNITS {
			float zi = in[j], zf = in[H + j], zg = in[2 * H + j], zo = in[3 * H + j];
			for (int k = 0; k < H; k++) {
				__global const float *w = WH + (size_t)k * 4 * H + j;
				zi = fma(h[k], w[0], zi);
				zf = fma(h[k], w[H], zf);
				zg = fma(h[k], w[2 * H], zg);
				zo = fma(h[k], w[3 * H], zo);
			}
			float i = sigmoid1(zi), f = sigmoid1(zf), g = tanh1(zg), o = sigmoid1(zo);
			float next = fma(i, g, c[j] * f);
			float y = tanh1(next);
			to[H_ * H + j] = y * o;
			to[C_ * H + j] = next;
			to[I_ * H + j] = i;
			to[F_ * H + j] = f;
			to[G_ * H + j] = g;
			to[O_ * H + j] = o;
			to[TANH_C * H + j] = y;
		}
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	}
}

// dh is room for dh, dc and the four parts of dz.
__kernel void lstmBack(__global float *m, ARG(dz), ARG(dcells), ARG(cells), CORE, __local float *dh) {
	LOOK
	__global float *DZ = AT(dz);
	__global const float *CELLS = AT(cells), *DCELLS = AT(dcells);
	__local float *dc = dh + H, *gates = dc + H;
	for UNITS dh[j] = dc[j] = 0.0f;
	for (int t = T - 1; t >= 0; t--) {
		size_t row = (size_t)t * B + b;
		__global const float *s = CELLS + row * PARTS * H, *d = DCELLS + row * PARTS * H;
		__global float *out = DZ + row * 4 * H;
		for UNITS {
			float before = CARRY(CELLS, C_);
			float i = s[I_ * H + j], f = s[F_ * H + j], g = s[G_ * H + j], o = s[O_ * H + j], y = s[TANH_C * H + j];
			float dOut = d[H_ * H + j] + dh[j];
			float dy = fma(o, dOut, d[TANH_C * H + j]);
			float dNext = fma(tanhSlope(y), dy, d[C_ * H + j] + dc[j]);
			gates[j] = sigmoidSlope(i) * fma(g, dNext, d[I_ * H + j]);
			gates[H + j] = sigmoidSlope(f) * fma(before, dNext, d[F_ * H + j]);
			gates[2 * H + j] = tanhSlope(g) * fma(i, dNext, d[G_ * H + j]);
			gates[3 * H + j] = sigmoidSlope(o) * fma(y, dOut, d[O_ * H + j]);
			dc[j] = f * dNext;
			for (int p = 0; p < 4; p++) out[p * H + j] = gates[p * H + j];
		}
		barrier(CLK_LOCAL_MEM_FENCE);
		bool wall = KEEP[t * B + b] == 0.0f;
		for UNITS {
			float sum = 0.0f;
			for (int k = 0; k < 4 * H; k++) sum = fma(gates[k], WH[(size_t)j * 4 * H + k], sum);
			dh[j] = wall ? 0.0f : sum;
			if (wall) dc[j] = 0.0f;
		}
		barrier(CLK_LOCAL_MEM_FENCE);
	}
}

// h is room for how h′ moves; the state before the first step does not.
__kernel void lstmTangent(__global float *m, ARG(tcells), ARG(tz), ARG(cells), CORE, __local float *h) {
	LOOK
	__global float *TCELLS = AT(tcells);
	__global const float *CELLS = AT(cells), *TZ = AT(tz);
	for (int t = 0; t < T; t++) {
		size_t row = (size_t)t * B + b;
		bool wall = t == 0 || KEEP[row] == 0.0f;
		__global const float *last = TCELLS + (wall ? 0 : row - B) * PARTS * H;
		for UNITS h[j] = wall ? 0.0f : last[H_ * H + j];
		barrier(CLK_LOCAL_MEM_FENCE);
		__global const float *s = CELLS + row * PARTS * H, *in = TZ + row * 4 * H;
		__global float *to = TCELLS + row * PARTS * H;
		for UNITS {
			float zi = in[j], zf = in[H + j], zg = in[2 * H + j], zo = in[3 * H + j];
			for (int k = 0; k < H; k++) {
				__global const float *w = WH + (size_t)k * 4 * H + j;
				zi = fma(h[k], w[0], zi);
				zf = fma(h[k], w[H], zf);
				zg = fma(h[k], w[2 * H], zg);
				zo = fma(h[k], w[3 * H], zo);
			}
			float before = CARRY(CELLS, C_), moves = wall ? 0.0f : last[C_ * H + j];
			float i = s[I_ * H + j], f = s[F_ * H + j], g = s[G_ * H + j], o = s[O_ * H + j], y = s[TANH_C * H + j];
			float ti = sigmoidSlope(i) * zi, tf = sigmoidSlope(f) * zf, tg = tanhSlope(g) * zg, to_ = sigmoidSlope(o) * zo;
			float tc = before * tf;
			tc = fma(f, moves, tc);
			tc = fma(ti, g, tc);
			tc = fma(i, tg, tc);
			float ty = tanhSlope(y) * tc;
			to[H_ * H + j] = fma(o, ty, y * to_);
			to[C_ * H + j] = tc;
			to[I_ * H + j] = ti;
			to[F_ * H + j] = tf;
			to[G_ * H + j] = tg;
			to[O_ * H + j] = to_;
			to[TANH_C * H + j] = ty;
		}
		barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
	}
}

__kernel void lstmPrevious(__global float *m, ARG(y), ARG(cells), ARG(state), ARG(keep), int T, int B, int H) {
	int at = get_global_id(0);
	if (at >= T * B * H) return;
	int j = at % H, b = at / H % B, t = at / H / B;
	__global const float *CELLS = AT(cells), *STATE = AT(state), *KEEP = AT(keep);
	AT(y)[at] = CARRY(CELLS, H_);
}

// Max pooling: see kernel.Pool. What a window covers outside the image does not count.

#define POOL int rows, int H, int W, int C, int S, int stride, int pad, int OH, int OW

// Of a window: its part in the image.
#define WINDOW(oy, ox)                                                                       \
	int y0 = max((oy) * stride - pad, 0), y1 = min((oy) * stride - pad + S, H);              \
	int x0 = max((ox) * stride - pad, 0), x1 = min((ox) * stride - pad + S, W);

// The larger of two as the vectors have it: of 0 and −0 it is −0, and NaN is larger than all.
inline float larger(float a, float b) {
	int one = as_int(a > b ? a : b), other = as_int(b > a ? b : a);
	return as_float(one | other);
}

__kernel void pool(__global float *m, ARG(y), ARG(x), POOL) {
	int i = get_global_id(0);
	if (i >= rows * OH * OW * C) return;
	int c = i % C, ox = i / C % OW, oy = i / C / OW % OH, r = i / C / OW / OH;
	__global const float *X = AT(x) + (size_t)r * H * W * C + c;
	WINDOW(oy, ox)
	float best = -INFINITY;
	for (int yy = y0; yy < y1; yy++)
		for (int xx = x0; xx < x1; xx++) best = larger(best, X[(yy * W + xx) * C]);
	AT(y)[i] = best;
}

// picked is where a window first has the value v, in reading order, or −1.
inline int picked(__global const float *X, float v, int y0, int y1, int x0, int x1, int W, int C) {
	for (int yy = y0; yy < y1; yy++)
		for (int xx = x0; xx < x1; xx++)
			if (X[(yy * W + xx) * C] == v) return (yy * W + xx) * C;
	return -1;
}

// A pixel gathers what the windows that picked it send back, in reading order; the others send 0.
__kernel void poolBack(__global float *m, ARG(dx), ARG(dy), ARG(x), ARG(y), POOL, int add) {
	int i = get_global_id(0);
	if (i >= rows * H * W * C) return;
	int c = i % C, px = i / C % W, py = i / C / W % H, r = i / C / W / H;
	size_t results = (size_t)r * OH * OW * C + c;
	__global const float *X = AT(x) + (size_t)r * H * W * C + c, *Y = AT(y) + results, *DY = AT(dy) + results;
	float sum = add ? AT(dx)[i] : 0.0f;
	int oy1 = min((py + pad) / stride, OH - 1), ox1 = min((px + pad) / stride, OW - 1);
	int oy0 = max((py + pad - S + stride) / stride, 0), ox0 = max((px + pad - S + stride) / stride, 0);
	for (int oy = oy0; oy <= oy1; oy++)
		for (int ox = ox0; ox <= ox1; ox++) {
			WINDOW(oy, ox)
			int at = (oy * OW + ox) * C;
			sum += picked(X, Y[at], y0, y1, x0, x1, W, C) == (py * W + px) * C ? DY[at] : 0.0f;
		}
	AT(dx)[i] = sum;
}

__kernel void poolPick(__global float *m, ARG(out), ARG(v), ARG(x), ARG(y), POOL) {
	int i = get_global_id(0);
	if (i >= rows * OH * OW * C) return;
	int c = i % C, ox = i / C % OW, oy = i / C / OW % OH, r = i / C / OW / OH;
	size_t image = (size_t)r * H * W * C + c;
	WINDOW(oy, ox)
	int at = picked(AT(x) + image, AT(y)[i], y0, y1, x0, x1, W, C);
	AT(out)[i] = at < 0 ? 0.0f : (AT(v) + image)[at];
}

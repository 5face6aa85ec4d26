// A convolution is a product whose A is read out of the images: see kernel.Conv for how they and the weights lie.
// Beyond the images are zeros, which are multiplied here and left out on the processor. That changes no sum but whether
// one is −0, so both add 0 in the end.

#define GEOMETRY COMMA int H COMMA int W COMMA int In COMMA int Out COMMA int S COMMA int stride COMMA int pad \
	COMMA int OH COMMA int OW

// pixel is what result p, counted over all rows, sees at one tap of its window: taps are (row, column, channel).
inline float pixel(__global const float *x, int p, int tap, int H, int W, int In, int S, int stride, int pad, int OH,
                   int OW) {
	int i = tap % In, kx = tap / In % S, ky = tap / In / S;
	int row = p / (OH * OW), y = p / OW % OH * stride + ky - pad, xx = p % OW * stride + kx - pad;
	return y >= 0 && y < H && xx >= 0 && xx < W ? x[(((size_t)row * H + y) * W + xx) * In + i] : 0.0f;
}

TILED(convForward, TILE_M, CONV_N, TILE_K, ITEM_M, CONV_ITEM_N, GEOMETRY,
	pixel(A, i, k, H, W, In, S, stride, pad, OH, OW), B[(size_t)k * N + j], ROW_MAJOR, 1, 0, 0.0f, NOTHING)

// k counts the results of all rows.
TILED(convWeights, TILE_M, CONV_N, TILE_K, ITEM_M, CONV_ITEM_N, GEOMETRY,
	LAST_IS_ONES(pixel(A, k, i, H, W, In, S, stride, pad, OH, OW)), B[(size_t)k * N + j], ROW_MAJOR, 0, 0,
	((flags & ONES) && i == M - 1 ? NO_ZERO : 0.0f), NOTHING)

// The pixels of one phase (py, px): row y of the padded image is stride·q + py, and sees the ny taps
// ky = py + stride·t from the results' rows q − t, the last tap first. PY·PX pixels of each image are of the phase,
// from (fy, fx) on.
#define PHASE GEOMETRY COMMA int py COMMA int px COMMA int ny COMMA int nx COMMA int fy COMMA int fx \
	COMMA int PY COMMA int PX

inline float result(__global const float *dy, int p, int tap, int Out, int stride, int pad, int OH, int OW, int py,
                    int px, int ny, int nx, int fy, int fx, int PY, int PX) {
	int o = tap % Out, tx = nx - 1 - tap / Out % nx, ty = ny - 1 - tap / Out / nx;
	int row = p / (PY * PX);
	int oy = (fy + pad - py) / stride + p / PX % PY - ty, ox = (fx + pad - px) / stride + p % PX - tx;
	return oy >= 0 && oy < OH && ox >= 0 && ox < OW ? dy[(((size_t)row * OH + oy) * OW + ox) * Out + o] : 0.0f;
}

inline float turned(__global const float *w, int tap, int channel, int In, int Out, int S, int stride, int py, int px,
                    int ny, int nx) {
	int o = tap % Out, kx = px + stride * (nx - 1 - tap / Out % nx), ky = py + stride * (ny - 1 - tap / Out / nx);
	return w[((size_t)(ky * S + kx) * In + channel) * Out + o];
}

#define PIXEL_OF_PHASE ((((size_t)(i / (PY * PX))) * H + fy + i / PX % PY * stride) * W + fx + i % PX * stride) * In + j

TILED(convInput, TILE_M, CONV_N, TILE_K, ITEM_M, CONV_ITEM_N, PHASE,
	result(A, i, k, Out, stride, pad, OH, OW, py, px, ny, nx, fy, fx, PY, PX),
	turned(B, k, j, In, Out, S, stride, py, px, ny, nx), PIXEL_OF_PHASE, 1, 1, 0.0f, NOTHING)

// The arithmetic of learner/kernel once more, to the bit: the same order, and one rounding wherever the assembly fuses
// a product and a sum. What counts is tools/avo, not the plain Go twins, which round each product by itself.
//
// A program's numbers lie in one arena, m. A kernel does the same for several shards of a batch at once: argument X of
// shard z lies X + z·Xs numbers from the beginning on, and z is the third dimension of the grid.

#pragma OPENCL FP_CONTRACT OFF

#define RELU 1
#define TANH 2

#define ARG(x) int x, int x##s
#define AT(x) (m + x + (size_t)get_global_id(2) * x##s)

// e^x by the reduction and the polynomial of elementary.go.
#define LOG2E 1.44269504088896340736f
#define LN2HI 0.693145751953125f
#define LN2LO 1.4286068203094173e-06f
#define P0 0.49999993431900736f
#define P1 0.1666652039672944f
#define P2 0.04166839082873499f
#define P3 0.008368745323895328f
#define P4 0.0013814538048359485f

inline float power2(int n) { return as_float((n + 127) << 23); }

inline float remainder1(float x, int *n) {
	float whole = rint(x * LOG2E);
	*n = (int)whole;
	float r = fma(-whole, LN2HI, x);
	r = fma(-whole, LN2LO, r);
	float p = fma(P4, r, P3);
	p = fma(p, r, P2);
	p = fma(p, r, P1);
	p = fma(p, r, P0);
	return fma(r * r, p, r);
}

inline float exp1(float x) {
	if (isnan(x)) return x;
	x = x < 89.0f ? x : 89.0f;
	x = x > -105.0f ? x : -105.0f;
	int n;
	float q = remainder1(x, &n);
	int low = n >> 1;
	return (1.0f + q) * power2(low) * power2(n - low);
}

inline float sigmoid1(float x) { return 1.0f / (1.0f + exp1(0.0f - x)); }

inline float tanh1(float x) {
	if (isnan(x)) return x;
	float size = fabs(x);
	float twice = size + size;
	int n;
	float q = remainder1(twice < 20.0f ? twice : 20.0f, &n);
	float s = power2(n);
	float t = fma(q, s, s - 1.0f);
	return copysign(t / (t + 2.0f), x);
}

// Of a layer: −0 stays, and so does NaN.
inline float layer1(float v, int act) {
	if (act == RELU) return v < 0.0f ? 0.0f : v;
	if (act == TANH) return tanh1(v);
	return v;
}

inline float tanhSlope(float y) { return fma(-y, y, 1.0f); }
inline float sigmoidSlope(float y) { return y * (1.0f - y); }

inline float actGrad1(float dy, float y, int act) {
	if (act == RELU) return y <= 0.0f ? 0.0f : dy;
	if (act == TANH) return dy * tanhSlope(y);
	return dy;
}

// By itself, ReLU turns −0 into 0.
inline float activate1(float v, int act) { return act == RELU ? actGrad1(v, v, RELU) : layer1(v, act); }

__kernel void activate(__global float *m, ARG(y), ARG(x), int n, int act) {
	int i = get_global_id(0);
	if (i < n) AT(y)[i] = activate1(AT(x)[i], act);
}

// The sum of two, and what an activation makes of it, which may take its place.
__kernel void sum2(__global float *m, ARG(y), ARG(x1), ARG(x2), ARG(z), int n, int act) {
	int i = get_global_id(0);
	if (i >= n) return;
	float v = AT(x1)[i] + AT(x2)[i];
	AT(y)[i] = v;
	AT(z)[i] = activate1(v, act);
}

__kernel void actGrad(__global float *m, ARG(dz), ARG(dy), ARG(y), int n, int act) {
	int i = get_global_id(0);
	if (i < n) AT(dz)[i] = actGrad1(AT(dy)[i], AT(y)[i], act);
}

__kernel void copy(__global float *m, ARG(y), ARG(x), int n, int add) {
	int i = get_global_id(0);
	if (i < n) AT(y)[i] = add ? AT(y)[i] + AT(x)[i] : AT(x)[i];
}

__kernel void clear(__global float *m, ARG(y), int n) {
	int i = get_global_id(0);
	if (i < n) AT(y)[i] = 0.0f;
}

// Bit i mod 32 of word i/32.
__kernel void unpack(__global float *m, ARG(y), ARG(x), int n) {
	int i = get_global_id(0);
	if (i < n) AT(y)[i] = ((__global const uint *)AT(x))[i / 32] >> (i % 32) & 1u;
}

// A step of an optimiser: see learner/kernel/descend.go, and tools/avo for what is fused. R are the step's constants, in
// the order of their fields.

// Lane j of the sum of squares adds up what stands at i ≡ j mod the items of its one work-group, in order.
__kernel void squares(__global float *m, ARG(y), ARG(x), int n) {
	__global const float *X = AT(x);
	float sum = 0.0f;
	for (int i = get_local_id(0); i < n; i += get_local_size(0)) sum = fma(X[i], X[i], sum);
	AT(y)[get_local_id(0)] = sum;
}

__kernel void scale(__global float *m, ARG(y), ARG(x), ARG(a), int n) {
	int i = get_global_id(0);
	if (i < n) AT(y)[i] = AT(x)[i] * AT(a)[0];
}

inline float meanSquare(float v, float g, float decay) { return fma(g * g, 1.0f - decay, decay * v); }

#define STEP                    \
	int i = get_global_id(0);   \
	if (i >= n) return;         \
	__global const float *R = AT(rates); \
	float grad = AT(g)[i];

// g/(√(ν + ε_in) + ε_out)
#define RATIO(v) (grad / (sqrt((v) + R[1]) + R[2]))

__kernel void rmsprop(__global float *m, ARG(ytheta), ARG(ynu), ARG(theta), ARG(nu), ARG(g), ARG(rates), int n) {
	STEP
	float v = meanSquare(AT(nu)[i], grad, R[0]);
	AT(ynu)[i] = v;
	AT(ytheta)[i] = fma(-RATIO(v), R[4] * R[5], AT(theta)[i]);
}

__kernel void rmspropMomentum(__global float *m, ARG(ytheta), ARG(ynu), ARG(yu), ARG(theta), ARG(nu), ARG(u), ARG(g),
                              ARG(rates), int n) {
	STEP
	float v = meanSquare(AT(nu)[i], grad, R[0]);
	float w = fma(RATIO(v), R[4], R[3] * AT(u)[i]);
	AT(ynu)[i] = v;
	AT(yu)[i] = w;
	AT(ytheta)[i] = fma(-w, R[5], AT(theta)[i]);
}

__kernel void adam(__global float *m, ARG(ytheta), ARG(ym), ARG(yv), ARG(theta), ARG(mean), ARG(v), ARG(g), ARG(rates),
                   int n) {
	STEP
	float first = fma(grad, 1.0f - R[0], R[0] * AT(mean)[i]);
	float second = meanSquare(AT(v)[i], grad, R[1]);
	AT(ym)[i] = first;
	AT(yv)[i] = second;
	AT(ytheta)[i] = fma(-(first / fma(R[2], sqrt(second), R[3])), R[4], AT(theta)[i]);
}

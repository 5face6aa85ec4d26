// Columns of a matrix and back, sums over rows and back, and the sum of the shards' gradients.

__kernel void columns(__global float *m, ARG(y), ARG(x), int rows, int cols, int from, int n) {
	int i = get_global_id(0);
	if (i < rows * n) AT(y)[i] = AT(x)[(size_t)(i / n) * cols + from + i % n];
}

__kernel void place(__global float *m, ARG(y), ARG(x), int rows, int cols, int from, int n, int add) {
	int i = get_global_id(0);
	if (i >= rows * cols) return;
	int j = i % cols - from;
	float v = add ? AT(y)[i] : 0.0f;
	AT(y)[i] = j >= 0 && j < n ? v + AT(x)[(size_t)(i / cols) * n + j] : v;
}

// Two places that do not meet, side by side: n columns from from on of x, and n2 from from2 on of x2; 0 elsewhere.
__kernel void place2(__global float *m, ARG(y), ARG(x), ARG(x2), int rows, int cols, int from, int n, int from2, int n2) {
	int i = get_global_id(0);
	if (i >= rows * cols) return;
	int j = i % cols - from, j2 = i % cols - from2;
	float v = 0.0f;
	if (j >= 0 && j < n) v += AT(x)[(size_t)(i / cols) * n + j];
	if (j2 >= 0 && j2 < n2) v += AT(x2)[(size_t)(i / cols) * n2 + j2];
	AT(y)[i] = v;
}

__kernel void columnSum(__global float *m, ARG(y), ARG(x), int rows, int cols, int add) {
	int j = get_global_id(0);
	if (j >= cols) return;
	__global const float *X = AT(x);
	float sum = add ? AT(y)[j] : 0.0f;
	for (int r = 0; r < rows; r++) sum += X[(size_t)r * cols + j];
	AT(y)[j] = sum;
}

__kernel void repeat(__global float *m, ARG(y), ARG(x), int rows, int cols, int add) {
	int i = get_global_id(0);
	if (i < rows * cols) AT(y)[i] = (add ? AT(y)[i] : 0.0f) + AT(x)[i % cols];
}

// grad[0] = Σ_z grad[z] over the shards in their order.
__kernel void sumShards(__global float *m, ARG(grad), int n, int shards) {
	int i = get_global_id(0);
	if (i >= n) return;
	float sum = m[grad + i];
	for (int z = 1; z < shards; z++) sum += m[grad + (size_t)z * grads + i];
	m[grad + i] = sum;
}

// What the core leaves after each row, h and c, which lead a row of its cells: columns from at on of the states.
__kernel void states(__global float *m, ARG(y), ARG(cells), int rows, int width, int at, int from, int n) {
	int i = get_global_id(0);
	if (i < rows * n) AT(y)[(size_t)(i / n) * width + at + i % n] = AT(cells)[(size_t)(i / n) * from + i % n];
}

// IMPALA on CartPole in C, with OpenBLAS for the products: 32 copies play 20 steps with the present parameters, then one
// update learns from them. run.py builds and measures it. It prints steps per second of processor time.
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { T = 20, B = 32, N = T * B, IN = 4, H = 64, A = 2, OUT = A + 1, ROWS = N + B };
enum { W1 = 0, B1 = W1 + IN * H, W2 = B1 + H, B2 = W2 + H * H, W3 = B2 + H, B3 = W3 + H * OUT, PARAMS = B3 + OUT };

static float theta[PARAMS], grad[PARAMS], square[PARAMS];
static float obs[ROWS * IN], h1[ROWS * H], h2[ROWS * H], out[ROWS * OUT]; // of T steps, then of the states behind them
static float d3[N * OUT], d2[N * H], d1[N * H];
static float reward[N], discount[N], mu[N];
static int action[N];
static float world[B * IN];
static int steps[B];

static unsigned long long seed = 88172645463325252ULL;

static float uniform(void) { // xorshift64 (Marsaglia 2003)
	seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
	return (float)(seed >> 40) / (1 << 24);
}

static void reset(int b) {
	for (int i = 0; i < IN; i++) world[b * IN + i] = 0.1f * uniform() - 0.05f;
	steps[b] = 0;
}

// step is Barto, Sutton and Anderson's cart and pole (1983), with Euler's method and limits of 12 degrees and 2.4 m. It
// returns whether the episode ended.
static int step(int b, int a) {
	float *s = world + b * IN, force = a ? 10 : -10, cosine = cosf(s[2]), sine = sinf(s[2]);
	float push = (force + 0.05f * s[3] * s[3] * sine) / 1.1f;
	float turn = (9.8f * sine - cosine * push) / (0.5f * (4.0f / 3 - 0.1f * cosine * cosine / 1.1f));
	float move = push - 0.05f * turn * cosine / 1.1f;
	s[0] += 0.02f * s[1], s[1] += 0.02f * move, s[2] += 0.02f * s[3], s[3] += 0.02f * turn;
	return fabsf(s[0]) > 2.4f || fabsf(s[2]) > 0.2094395f || ++steps[b] == 500;
}

static void layer(float *y, const float *x, const float *w, const float *bias, int n, int in, int units, int squash) {
	for (int r = 0; r < n; r++) memcpy(y + r * units, bias, units * sizeof *y);
	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, units, in, 1, x, in, w, units, 1, y, units);
	if (squash)
		for (int i = 0; i < n * units; i++) y[i] = tanhf(y[i]);
}

static void forward(int row, int n) {
	layer(h1 + row * H, obs + row * IN, theta + W1, theta + B1, n, IN, H, 1);
	layer(h2 + row * H, h1 + row * H, theta + W2, theta + B2, n, H, H, 1);
	layer(out + row * OUT, h2 + row * H, theta + W3, theta + B3, n, H, OUT, 0);
}

// logp is log π of both actions.
static void logp(const float *z, float *p) {
	float most = fmaxf(z[0], z[1]), all = logf(expf(z[0] - most) + expf(z[1] - most)) + most;
	p[0] = z[0] - all, p[1] = z[1] - all;
}

static void play(void) {
	for (int t = 0; t < T; t++) {
		memcpy(obs + t * B * IN, world, sizeof world);
		forward(t * B, B);
		for (int b = 0; b < B; b++) {
			int i = t * B + b;
			float p[A];
			logp(out + i * OUT, p);
			action[i] = uniform() >= expf(p[0]);
			mu[i] = p[action[i]];
			reward[i] = 0.1f;
			int end = step(b, action[i]);
			discount[i] = end ? 0 : 0.99f;
			if (end) reset(b);
		}
	}
	memcpy(obs + N * IN, world, sizeof world);
}

static void back(const float *dy, float *dx, const float *x, const float *y, int w, int bias, int in, int units) {
	cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, in, units, N, 1, x, in, dy, units, 0, grad + w, units);
	memset(grad + bias, 0, units * sizeof *grad);
	for (int r = 0; r < N; r++)
		for (int j = 0; j < units; j++) grad[bias + j] += dy[r * units + j];
	if (!dx) return;
	cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, N, in, units, 1, dy, units, theta + w, units, 0, dx, in);
	for (int i = 0; i < N * in; i++) dx[i] *= 1 - y[i] * y[i];
}

static void learn(float rate) {
	forward(0, ROWS);
	float gap[B] = {0}, target[B];
	for (int b = 0; b < B; b++) target[b] = out[(N + b) * OUT + A];
	for (int i = N - 1; i >= 0; i--) { // V-trace, ρ̄ = c̄ = 1
		int b = i % B;
		const float *z = out + i * OUT;
		float p[A], v = z[A], next = out[(i + B) * OUT + A];
		logp(z, p);
		float rho = fminf(1, expf(p[action[i]] - mu[i]));
		float advantage = reward[i] + discount[i] * target[b] - v;
		gap[b] = rho * (reward[i] + discount[i] * next - v) + discount[i] * rho * gap[b];
		target[b] = v + gap[b];
		float entropy = -(expf(p[0]) * p[0] + expf(p[1]) * p[1]);
		for (int a = 0; a < A; a++) {
			float pi = expf(p[a]);
			d3[i * OUT + a] = (rho * advantage * (pi - (a == action[i])) + 0.005f * pi * (p[a] + entropy)) / N;
		}
		d3[i * OUT + A] = 0.25f * (v - target[b]) / N;
	}
	back(d3, d2, h2, h2, W3, B3, H, OUT);
	back(d2, d1, h1, h1, W2, B2, H, H);
	back(d1, 0, obs, 0, W1, B1, IN, H);
	float norm = sqrtf(cblas_sdot(PARAMS, grad, 1, grad, 1)), clip = norm > 1 ? 1 / norm : 1;
	for (int i = 0; i < PARAMS; i++) { // RMSProp
		float g = grad[i] * clip;
		square[i] = 0.99f * square[i] + 0.01f * g * g;
		theta[i] -= rate * g / sqrtf(square[i] + 1e-5f);
	}
}

int main(int argc, char **argv) {
	double seconds = argc > 1 ? atof(argv[1]) : 3;
	float rate = argc > 2 ? atof(argv[2]) : 1e-5f;
	for (int i = 0; i < PARAMS; i++) theta[i] = (uniform() - 0.5f) * (i < B1 ? 1 : 0.25f) * (i >= W3 ? 0.05f : 1);
	for (int b = 0; b < B; b++) reset(b);
	long updates = 0, ends = 0;
	clock_t began = clock();
	for (; clock() - began < seconds * CLOCKS_PER_SEC; updates++) {
		play();
		learn(rate);
		for (int i = 0; i < N; i++) ends += discount[i] == 0;
	}
	double took = (double)(clock() - began) / CLOCKS_PER_SEC;
	printf("{\"steps_per_cpu_s\": %.0f, \"steps_per_episode\": %.1f}\n", updates * (double)N / took,
		updates * (double)N / (ends + 1));
}

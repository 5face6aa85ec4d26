"""Modules and functions of networks."""

import numpy as np

from . import Tensor


class Module:
    def children(self):
        return [m for m in vars(self).values() if isinstance(m, Module)]

    def parameters(self):
        for x in vars(self).values():
            if isinstance(x, Module):
                yield from x.parameters()
            elif isinstance(x, Tensor):
                yield x

    def __call__(self, *inputs):
        return self.forward(*inputs)


class Linear(Module):
    def __init__(self, of, to, bias=True):
        self.weight = Tensor(np.zeros((to, of)))
        self.bias = Tensor(np.zeros(to)) if bias else None

    def forward(self, x):
        w = self.weight.data
        y = Tensor(x.data @ w.T, [
            (x, lambda g: g @ w),
            (self.weight, lambda g: g.reshape(-1, len(w)).T @ x.data.reshape(-1, w.shape[1]))])
        return y if self.bias is None else y + self.bias


class Conv2d(Module):
    def __init__(self, of, to, size, stride=1, padding=0):
        assert padding == 0
        self.weight, self.bias = Tensor(np.zeros((to, of, size, size))), Tensor(np.zeros(to))
        self.stride = stride

    def forward(self, x):
        w, s, size = self.weight.data, self.stride, self.weight.shape[-1]
        seen = np.lib.stride_tricks.sliding_window_view(x.data, (size, size), (2, 3))[:, :, ::s, ::s]

        def to_input(g):
            d = np.zeros_like(x.data)
            for i in range(size):
                for j in range(size):
                    d[:, :, i:i + s * g.shape[2]:s, j:j + s * g.shape[3]:s] += np.einsum("nohw,oc->nchw", g, w[:, :, i, j])
            return d
        y = Tensor(np.einsum("nchwij,ocij->nohw", seen, w, optimize=True), [
            (x, to_input), (self.weight, lambda g: np.einsum("nchwij,nohw->ocij", seen, g, optimize=True))])
        return y + self.bias.reshape(1, -1, 1, 1)


class functional:
    @staticmethod
    def softplus(x):
        return x._of(lambda x: np.logaddexp(x, 0), lambda g, x, y: g / (1 + np.exp(-x)))



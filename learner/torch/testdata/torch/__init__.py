"""A few dozen operations of PyTorch in NumPy, with reverse-mode derivatives: enough to run a page of package torch.

For tests where PyTorch itself is not installed. Numbers are float64.
"""

import numpy as np

float, long, bool = np.float64, np.int64, np.bool_
recording = True


class no_grad:
    def __enter__(self):
        global recording
        self.before, recording = recording, False

    def __exit__(self, *_):
        global recording
        recording = self.before


def _plain(x):
    return x.data if isinstance(x, Tensor) else x


def _fit(g, shape):
    """Sums a derivative over the axes along which its number was repeated."""
    while g.ndim > len(shape):
        g = g.sum(0)
    for axis, n in enumerate(shape):
        if n == 1 and g.shape[axis] != 1:
            g = g.sum(axis, keepdims=True)
    return g


class Tensor:
    def __init__(self, data, parents=()):
        self.data = np.asarray(data)
        self.parents = [(p, back) for p, back in parents if isinstance(p, Tensor)] if recording else []

    shape = property(lambda self: self.data.shape)

    def __len__(self):
        return len(self.data)

    def __float__(self):
        return self.data.item().__float__()

    def __bool__(self):
        return self.data.item().__bool__()

    def _with(self, other, f, left, right):
        a, b = self.data, _plain(other)
        return Tensor(f(a, b), [(self, lambda g: _fit(left(g, a, b), a.shape)),
                                (other, lambda g: _fit(right(g, a, b), np.shape(b)))])

    def _of(self, f, back):
        y = f(self.data)
        return Tensor(y, [(self, lambda g: back(g, self.data, y))])

    def __add__(self, o):
        return self._with(o, np.add, lambda g, a, b: g, lambda g, a, b: g)

    def __mul__(self, o):
        return self._with(o, np.multiply, lambda g, a, b: g * b, lambda g, a, b: g * a)

    def __sub__(self, o):
        return self._with(o, np.subtract, lambda g, a, b: g, lambda g, a, b: -g)

    def __truediv__(self, o):
        return self._with(o, np.divide, lambda g, a, b: g / b, lambda g, a, b: -g * a / b**2)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, o):
        return -self + o

    def __rtruediv__(self, o):
        return self ** -1.0 * o

    def __neg__(self):
        return self * -1.0

    def __pow__(self, n):
        return self._of(lambda x: x ** n, lambda g, x, y: g * n * x ** (n - 1))

    def __lt__(self, o):
        return Tensor(self.data < _plain(o))

    def __le__(self, o):
        return Tensor(self.data <= _plain(o))

    def __gt__(self, o):
        return Tensor(self.data > _plain(o))

    def __ge__(self, o):
        return Tensor(self.data >= _plain(o))

    def __and__(self, o):
        return Tensor(self.data & o.data)

    def __or__(self, o):
        return Tensor(self.data | o.data)

    def __getitem__(self, at):
        at = tuple(map(_plain, at)) if isinstance(at, tuple) else _plain(at)

        def back(g):
            d = np.zeros_like(self.data)
            np.add.at(d, at, g)
            return d
        return Tensor(self.data[at], [(self, back)])

    def __setitem__(self, at, value):
        assert not recording, "a place is written where a derivative may be asked for"
        self.data[_plain(at)] = _plain(value)

    def any(self):
        return Tensor(self.data.any())

    def float(self):
        return Tensor(self.data.astype(np.float64))

    def clone(self):
        return Tensor(self.data.copy(), [(self, lambda g: g)])

    def exp(self):
        return self._of(np.exp, lambda g, x, y: g * y)

    def log(self):
        return self._of(np.log, lambda g, x, y: g / x)

    def sqrt(self):
        return self._of(np.sqrt, lambda g, x, y: g / 2 / y)

    def abs(self):
        return self._of(np.abs, lambda g, x, y: g * np.sign(x))

    def clamp(self, min=-np.inf, max=np.inf):
        return self._of(lambda x: np.clip(x, min, max), lambda g, x, y: g * (x == y))

    def sum(self, axis=None):
        def back(g, x, y):
            return np.broadcast_to(g if axis is None else np.expand_dims(g, axis), x.shape)
        return self._of(lambda x: x.sum(axis), back)

    def mean(self):
        return self.sum() / self.data.size

    def reshape(self, *shape):
        return self._of(lambda x: x.reshape(shape), lambda g, x, y: g.reshape(x.shape))

    def flatten(self):
        return self.reshape(-1)

    def permute(self, *axes):
        return self._of(lambda x: x.transpose(axes), lambda g, x, y: g.transpose(np.argsort(axes)))

    def chunk(self, n, axis):
        assert axis == -1
        width = self.shape[-1] // n
        return [self[..., i * width:(i + 1) * width] for i in range(n)]

    def gather(self, axis, at):
        assert axis == -1

        def back(g, x, y):
            d = np.zeros_like(x)
            np.put_along_axis(d, at.data, g, -1)  # one place in each row
            return d
        return self._of(lambda x: np.take_along_axis(x, at.data, -1), back)

    def mul_(self, o):
        self.data *= _plain(o)
        return self

    def add_(self, o):
        self.data += _plain(o)
        return self

    def sub_(self, o):
        self.data -= _plain(o)
        return self

    def copy_(self, o):
        self.data[...] = _plain(o)
        return self


def tensor(data, dtype=float):
    return Tensor(np.array(data, dtype))


def zeros_like(x):
    return Tensor(np.zeros_like(x.data))


def ones(*shape):
    return Tensor(np.ones(shape))


def tanh(x):
    return x._of(np.tanh, lambda g, x, y: g * (1 - y**2))


def relu(x):
    return x._of(lambda x: np.maximum(x, 0), lambda g, x, y: g * (x > 0))


def sigmoid(x):
    return x._of(lambda x: 1 / (1 + np.exp(-x)), lambda g, x, y: g * y * (1 - y))


def log_softmax(x, axis):
    def f(x):
        x = x - x.max(axis, keepdims=True)
        return x - np.log(np.exp(x).sum(axis, keepdims=True))
    return x._of(f, lambda g, x, y: g - np.exp(y) * g.sum(axis, keepdims=True))


def minimum(a, b):
    return a._with(b, np.minimum, lambda g, a, b: g * (a <= b), lambda g, a, b: g * (b < a))


def where(at, a, b):
    return Tensor(np.where(at.data, _plain(a), _plain(b)),
                  [(a, lambda g: _fit(g * at.data, np.shape(_plain(a)))), (b, lambda g: _fit(g * ~at.data, np.shape(_plain(b))))])


def cat(all, axis):
    assert axis == -1
    ends = np.cumsum([0] + [x.shape[-1] for x in all])

    def part(i):
        return lambda g: g[..., ends[i]:ends[i + 1]]
    return Tensor(np.concatenate([x.data for x in all], -1), [(x, part(i)) for i, x in enumerate(all)])


def stack(all):
    def part(i):
        return lambda g: g[i]
    return Tensor(np.stack([x.data for x in all]), [(x, part(i)) for i, x in enumerate(all)])


class autograd:
    @staticmethod
    def grad(loss, inputs):
        order, seen = [], set()

        def visit(root):  # children before parents, without recursion
            todo = [(root, False)]
            while todo:
                x, done = todo.pop()
                if done:
                    order.append(x)
                elif id(x) not in seen:
                    seen.add(id(x))
                    todo.append((x, True))
                    todo.extend((p, False) for p, _ in x.parents)
        visit(loss)
        grads = {id(loss): np.ones(())}
        for x in reversed(order):
            g = grads.get(id(x))
            for p, back in x.parents if g is not None else []:
                d = back(g)
                grads[id(p)] = grads[id(p)] + d if id(p) in grads else d
        return [Tensor(np.array(grads[id(x)])) for x in inputs]


from . import nn  # noqa: E402

"""python3 follow.py CASE.json: runs a page's update on stored batches and prints the parameters after each, as JSON.

It uses PyTorch where PYTHONPATH leads to it, and else the folder torch beside this file.
"""

import json
import sys
import types

import torch

case = json.load(open(sys.argv[1]))
page = types.ModuleType("page")
exec(compile(case["page"], "page", "exec"), page.__dict__)


def modules():
    """Every layer with the shape that its weights have in the learner, and the way there."""
    for m in page.net.children():
        shape, turn, back = m.weight.shape, (1, 0), (1, 0)
        if len(shape) == 4:
            turn, back = (2, 3, 1, 0), (3, 2, 0, 1)
        yield m, [shape[i] for i in turn], turn, back


theta, at = torch.tensor(case["theta"]), 0
with torch.no_grad():
    for m, shape, _, back in modules():
        n = 1
        for width in shape:
            n *= width
        m.weight.copy_(theta[at:at + n].reshape(*shape).permute(*back))
        at += n
        if m.bias is not None:
            m.bias.copy_(theta[at:at + len(m.bias)])
            at += len(m.bias)
assert at == len(theta), f"{at} parameters of {len(theta)}"
after = []
kinds = {"a": torch.long if "long" in case else torch.float, "cut": torch.bool}
for update in case["updates"]:
    b = types.SimpleNamespace(**{key: torch.tensor(x, dtype=kinds.get(key, torch.float)).reshape(*shape)
                                 for key, (x, shape) in update["batch"].items()})
    page.update(b, update["n"], update["steps"])
    flat = []
    for m, _, turn, _ in modules():
        flat += [float(x) for x in m.weight.permute(*turn).reshape(-1)]
        flat += [] if m.bias is None else [float(x) for x in m.bias]
    after.append(flat)
json.dump(after, sys.stdout)

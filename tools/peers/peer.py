"""IMPALA on CartPole in PyTorch, as peer.c: 32 copies play 20 steps with the present parameters, then one update.

run.py measures it. It prints steps per second of processor time.
"""

import json
import sys
import time

import torch
from torch import nn

T, B = 20, 32
seconds, rate = float(sys.argv[1]), float(sys.argv[2])
torch.set_num_threads(1)
torch.manual_seed(1)

torso = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh())
head = nn.Linear(64, 3)
with torch.no_grad():
    head.weight.mul_(0.05)
params = [*torso.parameters(), *head.parameters()]
optimiser = torch.optim.RMSprop(params, lr=rate, alpha=0.99, eps=1e-5)


def step(s, action):
    """Barto, Sutton and Anderson's cart and pole (1983), all copies at once."""
    x, v, angle, spin = s.unbind(1)
    cosine, sine = angle.cos(), angle.sin()
    push = (action * 20.0 - 10.0 + 0.05 * spin * spin * sine) / 1.1
    turn = (9.8 * sine - cosine * push) / (0.5 * (4 / 3 - 0.1 * cosine * cosine / 1.1))
    move = push - 0.05 * turn * cosine / 1.1
    return torch.stack([x + 0.02 * v, v + 0.02 * move, angle + 0.02 * spin, spin + 0.02 * turn], 1)


def play(s, age):
    obs, actions, mu, discounts = [], [], [], []
    with torch.no_grad():
        for _ in range(T):
            obs.append(s)
            logp = head(torso(s))[:, :2].log_softmax(1)
            action = (torch.rand(B) >= logp[:, 0].exp()).long()
            actions.append(action)
            mu.append(logp.gather(1, action[:, None])[:, 0])
            s, age = step(s, action), age + 1
            end = (s[:, 0].abs() > 2.4) | (s[:, 2].abs() > 0.2094395) | (age == 500)
            discounts.append(0.99 * (~end).float())
            s = torch.where(end[:, None], torch.rand(B, 4) * 0.1 - 0.05, s)
            age = torch.where(end, torch.zeros_like(age), age)
    return s, age, torch.stack([*obs, s]), torch.stack(actions), torch.stack(mu), torch.stack(discounts)


def learn(obs, actions, mu, discounts):
    out = head(torso(obs.view(-1, 4))).view(T + 1, B, 3)
    logp, value = out[:T, :, :2].log_softmax(2), out[:, :, 2]
    chosen = logp.gather(2, actions[:, :, None])[:, :, 0]
    with torch.no_grad():  # V-trace, both bounds 1
        rho = (chosen - mu).exp().clamp(max=1)
        delta = rho * (0.1 + discounts * value[1:] - value[:T])
        gap, targets = torch.zeros(B), [value[T]]
        for t in reversed(range(T)):
            gap = delta[t] + discounts[t] * rho[t] * gap
            targets.append(value[t] + gap)
        targets = torch.stack(targets[::-1])
        advantage = 0.1 + discounts * targets[1:] - value[:T]
    entropy = -(logp.exp() * logp).sum(2)
    loss = (-rho * advantage * chosen + 0.125 * (targets[:T] - value[:T]) ** 2 - 0.005 * entropy).mean()
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(params, 1.0)
    optimiser.step()


s, age, updates, ends = torch.rand(B, 4) * 0.1 - 0.05, torch.zeros(B, dtype=torch.long), 0, 0
began = time.process_time()
while time.process_time() - began < seconds:
    s, age, *batch = play(s, age)
    learn(*batch)
    updates += 1
    ends += int((batch[3] == 0).sum())
took = time.process_time() - began
print(json.dumps({"steps_per_cpu_s": updates * T * B / took, "steps_per_episode": updates * T * B / (ends + 1)}))

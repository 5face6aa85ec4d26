"""V-trace and the corrections since 2025 in NumPy: what impalab's learner computes in Go, on one page.

    python3 notebooks/corrections.py            # compare with static/corrections.json
    python3 notebooks/corrections.py FILE       # ... or with another file of its form

Every correction gives one weight c for each step; the loss to be made small is the mean over all steps of
-c*A*log pi(a), with c and A constant. pi is the policy that learns, mu the policy that acted, ratio = pi(a)/mu(a).
Arrays have one number a step. License of this file: CC0-1.0.
"""

import json
import pathlib
import sys

import numpy as np


# The value targets of IMPALA and those who came after it.


def vtrace(reward, discount, value, bootstrap, ratio, rho_bar=1.0, c_bar=1.0, lam=1.0, alpha_rho=1.0, alpha_c=1.0,
           mask=None):
    """V-trace (IMPALA, arXiv:1802.01561, remark 1) of one trajectory: targets, advantages, weights.

    discount is 0 where an episode ends. alpha below 1 leaks (STAC, eq. 5); mask is LASER's m (eq. 8).
    """
    mask = np.ones_like(ratio) if mask is None else mask
    rho = alpha_rho * np.minimum(rho_bar, ratio) + (1 - alpha_rho) * ratio
    c = lam * (alpha_c * np.minimum(c_bar, ratio) + (1 - alpha_c) * ratio)
    after = np.append(value[1:], bootstrap)
    delta = reward + discount * after - value
    gap = np.zeros(len(value) + 1)  # v - V; behind the last step it is 0
    for t in reversed(range(len(value))):
        gap[t] = mask[t] * (rho[t] * delta[t] + discount[t] * c[t] * gap[t + 1])
    target = value + gap[:-1]
    advantage = reward + discount * (after + gap[1:]) - value
    return target, advantage, mask * rho


def n_step(reward, discount, value, bootstrap):
    """The n-step return, which needs no ratio: the values of every form below."""
    return vtrace(reward, discount, value, bootstrap, np.ones_like(reward), np.inf, np.inf)


def trust_mask(log_pi_all, log_mu_all, bound, rho_bar=1.0):
    """LASER's m (arXiv:1909.11583, section 4): 1 where KL(pi || implied policy) < bound. Rows are steps."""
    implied = np.minimum(rho_bar * np.exp(log_mu_all), np.exp(log_pi_all))
    implied /= implied.sum(axis=1, keepdims=True)
    return (np.sum(np.exp(log_pi_all) * (log_pi_all - np.log(implied)), axis=1) < bound).astype(float)


# The ratio of a step, or of the response that it belongs to.


def level(log_pi, log_mu, response, of="step"):
    """step: pi/mu. response: the product over the response (sequence TIS, TOPR). mean: its geometric mean (GSPO)."""
    log_ratio = log_pi - log_mu
    if of == "step":
        return np.exp(log_ratio)
    sums = np.bincount(response, log_ratio)
    if of == "mean":
        sums = sums / np.bincount(response)
    return np.exp(sums)[response]


# The weights, oldest first. Each takes the ratio, the advantage A, pi(a) and mu(a) of every step.


def none(ratio, A, pi, mu):
    """Old data count as new (IMPALA, section 5.2.2)."""
    return np.ones_like(ratio)


def epsilon(ratio, A, pi, mu):
    """log(pi + 1e-6) in place of log pi (IMPALA, section 5.2.2)."""
    return pi / (pi + 1e-6)


def one_step(ratio, A, pi, mu, ceiling=1.0):
    """Truncated importance sampling: IMPALA's one-step; TIS; CISPO without a lower end."""
    return np.minimum(ratio, ceiling)


def clip(ratio, A, pi, mu, clip_low=0.2, clip_high=0.28):
    """PPO (arXiv:1707.06347, eq. 7): the weight that its minimum has. GSPO is this with level mean."""
    far = np.where(A > 0, ratio > 1 + clip_high, ratio < 1 - clip_low)
    return np.where(far & (A != 0), 0, ratio)


def taper(ratio, A, pi, mu, floor=0.0, ceiling=1.0):
    """TOPR (arXiv:2503.14286, eq. 8): only steps that went badly are weighed."""
    return np.where(A < 0, np.clip(ratio, floor, ceiling), 1)


def band(ratio, A, pi, mu, floor=0.0, ceiling=2.0):
    """IcePop (arXiv:2510.18855, section 2.3.2); masked importance sampling with floor 0."""
    return np.where((ratio >= floor) & (ratio <= ceiling), ratio, 0)


def moment(ratio, A, pi, mu, tau=0.04, of="outward"):
    """M2PO (arXiv:2510.01161, algorithm 1): the largest squared log-ratios of the batch count 0. of="any": AReaL's."""
    square = np.log(ratio) ** 2
    candidates = np.flatnonzero(A * np.log(ratio) > 0) if of == "outward" else np.arange(len(ratio))
    left = list(candidates[np.argsort(square[candidates], kind="stable")])
    weight = ratio.copy()
    while left:
        mean = square[left].mean()
        if (mean <= tau) if of == "outward" else (mean < tau or len(left) == 1):
            break
        weight[left.pop()] = 0
    return weight


def shift(ratio, A, pi, mu, delta=0.15):
    """DPPO (arXiv:2602.04879, eq. 12 to 14): clip's rule for the difference pi - mu in place of the ratio."""
    return np.where(((A > 0) & (pi - mu > delta)) | ((A < 0) & (pi - mu < -delta)), 0, ratio)


# Two that are no weight.


def centred(log_pi_all, log_mu_all, action, A, of="all"):
    """Score centring (arXiv:2609.20807, f = 1): the slope of A*(log pi(a) - sum_b mu(b)*log pi(b)) in the logits.

    of="bad" and of="good" centre only the steps with A < 0, or only the others: controls.
    """
    own = np.eye(log_pi_all.shape[1])[action] - np.exp(log_pi_all)
    mean = np.exp(log_mu_all) - np.exp(log_pi_all)
    if of != "all":
        mean[(A < 0) != (of == "bad")] = 0
    return A[:, None] * (own - mean)


def lift(A, lift=0.5):
    """A control: lift times the batch's mean |A| joins every advantage."""
    return A + lift * np.abs(A).mean()


WEIGHTS = {"none": none, "epsilon": epsilon, "one-step": one_step, "clip": clip, "taper": taper, "band": band,
           "moment": moment, "shift": shift}


def compute(case):
    """What this file makes of one case of corrections.json, by the names of its fields."""
    x = {k: np.asarray(v) for k, v in case.items() if isinstance(v, list)}
    p = case.get("parameters", {})
    if case["form"] == "lift":
        return {"lifted": lift(x["advantage"], **p)}
    if case["form"] == "centred":
        return {"slope": centred(x["log_pi_all"], x["log_mu_all"], x["action"], x["advantage"], **p)}
    ratio = level(x["log_pi"], x["log_mu"], x.get("response"), case.get("level", "step"))
    if "reward" in x:
        p = {"alpha_rho": 0, "alpha_c": 0, **p, "lam": p["lambda"]}
        del p["lambda"]
        if trust := p.pop("trust", None):
            p["mask"] = trust_mask(x["log_pi_all"], x["log_mu_all"], trust, p["rho_bar"])
        made = vtrace(x["reward"], x["discount"], x["value"], case["bootstrap"], ratio, **p)
        return dict(zip(("target", "advantage", "weight"), made))
    return {"weight": WEIGHTS[case["form"]](ratio, x["advantage"], np.exp(x["log_pi"]), np.exp(x["log_mu"]), **p)}


if __name__ == "__main__":
    ours = pathlib.Path(__file__).parent.parent / "static" / "corrections.json"
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ours
    cases = json.loads(path.read_text())["cases"]
    for case in cases:
        for field, made in compute(case).items():
            np.testing.assert_allclose(made, case[field], rtol=1e-9, atol=1e-12, err_msg=f"{case['name']}: {field}")
    print(f"{len(cases)} cases agree with {path.name}")

#!/usr/bin/env python3
"""Compares impalab on one core with a C program on OpenBLAS and with PyTorch, by turns.

    apt-get install libopenblas-dev python3-torch
    python3 tools/peers/run.py [PAIRS] [SECONDS]

Each plays CartPole with 32 copies for 20 steps and then learns: a network of 64-64 tanh units, V-trace, RMSProp. The
table has the median ratio of steps per second of processor time.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 8
seconds = sys.argv[2] if len(sys.argv) > 2 else "3"
rate = "1e-05"
alone = {**os.environ, "GOMAXPROCS": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def call(*command):
    return json.loads(subprocess.run(command, env=alone, check=True, capture_output=True, text=True).stdout)


def impalab(program):
    settings = f"preset=cartpole mode=reference unroll=20 batch=32 lr={rate} steps=0".split()
    told = call(program, "bench", "--seconds", seconds, "--json", *(x for s in settings for x in ("--set", s)))
    return told["steps"] / told["cpu_s"]


with tempfile.TemporaryDirectory() as folder:
    ours, c = f"{folder}/impalab", f"{folder}/peer"
    subprocess.run(["go", "build", "-o", ours, "./server"], cwd=here.parent.parent, check=True)
    subprocess.run(["gcc", "-O3", "-march=native", "-ffast-math", "-o", c, here / "peer.c", "-lopenblas", "-lm"],
                   check=True)
    peers = {"C with OpenBLAS": (c, seconds, rate)}
    for python in sys.executable, "/usr/bin/python3":  # Debian's has Debian's packages
        if not subprocess.run([python, "-c", "import torch"], capture_output=True).returncode:
            peers["PyTorch"] = (python, str(here / "peer.py"), seconds, rate)
    ratios = {name: [] for name in peers}
    for i in range(pairs):
        for name, command in peers.items():
            first = call(*command)["steps_per_cpu_s"] if i % 2 else 0
            mine = impalab(ours)
            ratios[name].append(mine / (first or call(*command)["steps_per_cpu_s"]))
    print("| | impalab's steps per second of processor time, relative to it |\n|---|---|")
    for name, of in ratios.items():
        print(f"| {name} | {statistics.median(of):.2f} ({min(of):.2f} to {max(of):.2f}, {pairs} pairs) |")

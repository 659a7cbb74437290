#!/usr/bin/env python3
"""Random models, each of which has to end with a right result or a failure that has a name.

usage: torture.py [--tool build/carom] [--seconds 600] [--seed 1] [--count N] [--keep FOLDER]

What is asked of each model (models.py):
  told      every end but a good one has a message; none is a crash
  energy    the balance explains what is turned over (the run would warn), or errors of steps add up to what is not: it
            falls with the tolerance
  through   no free body is below the ground it cannot pass
  bits      a second run in another number of threads writes the same bytes
  islands   one step for all gives the same end, as near as a tighter tolerance does, or nearer at a tighter tolerance
  order     so does another order of the elements
A model that breaks one of these is made smaller, part by part, while it still breaks it, and kept as a file whose first
line says how to run it. A run that fails with a message, and one that takes too long, is listed, and is no fault.
"""
import argparse
import json
import math
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter

from models import make_model

RUN_SECONDS = 20      # [s] of processor time of one run
CHAOS = 1e-3          # [-] change of the end by a tighter tolerance above which ends are not compared
ERROR_FACTOR = 100.0  # [-] of that change, which is one sample of an error
ERROR_FLOOR = 1e4     # [-] times the tolerance: steps add up
FALL = 0.3            # [-] to which errors fall with a tenth of the tolerance: energy where steps add up, ends that differ
SINK = 0.05           # [-] of its size that a free body may be in the ground


class Run:
    """One call of the tool: how it ended, what it said, and the state at its end."""

    def __init__(self, bench, text, model, tolerance=None, threads=1, islands="on"):
        self.folder = os.path.join(bench.folder, "run")
        shutil.rmtree(self.folder, ignore_errors=True)
        path, end = os.path.join(bench.folder, "model.lua"), os.path.join(bench.folder, "end.json")
        with open(path, "w") as file:
            file.write(text)
        if os.path.exists(end):
            os.remove(end)
        self.arguments = ["run", "model.lua", "--stop", str(model.stop), "--tol", f"{tolerance or model.tolerance:g}",
                          "--solver", model.solver, "--threads", str(threads), "--islands", islands, "--quiet",
                          "--interval", str(model.stop / 20), "--no-report"]
        for value in model.inputs:
            if value.split("=")[0] in text:
                self.arguments += ["--input", value]
        limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (RUN_SECONDS, RUN_SECONDS + 2))
        try:
            done = subprocess.run([bench.tool, *self.arguments, "--out", "run", "--save-state", "end.json"],
                                  cwd=bench.folder, capture_output=True, preexec_fn=limit, timeout=20 * RUN_SECONDS)
            self.code, self.text = done.returncode, done.stderr.decode(errors="replace")
        except subprocess.TimeoutExpired:
            self.code, self.text = -24, ""
        bench.runs += 1
        self.end = None
        if self.code == 0:
            with open(end) as file:
                self.end = json.load(file)["states"]

    @property
    def is_slow(self):
        return self.code in (-24, -9)

    def unexplained(self):
        """[J] of the energy that the run warns of; None: it does not."""
        found = re.search(r"energy is unexplained[^\n]*\n  found (\S+) J, allowed", self.text)
        return abs(float(found.group(1))) if found else None

    def message(self):
        """The first error without its numbers and names."""
        found = re.search(r"error: (.*)", self.text)
        text = re.sub(r"'[^']*'", "'…'", found.group(1)) if found else ""
        return re.sub(r"^[\w.]+: ", "", re.sub(r"-?\d[\d.e+-]*", "N", text))


def distance(a, b):
    """The largest difference of two ends; orientations count up to their sign."""
    if set(a) != set(b):
        return math.inf
    worst = 0.0
    for name in a:
        if name.endswith(".orientation.w"):
            names = [name[:-1] + axis for axis in "wxyz"]
            ends = [[end[n] for n in names] for end in (a, b)]
            lengths = [math.hypot(*end) for end in ends]
            units = [[x / length for x in end] for end, length in zip(ends, lengths)]
            same, other = (max(abs(x - sign * y) for x, y in zip(*units)) for sign in (1, -1))
            worst = max(worst, min(same, other))
        elif ".orientation." not in name and not name.endswith(".bristle"):
            worst = max(worst, abs(a[name] - b[name]) / (1.0 + abs(a[name])))
    return worst


def is_same_result(a, b):
    """Whether two result files hold the same bits. How they lie in the file depends on when they were committed."""
    return subprocess.run(["h5diff", "-q", a, b], capture_output=True).returncode == 0


class Bench:
    def __init__(self, tool, folder):
        self.tool, self.folder, self.runs = os.path.abspath(tool), folder, 0

    def judge(self, model, parts, only=None):
        """What is wrong with a model of these parts, and details; `only` asks for one kind."""
        text = model.write(parts)
        first = Run(self, text, model)
        if first.is_slow:
            return "slow", ""
        if first.code not in (0, 1, 3):
            return "crash", f"exit {first.code}"
        if first.code != 0:
            return ("failed" if first.code == 3 else "refused", first.message()) if "error:" in first.text else ("told", "")
        if only in (None, "energy") and first.unexplained() is not None:
            finer = Run(self, text, model, tolerance=0.1 * model.tolerance)
            if finer.is_slow:
                return "slow", ""
            left = finer.unexplained() or 0.0
            if finer.code != 0 or left > FALL * first.unexplained():
                return "energy", f"{first.unexplained():.3g} J, {left:.3g} J at a tenth of the tolerance"
            return "long", f"{first.unexplained():.3g} J"
        for part in parts:
            for name, size in part.heights.items():
                z = first.end.get(f"{name}.position.z")
                if only in (None, "through") and z is not None and z < -SINK * size - (size if self.tips(part) else 0):
                    return "through", f"{name} at z = {z:.3g} m"
        kept = os.path.join(self.folder, "kept.h5")
        shutil.copy(os.path.join(first.folder, "result.h5"), kept)
        if only in (None, "bits"):
            second = Run(self, text, model, threads=model.threads)
            if second.is_slow:
                return "slow", ""
            if second.code != 0 or not is_same_result(kept, os.path.join(second.folder, "result.h5")):
                return "bits", f"{model.threads} threads"
        if only in (None, "islands", "order"):
            return self.compare(model, parts, first, only)
        return "right", ""

    @staticmethod
    def tips(part):
        return "cone{" in part.text  # whose origin is not in its middle

    def compare(self, model, parts, first, only):
        finer = Run(self, model.write(parts), model, tolerance=0.1 * model.tolerance)
        if finer.code != 0:
            return ("slow", "") if finer.is_slow else ("failed", finer.message())
        error = distance(first.end, finer.end)
        if error > CHAOS:
            return "chaotic", f"{error:.2g}"
        limit = ERROR_FACTOR * error + ERROR_FLOOR * model.tolerance
        shuffled = list(parts)
        random.Random(model.seed).shuffle(shuffled)
        for kind in ("islands", "order"):
            if only not in (None, kind):
                continue
            text, islands = (model.write(parts), "off") if kind == "islands" else (model.write(shuffled), "on")
            other = Run(self, text, model, islands=islands)
            if other.code != 0:
                return ("slow", "") if other.is_slow else ("failed", other.message())
            apart = distance(first.end, other.end)
            if apart <= limit:
                continue
            otherFiner = Run(self, text, model, tolerance=0.1 * model.tolerance, islands=islands)
            if otherFiner.code != 0:
                return ("slow", "") if otherFiner.is_slow else ("failed", otherFiner.message())
            left = distance(finer.end, otherFiner.end)
            if left > max(limit, FALL * apart):
                return kind, f"{apart:.2g}, allowed {limit:.2g}; {left:.2g} at a tenth of the tolerance"
        return "right", ""

    def minimize(self, model, kind):
        """Parts without which the fault is still there are left out, one by one."""
        parts = list(model.parts)
        isSmaller = True
        while isSmaller:
            isSmaller = False
            for part in list(parts):
                gone = {part.name}
                rest = [p for p in parts if p is not part and not gone & set(p.needs)]
                if rest and self.judge(model, rest, kind)[0] == kind:
                    parts, isSmaller = rest, True
        return parts


WRONG = ("crash", "told", "energy", "through", "bits", "islands", "order")


def keep(folder, model, parts, kind, details):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"{kind}_{model.seed}.lua")
    inputs = "".join(f" --input {value}" for value in model.inputs)
    with open(path, "w") as file:
        file.write(f"-- {kind}: {details}; seed {model.seed}: carom run --stop {model.stop} --tol {model.tolerance:g} "
                   f"--solver {model.solver} --threads {model.threads} --interval {model.stop / 20:g}{inputs}\n"
                   + model.write(parts))
    return path


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--tool", default="build/carom")
    options.add_argument("--seconds", type=float, default=600)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--count", type=int, default=10 ** 9)
    options.add_argument("--keep", default="build/torture")
    given = options.parse_args()
    start, ends, seeds, reasons, stop = time.time(), Counter(), {}, Counter(), []
    with tempfile.TemporaryDirectory(prefix="carom_torture_") as folder:
        bench, seed = Bench(given.tool, folder), given.seed
        signal.signal(signal.SIGTERM, lambda *_: stop.append(True))  # the table is printed then, too
        while time.time() - start < given.seconds and seed < given.seed + given.count and not stop:
            model = make_model(seed)
            kind, details = bench.judge(model, model.parts)
            ends[kind] += 1
            seeds.setdefault(kind, []).append(seed)
            if kind in ("failed", "refused"):
                reasons[f"{kind}: {details}"] += 1
            if kind in WRONG:
                parts = bench.minimize(model, kind)
                path = keep(given.keep, model, parts, kind, details)
                print(f"seed {seed}: {kind}, {details}; {len(parts)} of {len(model.parts)} parts in {path}", flush=True)
            seed += 1
        print(f"\n{sum(ends.values())} models, {bench.runs} runs, {time.time() - start:.0f} s")
        for kind, count in ends.most_common():
            print(f"  {kind:8} {count:6}   seeds {', '.join(str(s) for s in seeds[kind][:12])}"
                  + (" …" if count > 12 else ""))
        for reason, count in reasons.most_common(20):
            print(f"  {count:4} x {reason}")
    return 1 if any(ends[kind] for kind in WRONG) else 0


if __name__ == "__main__":
    sys.exit(main())

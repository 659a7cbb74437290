#!/usr/bin/env python3
"""Every verb with a single call that fails: memory, writing, syncing, renaming, closing, mapping.

usage: faults.py TOOL LIBRARY EXAMPLES [--most N] [--seconds S] [--verbs check,run,...] [--kinds write,...]

A command is run once to count its calls of each kind (fault.c), then once for each of them, at most N of a kind, spread
over all, with that call failing. It has to end by itself, with an exit code of the tool; a code other than 0 needs a
message, a memory fault must not be called damage, and without a message the output is what it is without a fault. The
message that the library of another project has ended the process is one, too, and is counted. So is what fontconfig does where its own
memory fails, by the stack of the call, and nobody outside can tell: it takes another font, or waits for a lock that it holds itself.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter

KINDS = ("memory", "write", "sync", "rename", "close", "map")
ENDS = (0, 1, 2, 3)  # exit codes of the tool
LIMIT = 60           # [s] of one run


def list_commands(examples):
    """Name, arguments, and what is removed before each run."""
    model = os.path.join(examples, "bouncing_ball.lua")
    return {
        "check": (["check", model], []),
        "check-loop": (["check", os.path.join(examples, "four_bar.lua")], []),
        "info": (["info", model], []),
        "run": (["run", model, "--stop", "0.5", "--out", "new.run", "--quiet"], ["new.run"]),
        "run-checkpoints": (["run", model, "--stop", "0.5", "--out", "new.run", "--quiet", "--no-report", "--checkpoint",
                             "0", "--interval", "0.05"], ["new.run"]),
        "plot": (["plot", "base.run", "elastic.position.z", "--out", "p.svg"], ["p.svg"]),
        "convert": (["convert", model, "m.json"], ["m.json"]),
        "convert-result": (["convert", "base.run", "r.csv"], ["r.csv"]),
        "distance": (["distance", '{"type":"sphere","radius":1}', '{"position":[0,0,0]}',
                      '{"type":"hull","points":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}', '{"position":[3,0,0]}'], []),
    }


class Sweep:
    def __init__(self, tool, library, folder):
        self.tool, self.library, self.folder = os.path.abspath(tool), os.path.abspath(library), folder
        self.where = os.path.join(folder, "where")
        self.runs, self.bad, self.foreign, self.ends = 0, [], Counter(), Counter()

    def call(self, arguments, fault=None, counts=None):
        environment = dict(os.environ, LD_PRELOAD=self.library)
        if fault:
            environment.update(CAROM_FAULT=fault, CAROM_FAULT_WHERE=self.where)
            self.remove([self.where])
        if counts:
            environment["CAROM_FAULT_COUNTS"] = counts
        return subprocess.run([self.tool, *arguments], cwd=self.folder, env=environment, capture_output=True, timeout=LIMIT)

    def remove(self, names):
        for name in names:
            path = os.path.join(self.folder, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.path.exists(path) and os.remove(path)

    def read_output(self, done, new):
        """What a command printed and wrote, but for folders of runs, which hold times."""
        paths = [os.path.join(self.folder, name) for name in new]
        files = []
        for path in paths:
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    files.append(file.read())
        return done.stdout, files

    def is_in_fontconfig(self):
        """Whether fontconfig made the call that failed, or what it calls itself, and not cairo or we."""
        try:
            with open(self.where) as file:
                callers = [os.path.basename(line.strip()) for line in file]
        except OSError:
            return False
        through = ("libcarom_fault", "libc.", "libexpat.", "libfreetype.")
        return next((name for name in callers if not name.startswith(through)), "").startswith("libfontconfig.")

    def is_in_another_font(self, found):
        """Whether a picture has as many lines, areas and characters as it has without a fault."""
        shapes = [[file.count(part) for file in files for part in (b"<path ", b"<use ")] for _, files in (found, self.good)]
        return shapes[0] == shapes[1] and shapes[1] != []

    def judge(self, verb, new, fault, done):
        text = (done.stderr + (done.stdout if verb == "distance" else b"")).decode(errors="replace")
        self.ends[done.returncode] += 1
        crashed = re.search(r"the process was ended by the library (\w+)", text)
        if crashed:
            self.foreign[f"{verb} {fault.split(':')[0]}: {crashed.group(1)}, by a crash that is told"] += 1
        if done.returncode < 0:
            self.bad.append(f"{verb} {fault}: killed by signal {-done.returncode}")
        elif done.returncode not in ENDS:
            self.bad.append(f"{verb} {fault}: exit code {done.returncode}")
        elif done.returncode != 0 and text.strip() == "":
            self.bad.append(f"{verb} {fault}: exit code {done.returncode} without a message")
        elif done.returncode == 0 and text.strip() == "" and self.read_output(done, new) != self.good:
            if self.is_in_fontconfig() and self.is_in_another_font(self.read_output(done, new)):
                self.foreign["plot memory: fontconfig, by another font"] += 1
                return
            self.bad.append(f"{verb} {fault}: another output, and nothing said")
        elif fault.startswith("memory") and "damaged" in text:
            self.bad.append(f"{verb} {fault}: called damage: {text.strip()[:100]}")

    def sweep(self, verb, arguments, new, kinds, most, until):
        counts = os.path.join(self.folder, "counts")
        self.remove(new)
        self.good = self.read_output(self.call(arguments, counts=counts), new)
        with open(counts) as file:
            calls = {line.split()[0]: int(line.split()[1]) for line in file}
        done = []
        for kind in kinds:
            total = calls[kind]
            tried = sorted({i * total // min(total, most) for i in range(min(total, most))}) if total else []
            for n in tried:
                if time.time() > until:
                    return
                self.remove(new)
                try:
                    self.judge(verb, new, f"{kind}:{n}", self.call(arguments, f"{kind}:{n}"))
                except subprocess.TimeoutExpired:
                    if self.is_in_fontconfig():
                        self.foreign["plot memory: fontconfig, without an end"] += 1
                        continue
                    self.bad.append(f"{verb} {kind}:{n}: did not end")
                self.runs += 1
            done.append(f"{len(tried)} of {total} {kind}")
        print(f"{verb:16} {', '.join(done)}", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("tool")
    options.add_argument("library")
    options.add_argument("examples")
    options.add_argument("--most", type=int, default=10 ** 9)
    options.add_argument("--seconds", type=float, default=3600)
    options.add_argument("--verbs", default="")
    options.add_argument("--kinds", default=",".join(KINDS))
    given = options.parse_args()
    commands = list_commands(os.path.abspath(given.examples))
    with tempfile.TemporaryDirectory(prefix="carom_faults_") as folder:
        sweep = Sweep(given.tool, given.library, folder)
        subprocess.run([sweep.tool, *commands["run"][0][:-2], "base.run", "--quiet"], cwd=folder, check=True,
                       capture_output=True)
        until = time.time() + given.seconds
        for verb in given.verbs.split(",") if given.verbs else commands:
            sweep.sweep(verb, *commands[verb], given.kinds.split(","), given.most, until)
    print(f"{sweep.runs} runs; exit codes " + ", ".join(f"{c}: {n}" for c, n in sorted(sweep.ends.items())))
    for where, count in sweep.foreign.most_common():
        print(f"  {count} times by another library, {where}")
    for line in sweep.bad:
        print(f"  WRONG {line}")
    return 1 if sweep.bad else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Every verb with a single call that fails: memory, writing, syncing, renaming, closing, mapping, opening, reading, cutting off.

usage: faults.py TOOL LIBRARY EXAMPLES [--most N] [--seconds S] [--verbs check,run,...] [--kinds write,...] [--known run,...]

A command is run once to count its calls of each kind (fault.c), then once for each of them with that call failing; of
those for memory only the first of each call stack, the others ask from the same place; nor are stacks tried again that a
verb before had, or one that is said to be known. At most N of a kind are tried, spread
over all. The command has to end by itself, with an exit code of the tool; a code other than 0 needs a
message, a memory fault must not be called damage, and without a message the output is what it is without a fault. A result
that a run leaves can be read by the tool, and its rows are the first of those without a fault. The
message that the library of another project has ended the process is one, too, and is counted. So is what fontconfig does where its own
memory fails, by the stack of the call, and nobody outside can tell: it takes another font, or waits for a lock that it holds itself.
"""
import argparse
import ctypes
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter

CHANGES = ("write", "sync", "rename", "close", "map", "open", "truncate")
KINDS = ("memory", *CHANGES, "read")
ENDS = (0, 1, 2, 3)  # exit codes of the tool
LIMIT = 60           # [s] of one run
FIXED_ADDRESSES = 0x0040000  # personality: stacks have the same numbers in every process

# Models whose runs have every call to files but those that read fail once, with a stop time that leaves a dozen rows.
RUNS = {"bouncing_ball": 1, "billiards": 0.5, "newtons_cradle": 0.2, "four_cubes": 0.5, "double_pendulum_obstacle": 0.5,
        "dominoes": 0.02, "marble_run": 0.2, "stewart": 0.2, "servo_arm": 0.2, "inverted_pendulum": 0.2, "rattleback": 0.2,
        "pick_and_place": 0.2, "slider_crank": 0.2, "double_pendulum": 0.2, "governor": 0.2, "four_bar": 0.2,
        "spinning_top": 0.2, "rolling_ball": 0.2, "corner_spheres": 0.1, "ball_bearing": 0.002}


def list_commands(examples):
    """Name, arguments, what is removed before each run, and the kinds of calls that fail."""
    model = os.path.join(examples, "bouncing_ball.lua")
    run = ["--out", "new.run", "--quiet"]
    commands = {
        "check": (["check", model], [], KINDS),
        "check-loop": (["check", os.path.join(examples, "four_bar.lua")], [], KINDS),
        "info": (["info", model], [], KINDS),
        "run": (["run", model, "--stop", "0.5", *run], ["new.run"], KINDS),
        "run-checkpoints": (["run", model, "--stop", "0.5", *run, "--no-report", "--checkpoint", "0", "--interval", "0.05"],
                            ["new.run"], KINDS),
        "plot": (["plot", "base.run", "elastic.position.z", "--out", "p.svg"], ["p.svg"], KINDS),
        "convert": (["convert", model, "m.json"], ["m.json"], KINDS),
        "convert-result": (["convert", "base.run", "r.csv"], ["r.csv"], KINDS),
        "distance": (["distance", '{"type":"sphere","radius":1}', '{"position":[0,0,0]}',
                      '{"type":"hull","points":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}', '{"position":[3,0,0]}'], [], KINDS),
    }
    for name, stop in RUNS.items():
        commands["run-" + name] = (["run", os.path.join(examples, name + ".lua"), "--stop", str(stop), *run, "--checkpoint",
                                    "0", "--interval", str(stop / 12)], ["new.run"], CHANGES)
    return commands


class Served:
    """A command whose process waits before main and forks for each fault (fault.c)."""

    def __init__(self, tool, arguments, folder, environment):
        self.name = os.path.join(folder, "served")
        wants, self.asks = os.pipe()
        self.hears, tells = os.pipe()
        environment.update(CAROM_FAULT_SERVER=f"{wants},{tells},{self.name}", LD_BIND_NOW="1")
        self.process = subprocess.Popen([tool, *arguments], cwd=folder, env=environment, pass_fds=(wants, tells))
        os.close(wants)
        os.close(tells)

    def read_number(self):
        line = b""
        while not line.endswith(b"\n"):
            line += os.read(self.hears, 1)  # no more: whether there is more is asked of the system
        return int(line)

    def call(self, arguments, fault):
        os.write(self.asks, (fault + "\n").encode())
        child = self.read_number()
        is_late = not select.select([self.hears], [], [], LIMIT)[0]
        if is_late:
            os.kill(child, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(self.read_number())
        if is_late:
            raise subprocess.TimeoutExpired(arguments, LIMIT)
        with open(self.name + ".out", "rb") as out, open(self.name + ".err", "rb") as err:
            return subprocess.CompletedProcess(arguments, status, out.read(), err.read())

    def end(self):
        os.close(self.asks)
        self.process.wait()
        os.close(self.hears)


class Sweep:
    def __init__(self, tool, library, folder):
        self.tool, self.library, self.folder = os.path.abspath(tool), os.path.abspath(library), folder
        self.where = os.path.join(folder, "where")
        self.stacks = set()  # that were tried
        self.runs, self.kept, self.bad, self.foreign, self.ends = 0, 0, [], Counter(), Counter()

    def count(self, arguments, counts):
        """A call without a fault; the numbers of its calls go to a file, and its stacks beside it."""
        environment = dict(os.environ, LD_PRELOAD=self.library, CAROM_FAULT_COUNTS=counts, CAROM_FAULT_STACKS=counts + ".stacks")
        return subprocess.run([self.tool, *arguments], cwd=self.folder, env=environment, capture_output=True, timeout=LIMIT)

    def remove(self, names):
        for name in names:
            path = os.path.join(self.folder, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.path.exists(path) and os.remove(path)

    def read_output(self, done, new):
        """What a command printed and wrote; of a run its rows, for other files of it hold times."""
        paths = [os.path.join(self.folder, name) for name in new]
        files = []
        for path in paths:
            if os.path.isdir(path):
                files.append(self.read_rows(path))
            elif os.path.isfile(path):
                with open(path, "rb") as file:
                    files.append(file.read())
        return done.stdout, files

    def read_rows(self, path):
        """The rows of a result as the tool reads them, without a fault; None: there is none, a message: it cannot."""
        if not os.path.exists(os.path.join(path, "result.h5")):
            return None
        table = os.path.join(self.folder, "rows.csv")
        self.remove([table])
        done = subprocess.run([self.tool, "convert", path, table], capture_output=True, timeout=LIMIT)
        if done.returncode != 0:
            return done.stderr.decode(errors="replace")
        with open(table, "rb") as file:
            return file.read().splitlines()

    def judge_kept(self, verb, new, fault):
        """Whether what a run that did not end well has left is a beginning of what it should have written."""
        for path in (os.path.join(self.folder, name) for name in new):
            rows = self.read_rows(path) if os.path.isdir(path) else None
            self.kept += isinstance(rows, list)
            if isinstance(rows, str):
                self.bad.append(f"{verb} {fault}: what is left cannot be read: {rows.strip()[:100]}")
            elif rows is not None and rows != self.good[1][0][:len(rows)]:
                self.bad.append(f"{verb} {fault}: {len(rows)} rows are left that are no beginning of the right ones")

    def is_in_fontconfig(self):
        """Whether fontconfig made the call that failed, or what it calls itself, and not cairo or we."""
        try:
            with open(self.where) as file:
                callers = [os.path.basename(line.strip()) for line in file.readlines()[1:]]
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
        elif done.returncode != 0:
            self.judge_kept(verb, new, fault)

    def list_stacks(self, counts):
        """The first call of each stack that was not tried."""
        with open(counts + ".stacks") as file:
            all = {int(number): stack for number, stack in (line.split() for line in file)}
        return {number: stack for number, stack in all.items() if stack not in self.stacks}

    def know(self, arguments, new):
        """Takes the stacks of a command as tried."""
        counts = os.path.join(self.folder, "counts")
        self.remove(new)
        self.count(arguments, counts)
        self.stacks.update(self.list_stacks(counts).values())

    def try_one(self, served, verb, arguments, new, fault):
        self.remove([*new, self.where])
        self.runs += 1
        try:
            self.judge(verb, new, fault, served.call(arguments, fault))
        except subprocess.TimeoutExpired:
            if self.is_in_fontconfig():
                self.foreign["plot memory: fontconfig, without an end"] += 1
            else:
                self.bad.append(f"{verb} {fault}: did not end")

    def read_stack(self):
        """Of the call that failed; None: none did."""
        try:
            with open(self.where) as file:
                return file.readline().strip()
        except OSError:
            return None

    def sweep(self, verb, arguments, new, kinds, most, until):
        counts = os.path.join(self.folder, "counts")
        self.remove(new)
        self.good = self.read_output(self.count(arguments, counts), new)
        with open(counts) as file:
            calls = {line.split()[0]: int(line.split()[1]) for line in file}
        done = []
        served = Served(self.tool, arguments, self.folder, dict(os.environ, LD_PRELOAD=self.library, CAROM_FAULT_WHERE=self.where))
        for kind in kinds:
            wanted = self.list_stacks(counts) if kind == "memory" else dict.fromkeys(range(calls[kind]))
            order, met, tried = sorted(wanted), set(), 0
            for n in ([order[i * len(order) // most] for i in range(most)] if most < len(order) else order):
                if time.time() > until:
                    done.append(f"{kind} not to the end")
                    break
                self.try_one(served, verb, arguments, new, f"{kind}:{n}")
                tried += 1
                met.add(self.read_stack())
            if kind != "memory":
                done.append(f"{tried} of {calls[kind]} {kind}")
            else:
                done.append(f"{len(met & set(wanted.values()))} of {len(wanted)} new stacks of {calls[kind]} memory")
                self.stacks |= met
        served.end()
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
    options.add_argument("--known", default="")
    given = options.parse_args()
    ctypes.CDLL(None).personality(FIXED_ADDRESSES)
    commands = list_commands(os.path.abspath(given.examples))
    with tempfile.TemporaryDirectory(prefix="carom_faults_") as folder:
        sweep = Sweep(given.tool, given.library, folder)
        subprocess.run([sweep.tool, *commands["run"][0][:-2], "base.run", "--quiet"], cwd=folder, check=True,
                       capture_output=True)
        for verb in filter(None, given.known.split(",")):
            sweep.know(*commands[verb][:2])
        until = time.time() + given.seconds
        for verb in given.verbs.split(",") if given.verbs else commands:
            arguments, new, kinds = commands[verb]
            sweep.sweep(verb, arguments, new, [kind for kind in kinds if kind in given.kinds.split(",")], given.most, until)
    print(f"{sweep.runs} runs, {sweep.kept} of them left a part of a result, which was compared; exit codes " + ", ".join(f"{c}: {n}" for c, n in sorted(sweep.ends.items())))
    for where, count in sweep.foreign.most_common():
        print(f"  {count} times by another library, {where}")
    for line in sweep.bad:
        print(f"  WRONG {line}")
    return 1 if sweep.bad else 0


if __name__ == "__main__":
    sys.exit(main())

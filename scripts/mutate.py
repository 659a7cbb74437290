#!/usr/bin/env python3
"""Whether the tests notice: breaks the code in many places, one at a time, and runs the tests that reach the place.

usage: scripts/mutate.py [--count 200] [--seed 1] [--seconds 5400] [--each 60] [--only TEXT] [--missed] [--resume]

A place is a sign, a comparison, a constant, an index or the end of a loop in a file of physics or search; the seed chooses
which. build-coverage/reach.json, which `make coverage` writes, says what tests reach a line: they run with the broken
file in front of the libraries of build/, first those that have noticed most in it, then those that reach least else, until one fails, crashes or hangs, which notices, or they have
taken --each [s] of CPU time. What changes nothing is named: by its object code, which is that of the original, or by its argument in scripts/mutants_alike.txt. The
others are listed, for whoever writes the next test. --missed judges again what the last run missed; --resume goes on with a run that was stopped. JOBS=N: at a time (2).
"""
import argparse
import difflib
import json
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD, REACH = os.path.join(ROOT, "build"), os.path.join(ROOT, "build-coverage", "reach.json")
PLACE = os.path.join(BUILD, "mutants")
ALIKE = os.path.join(ROOT, "scripts", "mutants_alike.txt")
SLOW = 8.0  # times the CPU time that a test takes with the code as it is, and
HANGS = 20.0  # [s] more: it hangs
MEMORY = 8 << 30  # [bytes] of one test
ALIKE_LINES = 300  # [lines] of the sources, that tests reach more or less than each other and are as near to a place

SOURCES = [
    "src/collide/distance/box_pair.c", "src/collide/distance/portal.c", "src/collide/distance/two_segments.c",
    "src/contact/area_law.c", "src/contact/area_loss.c", "src/contact/bristle.c", "src/contact/contact_law.c",
    "src/contact/contact_slope.c", "src/contact/contact_sums.c", "src/contact/impulse.c", "src/geometry/shape_mass.c",
    "src/geometry/shape_support.c", "src/island/deep_contact.c", "src/island/pair_search.c", "src/island/path_bound.c",
    "src/joint/cylindrical.c", "src/joint/free_motion.c", "src/joint/planar.c", "src/joint/prismatic.c",
    "src/joint/revolute.c", "src/joint/screw.c", "src/joint/spherical.c", "src/joint/universal.c", "src/math/inertia.c",
    "src/math/rotation.c", "src/model/eval/articulated.c", "src/model/eval/energy.c", "src/model/eval/force.c",
    "src/model/eval/free_body.c", "src/sim/energy_watch.c", "src/sim/rest.c", "src/solve/dop853.c", "src/solve/dopri5.c",
    "src/solve/radau5.c", "src/solve/rkc2.c",
]

# what is looked for, and what takes its place
SIGNS = [(r"(?<=[\w\])]) \+ (?=[\w(])", " - "), (r"(?<=[\w\])]) - (?=[\w(])", " + "), (r"(?<=[\w\])]) \* (?=[\w(])", " / "),
         (r" \+= ", " -= "), (r" -= ", " += "), (r"= -(?=\w)", "= "), (r"\bcrAdd\(", "crSub("), (r"\bcrSub\(", "crAdd("),
         (r"\bfmax\(", "fmin("), (r"\bfmin\(", "fmax(")]
CONSTANTS = [(r"\b0\.5\b", "0.6"), (r"\b1\.0\b", "1.1"), (r"\b2\.0\b", "2.1"), (r"\b3\.0\b", "3.1")]
INDICES = [(r"(?<=\w) \+ 1\b", ""), (r"(?<=\w) - 1\b", "")]
CONDITIONS = [(r" < ", " >= "), (r" > ", " <= "), (r" <= ", " > "), (r" >= ", " < "), (r" == ", " != "), (r" != ", " == "),
              (r" && ", " || "), (r" \|\| ", " && "), (r"\breturn true;", "return false;"), (r"\breturn false;", "return true;")]
# ends of loops: off by one. Elsewhere numbers that happen to be equal are no mistake, so conditions are turned round.
LOOPS = [(r"(?<== )0(?=;)", "1"), (r" < (?=[\w.>-]+;)", " + 1 < "), (r" <= (?=[\w.>-]+;)", " < "), (r" >= 0;", " > 0;")]


def list_places(source):
    """(line, column, length, new text) of all that can be broken."""
    with open(os.path.join(ROOT, source), encoding="utf-8") as file:
        for number, line in enumerate(file.read().splitlines()):
            code = line.split("//")[0]
            if code.lstrip().startswith(("#", "*")) or '"' in code or not code.startswith(" "):
                continue
            kinds = SIGNS + CONSTANTS + INDICES + (LOOPS if re.match(r"\s*for \(", code) else CONDITIONS)
            for pattern, new in kinds:
                for found in re.finditer(pattern, code):
                    yield number, found.start(), found.end() - found.start(), new


def read_alike():
    """{(source, broken line): argument} of mutants that are known to change nothing."""
    alike = {}
    with open(ALIKE, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                source, code, argument = line.rstrip("\n").split(" | ")
                alike[source, code.strip()] = argument
    return alike


class Bench:
    """What all mutants share: how things are compiled and linked, which tests there are, how long they take."""

    def __init__(self):
        with open(os.path.join(BUILD, "compile_commands.json"), encoding="utf-8") as file:
            self.compile = {}
            for entry in json.load(file):
                output = re.search(r" -o (CMakeFiles/carom\.dir/\S+)", entry["command"])
                if output:
                    source = os.path.relpath(entry["file"], ROOT)
                    self.compile[source] = [part for part in shlex.split(entry["command"]) if part != "ccache"]
        with open(REACH, encoding="utf-8") as file:
            self.reach = json.load(file)
        # a test that reaches little is about it; of those that are about as much the fastest comes first
        sizes = Counter(test for facts in self.reach["sources"].values() for tests in facts["lines"].values() for test in tests)
        self.order = {test: (sizes[test] // ALIKE_LINES, index) for index, test in enumerate(self.reach["tests"])}
        self.link, self.cpu, self.originals, self.kills, self.lock = {}, {}, {}, Counter(), threading.Lock()
        self.linker = ["-fuse-ld=lld"] if shutil.which("ld.lld") else []

    def list_tests(self, source, number):
        """Tests that reach a line, first those that noticed most in its file, then those that reach least else, then the fastest; of one that is new since they were counted, those that reach its file."""
        facts = self.reach["sources"][source]
        with open(os.path.join(ROOT, source), encoding="utf-8") as file:
            now = file.read().splitlines()
        blocks = difflib.SequenceMatcher(None, facts["text"], now, autojunk=False).get_matching_blocks()
        old = [block.a + number - block.b for block in blocks if block.b <= number < block.b + block.size]
        every = {test for tests in facts["lines"].values() for test in tests}
        near = range(old[0] + 1, old[0] - 3, -1) if old else []  # a line without a count may belong to a statement above
        found = next((facts["lines"][str(n)] for n in near if str(n) in facts["lines"]), every)
        return sorted(found, key=lambda test: (-self.kills[source, test], self.order[test]))

    def build_object(self, source, path, target):
        command = list(self.compile[source])
        command[command.index("-o") + 1], command[command.index("-c") + 1] = target, path
        command += ["-w", "-O1"]  # the same numbers, sooner
        return call(command, cwd=BUILD) == 0

    def read_original(self, source, folder):
        """The object code of a source as it is."""
        with self.lock:
            known = self.originals.get(source)
        if known is None:
            target = os.path.join(folder, "before.o")
            if not self.build_object(source, os.path.join(ROOT, source), target):
                sys.exit(f"mutate: {source} does not compile as it is")
            known = read_bytes(target)
            with self.lock:
                self.originals[source] = known
        return known

    def build_test(self, test, objects, target):
        with self.lock:
            if test not in self.link:
                lines = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", f"test_{test}"], capture_output=True, text=True,
                                       check=True).stdout.splitlines()
                parts = shlex.split(lines[-1].removeprefix(": && ").removesuffix(" && :"))
                self.link[test] = [part for part in parts if not part.startswith("-fuse-ld")]
        command = list(self.link[test])
        output = command.index("-o")
        command[output + 1] = target
        return call(command[:output] + objects + self.linker + command[output:], cwd=BUILD) == 0

    def measure(self, test, folder):
        """CPU seconds of a test with the code as it is; None if it fails."""
        with self.lock:
            if test in self.cpu:
                return self.cpu[test]
        program = os.path.join(folder, f"plain_{test}")  # linked as with a mutant: a build that is not up to date shows
        fails, seconds = run(program, folder, 1e4) if self.build_test(test, [], program) else (True, 0.0)
        if fails:
            print(f"left out: the test {test} fails as it is", flush=True)
        with self.lock:
            self.cpu[test] = None if fails else seconds
        return self.cpu[test]


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def call(arguments, **options):
    return subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, **options).returncode


def run(program, folder, limit):
    """(whether it fails, CPU seconds); ends at its first case that fails."""
    def confine():
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    environment = dict(os.environ, LOCPATH=os.path.join(BUILD, "test", "locales"))
    with subprocess.Popen([program], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                          env=environment, preexec_fn=confine) as process:
        waits = threading.Timer(60.0 + 20.0 * limit, lambda: os.killpg(process.pid, signal.SIGKILL))  # it may wait for ever
        waits.start()
        fails = False
        for line in process.stderr:
            if b"[  FAILED  ]" in line:
                fails = True
                os.killpg(process.pid, signal.SIGKILL)
                break
        process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        waits.cancel()
    return fails or process.returncode != 0, usage.ru_utime + usage.ru_stime


def judge(bench, source, place, folder, alike, each):
    """How a mutant ends, its line, and by which test or argument."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with open(os.path.join(ROOT, source), encoding="utf-8") as file:
        lines = file.read().splitlines(keepends=True)
    path, target = os.path.join(folder, os.path.basename(source)), os.path.join(folder, "after.o")
    number, column, length, new = place
    line = lines[number] = lines[number][:column] + new + lines[number][column + length:]
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)
    if not bench.build_object(source, path, target):
        return "refused", line, "the compiler"
    if read_bytes(target) == bench.read_original(source, folder):
        return "nothing", line, "the same object code"
    if (source, line.strip()) in alike:
        return "nothing", line, alike[source, line.strip()]
    spent = 0.0
    for test in bench.list_tests(source, number):
        seconds = bench.measure(test, folder) if spent < each else None
        if seconds is None:
            continue
        program = os.path.join(folder, f"test_{test}")
        if not bench.build_test(test, [target], program):
            continue
        fails, took = run(program, folder, SLOW * seconds + HANGS)
        spent += took
        os.remove(program)
        if fails:
            with bench.lock:
                bench.kills[source, test] += 1
            return "noticed", line, test
    return "missed", line, ""


def find_results(given):
    return os.path.join(PLACE, f"seed{given.seed}.json")


def choose(given):
    places = [(source, place) for source in SOURCES if given.only in source for place in list_places(source)]
    random.Random(given.seed).shuffle(places)
    return places[:given.count]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seconds", type=float, default=5400)
    options.add_argument("--each", type=float, default=60)
    options.add_argument("--only", default="")
    options.add_argument("--missed", action="store_true")
    options.add_argument("--resume", action="store_true")
    given = options.parse_args()
    if not os.path.exists(REACH):
        sys.exit("mutate: build-coverage/reach.json is missing; make coverage writes it")
    start, bench, alike, results = time.time(), Bench(), read_alike(), []
    chosen, free, lock = choose(given), list(range(int(os.environ.get("JOBS") or 2))), threading.Lock()
    os.makedirs(PLACE, exist_ok=True)
    if (given.resume or given.missed) and os.path.exists(find_results(given)):
        with open(find_results(given), encoding="utf-8") as file:
            known = [(source, tuple(place), *rest) for source, place, *rest in json.load(file)]
        results = [result for result in known if not given.missed or result[2] != "missed"]
        done = {(source, place) for source, place, *_ in results}
        chosen = [(source, place) for source, place, *_ in known if (source, place) not in done] if given.missed else \
            [item for item in chosen if item not in done]
        bench.kills.update((source, why) for source, _, kind, _, why in results if kind == "noticed")

    def work(item):
        source, place = item
        if time.time() - start > given.seconds:
            return
        with lock:
            worker = free.pop()
        kind, line, why = judge(bench, source, place, os.path.join(PLACE, f"worker{os.getpid()}_{worker}"), alike, given.each)
        with lock:
            free.append(worker)
            results.append((source, place, kind, line.strip(), why))
            if kind != "noticed":
                print(f"{kind}: {source}:{place[0] + 1}: {line.strip()}" + (f"  ({why})" if why else ""), flush=True)
            with open(find_results(given), "w", encoding="utf-8") as file:
                json.dump(results, file)

    with ThreadPoolExecutor(len(free)) as pool:
        list(pool.map(work, chosen))
    ends = Counter(kind for _, _, kind, *_ in results)
    asked = ends["noticed"] + ends["missed"]
    print(f"\n  {'file':40} noticed  missed nothing")
    for source in sorted({source for source, *_ in results}):
        of = Counter(kind for name, _, kind, *_ in results if name == source)
        print(f"  {source:40} {of['noticed']:7} {of['missed']:7} {of['nothing']:7}")
    print(f"{len(results)} mutants, seed {given.seed}: {ends['noticed']} noticed, {ends['missed']} missed, "
          f"{ends['nothing']} change nothing, {ends['refused']} do not compile; "
          f"{100.0 * ends['noticed'] / max(1, asked):.1f} % noticed, {time.time() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())

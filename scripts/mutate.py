#!/usr/bin/env python3
"""Whether the tests notice: breaks the code in many places, one at a time, and runs the cases of tests that reach the place.

usage: scripts/mutate.py [--count 200] [--seed 1] [--seconds 5400] [--each 60] [--only TEXT] [--missed] [--resume]

A place is a sign, a comparison, a constant, an index or the end of a loop in a file of physics or search; the seed chooses
which. Once, and again for each test that has changed, a test is linked with these files as clang compiles them to tell which
places a case reaches, and each case is run by itself and its time is measured: build/mutants/reach.json, which may be
removed to count all anew. Then the broken file is put in front of the libraries of build/, and the cases that reach the
line run, those first that are likely to notice for the time they take, until one fails, crashes or hangs, which notices,
or they have taken --each [s] of CPU time; at last those that reach the function. What changes nothing is named: by its
object code, which is that of the original, or by its argument in scripts/mutants_alike.txt. The others are listed, for
whoever writes the next test. --missed judges again what the last run missed; --resume goes on with a run that was
stopped. JOBS=N: at a time (2).
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
BUILD = os.path.join(ROOT, "build")
PLACE = os.path.join(BUILD, "mutants")
REACH = os.path.join(PLACE, "reach.json")
CASES = os.path.join(ROOT, "scripts", "mutant_cases.c")
ALIKE = os.path.join(ROOT, "scripts", "mutants_alike.txt")
SLOW = 5.0  # times the CPU time that a case takes with the code as it is, and
HANGS = 3.0  # [s] more: it hangs
MEMORY = 4 << 30  # [bytes] of one test
FEW = 200  # [places] that a case reaches: one that reaches more is less likely to notice a fault at one of them
WAIT = 30.0  # [s] while somebody builds the libraries anew
OWN = 10.0  # times as likely in a test of the file's name
LINK_SECONDS = 0.1  # of a test: a case costs so much more than its time
RIGHT, WRONG, LONG = 0, 1, 2  # ends of cases as scripts/mutant_cases.c writes them

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
    """What all mutants share: how things are compiled and linked, which cases there are, what they reach, how long they take."""

    def __init__(self):
        with open(os.path.join(BUILD, "compile_commands.json"), encoding="utf-8") as file:
            self.compile = {}
            for entry in json.load(file):
                output = re.search(r" -o (CMakeFiles/carom\.dir/\S+)", entry["command"])
                if output:
                    source = os.path.relpath(entry["file"], ROOT)
                    self.compile[source] = [part for part in shlex.split(entry["command"]) if part != "ccache"]
        self.link, self.originals, self.kills, self.tries, self.lock = {}, {}, Counter(), Counter(), threading.Lock()
        self.linker = ["-fuse-ld=lld", "-Wl,--threads=1"] if shutil.which("ld.lld") else []
        os.makedirs(PLACE, exist_ok=True)
        self.cases_object = os.path.join(PLACE, "cases.o")
        subprocess.run(["cc", "-O1", "-c", CASES, "-o", self.cases_object], check=True)

    def list_cases(self, source, number):
        """(test, case) that reach a line of a source, the best first, then those that reach its function alone."""
        places = self.reach["places"][source]  # (line, number, whether a function begins), sorted
        number = self.find_counted(source, number)
        above = [line for line, *_ in places if line <= number + 1]
        if number < 0 or not above or self.is_in_table(source, number):
            return self.rank(source, {at for _, at, _ in places})
        before = [line for line in above if line <= number]
        near = {above[-1]} | ({before[-1]} if before else set())
        begin = max((line for line, _, first in places if first and line <= number + 1), default=0)
        end = min((line for line, _, first in places if first and line > number + 1), default=1 << 30)
        line = self.rank(source, {at for place, at, _ in places if place in near})
        function = self.rank(source, {at for place, at, _ in places if begin <= place < end})
        return line + [case for case in function if case not in set(line)]

    def find_counted(self, source, number):
        """Where a line was when places were counted; -1: it is new."""
        with open(os.path.join(ROOT, source), encoding="utf-8") as file:
            blocks = difflib.SequenceMatcher(None, file.read().splitlines(), self.reach["texts"][source].splitlines(),
                                             autojunk=False).get_matching_blocks()
        return next((block.b + number - block.a for block in blocks if block.a <= number < block.a + block.size), -1)

    def is_in_table(self, source, number):
        """Whether a line is one of a table and not of a function: what stands at the margin above tells."""
        lines = self.reach["texts"][source].splitlines()
        while number > 0 and (not lines[number][:1].strip() or lines[number].startswith(("{", "}", "/", "#"))):
            number -= 1
        return "= {" in lines[number]

    def rank(self, source, places):
        """Cases that reach one of the places, those first that are likely to notice for the time that they take."""
        stem = os.path.splitext(os.path.basename(source))[0]

        def cost(case):
            facts = self.reach["cases"][case]
            known = OWN if case.split(".")[0].startswith(stem) else 1.0
            likely = (self.kills[source, case] + known * FEW / (FEW + len(facts["reached"]))) / (self.tries[source, case] + 2.0)
            return (facts["seconds"] + LINK_SECONDS) / likely

        return sorted((case for case in self.cases_of_places(places)), key=lambda case: (cost(case), case))

    def cases_of_places(self, places):
        return {case for place in places for case in self.by_place.get(place, ())}

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
        return call(command[:output] + [*objects, self.cases_object] + self.linker + command[output:], cwd=BUILD) == 0

    def read_reach(self):
        """Which cases reach which places, counted anew where a test has changed since."""
        names = sorted(name[5:] for name in os.listdir(os.path.join(BUILD, "test")) if re.fullmatch(r"test_\w+", name))
        names = [name for name in names if reads_itself(os.path.join(ROOT, "test", f"test_{name}.c"))]
        texts = {source: read_bytes(os.path.join(ROOT, source)).decode() for source in SOURCES}
        self.reach = {"texts": texts, "places": {}, "tests": {}, "cases": {}}
        if os.path.exists(REACH):
            with open(REACH, encoding="utf-8") as file:
                self.reach = json.load(file)  # of sources that may have changed since: find_counted
        folder = os.path.join(PLACE, "reach")
        os.makedirs(folder, exist_ok=True)
        tests = {name: read_bytes(os.path.join(ROOT, "test", f"test_{name}.c")).decode() for name in names}
        new = [name for name in names if self.reach["tests"].get(name) != tests[name]]
        objects = [os.path.join(folder, source.replace("/", "_") + ".o") for source in SOURCES]
        for source, target in zip(SOURCES, objects) if new else []:
            command = list(self.compile[source])
            command[0], command[command.index("-o") + 1] = "clang", target
            if self.reach["texts"][source] != texts[source]:  # places keep their numbers: as it was when they were counted
                command[command.index("-c") + 1] = target[:-2] + ".c"
                with open(target[:-2] + ".c", "w", encoding="utf-8") as file:
                    file.write(self.reach["texts"][source])
            subprocess.run([*command, "-w", "-O1", "-fno-inline", "-gline-tables-only",
                            "-fsanitize-coverage=inline-bool-flag,pc-table"], cwd=BUILD, check=True)
        for name in new:
            self.count(name, objects, folder)
            self.reach["tests"][name] = tests[name]
            with open(REACH + ".new", "w", encoding="utf-8") as file:
                json.dump(self.reach, file)
            os.replace(REACH + ".new", REACH)
        self.by_place = {}
        for case, facts in self.reach["cases"].items():
            for place in facts["reached"] if facts["end"] == RIGHT else []:
                self.by_place.setdefault(place, []).append(case)

    def count(self, test, objects, folder):
        """Runs each case of a test by itself and keeps what it reaches."""
        program, counts, places = (os.path.join(folder, name) for name in (f"test_{test}", "counts", "places"))
        for path in (counts, places):
            if os.path.exists(path):
                os.remove(path)
        if not self.build_test(test, objects, program):
            sys.exit(f"mutate: the test {test} cannot be linked")
        environment = dict(os.environ, CAROM_COUNT=counts, CAROM_PLACES=places)
        run(program, folder, 1e4, environment)
        if not os.path.exists(counts):
            print(f"left out: the test {test}, which has no cases", flush=True)
            return
        if not self.reach["places"]:
            self.read_places(program, places)
        for case in [case for case in self.reach["cases"] if case.startswith(test + ".")]:
            del self.reach["cases"][case]
        with open(counts, encoding="utf-8") as file:
            for line in file:
                end, seconds, name, *reached = line.split()
                self.reach["cases"][f"{test}.{name}"] = {"end": int(end), "seconds": float(seconds), "reached": [int(n) for n in reached]}
                if int(end) != RIGHT:
                    print(f"left out: {test}.{name}, which " + ("fails as it is" if int(end) == WRONG else "takes long"), flush=True)
        os.remove(program)

    def read_places(self, program, places):
        """Where in the sources the places lie: the same in every test, whose objects come in the same order."""
        rows = [line.split() for line in read_bytes(places).decode().splitlines()]
        lines = subprocess.run(["addr2line", "-e", program],
                               input="\n".join(offset for offset, _ in rows) + "\n", capture_output=True, text=True, check=True).stdout.split("\n")
        self.reach["places"] = {source: [] for source in SOURCES}
        for number, ((_, first), line) in enumerate(zip(rows, lines)):
            found = re.match(r"(.+):(\d+)", line)
            source = os.path.relpath(found.group(1), ROOT) if found else ""
            if source in self.reach["places"]:
                self.reach["places"][source].append((int(found.group(2)), number, int(first)))
        for facts in self.reach["places"].values():
            facts.sort()


def reads_itself(path):
    """Whether a test has what it tests in its own process, and not in the tool or an FMU, which are not broken."""
    return os.path.exists(path) and not re.search(r"CAROM_TOOL|CAROM_FMU|support/command[.]h|support/fmu_host[.]h|CAROM_RUN_MODEL", read_bytes(path).decode())


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def call(arguments, **options):
    return subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, **options).returncode


def run(program, folder, limit, environment):
    """(whether it fails, CPU seconds)."""
    def confine():
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    environment = dict(environment, LOCPATH=os.path.join(BUILD, "test", "locales"))
    with subprocess.Popen([program], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                          env=environment, preexec_fn=confine) as process:
        waits = threading.Timer(60.0 + 20.0 * limit, lambda: os.killpg(process.pid, signal.SIGKILL))  # it may wait for ever
        waits.start()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        waits.cancel()
    return process.returncode != 0, usage.ru_utime + usage.ru_stime


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
    spent, programs = 0.0, {}
    for case in bench.list_cases(source, number):
        seconds = bench.reach["cases"][case]["seconds"]
        test, name = case.split(".")
        if spent + seconds > each:
            break
        if test not in programs:
            programs[test] = os.path.join(folder, f"test_{test}")
            if not bench.build_test(test, [target], programs[test]) and not (time.sleep(WAIT) or bench.build_test(test, [target], programs[test])):
                sys.exit(f"mutate: the test {test} cannot be linked")
        limit = SLOW * seconds + HANGS
        fails, took = run(programs[test], folder, limit, dict(os.environ, CAROM_CASES=f"{name}:{limit}"))
        spent += took
        with bench.lock:
            bench.tries[source, case] += 1
            bench.kills[source, case] += fails
        if fails:
            return "noticed", line, case
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
    start, bench, alike, results = time.time(), Bench(), read_alike(), []
    bench.read_reach()
    chosen, free, lock = choose(given), list(range(int(os.environ.get("JOBS") or 2))), threading.Lock()
    if (given.resume or given.missed) and os.path.exists(find_results(given)):
        with open(find_results(given), encoding="utf-8") as file:
            known = [(source, tuple(place), *rest) for source, place, *rest in json.load(file)]
        results = [result for result in known if not given.missed or result[2] != "missed"]
        done = {(source, place) for source, place, *_ in results}
        chosen = [(source, place) for source, place, *_ in known if (source, place) not in done] if given.missed else \
            [item for item in chosen if item not in done]
        for source, _, kind, _, why in results:
            bench.kills[source, why] += kind == "noticed"
            bench.tries[source, why] += kind == "noticed"

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

#!/usr/bin/env python3
"""Whether the tests notice: breaks the code in many places, one at a time, and runs the tests of the file concerned.

usage: scripts/mutate.py [--count 200] [--seed 1] [--seconds 5400] [--only TEXT]

Works in a copy of the tree, build-mutate/tree. A place is a sign, a comparison, a constant, an index or a condition in
files of physics and search. A mutant whose object code is that of the original changes nothing, and is named as such;
one whose tests fail, crash or hang is noticed; the others are listed, for whoever writes the next test.
"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLACE = os.path.join(ROOT, "build-mutate")
TREE, BUILD = os.path.join(PLACE, "tree"), os.path.join(PLACE, "build")
TEST_SECONDS = 300  # [s] of one test, which then hangs

# which tests a file has to be held by, in the order in which they are run
TESTS = {
    "src/contact/contact_law.c": ["contact_law", "contact_accuracy", "area_contact"],
    "src/contact/contact_slope.c": ["contact_law", "rate_matrix"],
    "src/contact/bristle.c": ["bristle", "stick"],
    "src/contact/impulse.c": ["impact", "oblique_impact"],
    "src/contact/area_law.c": ["area_contact", "area"],
    "src/contact/area_loss.c": ["area_contact"],
    "src/contact/contact_sums.c": ["contact_sums", "energy_balance"],
    "src/joint/revolute.c": ["joint", "eval_dynamics"],
    "src/joint/prismatic.c": ["joint", "eval_dynamics"],
    "src/joint/cylindrical.c": ["joint", "eval_dynamics"],
    "src/joint/universal.c": ["joint", "eval_dynamics"],
    "src/joint/spherical.c": ["joint", "eval_dynamics"],
    "src/joint/planar.c": ["joint", "eval_dynamics"],
    "src/joint/screw.c": ["joint", "eval_dynamics"],
    "src/joint/free_motion.c": ["joint", "eval_dynamics"],
    "src/math/rotation.c": ["math"],
    "src/math/inertia.c": ["math", "shape_mass"],
    "src/model/eval/articulated.c": ["eval_dynamics", "eval_closed_forms"],
    "src/model/eval/force.c": ["force", "eval_dynamics", "energy_balance"],
    "src/model/eval/free_body.c": ["eval_dynamics", "contact_accuracy"],
    "src/model/eval/energy.c": ["eval_closed_forms", "energy_balance", "energy_variables"],
    "src/geometry/shape_mass.c": ["shape_mass"],
    "src/geometry/shape_support.c": ["shape_support", "shape"],
    "src/collide/distance/two_segments.c": ["closed_forms", "distance_pairs", "distance_truth"],
    "src/collide/distance/box_pair.c": ["closed_forms", "distance_pairs", "distance_truth"],
    "src/collide/distance/portal.c": ["distance_pairs", "distance_truth"],
    "src/collide/distance/time_to_contact.c": ["time_to_contact"],
    "src/island/path_bound.c": ["path_bound", "search"],
    "src/island/pair_search.c": ["search", "islands", "throws"],
    "src/island/deep_contact.c": ["search", "islands_failures", "contact_extremes"],
    "src/solve/dopri5.c": ["stepper_ode", "stepper", "stepper_redo"],
    "src/solve/dop853.c": ["dop853", "stepper_ode"],
    "src/solve/radau5.c": ["stepper_ode", "stepper", "stepper_redo"],
    "src/solve/rkc2.c": ["stepper_ode", "stepper"],
    "src/sim/energy_watch.c": ["energy_balance"],
    "src/sim/rest.c": ["rest"],
}

# what is looked for, and what takes its place
CHANGES = [
    (r"(?<=[\w\])]) \+ (?=[\w(])", " - "), (r"(?<=[\w\])]) - (?=[\w(])", " + "),
    (r"(?<=[\w\])]) \* (?=[\w(])", " / "), (r"(?<= )<(?= )", "<="), (r"(?<= )>(?= )", ">="), (r" <= ", " < "), (r" >= ", " > "),
    (r" == ", " != "), (r" && ", " || "), (r"\bfmax\(", "fmin("), (r"\bfmin\(", "fmax("), (r"\b0\.5\b", "0.6"),
    (r"\b2\.0\b", "2.1"), (r"(?<=\w) \+ 1\b", ""), (r"\bcrAdd\(", "crSub("), (r"\bcrSub\(", "crAdd("),
    (r"\breturn true;", "return false;"), (r"= -(?=\w)", "= "),
]


def list_places(source):
    """(line, column, length, new text) of all that can be broken."""
    with open(os.path.join(ROOT, source), encoding="utf-8") as file:
        for number, line in enumerate(file.read().splitlines()):
            code = line.split("//")[0]
            if code.lstrip().startswith(("#", "*")) or '"' in code or not code.startswith(" "):
                continue
            for pattern, new in CHANGES:
                for found in re.finditer(pattern, code):
                    yield number, found.start(), found.end() - found.start(), new


def call(arguments, seconds=None, **options):
    return subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=seconds, check=False,
                          **options).returncode


def build(targets):
    return call(["cmake", "--build", BUILD, "--parallel", os.environ.get("JOBS", "1"), "--target", *targets]) == 0


def prepare(sources):
    """The copy, and its tests as they are."""
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    for name in names:
        target = os.path.join(TREE, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target) or os.path.getmtime(target) < os.path.getmtime(os.path.join(ROOT, name)):
            shutil.copy(os.path.join(ROOT, name), target)
    call(["cmake", "-S", TREE, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release", "-DCAROM_TESTS=ON", "-DCAROM_PYTHON=OFF",
          *(["-G", "Ninja"] if shutil.which("ninja") else [])])
    tests = sorted({test for source in sources for test in TESTS[source]})
    if not build([f"test_{test}" for test in tests]):
        sys.exit("mutate: the tests cannot be built")
    for test in tests:
        if run_test(test):
            sys.exit(f"mutate: the test {test} fails as it is")


def run_test(test):
    """Whether it notices something."""
    try:
        return call([os.path.join(BUILD, "test", f"test_{test}")], TEST_SECONDS, cwd=os.path.join(BUILD, "test")) != 0
    except subprocess.TimeoutExpired:
        return True


def find_object(source):
    for path, _, names in os.walk(os.path.join(BUILD, "CMakeFiles", "carom.dir")):
        if os.path.basename(source) + ".o" in names and path.endswith(os.path.dirname(source)):
            return os.path.join(path, os.path.basename(source) + ".o")
    return None


def read_object(source):
    with open(find_object(source), "rb") as file:
        return file.read()


def judge(source, place):
    path = os.path.join(TREE, source)
    with open(path, encoding="utf-8") as file:
        original = file.read()
    lines = original.splitlines(keepends=True)
    number, column, length, new = place
    lines[number] = lines[number][:column] + new + lines[number][column + length:]
    before = read_object(source)
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(lines)
        if not build([f"test_{TESTS[source][0]}"]):
            return "refused", lines[number]  # by the compiler
        if read_object(source) == before:
            return "nothing", lines[number]
        for test in TESTS[source]:
            if build([f"test_{test}"]) and run_test(test):
                return "noticed", lines[number]
        return "missed", lines[number]
    finally:
        with open(path, "w", encoding="utf-8") as file:
            file.write(original)
        build([f"test_{TESTS[source][0]}"])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seconds", type=float, default=5400)
    options.add_argument("--only", default="")
    given = options.parse_args()
    start, chance = time.time(), random.Random(given.seed)
    sources = [source for source in TESTS if given.only in source]
    places = [(source, place) for source in sources for place in list_places(source)]
    chance.shuffle(places)
    chosen = places[:given.count]
    prepare(sorted({source for source, _ in chosen}))
    ends = {"noticed": 0, "missed": 0, "nothing": 0, "refused": 0}
    for source, place in chosen:
        if time.time() - start > given.seconds:
            break
        kind, line = judge(source, place)
        ends[kind] += 1
        if kind in ("missed", "nothing"):
            print(f"{kind}: {source}:{place[0] + 1}: {line.strip()}", flush=True)
    asked = ends["noticed"] + ends["missed"]
    print(f"{sum(ends.values())} mutants of {len(places)} places: {ends['noticed']} noticed, {ends['missed']} missed, "
          f"{ends['nothing']} change nothing, {ends['refused']} do not compile; "
          f"{100.0 * ends['noticed'] / max(1, asked):.1f} % noticed, {time.time() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())

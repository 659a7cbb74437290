#!/usr/bin/env python3
"""Which lines of src/ and cli/ the tests of a coverage build have reached, by folder, and which messages they have not.

usage: scripts/coverage.py BUILD_FOLDER [--files] [--messages N] [--missed FILE]

Reads what clang counted, after the tests were run there: BUILD_FOLDER/counts/TEST/PROGRAM.profraw. A line counts if it
holds more than a brace or a comment; one of a source that is compiled more than once is reached if it is in any object.
--files lists files too, the least reached first; --messages shows at most N (40); --missed writes every line that was
not reached into FILE. Messages of scripts/messages_unreached.txt are what no test can cause: they are counted apart, with
their reasons.
"""
import argparse
import glob
import os
import re
import subprocess
import sys
from collections import defaultdict

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GUARDS = os.path.join(ROOT, "scripts", "messages_unreached.txt")
LIBRARIES = ["libcarom.a", "libcarom_io.a", "libcarom_show.a"]
# a statement that tells somebody something
TELLS = re.compile(r"\.message = |\bcrReport(Error|Warning|Number|File|Pair)?\(|\b\w*[cC]omplain\w*\(|\bcrUsageError\(|\brefuse\w*\(")
LITERAL = re.compile(r'"((?:[^"\\]|\\.){12,})"')
NEAR = 4  # lines of one statement in which a count may stand
EMPTY = re.compile(r"^\s*([{}();,]*|#.*|}?\s*else\s*{?|//.*|(break|default:)\s*;?)\s*(//.*)?$")


def merge(raw, target):
    """Counts of several programs as one; what a killed one left unfinished is left out."""
    subprocess.run(["llvm-profdata", "merge", "-sparse", "--failure-mode=all", *raw, "-o", target], capture_output=True, check=False)
    return os.path.exists(target)


def read_counts(profile, programs, sources=()):
    """{source: {line: count}} by the counts in a profile."""
    counts, place = defaultdict(lambda: defaultdict(int)), None
    objects = [part for program in programs[1:] for part in ("-object", program)]
    with subprocess.Popen(["llvm-cov", "export", "-format=lcov", "-skip-functions", "-instr-profile", profile, programs[0], *objects, *sources],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as export:
        for line in export.stdout:
            if line.startswith("SF:"):
                path = os.path.relpath(os.path.realpath(line[3:].strip()), ROOT)
                place = counts[path] if path.startswith(("src" + os.sep, "cli" + os.sep)) else None
            elif place is not None and line.startswith("DA:"):
                number, count = line[3:].split(",")
                place[int(number)] += int(count)
    return {source: keep_code(source, lines) for source, lines in counts.items()}


def keep_code(source, lines):
    with open(os.path.join(ROOT, source), encoding="utf-8") as file:
        text = file.read().splitlines()
    return {number: count for number, count in lines.items() if number <= len(text) and not EMPTY.match(text[number - 1])}


def gather(folder):
    """The programs that hold every line: of the libraries also what no program needs, so as one that is never run."""
    whole = os.path.join(folder, "counts", "all.so")
    libraries = [os.path.join(folder, name) for name in LIBRARIES]
    subprocess.run(["clang", "-shared", "-fuse-ld=lld", "-Wl,--whole-archive", *libraries, "-Wl,--no-whole-archive", "-o", whole],
                   check=True)
    return [whole, os.path.join(folder, "carom")]


def list_messages(source, lines):
    """Messages in a source that no test has caused: (line, text)."""
    with open(os.path.join(ROOT, source), encoding="utf-8") as file:
        text = file.read().splitlines()
    for number, line in enumerate(text, 1):
        if not TELLS.search(line) or line.startswith(("static", "crStatus", "void", "//", "#")):
            continue
        near = range(number, number + NEAR)
        counted = [lines[n] for n in near if n in lines] + [lines[n] for n in range(number - 1, number - NEAR, -1) if n in lines]
        literal = next((found for found in (LITERAL.search(text[n - 1]) for n in near if n <= len(text)) if found), None)
        if counted and counted[0] == 0 and literal:
            yield number, literal.group(1)


def read_guards():
    """{(source, text): reason} of messages that no test can cause."""
    guards = {}
    with open(GUARDS, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                source, text, reason = line.rstrip("\n").split(" | ")
                guards[source, text] = reason
    return guards


def show_messages(missed, most):
    """Messages that no test has caused; those that cannot be caused with the reason why they are there."""
    guards, open_ones = read_guards(), []
    for source, line, text in missed:
        if (source, text) not in guards:
            open_ones.append((source, line, text))
    print(f"\n{len(open_ones)} messages that no test has caused" + (", the first of them:" if len(open_ones) > most else ""))
    for source, line, text in open_ones[:most]:
        print(f"  {source}:{line}: {text[:90]}")
    held = [(source, text) for source, _, text in missed if (source, text) in guards]
    if held:
        print(f"\n{len(held)} that no test can cause:")
    for source, text in held:
        print(f"  {source}: {text[:60]}: {guards[source, text]}")
    for source, text in sorted(set(guards) - set(held)):
        print(f"  scripts/messages_unreached.txt: is caused, or is gone: {source}: {text}")


def show(name, counted):
    reached = sum(count > 0 for count in counted)
    print(f"  {name:34} {len(counted):7} {100.0 * reached / max(1, len(counted)):7.1f} %")


def write_missed(path, counts):
    with open(path, "w", encoding="utf-8") as file:
        for source in sorted(counts):
            with open(os.path.join(ROOT, source), encoding="utf-8") as code:
                text = code.read().splitlines()
            file.writelines(f"{source}:{number}: {text[number - 1]}\n" for number, count in sorted(counts[source].items()) if count == 0)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder")
    options.add_argument("--files", action="store_true")
    options.add_argument("--messages", type=int, default=40)
    options.add_argument("--missed")
    given = options.parse_args()
    profile = os.path.join(given.folder, "counts", "all.profdata")
    raw = glob.glob(os.path.join(given.folder, "counts", "*", "*.profraw"))
    counts = read_counts(profile, gather(given.folder)) if raw and merge(raw, profile) else {}
    if not counts:
        print(f"coverage: nothing was counted in {given.folder}", file=sys.stderr)
        return 1
    folders = defaultdict(list)
    for source, lines in counts.items():
        folders[os.path.dirname(source)] += lines.values()
    print(f"  {'folder':34} {'lines':>7} {'reached':>9}")
    for name in sorted(folders):
        show(name, folders[name])
    show("all", [count for lines in folders.values() for count in lines])
    if given.files:
        print()
        share = {source: sum(c > 0 for c in lines.values()) / max(1, len(lines)) for source, lines in counts.items()}
        for source in sorted(share, key=share.get):
            show(source, list(counts[source].values()))
    missed = [(source, *message) for source in sorted(counts) for message in list_messages(source, counts[source])]
    show_messages(missed, given.messages)
    if given.missed:
        write_missed(given.missed, counts)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Which lines of src/ and cli/ the tests of a coverage build have reached, by folder, and which messages they have not.

usage: scripts/coverage.py BUILD_FOLDER [--files] [--messages N]

Reads what gcov counted, after the tests were run there. A source that is compiled more than once counts once: a line is
reached if it is in any object. --files lists files too, the least reached first; --messages shows at most N (40).
"""
import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# a statement that tells somebody something
TELLS = re.compile(r"\.message = |\bcrReport(Error|Warning|Number|File|Pair)?\(|\b\w*[cC]omplain\w*\(|\bcrUsageError\(|\brefuse\w*\(")
LITERAL = re.compile(r'"((?:[^"\\]|\\.){12,})"')
NEAR = 4  # lines of one statement in which a count may stand


def read_counts(folder):
    """{source: {line: count}} of all objects."""
    counts = defaultdict(lambda: defaultdict(int))
    data = [os.path.join(path, name) for path, _, names in os.walk(folder) for name in names if name.endswith(".gcda")]
    with tempfile.TemporaryDirectory() as place:
        for start in range(0, len(data), 100):
            files = [os.path.abspath(name) for name in data[start:start + 100]]
            subprocess.run(["gcov", "--json-format", "--preserve-paths", *files], cwd=place, capture_output=True, check=False)
            for name in os.listdir(place):
                with gzip.open(os.path.join(place, name)) as file:
                    take(json.load(file), folder, counts)
                os.remove(os.path.join(place, name))
    return counts


def take(facts, folder, counts):
    for file in facts["files"]:
        path = os.path.realpath(os.path.join(facts.get("current_working_directory", folder), file["file"]))
        source = os.path.relpath(path, ROOT)
        if source.startswith(("src" + os.sep, "cli" + os.sep)):
            for line in file["lines"]:
                counts[source][line["line_number"]] += line["count"]


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


def show(name, counted):
    reached = sum(count > 0 for count in counted)
    print(f"  {name:34} {len(counted):7} {100.0 * reached / max(1, len(counted)):7.1f} %")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder")
    options.add_argument("--files", action="store_true")
    options.add_argument("--messages", type=int, default=40)
    given = options.parse_args()
    counts = read_counts(given.folder)
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
        share = {source: sum(c > 0 for c in lines.values()) / len(lines) for source, lines in counts.items()}
        for source in sorted(share, key=share.get):
            show(source, list(counts[source].values()))
    missed = [(source, *message) for source in sorted(counts) for message in list_messages(source, counts[source])]
    print(f"\n{len(missed)} messages that no test has caused" + (", the first of them:" if len(missed) > given.messages else ""))
    for source, line, text in missed[:given.messages]:
        print(f"  {source}:{line}: {text[:90]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

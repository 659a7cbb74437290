#!/usr/bin/env python3
"""Runs what the examples say to try: the lines behind "Try:" in their opening comments.

usage: scripts/check_tries.py TOOL [EXAMPLE...]     --whole: every run to its own end, not its first moments alone

A line is a command of the tool, or options for `carom run` of that example; what follows behind two spaces says what is
to be seen. Commands run in a copy of examples/, in the order of the lines; one that reads a result gets a run first.
Each has to end with 0: the tool refuses parameters, names and patterns that fit nothing.
"""
import argparse
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

MOMENT = "0.02"  # [s] of simulated time that a run is tried for: enough to read, compile, start, record and write


def find_tries(source):
    """The commands behind "Try:" in the opening comment of a model, without what they are said to show."""
    tries = []
    for line in source.splitlines():
        if not line.startswith("--"):
            break
        begin = re.search(r"\bTry: (.*)", line)
        if begin:
            tries.append(begin.group(1))
        elif tries and re.match(r"--      ?\S", line):
            tries.append(line[2:].strip())
        elif tries:
            break
    return [re.split(r"\s{2,}|;", text)[0] for text in tries]


def complete(text, model, whole):
    """The arguments of the tool that a line stands for."""
    words = shlex.split(text)
    if words[0] == "carom":
        words = words[1:]
    else:
        words = ["run", model, *words]
    if words[0] == "run":
        words += ["--no-report", "--quiet"]
        if not whole and "--stop" not in words:
            words += ["--stop", MOMENT]
    if words[0] == "plot":
        words += ["-o", "tried.svg"]
    return words


def run(tool, words, folder):
    """What is wrong with a command, or None."""
    ended = subprocess.run([tool, *words], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return None if ended.returncode == 0 else f"exit {ended.returncode}: {(ended.stdout + ended.stderr).strip()}"


def main():
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("tool")
    reader.add_argument("examples", nargs="*")
    reader.add_argument("--whole", action="store_true")
    arguments = reader.parse_args()
    tool = str(pathlib.Path(arguments.tool).resolve())
    home = pathlib.Path(__file__).resolve().parent.parent / "examples"
    models = [pathlib.Path(one) for one in arguments.examples] or sorted(home.glob("*.lua"))
    passed = failed = 0
    with tempfile.TemporaryDirectory() as kept:
        folder = pathlib.Path(kept) / "examples"
        shutil.copytree(home, folder)
        for model in models:
            for text in find_tries(model.read_text()):
                words = complete(text, model.name, arguments.whole)
                if words[0] == "view":
                    continue  # a picture needs a browser: scripts/test_viewer.sh takes some
                if words[0] == "plot" and not (folder / words[1]).exists():
                    run(tool, complete("carom run " + model.name, model.name, arguments.whole), folder)
                fault = run(tool, words, folder)
                passed += fault is None
                failed += fault is not None
                if fault:
                    print(f"{model.name}: carom {shlex.join(words)}\n  {fault}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())

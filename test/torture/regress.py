#!/usr/bin/env python3
"""Models that were wrong once, each run as its first line says: nothing may be left unexplained, and nothing said.

usage: regress.py TOOL FOLDER
"""
import glob
import os
import re
import subprocess
import sys
import tempfile


def main():
    tool, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    models, wrong = sorted(glob.glob(os.path.join(folder, "*.lua"))), 0
    for path in models:
        with open(path) as file:
            command = re.search(r"carom run (.*)", file.readline()).group(1).split()
        with tempfile.TemporaryDirectory(prefix="carom_regress_") as out:
            done = subprocess.run([tool, "run", path, *command, "--no-report", "--out", os.path.join(out, "run")],
                                  capture_output=True, text=True)
        is_wrong = done.returncode != 0 or "unexplained by" in done.stderr
        wrong += is_wrong
        print(f"{'wrong' if is_wrong else 'right'}  {os.path.basename(path)}")
        if is_wrong:
            print(done.stderr)
    print(f"{len(models)} models, {wrong} wrong")
    return 1 if wrong or not models else 0


if __name__ == "__main__":
    sys.exit(main())

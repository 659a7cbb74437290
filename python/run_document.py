#!/usr/bin/python3
"""Runs the Python of a document, block by block: README.md, docs/python.md.

usage: run_document.py FILE [TITLE]     all blocks, or those below the heading TITLE, one after the other

Blocks see what earlier ones made. They run in the current folder.
"""
import re
import sys


def list_sections(path):
    """{heading: [(line, code)]}, in the order of the document."""
    sections, title, code, start = {}, "", None, 0
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if code is None and re.match(r"#+ ", line):
                title = line.lstrip("#").strip()
            elif code is None and line.strip() == "```python":
                code, start = [], number
            elif code is not None and line.strip() == "```":
                sections.setdefault(title, []).append((start, "".join(code)))
                code = None
            elif code is not None:
                code.append(line)
    return sections


def run_blocks(path, blocks, namespace=None):
    """Runs them; returns all names that they made."""
    namespace = {"__name__": "__document__"} if namespace is None else namespace
    for start, code in blocks:
        exec(compile("\n" * start + code, path, "exec"), namespace)
    return namespace


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    sections = list_sections(sys.argv[1])
    chosen = [sections[sys.argv[2]]] if len(sys.argv) == 3 else sections.values()
    run_blocks(sys.argv[1], [block for blocks in chosen for block in blocks])
    return 0


if __name__ == "__main__":
    sys.exit(main())

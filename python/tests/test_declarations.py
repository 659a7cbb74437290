"""The declarations are those of the headers: by the generator, and by a C program that the compiler has seen."""
import ctypes
import keyword
import os
import re
import subprocess
import sys

from carom import _declarations as d
from carom import _library


def test_declarations_are_what_the_headers_say(root):
    script = os.path.join(root, "python", "generate_declarations.py")
    subprocess.run([sys.executable, script, "--check"], check=True)


def test_sizes_offsets_and_values_are_those_of_a_c_program(root, tmp_path):
    script = os.path.join(root, "python", "generate_declarations.py")
    source, program = tmp_path / "print.c", tmp_path / "print"
    source.write_bytes(subprocess.run([sys.executable, script, "--c"], check=True, capture_output=True).stdout)
    subprocess.run(["cc", "-w", "-I", os.path.join(root, "include"), str(source), "-o", str(program)], check=True)
    counts = dict.fromkeys(("constant", "value", "size", "offset"), 0)
    for line in subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout.splitlines():
        kind, name, *rest = line.split(" ")
        counts[kind] += 1
        if kind == "constant":
            value = getattr(d, name)
            assert (value.decode() == rest[0]) if isinstance(value, bytes) else (value == float(rest[0])), name
        elif kind == "value":
            assert getattr(d, name) == int(rest[0]), name
        elif kind == "size":
            assert ctypes.sizeof(getattr(d, name)) == int(rest[0]), name
        else:
            field = getattr(getattr(d, name), rest[0] + "_" * keyword.iskeyword(rest[0]))
            assert (field.offset, field.size) == (int(rest[1]), int(rest[2])), (name, rest[0])
    assert counts["size"] == len(d.STRUCTS) and counts["value"] == sum(len(v) for v in d.ENUMS.values())
    assert counts["constant"] > 20 and counts["offset"] > 500


def test_every_public_function_is_declared_and_exported(root):
    folder = os.path.join(root, "include", "carom")
    declared = set()
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = re.sub(r"//[^\n]*", "", file.read())
        declared |= set(re.findall(r"CR_API[^;{]*?\b(cr\w+)\(", text))
    assert declared == set(d.FUNCTIONS)
    for name in declared:
        assert getattr(_library.lib, name)


def test_stubs_are_python(root):
    import ast
    for name in ("_declarations.pyi", "_declarations.py", "_elements.py"):
        with open(os.path.join(root, "python", "carom", name), encoding="utf-8") as file:
            tree = ast.parse(file.read())
        assert len(tree.body) > 20
    assert os.path.exists(os.path.join(root, "python", "carom", "py.typed"))

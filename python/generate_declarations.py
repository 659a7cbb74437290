#!/usr/bin/python3
"""Writes carom/_declarations.py and its stub from the public headers of Carom.

usage: generate_declarations.py            write both files
       generate_declarations.py --check    fail where they differ from what the headers say
       generate_declarations.py --c        print a C program that prints all sizes, offsets and values

The C compiler preprocesses the headers; what comes from include/carom is read by the small parser below. It knows
what these headers use: enums, structs with nested unions, pointers, arrays, pointers to functions, prototypes, and
constants by #define. Anything else stops it.

All pointers are c_void_p, which takes byref(), arrays, addresses and None, but for texts, which are c_char_p.
"""
import argparse
import keyword
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(os.path.dirname(HERE), "include")
HEADERS = ["carom/carom.h", "carom/io.h", "carom/fit.h", "carom/fmu.h", "carom/show.h"]
LIBRARY_OF = {"io.h": "carom_io", "result.h": "carom_io", "sweep.h": "carom_io", "fit.h": "carom_io", "fmu.h": "carom_io",
              "show.h": "carom_show",
              "live.h": "carom_show", "plot.h": "carom_show", "report.h": "carom_show", "run.h": "carom_show"}  # all others: carom
NUMBERS = {"double": "c_double", "float": "c_float", "int": "c_int", "unsigned": "c_uint", "bool": "c_bool",
           "_Bool": "c_bool", "char": "c_char", "size_t": "c_size_t", "int32_t": "c_int32", "uint32_t": "c_uint32",
           "int64_t": "c_int64", "uint64_t": "c_uint64", "uint16_t": "c_uint16", "uint8_t": "c_uint8"}
STUB_OF = {"c_double": "float", "c_float": "float", "c_bool": "bool", "c_char_p": "bytes | None",
           "c_void_p": "int | None", "None": "None", "c_char": "bytes"}
TOKEN = re.compile(r'\s*(?:([A-Za-z_]\w*)|(0x[0-9a-fA-F]+[uUlL]*|\d+\.?\d*(?:[eE][-+]?\d+)?[uUlLfF]*)|("(?:[^"\\]|\\.)*")'
                   r'|(\.\.\.|<<|>>|.))', re.S)


class HeaderError(Exception):
    pass


# ------------------------------------------------------------------------------------------------ preprocessing

def preprocess():
    """The lines that come from include/carom, each with the name of its header."""
    text = "".join(f'#include "{name}"\n' for name in HEADERS)
    command = [os.environ.get("CC", "cc"), "-E", "-dD", "-I", INCLUDE, "-x", "c", "-"]
    out = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    header = None
    for line in out.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            folder, name = os.path.split(marker.group(1))
            header = name if os.path.basename(folder) == "carom" else None
        elif header is not None and line.strip():
            yield header, line


def tokenize(text):
    tokens, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        tokens.append(match.group(1) or match.group(2) or match.group(3) or match.group(4))
        at = match.end()
    return tokens


# -------------------------------------------------------------------------------------------------- declarations

class Type:
    """A type as ctypes knows it; `code` is the expression."""

    def __init__(self, code, stub):
        self.code, self.stub = code, stub


class Parser:
    def __init__(self):
        self.tokens, self.headers, self.at = [], [], 0
        self.enums = {}      # name -> [(enumerator, value)]
        self.structs = {}    # name -> [(field, Type)] in the order of definition; None: never defined
        self.unions = set()  # names of structs that are unions
        self.c_paths = {}    # name of a nested struct -> (outermost, member path)
        self.functions = {}  # name -> (library, result Type, [(name, Type)])
        self.callbacks = {}  # name -> (result Type, [Type])
        self.constants = {}  # name -> value
        self.macros = {}     # name -> text
        self.order = []      # ("struct" | "callback", name)

    # ----------------------------------------------------------------------------------------------- tokens

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else None

    def take(self, expected=None):
        token = self.peek()
        if token is None or (expected is not None and token != expected):
            near = " ".join(self.tokens[max(0, self.at - 12):self.at + 4])
            raise HeaderError(f"expected {expected!r}, found {token!r} in: {near}")
        self.at += 1
        return token

    def skip_braces(self):
        depth = 0
        while True:
            token = self.take()
            depth += token == "{"
            depth -= token == "}"
            if depth == 0:
                return

    # ------------------------------------------------------------------------------------------- expressions

    def evaluate(self, tokens):
        """A constant expression of numbers, enumerators and macros."""
        names = {name: value for values in self.enums.values() for name, value in values}
        words = []
        for token in tokens:
            if re.match(r"[A-Za-z_]\w*$", token):
                if token in self.constants:
                    words.append(repr(self.constants[token]))
                elif token in names:
                    words.append(str(names[token]))
                else:
                    raise HeaderError(f"unknown name {token} in a constant expression")
            elif re.match(r"\d", token):
                words.append(token.rstrip("uUlL") if token.startswith("0x") else token.rstrip("uUlLfF"))
            elif token in "()+-*/|&~" or token in ("<<", ">>"):
                words.append("//" if token == "/" else token)
            else:
                raise HeaderError(f"unexpected {token!r} in a constant expression")
        return eval(" ".join(words), {"__builtins__": {}})  # numbers and operators alone, see above

    # ------------------------------------------------------------------------------------------------- types

    def base(self):
        """The type before the declarator: (name, struct body was here)."""
        words = []
        while self.peek() in ("const", "struct", "enum", "union", "unsigned", "extern"):
            word = self.take()
            if word == "unsigned":
                words.append(word)
        if words and not (self.peek() or "").startswith("int"):
            return "unsigned"
        return self.take()

    def resolve(self, name, stars):
        if stars == 0:
            if name == "void":
                return Type("None", "None")
            if name in NUMBERS:
                code = NUMBERS[name]
                return Type(code, STUB_OF.get(code, "int"))
            if name in self.enums:
                return Type("c_int", "int")
            if name in self.callbacks or self.structs.get(name) is not None:
                return Type(name, name)
            raise HeaderError(f"unknown type {name}")
        if name == "char" and stars == 1:
            return Type("c_char_p", STUB_OF["c_char_p"])
        return Type("c_void_p", STUB_OF["c_void_p"])

    def declarator(self, base, owner, is_parameter):
        """(name or None, Type) of one declarator; `owner` names a pointer to a function."""
        stars = 0
        while self.peek() in ("*", "const"):
            stars += self.take() == "*"
        if self.peek() == "(" and self.peek(1) == "*":  # (*name)(...) or (*name)[3]
            self.take("(")
            self.take("*")
            name = self.take()
            self.take(")")
            if self.peek() == "[":
                self.take("[")
                while self.take() != "]":
                    pass
                return name, Type("c_void_p", STUB_OF["c_void_p"])
            arguments = [kind for _, kind in self.parameters()]
            callback = f"{owner}_{name}" if owner else name
            self.callbacks[callback] = (self.resolve(base, stars), arguments)
            self.order.append(("callback", callback))
            return name, Type(callback, callback)
        name = self.take() if re.match(r"[A-Za-z_]\w*$", self.peek() or "") else None
        sizes = []
        while self.peek() == "[":
            self.take("[")
            inside = []
            while self.peek() != "]":
                inside.append(self.take())
            self.take("]")
            sizes.append(self.evaluate(inside) if inside else 0)
        if sizes and is_parameter:
            return name, self.resolve(base, stars + 1) if base != "char" else Type("c_void_p", STUB_OF["c_void_p"])
        kind = self.resolve(base, stars)
        for size in reversed(sizes):
            kind = Type(f"{kind.code} * {size}", "Array")
        return name, kind

    def parameters(self):
        self.take("(")
        out = []
        if self.peek() == "void" and self.peek(1) == ")":
            self.take()
        while self.peek() != ")":
            base = self.base()
            is_text = base == "char" and self.tokens[self.at - 2] != "const"
            name, kind = self.declarator(base, None, True)
            if is_text and kind.code == "c_char_p":  # a buffer that is written to
                kind = Type("c_void_p", STUB_OF["c_void_p"])
            if kind.code in self.callbacks:
                kind = Type(kind.code, "object")
            out.append((name, kind))
            if self.peek() == ",":
                self.take(",")
        self.take(")")
        return out

    # ----------------------------------------------------------------------------------------- what is declared

    def enum(self):
        name = self.take()
        self.take("{")
        values, following = [], 0
        while self.peek() != "}":
            enumerator = self.take()
            if self.peek() == "=":
                self.take("=")
                inside = []
                while self.peek() not in (",", "}"):
                    inside.append(self.take())
                self.enums[name] = values
                following = self.evaluate(inside)
            values.append((enumerator, following))
            following += 1
            if self.peek() == ",":
                self.take(",")
        self.take("}")
        self.take(name)
        self.take(";")
        self.enums[name] = values

    def body(self, name, c_type, c_path):
        """The fields of a struct or union up to its closing brace."""
        self.take("{")
        fields = []
        while self.peek() != "}":
            if self.peek() in ("struct", "union") and self.peek(1) == "{":
                kind = self.take()
                index = len(self.order)
                start = self.at
                self.skip_braces()
                member = self.take()
                self.take(";")
                end = self.at
                self.at = start
                inner = f"{name}_{member}"
                self.body(inner, c_type, f"{c_path}.{member}" if c_path else member)
                assert index <= len(self.order)
                if kind == "union":
                    self.unions.add(inner)
                self.at = end
                fields.append((member, Type(inner, inner)))
                continue
            base = self.base()
            while True:
                fields.append(self.declarator(base, name, False))
                if self.take() == ";":
                    break
        self.take("}")
        self.structs[name] = fields
        self.c_paths[name] = (c_type, c_path)
        self.order.append(("struct", name))

    def typedef(self):
        self.take("typedef")
        if self.peek() == "enum":
            self.take()
            self.enum()
        elif self.peek() == "struct" and self.peek(2) == "{":
            self.take()
            name = self.take()
            self.body(name, name, "")
            self.take(name)
            self.take(";")
        elif self.peek() == "struct":
            self.take()
            name = self.take()
            self.take(name)
            self.take(";")
            self.structs.setdefault(name, None)
        else:
            base = self.base()
            self.declarator(base, None, False)
            self.take(";")

    def prototype(self, header):
        base = self.base()
        stars = 0
        while self.peek() in ("*", "const"):
            stars += self.take() == "*"
        name = self.take()
        parameters = self.parameters()
        self.take(";")
        self.functions[name] = (LIBRARY_OF.get(header, "carom"), self.resolve(base, stars), parameters)

    def parse(self, lines):
        for header, line in lines:
            define = re.match(r"#define (CR_\w+|CAROM_VERSION\w*) (.+)", line)
            if define and define.group(1) != "CR_API":
                self.macros[define.group(1)] = define.group(2)
            elif not line.startswith("#"):
                tokens = tokenize(line)
                self.tokens += tokens
                self.headers += [header] * len(tokens)
        for name, text in self.macros.items():
            self.define(name, text)
        while self.peek() is not None:
            if self.peek() == "typedef":
                self.typedef()
            elif self.peek() == "static":
                while self.peek() != "{":
                    self.take()
                self.skip_braces()
            else:
                self.prototype(self.headers[self.at])
        for name, text in self.macros.items():  # those of enumerators, which are known by now
            self.define(name, text)

    def define(self, name, text):
        if name in self.constants:
            return
        tokens = tokenize(text)
        if len(tokens) == 1 and tokens[0].startswith('"'):
            self.constants[name] = tokens[0][1:-1].encode()
        elif len(tokens) == 1 and re.match(r"\d+\.?\d*(e[-+]?\d+)?$", tokens[0]):
            self.constants[name] = float(tokens[0]) if re.search(r"[.e]", tokens[0]) else int(tokens[0])
        else:
            try:
                self.constants[name] = self.evaluate(tokens)
            except HeaderError:
                if any(re.match(r"cr_\w+$", token) for token in tokens) and not self.enums:
                    return  # later
                raise


# ------------------------------------------------------------------------------------------------------ writing

HEAD = '''"""The C declarations of Carom for ctypes. Written by generate_declarations.py: do not edit.

All pointers are c_void_p but for texts; enumerations are int; a field that is a word of Python has an underscore: as_.
"""
'''


def python_name(field):
    """A field that is a word of Python gets an underscore: as_."""
    return field + "_" if keyword.iskeyword(field) else field


def wrap(head, items, tail, indent=4):
    """head items tail, in one line or broken at 119 columns."""
    line = head + ", ".join(items) + tail
    if len(line) <= 119:
        return line + "\n"
    out, row = head + "\n", " " * indent
    for item in items:
        piece = item + ", "
        if len(row) + len(piece) > 119:
            out += row.rstrip() + "\n"
            row = " " * indent
        row += piece
    return out + row.rstrip(", ") + tail + "\n"


def write_module(p):
    body = write_body(p)
    known = sorted(set(NUMBERS.values()) | {"c_char_p", "c_void_p"})
    used = [name for name in known if re.search(rf"\b{name}\b", body)]
    return HEAD + wrap("from ctypes import (", ["CFUNCTYPE", "Structure", "Union"] + used, ")") + "\n" + body


def write_body(p):
    text = ""
    for name, value in p.constants.items():
        text += f"{name} = {value!r}\n"
    text += "\nENUMS = {}\n"
    for name, values in p.enums.items():
        for enumerator, value in values:
            text += f"{enumerator} = {value}\n"
        text += wrap(f"ENUMS[\"{name}\"] = {{", [f'"{e}": {e}' for e, _ in values], "}")
    for kind, name in p.order:
        if kind == "callback":
            result, arguments = p.callbacks[name]
            text += "\n" + wrap(f"{name} = CFUNCTYPE(", [result.code] + [a.code for a in arguments], ")")
        else:
            base = "Union" if name in p.unions else "Structure"
            fields = "".join(f'        ("{python_name(field)}", {kind.code}),\n' for field, kind in p.structs[name])
            text += f"\n\nclass {name}({base}):\n    _fields_ = [\n{fields}    ]\n"
    text += "\n\n# name -> (library, result, arguments)\nFUNCTIONS = {\n"
    for name, (library, result, parameters) in p.functions.items():
        text += wrap(f'    "{name}": ("{library}", {result.code}, [', [kind.code for _, kind in parameters], "]),", 8)
    text += "}\n\n# name -> (outermost struct in C, path of the member in it; \"\": the struct itself)\nSTRUCTS = {\n"
    for name, (c_type, path) in p.c_paths.items():
        text += f'    "{name}": ("{c_type}", "{path}"),\n'
    return text + "}\n"


def write_stub(p):
    text = HEAD + "from ctypes import Array, Structure, Union\nfrom typing import Any, Callable, Protocol\n\n"
    for name, value in p.constants.items():
        text += f"{name}: {type(value).__name__}\n"
    text += "ENUMS: dict[str, dict[str, int]]\nFUNCTIONS: dict[str, tuple[str, Any, list[Any]]]\n"
    text += "STRUCTS: dict[str, tuple[str, str]]\n"
    for values in p.enums.values():
        text += "".join(f"{enumerator}: int\n" for enumerator, _ in values)
    for kind, name in p.order:
        if kind == "callback":
            text += f"\ndef {name}(function: Callable[..., Any] | int = ...) -> Any: ...\n"
        else:
            base = "Union" if name in p.unions else "Structure"
            kinds = [(python_name(field), "Array[Any]" if kind.stub == "Array" else
                      "Any" if kind.code in p.callbacks else kind.stub) for field, kind in p.structs[name]]
            fields = "".join(f"    {field}: {stub}\n" for field, stub in kinds)
            text += f"\nclass {name}({base}):\n{fields}"
    text += '\nclass Functions(Protocol):\n    """All functions of the three libraries, as _library.lib has them."""\n'
    for name, (_, result, parameters) in p.functions.items():
        arguments = "".join(f", {python_name(argument or f'argument{i}')}: Any" for i, (argument, _) in enumerate(parameters))
        text += f"    @staticmethod\n    def {name}({arguments[2:]}) -> {result.stub}: ...\n"
    return text


def write_c(p):
    """A C program that prints what test_declarations.py compares with ctypes."""
    text = "".join(f"#include <{name}>\n" for name in HEADERS) + "#include <stdio.h>\n\nint main(void)\n{\n"
    for name, value in p.constants.items():
        if isinstance(value, bytes):
            text += f'  printf("constant {name} %s\\n", {name});\n'
        else:
            text += f'  printf("constant {name} %.17g\\n", (double)({name}));\n'
    for values in p.enums.values():
        for enumerator, _ in values:
            text += f'  printf("value {enumerator} %lld\\n", (long long){enumerator});\n'
    for name, (c_type, path) in p.c_paths.items():
        member = f"(({c_type}*)0)->{path}" if path else f"*({c_type}*)0"
        text += f'  printf("size {name} %zu\\n", sizeof({member}));\n'
        for field, _ in p.structs[name]:
            whole = f"{path}.{field}" if path else field
            start = f" - offsetof({c_type}, {path})" if path else ""
            text += f'  printf("offset {name} {field} %zu %zu\\n", offsetof({c_type}, {whole}){start},'
            text += f" sizeof((({c_type}*)0)->{whole}));\n"
    return text + "  return 0;\n}\n"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--c", action="store_true")
    chosen = arguments.parse_args()
    parser = Parser()
    parser.parse(preprocess())
    if chosen.c:
        sys.stdout.write(write_c(parser))
        return 0
    code = 0
    for name, text in (("_declarations.py", write_module(parser)), ("_declarations.pyi", write_stub(parser))):
        path = os.path.join(HERE, "carom", name)
        if chosen.check:
            with open(path, encoding="utf-8") as file:
                if file.read() != text:
                    print(f"{path} is not what the headers say: run python/generate_declarations.py", file=sys.stderr)
                    code = 1
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    return code


if __name__ == "__main__":
    sys.exit(main())

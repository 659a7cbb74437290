#!/usr/bin/python3
"""Writes carom/_elements.py, the constructors of models, from the JSON schema of models.

usage: generate_elements.py [SCHEMA]             SCHEMA: what `carom schema` prints; docs/model.schema.json unless given
       generate_elements.py --check [SCHEMA]     fail where the file differs

The schema comes from the records of all fields (src/scene/field.h), as the Lua constructors and docs/reference.md do.
"""
import json
import os
import sys
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEMA = os.path.join(os.path.dirname(HERE), "docs", "model.schema.json")
TYPES = {"number": "float", "integer": "int", "boolean": "bool", "string": "str"}
SHARED = {"vec3": "Vector", "axis": "Axis", "scale": "Scale", "rotation": "Rotation", "color": "Color",
          "symmetric": "Numbers", "gravity": "Gravity", "shape": "Shape", "feature": "Feature",
          "parameters": "Mapping[str, Any]", "tablePoint": "Vector",
          "profilePoint": "ProfilePoint"}
PARTS = ("Shape", "Feature")
ELEMENTS = (("objects", "object"), ("solidMaterials", "solidMaterial"), ("contactPairs", "contactPair"),
            ("visualMaterials", "visualMaterial"), ("exclusions", "exclude"),
            ("actions", "action"))
FAMILIES = (("joints", "Joint"), ("forces", "Force"), ("couplings", "Coupling"), ("signals", "Signal"))
POSITIONAL = ("name", "objectA", "objectB", "materialA", "materialB", "jointA", "jointB", "pinion", "rack")
WIDTH = 119

HEAD = '''"""The constructors of models, with the names and fields of those in Lua. Written by generate_elements.py: do not edit.

Fields that are not given have the library's defaults; docs/reference.md has all of them.
"""
from __future__ import annotations

from typing import Any, Callable, Literal, Mapping, Optional, Sequence, Union

from ._parts import Element, Feature, Shape, make_part

Numbers = Union[Sequence[float], Any]  # a list, a tuple or an array
Vector = Numbers  # three numbers
Axis = Union[Literal["x", "y", "z", "-x", "-y", "-z"], Vector]
Scale = Union[float, Vector]
Rotation = Union[Numbers, Mapping[str, Any], Sequence[Vector]]
Color = Union[str, Numbers]
ProfilePoint = Union[Numbers, Mapping[str, Any]]  # {"to": [x, y], "involute": radius}, ...
Gravity = Union[Literal["none"], Vector, Mapping[str, Any]]
'''


def find_type(field):
    if "$ref" in field:
        return SHARED[field["$ref"].rsplit("/", 1)[1]]
    if "enum" in field:
        return "Literal[" + ", ".join(json.dumps(word) for word in field["enum"]) + "]"
    if "oneOf" in field:
        return "Union[" + ", ".join(dict.fromkeys(find_type(form) for form in field["oneOf"])) + "]" \
            if len(field["oneOf"]) > 1 else find_type(field["oneOf"][0])
    if field["type"] == "array":
        item = find_type(field["items"])
        return "Numbers" if item == "float" else f"Sequence[{item}]"
    if field["type"] == "object":
        return f"Mapping[str, {find_type(field['additionalProperties'])}]"
    return TYPES[field["type"]]


def wrap_signature(head, parts, tail):
    """head part, part, … tail, broken between parts."""
    lines, pad = [head], " " * (head.index("(") + 1)
    for i, part in enumerate(parts):
        piece = part + (tail if i == len(parts) - 1 else ",")
        is_first = lines[-1] in (head, pad)
        if len(lines[-1]) + len(piece) + (not is_first) > WIDTH and not is_first:
            lines.append(pad)
            is_first = True
        lines[-1] += piece if is_first else " " + piece
    if not parts:
        lines[-1] += tail
    return "\n".join(lines) + "\n"


def make_parameter(name, kind, is_required):
    return f"{name}: {kind}" if is_required else f"{name}: Optional[{kind}] = None"


def write_docstring(about, fields, required, indent):
    pad = " " * indent
    lines = [f'{pad}"""{about}', ""]
    for name, field in fields.items():
        text = f"{name}: {field['description']}" + (" (required)" if name in required else "")
        lines += textwrap.wrap(text, WIDTH, initial_indent=pad, subsequent_indent=pad + "    ", break_on_hyphens=False)
    if not fields:
        lines = lines[:1]
        return lines[0] + '"""\n'
    return "\n".join(lines) + f'\n{pad}"""\n'


def split_fields(record, positional):
    fields = {name: field for name, field in record["properties"].items() if name != "type"}
    required = set(record.get("required", ())) - {"type"}
    first = [name for name in fields if name in positional and name in required]
    rest = [name for name in fields if name not in first and name not in ("features", "mobility")]
    return fields, required, first, rest


def write_part(name, record, kind):
    """A shape or feature: a function."""
    fields, required, _, rest = split_fields(record, ())
    parts = ["*"] + [make_parameter(f, find_type(fields[f]), f in required)
                     for f in sorted(rest, key=lambda f: f not in required)]
    text = "\n\n" + wrap_signature(f"def {name}(", parts if rest else [], f") -> {kind}:")
    text += write_docstring(record["description"], fields, required, 4)
    return text + f'    return make_part({kind}, "{name}", locals())\n'


def write_element(method, record, section, kind, has_features, more=()):
    """An element: a method of Scene."""
    positional = POSITIONAL + (("joint",) if section == "couplings" else ())
    fields, required, first, rest = split_fields(record, positional)
    documented = {f: fields[f] for f in fields if f in first + rest}
    annotate = {f: find_type(fields[f]) for f in fields}
    if method in ("userFunction", "sampled"):
        annotate["code"] = "Union[str, Callable[..., Any]]"
        documented["code"] = {"description": fields["code"]["description"]
                              + "; or a Python function f(time, *inputs)"
                              + (", with `state` f(time, *inputs, states) -> (value, new states)"
                                 if method == "sampled" else "")}
    parts = ["self"] + [f"{f}: {annotate[f]}" for f in first]
    parts += ["*features: Feature"] if has_features else ["*"] if rest else []
    parts += [make_parameter(f, annotate[f], f in required) for f in sorted(rest, key=lambda f: f not in required)]
    parts += [make_parameter(f, kind, False) for f, (kind, _) in more]
    text = "\n" + wrap_signature(f"    def {method}(", parts, ") -> Element:")
    documented.update({f: {"description": about} for f, (_, about) in more})
    if has_features:
        documented = {**{f: documented[f] for f in first}, "features": {"description": "what it is made of"},
                      **{f: v for f, v in documented.items() if f not in first}}
    text += write_docstring(record["description"], documented, required, 8)
    return text + f'        return self._add("{section}", {kind!r}, locals())\n'


def write(schema):
    records = schema["$defs"]
    text = HEAD
    names = []
    for kind in PARTS:
        for name in [n[:-len(kind)] for n in records if n.endswith(kind) and n != kind.lower()]:
            text += write_part(name, records[name + kind], kind)
            names.append(name)
    text += "\n\nclass Elements:\n    \"\"\"What a scene can be given; each returns the path of what it made.\"\"\"\n\n"
    text += "    _add: Callable[..., Element]\n"
    for section, name in ELEMENTS:
        more = [("free", ("bool", "moves with six degrees of freedom"))] if name == "object" else ()
        text += write_element(name, records[name], section, None, name == "object", more)
        if name == "object":
            world = {**records[name], "description": "The one inertial frame, which does not move.",
                     "properties": {f: v for f, v in records[name]["properties"].items()
                                    if f in ("name", "canCollide", "features")}}
            text += write_element("world", world, section, "world", True)
    for section, suffix in FAMILIES:
        for name in [n[:-len(suffix)] for n in records if n.endswith(suffix) and n != suffix.lower()]:
            text += write_element(name, records[name + suffix], section, name, False)
    options = records["scene"]
    parts = ["self", "*"] + [make_parameter(f, find_type(v), False) for f, v in options["properties"].items()]
    for method in ("scene", "__init__"):
        text += "\n" + wrap_signature(f"    def {method}(", parts, ") -> None:")
        text += write_docstring(options["description"], options["properties"], (), 8)
        text += "        self._begin()\n" if method == "__init__" else ""
        text += "        self._set(locals())\n"
    text += "\n    _begin: Callable[[], None]\n    _set: Callable[[dict[str, Any]], None]\n"
    for name in names:
        text += f"    {name} = staticmethod({name})\n"
    return text + "\n\n__all__ = [" + ", ".join(f'"{n}"' for n in names[:11]) + ",\n         " + \
        ", ".join(f'"{n}"' for n in names[11:]) + "]\nPARTS = __all__\n"


def main():
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    with open(arguments[0] if arguments else SCHEMA, encoding="utf-8") as file:
        text = write(json.load(file))
    path = os.path.join(HERE, "carom", "_elements.py")
    if "--check" in sys.argv:
        with open(path, encoding="utf-8") as file:
            if file.read() != text:
                print(f"{path} is not what the schema says: run python/generate_elements.py", file=sys.stderr)
                return 1
    else:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

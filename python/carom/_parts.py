"""What elements of a model are in Python: paths, shapes and features, and how they become JSON."""
import json
import numbers

import numpy as np

from ._errors import UsageError


class Element(str):
    """The path of an element of a scene, by which others refer to it."""

    __slots__ = ()


class Shape(dict):
    """Geometry: {"type": "sphere", "radius": 0.1}."""


class Feature(dict):
    """What an object is made of: a solid, something to look at, a mass, a light, a camera."""


def take_fields(given, left_out=("self",)):
    """The arguments of a constructor that were given."""
    return {name: value for name, value in given.items() if value is not None and name not in left_out}


def make_part(kind, name, given):
    return kind({"type": name, **take_fields(given)})


def _convert(value):
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (np.bool_,)):
        return bool(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    raise TypeError(f"a model cannot hold {type(value).__name__}: numbers, strings, lists and dicts only")


def write_json(value, what):
    """JSON of a field; numbers read back as the same bits."""
    try:
        return json.dumps(value, default=_convert, allow_nan=False, ensure_ascii=False)
    except ValueError as error:
        raise UsageError(f"{what} holds a number that is not finite, or itself") from error
    except TypeError as error:
        raise TypeError(f"{what}: {error}") from None

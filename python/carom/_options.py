"""Options of runs and settings of models, as the library wants them."""
import ctypes
import math
import numbers
import os

import numpy as np

from . import _declarations as d
from ._errors import UsageError
from ._library import lib

_ISLANDS = {None: d.cr_islandsDefault, True: d.cr_islandsOn, False: d.cr_islandsOff}
_EVENT_ROWS = {None: d.cr_eventRowsDefault, True: d.cr_eventRowsOn, False: d.cr_eventRowsOff}


def encode(text, what="a name"):
    """A text for the library."""
    if isinstance(text, os.PathLike):
        text = os.fspath(text)
    if not isinstance(text, str):
        raise TypeError(f"{what} is a string, not {type(text).__name__}")
    if "\0" in text:
        raise UsageError(f"{what} holds a zero byte")
    return text.encode("utf-8", "surrogateescape")


def number(value, what, least=None):
    """A finite number."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (numbers.Real, np.number, np.ndarray)):
        raise TypeError(f"{what} is a number, not {type(value).__name__}")
    value = float(value)
    if not math.isfinite(value) or (least is not None and value < least):
        raise UsageError(f"{what} is {value!r}, but has to be finite{'' if least is None else f' and >= {least}'}")
    return value


def choose_number(value, what):
    """A number of which 0 is not the default: only what nobody says is."""
    value = number(value, what)
    return value if value != 0.0 else d.CR_ZERO


def read_anywhere():
    """Options of reading what the program itself has made: its meshes may lie anywhere."""
    return d.crReadOptions(size=ctypes.sizeof(d.crReadOptions), allowedPath=b"/")


def make_settings(settings):
    """An array of crSetting, and what has to live as long; values are numbers, bools or strings."""
    texts = []
    for name, value in settings.items():
        if isinstance(value, (bool, np.bool_)):
            text = "true" if value else "false"
        elif isinstance(value, (numbers.Integral, np.integer)):
            text = str(int(value))
        elif isinstance(value, (numbers.Real, np.floating)):
            text = repr(float(value))
        elif isinstance(value, str):
            text = value
        else:
            raise TypeError(f"parameter {name!r} is a number, a bool or a string, not {type(value).__name__}")
        texts.append((encode(name, "the name of a parameter"), encode(text, f"parameter {name!r}")))
    array = (d.crSetting * max(len(texts), 1))()
    for place, (name, text) in zip(array, texts):
        place.name, place.value = name, text
    return array


def make_texts(texts, what):
    """An array of char*, and their number."""
    if isinstance(texts, str):
        texts = [texts]
    encoded = [encode(text, what) for text in texts]
    return (ctypes.c_char_p * max(len(encoded), 1))(*encoded), len(encoded)


def find_solver(name):
    if name is None:
        return d.cr_solverDefault
    kind = lib.crFindSolver(encode(name, "a solver"))
    if kind == d.cr_solverKindCount:
        known = [lib.crGetSolverInfo(k) for k in range(1, d.cr_solverKindCount)]
        names = ", ".join(d.crSolverInfo.from_address(info).name.decode() for info in known)
        raise UsageError(f"there is no solver {name!r}: {names}")
    return kind


def make_options(*, stop=None, tol=None, start=None, interval=None, atol=None, max_step=None, solver=None, islands=None,
                 event_rows=None, contact=True, threads=1):
    """crSimulationOptions; None is what the model states, else the library's default."""
    options = d.crSimulationOptions(size=ctypes.sizeof(d.crSimulationOptions))
    for field, what, value in (("stopTime", "stop", stop), ("startTime", "start", start),
                               ("interval", "interval", interval), ("tolerance", "tol", tol),
                               ("absoluteTolerance", "atol", atol), ("maxStep", "max_step", max_step)):
        if value is not None:
            setattr(options, field, choose_number(value, what))
    options.solver = find_solver(solver)
    try:
        options.islands = _ISLANDS[islands]
        options.eventRows = _EVENT_ROWS[event_rows]
    except (KeyError, TypeError):
        raise UsageError("islands and event_rows are True, False or None") from None
    options.ignoresContacts = not contact
    if not isinstance(threads, (int, np.integer)) or not 1 <= threads <= d.CR_MAX_THREADS:
        raise UsageError(f"threads is {threads!r}, but has to be from 1 to {d.CR_MAX_THREADS}")
    options.threads = int(threads)
    return options

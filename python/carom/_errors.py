"""Messages and exceptions."""
import ctypes
import os
import sys
import warnings
from typing import NamedTuple, Optional

from . import _declarations as d
from ._library import lib


class Message(NamedTuple):
    """One message of Carom with its address; what is not known is None."""

    severity: str  # "note", "warning" or "error"
    text: str  # what is wrong, one sentence
    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None
    path: Optional[str] = None  # of the element: "robot.arm.joint1"
    found: Optional[str] = None
    allowed: Optional[str] = None
    unit: Optional[str] = None
    hint: Optional[str] = None

    def __str__(self):
        place = ""
        if self.file is not None:
            place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None) + ": "
        where = f"{self.path}: " if self.path is not None else ""
        text = f"{place}{self.severity}: {where}{self.text}"
        unit = f" {self.unit}" if self.unit is not None else ""
        if self.found is not None:
            text += f"\n  found {self.found}{unit}"
        if self.allowed is not None:
            text += f"{',' if self.found is not None else chr(10) + ' '} allowed {self.allowed}{unit}"
        if self.hint is not None:
            text += f"\n  hint: {self.hint}"
        return text


class Error(Exception):
    """What all exceptions of Carom are. `messages` are those of the library, errors and warnings."""

    def __init__(self, text, messages=()):
        self.messages = list(messages)
        errors = [str(m) for m in self.messages if m.severity == "error"]
        super().__init__("\n".join(errors) if errors else text)


class ModelError(Error):
    """A model breaks a rule, or cannot be read: `messages` tell where, what was found and what is allowed."""


class SimulationError(Error):
    """A simulation cannot go on. `result` has what was recorded before, or is None."""

    result = None


class FileError(Error, OSError):
    """A file cannot be opened, read or written."""


class UsageError(Error, ValueError):
    """A call that cannot be meant: a closed object, one that another thread uses, numbers of the wrong shape."""


class ModelWarning(UserWarning):
    """A warning of the library about a model or a run."""


_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_SEVERITIES = ("note", "warning", "error")
_KINDS = {d.cr_errorModel: ModelError, d.cr_errorSyntax: ModelError, d.cr_errorLimit: ModelError,
          d.cr_errorFile: FileError, d.cr_errorMisuse: UsageError, d.cr_failNumerics: SimulationError}


def text(value) -> str:
    """A text of the library, "" for NULL."""
    return value.decode("utf-8", "replace") if value is not None else ""


def _text(value) -> Optional[str]:
    return value.decode("utf-8", "replace") if value is not None else None


def _convert(address):
    e = d.crError.from_address(address)
    return Message(_SEVERITIES[e.severity], _text(e.message) or "", _text(e.source.file), e.source.line or None,
                   e.source.column or None, _text(e.path), _text(e.found), _text(e.allowed), _text(e.unit),
                   _text(e.hint))


class Log:
    """A sink of the library that keeps its messages; it needs no GIL, and lives as long as what reports to it."""

    __slots__ = ("pointer", "sink")

    def __init__(self):
        self.pointer = None
        self.pointer = lib.crCreateErrorLog(None)
        if not self.pointer:
            raise MemoryError
        self.sink = lib.crErrorLog_GetSink(self.pointer)

    def __del__(self):
        if self.pointer:
            lib.crDestroyErrorLog(self.pointer)
            self.pointer = None

    @property
    def address(self):
        return ctypes.addressof(self.sink)

    def take(self):
        """All messages since the last call."""
        count = lib.crErrorLog_Count(self.pointer)
        if count == 0:
            return []
        messages = [_convert(lib.crErrorLog_Get(self.pointer, i)) for i in range(count)]
        lib.crErrorLog_Clear(self.pointer)
        return messages


def make_error(status, messages, what):
    """The exception for a status."""
    if status == d.cr_errorMemory:
        return MemoryError(what)
    text = f"{what}: {_text(lib.crStatus_GetText(status))}"
    if status == d.cr_retry:
        text = f"{what}: not finite, or not defined there"
    return _KINDS.get(status, SimulationError)(text, messages)


def find_caller():
    """(file, line, frames from here to there) of the first frame outside this package."""
    frame, level = sys._getframe(1), 1
    while frame is not None and os.path.dirname(frame.f_code.co_filename) == _PACKAGE:
        frame, level = frame.f_back, level + 1
    return (frame.f_code.co_filename, frame.f_lineno, level) if frame is not None else (None, None, level)


def warn(messages):
    """Hands warnings of the library on to Python's, with the line of the caller."""
    for message in messages:
        if message.severity == "warning":
            warnings.warn(str(message), ModelWarning, stacklevel=find_caller()[2])

"""carom/base.h promises that no public function ends the host, whatever it is given: here, zeros and NULL for all."""
import ctypes
import os

import pytest

from carom import _declarations as d
from carom._library import lib


def make_nothing(kind):
    if kind in (ctypes.c_void_p, ctypes.c_char_p):
        return None
    if issubclass(kind, (ctypes.Structure, ctypes.Union)) or hasattr(kind, "_flags_"):
        return kind()
    return 0


@pytest.mark.parametrize("library", ["carom", "carom_io", "carom_show"])
def test_functions_that_are_given_nothing_answer(library):
    crashed = []
    for name, (owner, _, kinds) in d.FUNCTIONS.items():
        if owner != library:
            continue
        function, arguments = getattr(lib, name), [make_nothing(kind) for kind in kinds]
        child = os.fork()
        if child == 0:  # a crash is the child's
            os.close(2)
            function(*arguments)
            os._exit(0)
        if os.waitpid(child, 0)[1] != 0:
            crashed.append(name)
    assert crashed == []

"""Finds and loads the shared libraries of Carom.

They are looked for in the folder that the environment variable CAROM_LIBRARY_PATH names, then beside this package
(carom/lib), then where the system's loader looks, then where pkg-config knows carom_show. ctypes frees the GIL during every call.
"""
import ctypes
import os
import subprocess

from . import _declarations as d

VARIABLE = "CAROM_LIBRARY_PATH"
NAMES = ("carom", "carom_io", "carom_show")
SONAME = "lib%s.so." + d.CAROM_VERSION.decode().rsplit(".", 1)[0]

HELP = f"""the shared libraries of Carom were not found: {SONAME % 'carom'} and its companions.
Looked for
{{places}}
Either `make install` in Carom's source folder, which puts them beside this package, or build them by
`make` and say where they are: {VARIABLE}=/path/to/carom/build/python"""


def _ask_loader():
    """Whether the system's loader finds all three, as it does where a distribution has installed them."""
    try:
        for name in NAMES:
            ctypes.CDLL(SONAME % name)
    except OSError:
        return False
    return True


def _ask_pkg_config():
    """The folder of the libraries that pkg-config knows; None: it knows none."""
    try:
        answer = subprocess.run(["pkg-config", "--variable=libdir", "carom_show"], capture_output=True, text=True)
    except OSError:
        return None
    return answer.stdout.strip() or None if answer.returncode == 0 else None


def _has_libraries(folder):
    return all(os.path.exists(os.path.join(folder, SONAME % name)) for name in NAMES)


def find_folder():
    """The folder of the three shared libraries, "" for the system's. ImportError: there is none, with what to do about it."""
    asked = os.environ.get(VARIABLE)
    if asked:
        if not _has_libraries(asked):
            raise ImportError(HELP.format(places=f"  in {asked}, which {VARIABLE} names"))
        return asked
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib")
    if _has_libraries(beside):
        return beside
    if _ask_loader():
        return ""
    known = _ask_pkg_config()
    if known and _has_libraries(known):
        return known
    places = (f"  in the folder that {VARIABLE} names: it is not set\n  beside the package: {beside}\n"
              f"  where the system's loader looks\n"
              f"  by pkg-config: {known or 'it does not know carom_show'}")
    raise ImportError(HELP.format(places=places))


class _Functions:
    """The functions of all three libraries; each is prepared when it is first asked for."""

    def __init__(self, folder):
        self._folder = folder
        self._libraries = {name: ctypes.CDLL(os.path.join(folder, SONAME % name)) for name in NAMES}

    def __getattr__(self, name):
        try:
            library, result, arguments = d.FUNCTIONS[name]
        except KeyError:
            raise AttributeError(name) from None
        function = getattr(self._libraries[library], name)
        function.restype = result
        function.argtypes = arguments
        setattr(self, name, function)
        return function


folder = find_folder()
lib = _Functions(folder)
if not lib.crIsCompatible(d.CAROM_VERSION_NUMBER):
    place = folder or "the folders of the system"
    raise ImportError(f"the libraries in {place} are of Carom {lib.crGetVersion().decode()}, "
                      f"this package is of {d.CAROM_VERSION.decode()}")

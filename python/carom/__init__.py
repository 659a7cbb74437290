"""Carom: 3D mechanical systems with collisions.

    import carom
    m = carom.load("billiards.lua", speed=2.0)
    r = m.run(stop=3)
    print(r["cue.position"][-1], len(r.contacts), "contacts")
    r.show()

docs/python.md has recipes.
"""
from . import _elements
from ._declarations import CAROM_VERSION as _version
from ._elements import *  # noqa: F403 - shapes and features
from ._errors import Error, FileError, Message, ModelError, ModelWarning, SimulationError, UsageError
from ._model import Model, load
from ._result import Result
from ._result import read_result as open
from ._scene import Scene
from ._simulation import Pose, Simulation

__version__ = _version.decode()
__all__ = ["Error", "FileError", "Message", "Model", "ModelError", "ModelWarning", "Result", "SimulationError",
           "Pose", "Scene", "Simulation", "UsageError", "load", "open", *_elements.PARTS]

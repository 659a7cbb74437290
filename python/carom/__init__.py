"""Carom: 3D mechanical systems with collisions.

    import carom
    m = carom.load("billiards.lua", speed=2.0)
    r = m.run(stop=3)
    print(r["cue.position"][-1], len(r.contacts), "contacts")
    r.show()

docs/python.md has recipes.
"""
try:
    import numpy as _numpy  # noqa: F401
except ImportError as error:
    raise ImportError("carom needs numpy: apt-get install python3-numpy") from error

from . import _elements
from ._declarations import CAROM_VERSION as _version
from ._distance import Distance, distance
from ._elements import *  # noqa: F403 - shapes and features
from ._errors import Error, FileError, Message, ModelError, ModelWarning, SimulationError, UsageError
from ._mathematics import Linearization, ReachError
from ._model import Model, allow_fmus, load
from ._pose import Pose
from ._result import Result
from ._result import read_result as open
from ._scene import Scene
from ._rollout import Rollout, rollout
from ._simulation import Simulation
from ._sweep import Estimate, Sweep, fit, open_sweep, sweep

__version__ = _version.decode()
__all__ = ["Distance", "Error", "Estimate", "FileError", "Linearization", "Message", "Model", "ModelError", "ModelWarning",
           "Result", "SimulationError",
           "Pose", "ReachError", "Rollout", "Scene", "Simulation", "Sweep", "UsageError", "allow_fmus", "distance", "fit",
           "load", "open",
           "open_sweep", "rollout", "sweep"]
__all__ += _elements.__all__

"""Distances of shapes at poses, without a scene."""
import ctypes
import functools

import numpy as np

from . import _declarations as d
from ._errors import Log, make_error
from ._handle import Handle
from ._library import lib
from ._mathematics import count_points
from ._options import read_anywhere
from ._parts import Shape, write_json
from ._pose import write_poses



class Distance:
    """The signed distance of two shapes: > 0 apart, < 0 inside each other; then the normal, from A to B, and the points of
    both surfaces, in the world. With many poses all of them have a leading axis."""

    __slots__ = ("distance", "normal", "pointA", "pointB", "lowerBound", "upperBound", "isConverged", "isGlobal")

    def __repr__(self):
        return f"<carom.Distance {self.distance}>"

    def __float__(self):
        return float(self.distance)


_FIELDS = np.dtype({"names": list(Distance.__slots__),
                    "formats": [np.float64, (np.float64, 3), (np.float64, 3), (np.float64, 3), np.float64, np.float64,
                                np.bool_, np.bool_],
                    "offsets": [getattr(d.crDistance, name).offset for name in Distance.__slots__],
                    "itemsize": ctypes.sizeof(d.crDistance)})


class _Geometry:
    """A shape ready for queries, which lives in a scene of its own."""

    def __init__(self, text):
        scene = '{"carom": 1, "objects": [{"name": "w", "mobility": "world", "features": [{"type": "solid", "shape": '
        data = (scene + text + "}]}]}").encode()
        log, pointer = Log(), ctypes.c_void_p()
        status = lib.crReadJson(data, len(data), b"a shape", None, ctypes.byref(read_anywhere()), None, log.address,
                                ctypes.byref(pointer))
        self.scene = Handle(pointer.value, lib.crDestroyScene, keep=log) if pointer.value else None
        if status != d.cr_ok:
            raise make_error(status, log.take(), "a shape")
        self.pointer = lib.crScene_GetShape(self.scene, lib.crScene_Find(self.scene, b"w"), 0)


@functools.lru_cache(maxsize=256)
def _make_geometry(text):
    return _Geometry(text)


def distance(shape_a, pose_a, shape_b, pose_b) -> Distance:
    """The signed distance of two shapes (carom.sphere(radius=1), …) at two poses: a Distance.

    A pose is a Pose, a position (3), a matrix (4 × 4), or {"position":, "quaternion":}; with leading axes there are as many
    answers.
    """
    for shape in (shape_a, shape_b):
        if not isinstance(shape, (Shape, dict)):
            raise TypeError(f"a shape is what sphere(), box(), … make, not {type(shape).__name__}")
    a, b = (_make_geometry(write_json(shape, "a shape")) for shape in (shape_a, shape_b))
    poses_a, poses_b = write_poses(pose_a, "pose_a"), write_poses(pose_b, "pose_b")
    lead = np.broadcast_shapes(poses_a.shape[:-1], poses_b.shape[:-1])
    poses_a = np.ascontiguousarray(np.broadcast_to(poses_a, lead + (12,)))
    poses_b = np.ascontiguousarray(np.broadcast_to(poses_b, lead + (12,)))
    count, done = count_points(lead), ctypes.c_int()
    found = np.zeros(lead, dtype=_FIELDS)
    status = lib.crComputeDistances(a.pointer, poses_a.ctypes.data, b.pointer, poses_b.ctypes.data, count,
                                    found.ctypes.data, ctypes.byref(done))
    if status != d.cr_ok:
        raise make_error(status, (), f"the distance at pose {done.value}: a number is not finite")
    out = Distance()
    for name in Distance.__slots__:
        value = found[name]
        setattr(out, name, value.copy() if value.ndim else value[()])
    return out

"""Poses: where frames are."""
import ctypes

import numpy as np

from . import _declarations as d
from ._errors import UsageError
from ._library import lib


class Pose:
    """Where a frame is in the world: `position` (3) [m], `rotation` (3 × 3), whose columns are its axes. Both may have a
    leading axis: many poses."""

    __slots__ = ("position", "rotation")

    def __init__(self, position=(0.0, 0.0, 0.0), rotation=None, quaternion=None):
        self.position = np.array(position, dtype=float)
        if rotation is not None and quaternion is not None:
            raise UsageError("a pose has a rotation or a quaternion, not both")
        if quaternion is not None:
            rotation = _turn(np.asarray(quaternion, dtype=float))
        self.rotation = np.array(rotation if rotation is not None else np.eye(3), dtype=float)
        if self.position.shape[-1:] != (3,) or self.rotation.shape[-2:] != (3, 3):
            raise UsageError("a pose has a position of three numbers and a rotation of 3 × 3")

    @property
    def quaternion(self):
        """(… × 4) (w, x, y, z), w >= 0."""
        rotation = np.asarray(self.rotation, dtype=float)  # both can be set to anything
        if rotation.shape[-2:] != (3, 3):
            raise UsageError(f"a rotation is 3 × 3, not of the shape {rotation.shape}")
        out = np.empty(rotation.shape[:-2] + (4,))
        numbers = d.crMat3()
        for place in np.ndindex(out.shape[:-1]):
            columns = np.ascontiguousarray(rotation[place].T)
            ctypes.memmove(ctypes.byref(numbers), columns.ctypes.data, columns.nbytes)
            q = lib.crMat3ToQuat(numbers)
            out[place] = (q.w, q.x, q.y, q.z)
        return out

    @property
    def matrix(self):
        """(… × 4 × 4) homogeneous."""
        lead = np.broadcast_shapes(self.position.shape[:-1], self.rotation.shape[:-2])
        out = np.zeros(lead + (4, 4))
        out[..., :3, :3], out[..., :3, 3], out[..., 3, 3] = self.rotation, self.position, 1.0
        return out

    def __repr__(self):
        return f"Pose(position={self.position.tolist()}, quaternion={self.quaternion.tolist()})"


def _turn(q):
    """(… × 3 × 3) of quaternions (… × 4) of any length."""
    if q.shape[-1:] != (4,):
        raise UsageError(f"a quaternion has four numbers, not the shape {q.shape}")
    with np.errstate(invalid="ignore", divide="ignore"):
        w, x, y, z = np.moveaxis(q / np.linalg.norm(q, axis=-1, keepdims=True), -1, 0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def read_poses(numbers):
    """A Pose of arrays as crPose lies in memory, (… × 12): three columns, then the position."""
    rotation = np.swapaxes(numbers[..., :9].reshape(numbers.shape[:-1] + (3, 3)), -1, -2)
    return Pose(numbers[..., 9:], rotation)


def write_poses(pose, what):
    """(… × 12) as crPose lies in memory, of a Pose, positions (… × 3), or matrices (… × 4 × 4)."""
    if isinstance(pose, dict):
        unknown = set(pose) - {"position", "quaternion", "rotation"}
        if unknown:
            raise UsageError(f"{what} has no {', '.join(sorted(unknown))}")
        pose = Pose(**pose)
    if not isinstance(pose, Pose):
        array = np.asarray(pose)
        if array.dtype.kind not in "fiu":
            raise TypeError(f"{what} is made of real numbers, not of {array.dtype}")
        if array.shape[-2:] == (4, 4):
            pose = Pose(array[..., :3, 3], array[..., :3, :3])
        elif array.shape[-1:] == (3,):
            pose = Pose(array)
        else:
            raise UsageError(f"{what} is a Pose, a position (3) or a matrix (4 × 4), not of the shape {array.shape}")
    lead = np.broadcast_shapes(pose.position.shape[:-1], pose.rotation.shape[:-2])
    out = np.empty(lead + (12,))
    out[..., :9] = np.broadcast_to(np.swapaxes(pose.rotation, -1, -2), lead + (3, 3)).reshape(lead + (9,))
    out[..., 9:] = pose.position
    return out

"""Mathematics of a model: rates, mass matrix, Jacobians, linearization, equilibrium, inverse kinematics.

Contacts are no part of it. Where it is natural, arguments may have a leading axis: many points in one call.
"""
import ctypes
from typing import Any, NamedTuple

import numpy as np

from . import _declarations as d
from ._callback import Owner, SignalGuard
from ._errors import Log, SimulationError, UsageError, make_error
from ._handle import Handle
from ._library import lib
from ._options import number
from ._pose import Pose, read_poses


class _Matrices(NamedTuple):
    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray


class Linearization(_Matrices):
    """y' = A y + B u, z = C y + D u around `state`, with u all inputs and z all outputs: `A, B, C, D = m.linearize()`.
    `states`, `inputs` and `outputs` are the names of their numbers."""

    state: np.ndarray
    states: list[str]
    inputs: list[str]
    outputs: list[str]


class ReachError(SimulationError):
    """The target was not reached: `q` are the nearest coordinates, `distance` [m] and `angle` [rad] what is left."""

    q = distance = angle = None


class Worker:
    """An instance of a model with room for one state; one call has it at a time."""

    def __init__(self, model, layout):
        pointer, log, self.owner = ctypes.c_void_p(), Log(), Owner()
        with self.owner:
            status = lib.crCreateInstance(model, None, log.address, ctypes.byref(pointer))
        if status != d.cr_ok:
            self.owner.raise_failure()
            raise make_error(status, log.take(), "the model cannot move")
        self.handle = Handle(pointer.value, lib.crDestroyInstance, (model,), (log, self.owner))
        self.log = log
        self.y, self.out = np.empty(layout.count), np.empty(layout.count)
        self.y_address, self.out_address = self.y.ctypes.data, self.out.ctypes.data
        self.has_inputs = False
        self.guard = None  # while a model with Python functions is at work

    def finish(self, status, what):
        """Raises unless all went well."""
        if status != d.cr_ok:
            self.owner.raise_failure()
            raise make_error(status, self.log.take(), what)


def count_points(lead):
    """How many points leading axes have; the library counts by int."""
    count = 1
    for axis in lead:
        count *= axis
    if count > 2**31 - 1:
        raise UsageError(f"{count} points are too many for one call")
    return count


class Mathematics:
    """What Model knows of mathematics."""

    _live: Any
    _handle: Any
    _has_functions: bool
    _instances: list
    _get_layout: Any
    _find: Any
    _object: Any
    inputs: Any
    outputs: Any

    # --------------------------------------------------------------------------------------- workers

    def _take(self, inputs=None):
        """A worker, and the layout of states; it goes back by _give."""
        layout = self._get_layout()
        model = self._live
        try:
            worker = self._instances.pop()
        except IndexError:
            worker = Worker(model, layout)
        if inputs or worker.has_inputs:
            self._set_inputs(model, worker, inputs or {})
        if self._has_functions:
            worker.guard = SignalGuard(worker.owner.failures)
            worker.guard.__enter__()
        return worker, layout

    def _give(self, worker):
        """The way back of a worker; what signals have raised meanwhile is raised here."""
        guard, worker.guard = worker.guard, None
        if self._handle is not None:
            self._instances.append(worker)
        if guard is not None:
            guard.__exit__()
            worker.owner.raise_failure()

    def _set_inputs(self, model, worker, inputs):
        port = d.crPort()
        for i in range(lib.crModel_CountInputs(model)):
            lib.crModel_GetInput(model, i, ctypes.byref(port))
            lib.crInstance_SetInput(worker.handle, i, port.start)
        worker.has_inputs = bool(inputs)
        for name, value in inputs.items():
            index = self._find(lib.crModel_FindInput, name, "input", lambda: self.inputs)
            lib.crInstance_SetInput(worker.handle, index, number(value, f"input {name!r}"))

    def _at(self, worker, layout, t, y, call, shape, what, *arguments):
        """Many points in one call: y (… × n), an array of results (… × shape)."""
        lead = y.shape[:-1]
        count = count_points(lead)
        times = np.broadcast_to(layout.check(t, "time"), lead)
        times = np.ascontiguousarray(times, dtype=float)
        out = np.empty(lead + shape)
        points = d.crPoints(count, times.ctypes.data, y.ctypes.data)
        done = ctypes.c_int()
        status = call(worker.handle, layout.trees, ctypes.byref(points), *arguments, out.ctypes.data,
                      ctypes.byref(done))
        worker.finish(status, f"{what}, point {done.value}" if count > 1 else what)
        return out

    def _states(self, layout, q, v=None):
        """(… × n) states of coordinates and rates; None: those of the start, at rest. A whole state will do, too."""
        start = self._start()
        if q is None and v is None:
            return start.copy()
        q = layout.check(q, "q") if q is not None else start[layout.q]
        if q.ndim >= 1 and q.shape[-1] == layout.count and v is None and layout.count != len(layout.q):
            return q.copy()
        if q.ndim == 0 or q.shape[-1] != len(layout.q):
            raise UsageError(f"q has {len(layout.q)} coordinates, or {layout.count} states, not the shape {q.shape}")
        v = layout.check(v, "v") if v is not None else np.zeros(len(layout.v))
        if v.ndim == 0 or v.shape[-1] != len(layout.v):
            raise UsageError(f"v has {len(layout.v)} rates, not the shape {v.shape}")
        lead = np.broadcast_shapes(q.shape[:-1], v.shape[:-1])
        y = np.empty(lead + (layout.count,))
        y[...] = start
        y[..., layout.q], y[..., layout.v] = q, v
        return y

    def _check_state(self, layout, y, what="y"):
        if y is None:
            return self._start().copy()
        y = layout.check(y, what)
        if y.ndim == 0 or y.shape[-1] != layout.count:
            raise UsageError(f"{what} has {layout.count} states, not the shape {y.shape}")
        return y

    def _start(self):
        """The start, loops closed."""
        layout = self._get_layout()
        if layout.closed is None:
            worker, _ = self._take()
            try:
                y = layout.start.copy()
                status = lib.crInstance_Assemble(worker.handle, layout.trees, 0.0, y.ctypes.data, worker.log.address)
                worker.finish(status, "the loops of the model cannot be closed")
                layout.closed = y
            finally:
                self._give(worker)
        return layout.closed

    # ------------------------------------------------------------------------------------- functions

    def rates(self, t, y, inputs=None) -> np.ndarray:
        """y' = f(t, y): (n) of a state, (… × n) of many; t is a number, or has the leading axes of y.

        For solvers of one's own: scipy.integrate.solve_ivp(m.rates, (0, 1), m.start_state)."""
        worker, layout = self._take(inputs)
        try:
            y = np.asarray(y)
            if y.shape == (layout.count,) and y.dtype == np.float64:
                worker.y[:] = y
                status = lib.crInstance_ComputeRates(worker.handle, layout.trees, t, worker.y_address,
                                                     worker.out_address)
                if status != d.cr_ok:
                    worker.finish(status, "the rates")
                return worker.out.copy()
            y = self._check_state(layout, y)
            return self._at(worker, layout, t, y, lib.crInstance_ComputeRatesAt, (layout.count,), "the rates")
        except ctypes.ArgumentError:
            raise TypeError(f"a time is a number, not {type(t).__name__}") from None
        finally:
            self._give(worker)

    def mass_matrix(self, q=None, t=0.0) -> np.ndarray:
        """M (v × v), (… × v × v) of many coordinates q (… × q); those of the start unless given."""
        worker, layout = self._take()
        try:
            v = len(layout.v)
            return self._at(worker, layout, t, self._states(layout, q), lib.crInstance_ComputeMassMatricesAt, (v, v),
                            "the mass matrix")
        finally:
            self._give(worker)

    def inverse_dynamics(self, q=None, v=None, a=None, t=0.0, inputs=None) -> np.ndarray:
        """(… × v) joint forces that have to be added so that rates v have the derivatives a; 0 unless given."""
        worker, layout = self._take(inputs)
        try:
            y = self._states(layout, q, v)
            a = layout.check(a, "a") if a is not None else np.zeros(len(layout.v))
            if a.ndim == 0 or a.shape[-1] != len(layout.v):
                raise UsageError(f"a has {len(layout.v)} accelerations, not the shape {a.shape}")
            lead = np.broadcast_shapes(y.shape[:-1], a.shape[:-1])
            y = np.ascontiguousarray(np.broadcast_to(y, lead + y.shape[-1:]))
            a = np.ascontiguousarray(np.broadcast_to(a, lead + a.shape[-1:]))
            return self._at(worker, layout, t, y, lib.crInstance_ComputeInverseDynamicsAt, (len(layout.v),),
                            "the inverse dynamics", a.ctypes.data)
        finally:
            self._give(worker)

    def jacobian(self, name: str, q=None, t=0.0) -> np.ndarray:
        """J (6 × v) of an object: angular velocity, then velocity of its origin, in world axes, are J v."""
        index = self._object(name)
        worker, layout = self._take()
        try:
            out = self._at(worker, layout, t, self._states(layout, q), lib.crInstance_ComputeFrameJacobiansAt,
                           (len(layout.v), 6), "the Jacobian", index)
            return np.ascontiguousarray(np.swapaxes(out, -1, -2))
        finally:
            self._give(worker)

    def pose(self, name: str, q=None, t=0.0) -> Pose:
        """Where an object is at coordinates q: a Pose, whose position is (… × 3) and rotation (… × 3 × 3)."""
        index = self._object(name)
        worker, layout = self._take()
        try:
            return read_poses(self._at(worker, layout, t, self._states(layout, q), lib.crInstance_ComputePosesAt, (12,),
                                       "the pose", index))
        finally:
            self._give(worker)

    def linearize(self, y=None, t=0.0, inputs=None) -> Linearization:
        """A, B, C, D around a state, by differences of fourth order; the start unless given."""
        worker, layout = self._take(inputs)
        try:
            y = self._check_state(layout, y).copy()
            if y.ndim != 1:
                raise UsageError("a model is linearized around one state")
            model, n = self._live, layout.count
            u, z = lib.crModel_CountInputs(model), lib.crModel_CountOutputs(model)
            A, B, C, D = np.zeros((n, n)), np.zeros((u, n)), np.zeros((n, z)), np.zeros((u, z))
            t = number(t, "time")
            worker.finish(lib.crInstance_Linearize(worker.handle, layout.trees, t, y.ctypes.data, A.ctypes.data),
                          "the linear model")
            worker.finish(lib.crInstance_LinearizePorts(worker.handle, layout.trees, t, y.ctypes.data, B.ctypes.data,
                                                        C.ctypes.data, D.ctypes.data), "the linear model")
            out = Linearization(*(np.ascontiguousarray(matrix.T) for matrix in (A, B, C, D)))
            out.state, out.states, out.inputs, out.outputs = y, list(layout.names), self.inputs, self.outputs
            return out
        finally:
            self._give(worker)

    def equilibrium(self, y=None, t=0.0, inputs=None) -> np.ndarray:
        """A state in which nothing moves, (n), found from y, the start unless given. SimulationError: there is none near."""
        worker, layout = self._take(inputs)
        try:
            y = self._check_state(layout, y).copy()
            if y.ndim != 1:
                raise UsageError("an equilibrium is searched for from one state")
            worker.finish(lib.crInstance_ComputeEquilibrium(worker.handle, layout.trees, number(t, "time"), y.ctypes.data,
                                                            None, worker.log.address), "no equilibrium was found")
            return y
        finally:
            self._give(worker)

    # ---------------------------------------------------------------------------- inverse kinematics

    def _targets(self, target):
        """[(object, position (… × 3) or None, rotation (… × 3 × 3) or None)] and their common leading axes."""
        if not isinstance(target, dict) or not target:
            raise TypeError("a target is a dict of objects and where they are to be: {\"hand\": [0.3, 0, 0.5]}")
        targets, lead = [], ()
        for name, wish in target.items():
            index, position, rotation = self._object(name), None, None
            if isinstance(wish, Pose):
                position, rotation = wish.position, wish.rotation
            else:
                wish = np.asarray(wish)
                if wish.shape[-2:] == (4, 4):
                    position, rotation = wish[..., :3, 3], wish[..., :3, :3]
                elif wish.shape[-2:] == (3, 3) and wish.dtype.kind in "fiu":
                    rotation = wish
                elif wish.shape[-1:] == (3,):
                    position = wish
                else:
                    raise UsageError(f"the target of {name!r} is a position (3), a rotation (3 × 3), a Pose or a matrix "
                                     f"(4 × 4), not of the shape {wish.shape}")
            for part, axes in ((position, 1), (rotation, 2)):
                if part is not None:
                    part = self._get_layout().check(part, f"the target of {name!r}")
                    if not np.isfinite(part).all():
                        raise UsageError(f"the target of {name!r} is not finite")
                    lead = np.broadcast_shapes(lead, part.shape[:part.ndim - axes])
            targets.append((index, position, rotation))
        return targets, lead

    def inverse_kinematics(self, target, q=None, *, point=None, tol=None, limits=None, stops=True, attempts=None, t=0.0,
                           nearest=False) -> np.ndarray:
        """Coordinates (q) at which objects are where they are wanted, by damped least squares within the stops of joints.

        target: {object: position (3)}, or a rotation (3 × 3), a Pose, a matrix (4 × 4); with a leading axis there are as
        many solutions (… × q), each searched for from the one before. q: where the search starts. point: (3) [m] of the
        objects that is to be at the position. tol: [m], [rad] that may be left, 1e-9. limits: (lower, upper) of the
        coordinates, besides the stops of joints, which `stops=False` leaves out. nearest: return the nearest coordinates
        where a target is out of reach, those of the least sum of distance^2 [m^2] and angle^2 [rad^2], instead of raising
        ReachError.
        """
        targets, lead = self._targets(target)
        worker, layout = self._take()
        try:
            y = self._states(layout, q)
            if y.ndim != 1:
                raise UsageError("the search starts at one q")
            options = self._reach_options(layout, tol, limits, stops, attempts)
            out = np.empty(lead + (len(layout.q),))
            for place in np.ndindex(lead):
                self._reach(worker, layout, targets, place, lead, point, options[0], y, number(t, "time"), nearest)
                out[place] = y[layout.q]
            return out
        finally:
            self._give(worker)

    @staticmethod
    def _reach_options(layout, tol, limits, stops, attempts):
        options = d.crReachOptions(size=ctypes.sizeof(d.crReachOptions), ignoresStops=not stops)
        if tol is not None:
            options.tolerance = number(tol, "tol", 0.0)
        if attempts is not None:
            options.maxAttempts = int(number(attempts, "attempts", 1))
        keep = []
        if limits is not None:
            if not hasattr(limits, "__len__") or len(limits) != 2:
                raise UsageError("limits are two: (lower, upper)")
            for name, side in zip(("lower", "upper"), limits):
                side = np.ascontiguousarray(np.broadcast_to(layout.check(side, "limits"), (len(layout.v),)))
                keep.append(side)
            if np.any(keep[0] > keep[1]):
                raise UsageError("a lower limit is above its upper one")
            for name, side in zip(("lower", "upper"), keep):
                setattr(options, name, side.ctypes.data)
        options.keep = keep
        return options, keep

    def _reach(self, worker, layout, targets, place, lead, point, options, y, t, nearest):
        array = (d.crReachTarget * len(targets))()
        for target, (index, position, rotation) in zip(array, targets):
            target.size, target.object = ctypes.sizeof(d.crReachTarget), index
            target.ignoresPosition, target.ignoresOrientation = position is None, rotation is None
            numbers = np.zeros(12)
            numbers[:9] = np.eye(3).ravel()
            if rotation is not None:
                own = np.broadcast_to(rotation, lead + (3, 3))[place]
                if not np.allclose(own @ own.T, np.eye(3), atol=1e-6):
                    raise UsageError("the rotation of a target is not orthogonal; an array (3 × 3) is a rotation, three "
                                     "positions are of the shape (3, 1, 3)")
                numbers[:9] = own.T.ravel()
            if position is not None:
                numbers[9:] = np.broadcast_to(position, lead + (3,))[place]
            ctypes.memmove(ctypes.byref(target, d.crReachTarget.X_WO.offset), numbers.ctypes.data, 96)
            if point is not None:
                own = layout.check(point, "point")
                if own.shape != (3,):
                    raise UsageError(f"point has three numbers, not the shape {own.shape}")
                target.point.x, target.point.y, target.point.z = own
        facts = d.crReachFacts()
        status = lib.crInstance_ComputeInverseKinematics(worker.handle, layout.trees, t, array, len(targets),
                                                         ctypes.byref(options), y.ctypes.data, worker.log.address,
                                                         ctypes.byref(facts))
        if status == d.cr_failNumerics and not worker.owner.failures:
            messages = worker.log.take()
            if not nearest:
                error = ReachError("the target was not reached", messages)
                error.q, error.distance, error.angle = y[layout.q].copy(), facts.distance, facts.angle
                raise error
        else:
            worker.finish(status, "the inverse kinematics")

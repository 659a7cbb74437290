"""Simulations: a model that is moved step by step from outside."""
import ctypes
import math
import threading
import time as clock

import numpy as np

from . import _declarations as d
from ._callback import Owner, SignalGuard
from ._errors import Log, UsageError, make_error, warn
from ._handle import Handle, check_handle
from ._library import lib
from ._options import encode, make_options, number
from ._pose import Pose, read_poses
from ._result import _SAMPLE_NUMBERS, make_contacts
from ._state import make_state, read_state

FAR = 1e9  # [s] the stop time of one that is not told any
FIRST_STRIDE = 0.1  # [s] simulated at a time: between strides Ctrl-C is heard; what is read does not depend on them
PATIENCE = 0.1  # [s] of wall time that a stride may take


class Simulation:
    """A model in motion: `s.advance(t)`, `s.state`, `s.pose("arm")`, `s.set_input("torque", 2)`, `s.copy()`.

    One thread at a time: a call while another thread is inside raises UsageError.
    """

    def __init__(self, model, options=None, start=None, handle=None, owner=None, log=None):
        from ._model import Model
        if not isinstance(model, Model) or not (isinstance(options, dict) or handle is not None):
            raise TypeError("simulations are made by Model.simulation")
        if handle is not None:
            check_handle(handle, lib.crDestroySimulation, "Model.simulation")
        self._model = model
        self._lock = threading.Lock()
        self._options = options  # a dict, for reset
        self._names = {}
        self._paths = model._object_paths()
        self._acts = lib.crModel_CountActions(model._live) > 0  # so that another model is simulated behind each of them
        self._stride = FIRST_STRIDE
        self._owner = owner or Owner()
        self._log = log or Log()
        self._handle = handle
        if handle is None:
            with self._lock:
                self._create(self._fill_options(), make_state(start) if start is not None else None)
        else:
            self._stop = lib.crSimulation_GetOptions(handle).stopTime

    # ------------------------------------------------------------------------------------------ life

    def _fill_options(self):
        options = dict(self._options)
        self._inputs = self._model._make_inputs(options.pop("inputs"))
        chosen = make_options(**options)
        chosen.inputs = ctypes.cast(self._inputs, ctypes.c_void_p) if self._inputs is not None else None
        return chosen

    def _create(self, options, start):
        model = self._model._live
        options.start = ctypes.addressof(start) if start is not None else None
        messages = self._make("the simulation cannot start",
                              lambda sink, out: lib.crCreateSimulation(model, ctypes.byref(options), None, sink, out))
        warn(messages)

    def _make(self, what, call):
        """Takes the simulation that a call of the library makes; returns its messages."""
        handle, owner, log, messages = self._make_handle(what, call)
        self._handle, self._owner, self._log = handle, owner, log
        self._stop = lib.crSimulation_GetOptions(self._handle).stopTime
        return messages

    def _make_handle(self, what, call):
        pointer, log, owner, model = ctypes.c_void_p(), Log(), Owner(), self._model._live
        with owner, SignalGuard(owner.failures if self._model._has_functions else None):
            status = call(log.address, ctypes.byref(pointer))
        handle = Handle(pointer.value, lib.crDestroySimulation, (model,), (log, owner)) if pointer.value else None
        owner.raise_failure()
        messages = log.take()
        if status != d.cr_ok:
            raise make_error(status, messages, what)
        return handle, owner, log, messages

    def close(self) -> None:
        """Gives the memory back; a second call does nothing."""
        if not self._lock.acquire(False):
            raise UsageError("this simulation is in use: another thread, or a call further up, is inside it")
        try:
            self._handle = None
        finally:
            self._lock.release()

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *_):
        self.close()

    def _enter(self):
        """The simulation, which is this thread's until _lock is released."""
        if not self._lock.acquire(False):
            raise UsageError("this simulation is in use: another thread, or a call further up, is inside it")
        handle = self._handle
        if handle is None:
            self._lock.release()
            raise UsageError("this simulation is closed")
        return handle

    def _raise(self, status, what):
        self._owner.raise_failure()
        raise make_error(status, self._log.take(), what)

    def __repr__(self):
        return (f"<carom.Simulation of {self._model.name!r}, closed>" if self._handle is None else
                f"<carom.Simulation of {self._model.name!r} at {self.time:.9g} s>")

    @property
    def model(self):
        return self._model

    # ----------------------------------------------------------------------------------------- steps

    def advance(self, t) -> "Simulation":
        """Moves to the time t [s], which must not lie before the time reached. What is read at a time does not depend on
        how often one asks."""
        handle = self._enter()
        try:
            now = lib.crSimulation_GetTime(handle)
            while now + self._stride < t <= self._stop:
                now = self._take_stride(handle, now + self._stride)
            status = self._go(handle, t)
            if status != d.cr_ok:
                self._refuse_time(handle, t, status)
        except ctypes.ArgumentError:
            raise TypeError(f"a time is a number, not {type(t).__name__}") from None
        finally:
            self._lock.release()
        return self

    def _go(self, handle, t):
        if not self._model._has_functions:
            return lib.crSimulation_Advance(handle, t)
        with SignalGuard(self._owner.failures):
            status = lib.crSimulation_Advance(handle, t)
        self._owner.raise_failure()
        return status

    def _take_stride(self, handle, t):
        """Advances to t, and chooses the next stride by how long it took."""
        began = clock.monotonic()
        status = self._go(handle, t)
        if status != d.cr_ok:
            self._refuse_time(handle, t, status)
        self._stride *= 2.0 if clock.monotonic() - began < 0.5 * PATIENCE else 0.5
        return t

    def _refuse_time(self, handle, t, status):
        if status == d.cr_errorMisuse:
            now, stop = lib.crSimulation_GetTime(handle), lib.crSimulation_GetOptions(handle).stopTime
            if not now <= t <= stop:
                raise UsageError(f"the time {t!r} does not lie between the time reached, {now!r} s, and the stop time, "
                                 f"{stop!r} s")
        self._raise(status, "the simulation cannot go on")

    @property
    def time(self) -> float:
        """The time reached [s]."""
        handle = self._enter()
        try:
            return lib.crSimulation_GetTime(handle)
        finally:
            self._lock.release()

    # ---------------------------------------------------------------------------------------- inputs

    def _index(self, find, name, what, known):
        key = (what, name)
        index = self._names.get(key)
        if index is None:
            index = self._names[key] = self._model._find(find, name, what, known)
        return index

    def set_input(self, name: str, value) -> None:
        """Holds a declared input at a value from the time reached on."""
        index = self._index(lib.crModel_FindInput, name, "input", lambda: self._model.inputs)
        value = number(value, f"input {name!r}")
        handle = self._enter()
        try:
            index = self._now(handle, lib.crModel_FindInput, name, index)
            with SignalGuard(self._owner.failures if self._model._has_functions else None):
                status = lib.crSimulation_SetInput(handle, index, value)
            self._owner.raise_failure()
            if status != d.cr_ok:
                self._raise(status, f"input {name!r}")
        finally:
            self._lock.release()

    def _now(self, handle, find, name, index):
        """The number in the model that is simulated now of what has this one in the first; -1: it is not there any more."""
        return find(lib.crSimulation_GetModel(handle), encode(name, "name")) if self._acts else index

    def act(self, action: str) -> None:
        """Does an action of the model now, whatever its trigger is: grips, releases, deletes, locks or unlocks."""
        name = encode(action, "action")
        handle = self._enter()
        try:
            with SignalGuard(self._owner.failures if self._model._has_functions else None):
                status = lib.crSimulation_Act(handle, name)
            self._owner.raise_failure()
            if status != d.cr_ok:
                self._raise(status, f"action {action!r}")
        finally:
            self._lock.release()

    def input(self, name: str) -> float:
        """The value of a declared input."""
        index = self._index(lib.crModel_FindInput, name, "input", lambda: self._model.inputs)
        return self._ask(lib.crInstance_GetInput, lib.crModel_FindInput, name, index)

    def output(self, name: str) -> float:
        """The value of a declared output."""
        index = self._index(lib.crModel_FindOutput, name, "output", lambda: self._model.outputs)
        return self._ask(lib.crInstance_GetOutput, lib.crModel_FindOutput, name, index)

    def _ask(self, function, find, name, index):
        """What an instance says of something; None: it is not there any more."""
        handle = self._enter()
        try:
            index = self._now(handle, find, name, index)
            return function(lib.crSimulation_GetInstance(handle), index) if index >= 0 else None
        finally:
            self._lock.release()

    # ---------------------------------------------------------------------------------------- values

    def __getitem__(self, name):
        """The value of a variable, or the three or four numbers of a vector or quaternion: `s["ball.position"]`."""
        if not isinstance(name, str):
            raise TypeError(f"the name of a variable is a string, not {type(name).__name__}")
        indices = self._names.get(name)
        if indices is None:
            indices = self._names[name] = self._find_variable(name)
        handle = self._enter()
        try:
            instance = lib.crSimulation_GetInstance(handle)
            if self._acts:
                indices = self._find_now(handle, name, indices)
            if isinstance(indices, int):
                return lib.crInstance_GetVariable(instance, indices)
            return np.array([lib.crInstance_GetVariable(instance, i) for i in indices])
        finally:
            self._lock.release()

    def _find_now(self, handle, name, indices):
        """The same variables in the model that is simulated now; a number below 0 reads as NaN."""
        model, text = lib.crSimulation_GetModel(handle), encode(name, "variable")
        if isinstance(indices, int):
            return lib.crModel_FindVariable(model, text)
        parts = "wxyz" if len(indices) == 4 else "xyz"
        return [lib.crModel_FindVariable(model, text + b"." + c.encode()) for c in parts]

    def _find_variable(self, name):
        model, text = self._model._live, name.encode("utf-8", "surrogateescape")
        index = lib.crModel_FindVariable(model, text) if "\0" not in name else -1
        if index >= 0:
            return index
        found = {c: lib.crModel_FindVariable(model, text + b"." + c.encode()) for c in "wxyz"} if "\0" not in name else {}
        indices = [i for i in found.values() if i >= 0]
        if len(indices) >= 3:
            return indices
        return self._model._find(lib.crModel_FindVariable, name.replace("\0", "?"), "variable",
                                 lambda: self._model.variables)

    def pose(self, name: str) -> Pose:
        """Where an object is: a Pose."""
        return read_poses(self._read_object(lib.crInstance_GetPose, name, 12))

    def _read_object(self, function, name, count):
        index = self._index(lib.crModel_FindObject, name, "object", lambda: self._model.objects)
        found = self._ask(function, lib.crModel_FindObject, name, index)
        return np.frombuffer(found, dtype=float).copy() if found is not None else np.full(count, np.nan)

    def velocity(self, name: str) -> np.ndarray:
        """(6) angular velocity [rad/s], then velocity of the origin [m/s] of an object, in world axes."""
        return self._read_object(lib.crInstance_GetMotion, name, 6)

    def acceleration(self, name: str) -> np.ndarray:
        """(6) angular acceleration [rad/s^2], then acceleration of the origin [m/s^2], in world axes."""
        return self._read_object(lib.crInstance_GetAcceleration, name, 6)

    @property
    def contacts(self) -> np.ndarray:
        """What touches now, as a structured array: objectA, objectB, point, normal, force, depth, area, …"""
        handle = self._enter()
        try:
            contacts = lib.crSimulation_GetSet(handle).contacts
            count = lib.crContacts_Count(contacts) if contacts else 0
            raw = b"".join(bytes(lib.crContacts_Get(contacts, i)) for i in range(count))
            now = lib.crSimulation_GetTime(handle)
            paths = self._paths
            if self._acts:
                model = lib.crSimulation_GetModel(handle)
                paths = [lib.crModel_GetObjectPath(model, i).decode()
                         for i in range(lib.crModel_GetSize(model).objectCount)]
        finally:
            self._lock.release()
        out = make_contacts(raw, paths, _SAMPLE_NUMBERS[1:])
        out["time"] = now
        return out

    @property
    def summary(self) -> dict:
        """Steps, events, contacts and times so far, by the names of crSimulationSummary."""
        handle = self._enter()
        try:
            return _as_dict(lib.crSimulation_GetSummary(handle))
        finally:
            self._lock.release()

    # ----------------------------------------------------------------------------------------- state

    @property
    def state(self) -> np.ndarray:
        """The state vector, a copy; `model.state_names` has its names until an action changes the structure."""
        handle = self._enter()
        try:
            return self._read_state(handle)
        finally:
            self._lock.release()

    def _read_state(self, handle):
        count = self._model._get_layout().count
        if self._acts:
            count = lib.crModel_CountStates(lib.crSimulation_GetModel(handle), lib.crSimulation_GetSet(handle))
        out = np.empty(count)
        instance = lib.crSimulation_GetInstance(handle)
        status = lib.crInstance_GetState(instance, lib.crSimulation_GetSet(handle), out.ctypes.data)
        if status != d.cr_ok:
            self._raise(status, "the state cannot be read")
        return out

    @property
    def portable_state(self) -> dict:
        """The state by names, a dict of plain Python, which fits any build and any model with the same names."""
        handle = self._enter()
        try:
            return self._read_portable(handle)
        finally:
            self._lock.release()

    def _read_portable(self, handle):
        pointer = ctypes.c_void_p()
        status = lib.crSimulation_GetState(handle, None, ctypes.byref(pointer))
        if status != d.cr_ok:
            self._raise(status, "the state cannot be read")
        try:
            return read_state(pointer.value)
        finally:
            lib.crDestroyState(pointer)

    def set_state(self, state, time=None) -> "Simulation":
        """Starts anew from a state: a vector as `state` is, or a dict as `portable_state` is. What touches there begins to
        touch, unless a dict tells of it. time: of the new start; the time reached unless given."""
        handle = self._enter()
        try:
            if isinstance(state, dict):
                portable = dict(state)
            else:
                portable = self._read_portable(handle)
                layout = self._model._get_layout()
                values = layout.check(state, "the state")
                if values.shape != (layout.count,):
                    raise UsageError(f"the state has {layout.count} numbers, not the shape {values.shape}")
                portable.update(states=dict(zip(layout.names, values.tolist())), contacts=[], turns={})
            if time is not None:
                portable["time"] = number(time, "time")
            options = lib.crSimulation_GetOptions(handle)
            options.inputs, options.absoluteTolerance = None, self._fill_options().absoluteTolerance
            self._create(options, make_state(portable))
        finally:
            self._lock.release()
        return self

    def reset(self) -> "Simulation":
        """Back to the start of the model."""
        self._enter()
        try:
            self._create(self._fill_options(), None)
        finally:
            self._lock.release()
        return self

    # ------------------------------------------------------------------------------- saving, branching

    def copy(self) -> "Simulation":
        """Another simulation at the same point, which goes on as this one does, bit by bit."""
        handle = self._enter()
        try:
            own, owner, log, _ = self._make_handle("the simulation cannot be copied",
                                                   lambda sink, out: lib.crSimulation_Copy(handle, None, sink, out))
            return Simulation(self._model, self._options, handle=own, owner=owner, log=log)
        finally:
            self._lock.release()

    __copy__ = copy

    def __deepcopy__(self, _memo):
        return self.copy()

    def save(self) -> bytes:
        """All that the simulation is, as bytes, from which `restore` goes on bit by bit. They belong to this model and this
        build of Carom."""
        pieces = []

        def write(_context, bytes_, size):
            pieces.append(ctypes.string_at(bytes_, size))
            return d.cr_ok

        writer = d.crByteWriter(write=d.crByteWriter_write(write))
        handle = self._enter()
        try:
            status = lib.crSimulation_Save(handle, None, 0, writer)
            if status != d.cr_ok:
                self._raise(status, "the simulation cannot be saved")
        finally:
            self._lock.release()
        return b"".join(pieces)

    def restore(self, saved) -> "Simulation":
        """Back to what `save` returned, here or in another process; what is damaged or another model's is refused."""
        saved = bytes(memoryview(saved))
        self._enter()
        try:
            model = self._model._live
            self._make("these bytes are no simulation of this model",
                       lambda sink, out: lib.crLoadSimulation(model, saved, len(saved), None, None, sink, out))
        finally:
            self._lock.release()
        return self


def _as_dict(struct):
    out = {}
    for name, _ in struct._fields_:
        value = getattr(struct, name)
        out[name] = _as_dict(value) if isinstance(value, ctypes.Structure) else \
            value.decode() if isinstance(value, bytes) else value
    return out


def make_simulation(model, *, start, stop, state, **options):
    if stop is None:
        stop = FAR
        options["interval"] = options.get("interval") or 1.0
    elif not math.isfinite(stop):
        raise UsageError("the stop time has to be finite")
    return Simulation(model, dict(options, start=start, stop=stop), state)

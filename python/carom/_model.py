"""Models: compiled scenes, immutable and shared by threads."""
import ctypes
import html
import math
import os
import threading
from typing import TYPE_CHECKING

import numpy as np

from . import _declarations as d
from ._callback import Owner, SignalGuard
from ._errors import Log, SimulationError, UsageError, make_error, text, warn
from ._handle import Handle, check_handle
from ._library import lib
from ._mathematics import Mathematics
from ._options import encode, make_options, make_settings, make_texts, number
from ._progress import Progress
from ._result import Result

if TYPE_CHECKING:
    from ._simulation import Simulation


class Model(Mathematics):
    """A model that can be run: made by `carom.load` or `Scene.compile`. Any number of threads may use it."""

    def __init__(self, handle, scene, file=None, settings=None, messages=(), has_functions=False):
        check_handle(handle, lib.crDestroyModel, "carom.load and Scene.compile")
        if scene is not None:
            check_handle(scene, lib.crDestroyScene, "carom.load and Scene.compile")
        self._handle = handle
        self._scene = scene  # what it was compiled from, for pictures
        self._has_functions = has_functions
        self.file = file  #: the path that it was read from, or None
        self._path = os.path.abspath(file) if file is not None else None
        self.settings = dict(settings or {})  #: the parameters that were given
        self.messages = list(messages)  #: warnings and notes of reading and compiling
        self._instances = []  # not in use at the moment
        self._paths = None  # of all objects
        self._layout = None
        self._lock = threading.Lock()

    # ------------------------------------------------------------------------------------------ life

    def close(self) -> None:
        """Gives the memory back once nothing uses it any more; a second call does nothing."""
        self._handle = self._scene = self._layout = None
        self._instances = []

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def _live(self):
        handle = self._handle
        if handle is None:
            raise UsageError("this model is closed")
        return handle

    def __repr__(self):
        if self._handle is None:
            return "<carom.Model, closed>"
        size = self.size
        return (f"<carom.Model {self.name!r}: {size['bodyCount'] - 1} bodies, {size['jointCount']} joints, "
                f"{size['stateCount']} states, {size['shapeCount']} contact shapes>")

    # ------------------------------------------------------------------------------------- contents

    @property
    def name(self) -> str:
        return os.path.splitext(os.path.basename(self.file))[0] if self.file else "model"

    @property
    def size(self) -> dict[str, int]:
        """How many there are of what, by the names of crModelSize: bodyCount, jointCount, stateCount, …"""
        size = lib.crModel_GetSize(self._live)
        return {name: getattr(size, name) for name, _ in size._fields_}

    @property
    def hash(self) -> str:
        """A fingerprint of all that the model computes with, as 64 hexadecimal digits."""
        buffer = ctypes.create_string_buffer(d.CR_HASH_TEXT)
        status = lib.crModel_GetHash(self._live, buffer)
        if status != d.cr_ok:
            raise make_error(status, (), "the fingerprint of the model")
        return buffer.value.decode()

    @property
    def objects(self) -> list[str]:
        """The paths of all objects."""
        return list(self._object_paths())

    def _object_paths(self):
        model = self._live
        if self._paths is None:
            count = lib.crModel_GetSize(model).objectCount
            self._paths = [lib.crModel_GetObjectPath(model, i).decode() for i in range(count)]
        return self._paths

    @property
    def joints(self) -> list[str]:
        """The paths of all joints; those of free objects are called as the objects."""
        model = self._live
        return [lib.crModel_GetJointPath(model, i).decode() for i in range(lib.crModel_GetSize(model).jointCount)]

    @property
    def variables(self) -> list[str]:
        """The names of all that can be recorded."""
        model = self._live
        buffer = ctypes.create_string_buffer(d.CR_VARIABLE_NAME)
        out = []
        for i in range(lib.crModel_GetSize(model).variableCount):
            lib.crModel_GetVariableName(model, i, buffer, len(buffer))
            out.append(buffer.value.decode())
        return out

    def _ports(self, count, get):
        model, port = self._live, d.crPort()
        out = []
        for i in range(count(model)):
            get(model, i, ctypes.byref(port))
            out.append(port.path.decode())
        return out

    @property
    def inputs(self) -> list[str]:
        """The names of the declared inputs."""
        return self._ports(lib.crModel_CountInputs, lib.crModel_GetInput)

    @property
    def outputs(self) -> list[str]:
        """The names of the declared outputs."""
        return self._ports(lib.crModel_CountOutputs, lib.crModel_GetOutput)

    def _find(self, find, name, what, known):
        model = self._live
        index = find(model, encode(name, what))
        if index < 0:
            names = known() if callable(known) else known
            import difflib
            near = difflib.get_close_matches(name, names, 3, 0.5)
            raise KeyError(f"the model has no {what} {name!r}" + (f": did you mean {' or '.join(near)}?" if near else ""))
        return index

    def _object(self, name):
        return self._find(lib.crModel_FindObject, name, "object", lambda: self.objects)

    # --------------------------------------------------------------------------------------- running

    def _make_inputs(self, inputs):
        """An array of all inputs, NaN for those that are not given; None: none is given."""
        if not inputs:
            return None
        model = self._live
        array = (ctypes.c_double * max(lib.crModel_CountInputs(model), 1))(
            *[math.nan] * lib.crModel_CountInputs(model))
        for name, value in inputs.items():
            index = self._find(lib.crModel_FindInput, name, "input", lambda: self.inputs)
            array[index] = number(value, f"input {name!r}")
        return array

    def run(self, stop=None, tol=None, *, start=None, interval=None, atol=None, max_step=None, solver=None, islands=None,
            event_rows=None, contact=True, threads=1, record=(), inputs=None, state=None, progress=None) -> Result:
        """Simulates the model and returns a Result.

        stop, start, interval [s], tol, atol, max_step [s], solver, islands and event_rows are what the model states
        unless given. record: patterns of the variables to record. inputs: {name: value} of declared inputs. state: where
        to begin, a dict as `Simulation.portable_state` has it. progress: whether a bar is shown; None: on terminals and
        in notebooks. Ctrl-C stops between steps and returns what there is (`result.exit` is "interrupted").

        A run that cannot go on raises SimulationError, whose `result` has what was recorded.
        """
        return self._run(dict(stop=stop, tol=tol, start=start, interval=interval, atol=atol, max_step=max_step,
                              solver=solver, islands=islands, event_rows=event_rows, contact=contact, threads=threads,
                              record=record, state=state, progress=progress), inputs)

    def _run(self, options, inputs=None, cancel=None):
        """cancel: an Event that ends the run; then there is one of many, without rows at events and without a bar."""
        from ._state import make_state
        model, scene = self._live, self._scene
        options = dict(options)
        record, state, progress = options.pop("record", ()), options.pop("state", None), options.pop("progress", None)
        if cancel is not None:
            options["event_rows"], progress = False, False
        options = make_options(**options)
        values = self._make_inputs(inputs)
        options.inputs = ctypes.cast(values, ctypes.c_void_p) if values is not None else None
        portable = make_state(state) if state is not None else None
        options.start = ctypes.addressof(portable) if portable is not None else None
        patterns, pattern_count = make_texts(record, "a pattern")
        settings = make_settings(self.settings)
        chosen = lib.crModel_ChooseOptions(model, ctypes.byref(options))
        bar = Progress(progress, chosen.startTime, chosen.stopTime)
        owner = Owner()
        failures = owner.failures

        def should_stop(_context, t):
            if bar.is_wanted:
                bar.show(t)
            return bool(failures) or (cancel is not None and cancel.is_set())

        thunk = d.crRunDef_shouldStop(should_stop)
        run = d.crRunDef(size=ctypes.sizeof(d.crRunDef), file=encode(self.file) if self.file else None,
                         settings=ctypes.addressof(settings), settingCount=len(self.settings),
                         model=model._as_parameter_, scene=scene._as_parameter_ if scene is not None else None,
                         options=ctypes.addressof(options), patterns=ctypes.addressof(patterns),
                         patternCount=pattern_count, shouldStop=thunk)
        log, pointer, facts = Log(), ctypes.c_void_p(), d.crRunFacts()
        with owner, SignalGuard(failures):
            status = lib.crRunInMemory(ctypes.byref(run), None, log.address, ctypes.byref(pointer),
                                       ctypes.byref(facts))
        bar.end()
        messages = log.take()
        times = {name: getattr(facts.summary, name) for name in ("cpuSeconds", "wallSeconds", "startSeconds")}
        result = Result(Handle(pointer.value, lib.crDestroyResult), times, messages) if pointer.value else None
        if failures and not (isinstance(failures[0], KeyboardInterrupt) and status == d.cr_ok):
            owner.raise_failure()
        if status != d.cr_ok:
            error = make_error(status, messages, "the run failed")
            if isinstance(error, SimulationError):
                error.result = result
            raise error
        warn(messages)
        return result

    def simulation(self, *, start=None, stop=None, tol=None, interval=None, atol=None, max_step=None, solver=None,
                   islands=None, event_rows=None, contact=True, threads=1, inputs=None, state=None) -> "Simulation":
        """A Simulation, to be moved by `advance`; options are those of `run`. Without `stop` it can go on for ever."""
        from ._simulation import make_simulation
        return make_simulation(self, start=start, stop=stop, state=state, tol=tol, interval=interval, atol=atol,
                               max_step=max_step, solver=solver, islands=islands, event_rows=event_rows, contact=contact,
                               threads=threads, inputs=inputs)

    # ------------------------------------------------------------------------------------- state vector

    def _get_layout(self):
        layout = self._layout
        if layout is None:
            layout = self._layout = Layout(self._live)
        return layout

    @property
    def state_names(self) -> list[str]:
        """The names of the states, in their order."""
        return list(self._get_layout().names)

    @property
    def start_state(self) -> np.ndarray:
        """The state vector at the start, loops closed."""
        return self._start().copy()

    # --------------------------------------------------------------------------------------- looking

    def _repr_html_(self):
        size = self.size
        rows = [("objects", size["objectCount"]), ("bodies, the world included", size["bodyCount"]),
                ("trees", size["treeCount"]), ("joints", size["jointCount"]), ("of them cut", size["cutJointCount"]),
                ("forces", size["forceCount"]), ("coordinates", size["qCount"]), ("rates", size["vCount"]),
                ("states", size["stateCount"]), ("contact shapes", size["shapeCount"]),
                ("pairs that can meet", size["pairCount"]), ("excluded pairs", size["excludedPairCount"]),
                ("variables", size["variableCount"])]
        model, shown = self._live, 60
        joints, masses = [], []
        for i, path in enumerate(self.joints[:shown]):
            joint = d.crModelJoint.from_address(lib.crModel_GetJoint(model, i))
            bodies = [text(lib.crModel_GetBodyPath(model, b)) for b in (joint.bodyA, joint.bodyB)]
            joints.append((path, text(lib.crJointKind_GetText(joint.kind)) + (", cut" if joint.isCut else ""), *bodies))
        for i in range(1, min(size["bodyCount"], shown + 1)):
            body = d.crBody.from_address(lib.crModel_GetBody(model, i))
            masses.append((text(lib.crModel_GetBodyPath(model, i)), f"{body.inertia.mass:.6g} kg"))
        ports = [(name, "input") for name in self.inputs] + [(name, "output") for name in self.outputs]
        tables = [_make_table((), rows), _make_table(("joint", "kind", "from", "to"), joints),
                  _make_table(("body", "mass"), masses),
                  _make_table(("materials", "", "response", "cor", "muK", "muR"), self._list_laws(model)),
                  _make_table(("port", "is"), ports)]
        return f"<b>{html.escape(self.name)}</b>" + "".join(tables)

    @staticmethod
    def _list_laws(model):
        """What can touch: two materials, and the law of their contact."""
        rows, count = [], lib.crModel_CountContactMaterials(model)
        for i in range(count):
            for k in range(i, count):
                address = lib.crModel_GetContactLaw(model, i, k)
                if address:
                    law = d.crContactLaw.from_address(address)
                    names = [text(lib.crModel_GetContactMaterialName(model, m)) for m in (i, k)]
                    rows.append((*names, text(lib.crContactResponse_GetText(law.response)), f"{law.cor:.4g}",
                                 f"{law.muK:.4g}", f"{law.muR:.4g}"))
        return rows


def _make_table(head, rows):
    """HTML; nothing without rows."""
    if not rows:
        return ""
    cells = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    titles = "<tr>" + "".join(f"<th>{title}</th>" for title in head) + "</tr>" if head else ""
    return f"<table>{titles}{cells}</table>"


class Layout:
    """Where states are: those of a model, tree by tree, each [q | v | auxiliary]."""

    def __init__(self, model):
        self.trees = lib.crModel_GetAllTrees(model)
        self.count = lib.crModel_CountStates(model, self.trees)
        q, v = [], []
        for i in range(lib.crModel_GetSize(model).treeCount):
            tree = d.crTree.from_address(lib.crModel_GetTree(model, i))
            q += range(tree.qStart, tree.qStart + tree.qCount)
            v += range(tree.vStart, tree.vStart + tree.vCount)
        self.q, self.v = np.array(q, dtype=int), np.array(v, dtype=int)
        self.start, self.closed = np.zeros(self.count), None  # as the model says, and with loops closed
        lib.crModel_GetStart(model, self.trees, self.start.ctypes.data)
        buffer = ctypes.create_string_buffer(d.CR_VARIABLE_NAME)
        self.names = []
        for i in range(self.count):
            lib.crModel_GetStateName(model, self.trees, i, buffer, len(buffer))
            self.names.append(buffer.value.decode())

    @staticmethod
    def check(values, what):
        """Real numbers as an array of doubles, contiguous and aligned."""
        array = np.asarray(values)
        if array.dtype.kind not in "fiu" or array.dtype.itemsize > 8:
            raise TypeError(f"{what} is made of real numbers, not of {array.dtype}")
        return np.require(array, np.float64, ["C", "A"])


def compile_scene(scene, log, read_status, file=None, settings=None, keep=(), locate=None, has_functions=False):
    """A Model of a scene, a Handle; every error of reading and of compiling is in the exception."""
    pointer = ctypes.c_void_p()
    status = read_status
    if scene is not None:
        compiled = lib.crCompile(scene, None, None, log.address, ctypes.byref(pointer))
        status = compiled if status == d.cr_ok else status
    model = Handle(pointer.value, lib.crDestroyModel, keep=keep) if pointer.value else None
    messages = log.take()
    if locate is not None:
        messages = [locate(message) for message in messages]
    if status != d.cr_ok or model is None:
        raise make_error(status if status != d.cr_ok else d.cr_errorMisuse, messages, file or "the model")
    warn(messages)
    return Model(model, scene, file, settings, messages, has_functions)


def allow_fmus(is_allowed=True):
    """Lets FMUs that models name run in this process: code of others, with all your rights. Until then they are refused."""
    lib.crAllowFmus(is_allowed)


def load(path, settings=None, *, allow_path=None, **parameters) -> Model:
    """Reads and compiles a model, a .lua or .json file: `carom.load("x.lua", height=1.2)`.

    Parameters of the model are keyword arguments; those whose names are no identifiers stand in `settings`:
    `{"robot.arm.length": 0.3}`. ModelError tells what is wrong with a model, FileError that it cannot be read.

    `allow_path`: a folder, or several, outside its own that the model may read meshes from.
    """
    parameters = {**(settings or {}), **parameters}
    if allow_path is not None:
        folders = [allow_path] if isinstance(allow_path, (str, os.PathLike)) else allow_path
        parameters["allowPath"] = ":".join(os.fspath(folder) for folder in folders)
    array = make_settings(parameters)
    options = d.crReadOptions(size=ctypes.sizeof(d.crReadOptions), settings=ctypes.addressof(array),
                              settingCount=len(parameters))
    log, pointer = Log(), ctypes.c_void_p()
    file = os.fspath(path)
    status = lib.crReadModel(encode(path, "a path"), ctypes.byref(options), None, log.address, ctypes.byref(pointer))
    scene = Handle(pointer.value, lib.crDestroyScene, keep=log) if pointer.value else None
    return compile_scene(scene, log, status, file, parameters)

"""Sweeps: a model run at many points of its parameters, and the table that comes of it."""
import ctypes
import os
import tempfile
from typing import Optional

import numpy as np

from . import _declarations as d
from ._callback import SignalGuard
from ._errors import Log, UsageError, make_error, text, warn
from ._handle import Handle, check_handle
from ._library import lib
from ._model import Model
from ._options import encode, make_options, make_settings, make_texts


class Sweep:
    """The table of a sweep, a row for each run that there is: `inputs` and `outputs` are dicts of arrays, `runs` the numbers
    of the runs, `ok` whether they did not fail, `messages` why they did, `cpu_seconds` what they took."""

    def __init__(self, folder: Optional[str], handle: Handle):
        check_handle(handle, lib.crDestroySweepTable, "carom.sweep and carom.open_sweep")
        count = lib.crSweepTable_CountRows(handle)
        rows = [lib.crSweepTable_GetRow(handle, i) for i in range(count)]
        self.folder = folder  #: where it lies, or None
        self.runs = np.array([row.run for row in rows], dtype=np.int64)
        self.ok = np.array([row.status == d.cr_ok for row in rows], dtype=bool)
        self.messages = [text(row.message) for row in rows]
        self.cpu_seconds = np.array([row.cpuSeconds for row in rows])
        inputs, outputs = lib.crSweepTable_CountInputs(handle), lib.crSweepTable_CountOutputs(handle)
        columns = _copy(lib.crSweepTable_GetInputs(handle), count, inputs)
        self.inputs = {}
        for i in range(inputs):
            words: list[str] = []
            while (word := lib.crSweepTable_GetText(handle, i, len(words))) is not None:
                words.append(text(word))
            values = np.array(words)[columns[:, i].astype(int)] if words else columns[:, i].copy()
            self.inputs[text(lib.crSweepTable_GetInput(handle, i))] = values
        table = _copy(lib.crSweepTable_GetOutputs(handle), count, outputs)
        names = [text(d.crColumn.from_address(lib.crSweepTable_GetOutput(handle, i)).name) for i in range(outputs)]
        self.outputs = {}
        for name in dict.fromkeys(name.split("[")[0] for name in names):  # a series is one array
            places = [i for i, other in enumerate(names) if other.split("[")[0] == name]
            self.outputs[name] = table[:, places[0]].copy() if "[" not in names[places[0]] else table[:, places]

    def __len__(self):
        return len(self.runs)

    def __getitem__(self, name: str) -> np.ndarray:
        """An input or output: (rows), of a series (rows × samples)."""
        for columns in (self.inputs, self.outputs):
            if name in columns:
                return columns[name]
        raise KeyError(f"the sweep has no {name!r}: {', '.join([*self.inputs, *self.outputs])}")

    def __repr__(self):
        return f"<carom.Sweep: {len(self)} runs, {np.count_nonzero(~self.ok)} failed>"

    def frame(self):
        """All of it as a pandas.DataFrame, indexed by run; series have a column for each sample."""
        import pandas
        columns = {"ok": self.ok, **self.inputs}
        for name, values in self.outputs.items():
            if values.ndim == 1:
                columns[name] = values
            else:
                columns.update({f"{name}[{k}]": values[:, k] for k in range(values.shape[1])})
        return pandas.DataFrame(columns, index=self.runs)


def _copy(address, rows, columns):
    if rows == 0 or columns == 0:
        return np.zeros((rows, columns))
    return np.ctypeslib.as_array((ctypes.c_double * (rows * columns)).from_address(address)).reshape(rows, columns).copy()


def _describe(name, how):
    """How a parameter varies, as text; a list or an array are its values."""
    if isinstance(how, str):
        return how
    if not hasattr(how, "__len__") or len(how) == 0:
        raise TypeError(f"parameter {name!r} varies by a text such as 'uniform(0, 1)', or over a list of values")
    parts = []
    for value in how:
        if isinstance(value, (bool, np.bool_)):
            parts.append("true" if value else "false")
        elif isinstance(value, (int, float, np.number)):
            parts.append(repr(value.item() if isinstance(value, np.number) else value))
        elif isinstance(value, str) and not set(value) & set(",()"):
            parts.append(value)
        else:
            raise TypeError(f"a value of parameter {name!r} is a number, a bool or a text without commas and brackets")
    return f"values({', '.join(parts)})"


def _read_table(path, log):
    pointer = ctypes.c_void_p()
    status = lib.crReadSweepTable(path, None, log.address, ctypes.byref(pointer))
    if status != d.cr_ok:
        raise make_error(status, log.take(), "the table of the sweep")
    return Handle(pointer.value, lib.crDestroySweepTable)


def open_sweep(path) -> Sweep:
    """Reads the table of a sweep: its folder, or the file of `carom sweep merge`."""
    log = Log()
    table = _read_table(encode(path, "a path"), log)
    warn(log.take())
    return Sweep(os.fspath(path), table)


def sweep(model, vary, output, *, runs=None, seed=0, design=None, settings=None, folder=None, threads=None,
          retry_failed=False, **options) -> Sweep:
    """Runs a model at many points: `carom.sweep("drop.lua", {"cor": "uniform(0.4, 0.9)", "height": [0.1, 0.2]},
    ["last(ball.position.z)", "series(ball.position.z, 50)"], runs=1000)`; returns a Sweep.

    model: a file, or a Model that was loaded from one. vary: how parameters vary, a text as in `carom sweep` or a list of
    values. output: what is kept of each run. A `folder` keeps the sweep: called again it runs what is missing; without one
    nothing stays. Runs that fail are rows, with NaN for outputs. Other options: stop, tol, interval, atol, max_step, solver,
    contact. threads: None for as many as there are processors.
    """
    if isinstance(model, Model):
        if model._path is None:
            raise UsageError("a sweep needs the file of a model: this model has none")
        settings = {**model.settings, **(settings or {})}
        model = model._path
    settings = dict(settings or {})
    if threads is not None and (not isinstance(threads, (int, np.integer)) or not 1 <= threads <= d.CR_MAX_THREADS):
        raise UsageError(f"threads is {threads!r}, but has to be from 1 to {d.CR_MAX_THREADS}")
    ways = make_settings({name: _describe(name, how) for name, how in vary.items()})
    fixed = make_settings(settings)
    outputs, count = make_texts(output, "an output")
    file, design_text = encode(model, "a path"), encode(design, "a design") if design is not None else None
    definition = d.crSweepDef(size=ctypes.sizeof(d.crSweepDef), model=file, vary=ctypes.addressof(ways),
                              varyCount=len(vary), settings=ctypes.addressof(fixed), settingCount=len(settings),
                              output=ctypes.addressof(outputs), outputCount=count, runs=int(runs or 0), seed=int(seed),
                              design=design_text, options=make_options(**options))
    log, pointer = Log(), ctypes.c_void_p()
    status = lib.crCreateSweepPlan(ctypes.byref(definition), None, log.address, ctypes.byref(pointer))
    if status != d.cr_ok:
        raise make_error(status, log.take(), "the plan of the sweep")
    plan = Handle(pointer.value, lib.crDestroySweepPlan)
    failures: list[BaseException] = []
    should_stop = d.crSweepOptions_shouldStop(lambda _: bool(failures))
    asked = d.crSweepOptions(size=ctypes.sizeof(d.crSweepOptions), threads=int(threads or 0),
                             retriesFailed=bool(retry_failed), shouldStop=should_stop)
    with tempfile.TemporaryDirectory() as temporary:
        place = encode(folder if folder is not None else os.path.join(temporary, "sweep"), "a folder")
        with SignalGuard(failures):
            status = lib.crRunSweep(plan, place, ctypes.byref(asked), None, log.address, None)
        if failures:
            raise failures[0]
        if status != d.cr_ok:
            raise make_error(status, log.take(), "the sweep")
        table = _read_table(place, log)
        warn(log.take())
        return Sweep(os.fspath(folder) if folder is not None else None, table)


class Estimate:
    """A parameter that was fitted: value, standard error, interval of 95 % (low, high), at_bound."""

    def __init__(self, estimate):
        self.value, self.error = estimate.value, estimate.error
        self.low, self.high, self.at_bound = estimate.low, estimate.high, estimate.isAtBound

    def __repr__(self):
        return f"<carom.Estimate {self.value:.9g} ± {self.error:.3g}>"


def fit(plan, *, threads=None) -> dict[str, Estimate]:
    """Fits parameters to measurements as the Lua file of a plan says (docs/sweeps.md); returns estimates by name."""
    log, pointer = Log(), ctypes.c_void_p()
    status = lib.crReadFitPlan(encode(plan, "a path"), None, log.address, ctypes.byref(pointer))
    if status != d.cr_ok:
        raise make_error(status, log.take(), "the plan of the fit")
    handle = Handle(pointer.value, lib.crDestroyFitPlan, keep=log)
    definition = d.crFitDef.from_buffer_copy(d.crFitDef.from_address(lib.crFitPlan_GetDef(handle)))
    failures: list[BaseException] = []
    definition.threads = int(threads or 0)
    definition.shouldStop = d.crFitDef_shouldStop(lambda _: bool(failures))
    with SignalGuard(failures):
        status = lib.crFitModel(ctypes.byref(definition), None, log.address, ctypes.byref(pointer))
    if failures:
        raise failures[0]
    if status != d.cr_ok:
        raise make_error(status, log.take(), "the fit")
    result = Handle(pointer.value, lib.crDestroyFit)
    warn(log.take())
    count = lib.crFit_GetFacts(result).parameterCount
    found = [lib.crFit_GetEstimate(result, i) for i in range(count)]
    return {text(estimate.name): Estimate(estimate) for estimate in found}

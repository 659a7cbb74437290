"""Ensembles: one model with many settings, on several threads."""
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ._errors import Error, UsageError
from ._model import Model, load


class Rollout:
    """What came of many runs: `values` (runs × rows × columns), `time` (rows), `columns`; `errors` has the exception of each
    run that failed, else None; the rows that it lacks are NaN."""

    def __init__(self, time, columns, values, settings, errors):
        self.time, self.columns, self.values = time, columns, values
        self.settings, self.errors = settings, errors

    def __len__(self):
        return len(self.values)

    def __getitem__(self, name: str) -> np.ndarray:
        """(runs × rows) of a variable, (runs × rows × 3 or 4) of a vector or quaternion."""
        if name in self.columns:
            return self.values[:, :, self.columns.index(name)].copy()
        for parts in ("wxyz", "xyz"):
            names = [f"{name}.{part}" for part in parts]
            if all(n in self.columns for n in names):
                return self.values[:, :, [self.columns.index(n) for n in names]]
        raise KeyError(f"the runs have no variable {name!r}")

    def __repr__(self):
        failed = sum(error is not None for error in self.errors)
        return f"<carom.Rollout: {' × '.join(map(str, self.values.shape))}, {failed} failed>"


def _list_settings(settings):
    """A list of dicts, also from a dict of lists."""
    if isinstance(settings, dict):
        for name, values in settings.items():
            if isinstance(values, str) or not hasattr(values, "__len__"):
                raise TypeError(f"the values of {name!r} are a list, one for each run, not {type(values).__name__}")
        lengths = {len(values) for values in settings.values()}
        if len(lengths) != 1:
            raise UsageError("the settings of a rollout are lists of the same length")
        return [dict(zip(settings, row)) for row in zip(*settings.values())]
    settings = list(settings)
    if not all(isinstance(setting, dict) for setting in settings):
        raise TypeError("settings is a list of dicts, or a dict of lists")
    return settings


def rollout(model, settings, threads=8, *, inputs=None, **options) -> Rollout:
    """Runs a model with many settings: {"speed": [1, 2, 3]}, or [{"speed": 1}, {"speed": 2}]; returns a Rollout.

    Settings are parameters of the model's file, on top of those that it was loaded with; a list of models will do, too.
    inputs: a dict of declared inputs for each run. Other options are those of `Model.run`. The numbers of each run are those
    of a single one, bit by bit, however many threads there are.
    """
    settings = _list_settings(settings)
    if inputs is not None and len(inputs) != len(settings):
        raise UsageError(f"there are {len(settings)} settings and {len(inputs)} inputs")
    if not isinstance(threads, (int, np.integer)) or threads < 1:
        raise UsageError(f"threads is {threads!r}, but has to be at least 1")
    if "event_rows" in options or "threads" in options:
        raise UsageError("rows at events differ from run to run, and each run has one thread here")
    models = list(model) if isinstance(model, (list, tuple)) else None
    if not all(isinstance(one, Model) for one in (models if models is not None else [model])):
        raise TypeError("a rollout needs a Model, or a list of them")
    if models is not None and len(models) != len(settings):
        raise UsageError(f"there are {len(settings)} settings and {len(models)} models")
    if any(setting and own.file is None for setting, own in zip(settings, models or [model] * len(settings))):
        raise UsageError("settings are parameters of a file: this model has none; give a list of models instead")
    cancel = threading.Event()

    def run(i):
        try:
            own = models[i] if models is not None else model
            if settings[i]:
                own = load(own._path, {**own.settings, **settings[i]})
            result = own._run(options, inputs=inputs[i] if inputs is not None else None, cancel=cancel)
        except Error as error:
            result = getattr(error, "result", None)
            return (result.time, result.columns, _read_values(result), error) if result is not None else \
                (None, None, None, error)
        with result:
            return result.time, result.columns, _read_values(result), None

    with ThreadPoolExecutor(max_workers=int(threads)) as pool:
        futures = [pool.submit(run, i) for i in range(len(settings))]
        try:
            outcomes = [future.result() for future in futures]
        except BaseException:
            cancel.set()
            for future in futures:
                future.cancel()
            raise
    return _gather(outcomes, settings)


def _read_values(result):
    out = np.empty((len(result), len(result.columns)))
    for i, name in enumerate(result.columns):
        out[:, i] = result[name]
    return out


def _gather(outcomes, settings):
    done = [outcome for outcome in outcomes if outcome[0] is not None]
    if not done:
        failures = [outcome[3] for outcome in outcomes if outcome[3] is not None]
        if failures:
            raise failures[0]
        return Rollout(np.empty(0), [], np.empty((0, 0, 0)), settings, [])
    time, columns = max((outcome[0] for outcome in done), key=len), done[0][1]
    if any(outcome[1] != columns for outcome in done):
        raise UsageError("the runs do not have the same variables: `record` chooses those that they share")
    if any(not np.array_equal(outcome[0], time[:len(outcome[0])]) for outcome in done):
        raise UsageError("the runs do not have the same output points: say stop and interval")
    values = np.full((len(outcomes), len(time), len(columns)), np.nan)
    for place, outcome in zip(values, outcomes):
        if outcome[0] is not None:
            place[:len(outcome[0])] = outcome[2]
    return Rollout(time, columns, values, settings, [outcome[3] for outcome in outcomes])

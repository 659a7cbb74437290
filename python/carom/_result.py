"""Results: what a run recorded. All arrays are copies that belong to numpy."""
import ctypes
import json
import os
import tempfile

import numpy as np

from . import _declarations as d
from ._errors import FileError, Log, UsageError, make_error, text, warn
from ._handle import Handle, check_handle
from ._library import lib
from ._options import encode, make_texts

_COMPONENTS = (("x", "y", "z"), ("w", "x", "y", "z"))
_ROW_KINDS = ("output", "before", "after")
_CONTACT_NUMBERS = ("begin", "end", "point", "normal", "slip", "approach", "separation", "restitution", "cor", "damping",
                    "radius", "maxDepth", "maxForce", "impulse", "dissipation", "slipPath")
_SAMPLE_NUMBERS = ("row", "time", "begin", "point", "normal", "depth", "depthRate", "slip", "force", "torque",
                   "normalForce", "elastic", "power", "area", "meanPressure", "maxPressure",
                   "slipPath", "coneShare", "mode")


def copy_doubles(address, count):
    """An array of numpy's own from memory of the library."""
    array = np.empty(count)
    if count > 0:
        ctypes.memmove(array.ctypes.data, address, 8 * count)
    return array


def _record_dtype(names):
    """The named fields of a crContactRecord where they are, vectors as three numbers."""
    formats, offsets = [], []
    for name in names:
        field = getattr(d.crContactRecord, name)
        kind = dict(d.crContactRecord._fields_)[name]
        formats.append({d.crVec3: (np.float64, 3), ctypes.c_double: np.float64}.get(kind, np.int32))
        offsets.append(field.offset)
    return np.dtype({"names": list(names), "formats": formats, "offsets": offsets,
                     "itemsize": ctypes.sizeof(d.crContactRecord)})


def make_contacts(raw, paths, names):
    """A structured array of contacts from the bytes of records: objectA, objectB, and the numbers of these names."""
    records = np.frombuffer(raw, _record_dtype(("objectA", "objectB", "observer") + names))
    known = np.array(list(paths) + [""], dtype=str)
    kinds = [("objectA", known.dtype), ("objectB", known.dtype)]
    kinds += [(name, records.dtype[name].base, records.dtype[name].shape) for name in names] + [("observer", bool)]
    out = np.empty(len(records), dtype=kinds)
    for side in ("objectA", "objectB"):
        out[side] = known[np.clip(records[side], -1, len(known) - 1)]
    for name in names:
        out[name] = records[name]
    out["observer"] = records["observer"] == 1
    return out


class Result:
    """What a run recorded: `r.time`, `r["ball.position"]`, `r["*.angle"]`, `r.contacts`, `r.events`, `r.energy`."""

    def __init__(self, handle, summary=None, messages=()):
        check_handle(handle, lib.crDestroyResult, "Model.run and carom.open")
        self._handle = handle
        self._extra = summary or {}
        self.messages = list(messages)  #: warnings and notes of the run

    # ------------------------------------------------------------------------------------------ life

    def close(self) -> None:
        """Gives the memory back; a second call does nothing. Arrays that were handed out stay."""
        self._handle = None

    def __enter__(self) -> "Result":
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def _live(self):
        """The result itself. Who reads memory of it holds this until it has its own."""
        handle = self._handle
        if handle is None:
            raise UsageError("this result is closed")
        return handle

    # -------------------------------------------------------------------------------------- columns

    def __len__(self) -> int:
        return lib.crResult_CountRows(self._live)

    @property
    def time(self) -> np.ndarray:
        """(rows) [s]; rows around an event have the same time twice."""
        pointer = self._live
        return copy_doubles(lib.crResult_GetTimes(pointer), lib.crResult_CountRows(pointer))

    def _column(self, index):
        """(name, unit) of a column."""
        pointer = self._live
        column = d.crColumn.from_address(lib.crResult_GetColumn(pointer, index))
        return column.name.decode(), column.unit.decode()

    @property
    def columns(self) -> list[str]:
        """The names of all variables."""
        return [self._column(i)[0] for i in range(lib.crResult_CountColumns(self._live))]

    def unit(self, name: str) -> str:
        """The unit of a variable: "m"."""
        return self._column(self._find(name)[0][0])[1]

    def names(self, *patterns: str) -> list[str]:
        """The variables that match any of the patterns: `r.names("*.angle")`."""
        return [self._column(i)[0] for i in self._select(patterns)]

    def _select(self, patterns):
        pointer = self._live
        array, count = make_texts(patterns, "a pattern")
        chosen = (ctypes.c_int * max(lib.crResult_CountColumns(pointer), 1))()
        number = ctypes.c_int()
        log = Log()
        status = lib.crResult_SelectColumns(pointer, array, count, None, log.address, chosen, ctypes.byref(number))
        if status != d.cr_ok:
            raise KeyError("\n".join(m.text + (f" {m.found!r}" if m.found else "") + (f" ({m.hint})" if m.hint else "")
                                     for m in log.take()) or str(patterns))
        return chosen[:number.value]

    def _find(self, name):
        """The columns of a name, and whether they are a single number."""
        if not isinstance(name, str):
            raise TypeError(f"the name of a variable is a string, not {type(name).__name__}")
        pointer, path = self._live, encode(name)
        index = lib.crResult_FindColumn(pointer, path)
        if index >= 0:
            return [index], True
        for components in _COMPONENTS:
            found = [lib.crResult_FindColumn(pointer, path + b"." + c.encode()) for c in components]
            if min(found) >= 0 and (len(found) == 4 or lib.crResult_FindColumn(pointer, path + b".w") < 0):
                return found, False
        return self._select([name]), False

    def __getitem__(self, name: str) -> np.ndarray:
        """(rows) of a variable; (rows × 3) of a vector, (rows × 4) of a quaternion (w, x, y, z); (rows × k) of all that
        match a pattern, in the order of `names(pattern)`."""
        indices, is_single = self._find(name)
        pointer = self._live
        rows = lib.crResult_CountRows(pointer)
        if is_single:
            return copy_doubles(lib.crResult_GetValues(pointer, indices[0]), rows)
        out = np.empty((rows, len(indices)))
        for i, index in enumerate(indices):
            out[:, i] = copy_doubles(lib.crResult_GetValues(pointer, index), rows)
        return out

    def __contains__(self, name: str) -> bool:
        try:
            return bool(self._find(name)[0])
        except KeyError:
            return False

    def __iter__(self):
        return iter(self.columns)

    @property
    def row_kinds(self) -> np.ndarray:
        """(rows) "output", or "before" and "after" of the rows around an event."""
        pointer = self._live
        return np.array([_ROW_KINDS[lib.crResult_GetRowKind(pointer, i)] for i in range(len(self))])

    @property
    def energy(self) -> dict[str, np.ndarray]:
        """The energies that were recorded, by name: kinetic, potential, elastic, dissipated, work, unexplained [J]."""
        return {name[len("energy."):]: self[name] for name in self.columns if name.startswith("energy.")}

    # ------------------------------------------------------------------------------------- contacts

    def _objects(self):
        pointer = self._live
        return [text(lib.crResult_GetObjectPath(pointer, i)) for i in range(lib.crResult_CountObjects(pointer))]

    @property
    def contacts(self) -> np.ndarray:
        """All contacts as a structured array, one from its begin to its end: objectA, objectB, begin, end, point, …"""
        pointer = self._live
        size = ctypes.sizeof(d.crContactRecord)
        raw = b"".join(ctypes.string_at(lib.crResult_GetContact(pointer, i), size)
                       for i in range(lib.crResult_CountContacts(pointer)))
        return make_contacts(raw, self._objects(), _CONTACT_NUMBERS)

    @property
    def contact_samples(self) -> np.ndarray:
        """The contacts at each row as a structured array: row, objectA, objectB, point, force, depth, area, …"""
        pointer = self._live
        size, count, raw = ctypes.sizeof(d.crContactRecord), ctypes.c_int(), []
        for row in range(len(self)):
            address = lib.crResult_GetContactSamples(pointer, row, ctypes.byref(count))
            if address:
                raw.append(ctypes.string_at(address, size * count.value))
        out = make_contacts(b"".join(raw), self._objects(), _SAMPLE_NUMBERS)
        out["time"] = self.time[out["row"]] if len(out) else out["time"]
        return out

    @property
    def events(self) -> np.ndarray:
        """What happened, in the order of time, as a structured array: time, kind ("contact begins", "contact ends", or as
        the run told it), text."""
        pointer = self._live
        rows: list[tuple[float, str, str]] = []
        for i in range(lib.crResult_CountEvents(pointer)):
            event = d.crResultEvent.from_address(lib.crResult_GetEvent(pointer, i))
            rows.append((event.time, text(event.kind), text(event.text)))
        for contact in self.contacts:
            pair = f"{contact['objectA']}, {contact['objectB']}"
            rows.append((contact["begin"], "contact begins", pair))
            if np.isfinite(contact["end"]):
                rows.append((contact["end"], "contact ends", pair))
        rows.sort(key=lambda row: row[0])
        width = [max([len(str(row[k])) for row in rows] + [1]) for k in (1, 2)]
        return np.array(rows, dtype=[("time", float), ("kind", f"U{width[0]}"), ("text", f"U{width[1]}")])

    @property
    def poses(self) -> dict[str, np.ndarray]:
        """{body: (rows × 7)}: position and quaternion (w, x, y, z) of all that moves, in single precision for pictures."""
        pointer, rows = self._live, len(self)
        bodies = lib.crResult_CountBodies(pointer)
        if bodies == 0 or rows == 0:
            return {}
        numbers = np.empty((rows, bodies, d.CR_POSE_SIZE), np.float32)
        for row in range(rows):
            ctypes.memmove(numbers[row].ctypes.data, lib.crResult_GetPoses(pointer, row), numbers[row].nbytes)
        return {text(lib.crResult_GetBody(pointer, i)): numbers[:, i].copy() for i in range(bodies)}

    # ---------------------------------------------------------------------------------------- facts

    def _fact(self, name):
        pointer = self._live
        return getattr(lib.crResult_GetFacts(pointer), name)

    @property
    def model_name(self) -> str:
        return (self._fact("modelName") or b"").decode()

    @property
    def complete(self) -> bool:
        """Whether the run came to its end."""
        return bool(self._fact("isComplete"))

    @property
    def exit(self) -> str:
        """How the run ended: "ok", "interrupted", "failed"; "running" of a killed one."""
        return (self._fact("exitReason") or b"").decode()

    @property
    def summary(self) -> dict:
        """What is told of the run: steps, evaluations, energies, contacts, times; the content of run.json."""
        known = self._fact("runJson")
        summary = json.loads(known) if known else {}
        summary.update(self._extra)
        return summary

    def __repr__(self):
        if self._handle is None:
            return "<carom.Result, closed>"
        pointer = self._live
        return (f"<carom.Result of {self.model_name!r}: {len(self)} rows, {lib.crResult_CountColumns(pointer)} variables,"
                f" {lib.crResult_CountContacts(pointer)} contacts, {self.exit}>")

    # -------------------------------------------------------------------------------------- writing

    def save(self, path) -> None:
        """Writes the result, by the ending of the name: .h5 (which `carom.open` reads), .csv, .mat (Modelica), .html (the
        report), .glb (glTF), .png (a picture, which needs Chromium)."""
        writers = {".h5": lib.crWriteResult, ".csv": lib.crWriteCsv, ".mat": lib.crWriteMat, ".glb": lib.crWriteGlb}
        ending = os.path.splitext(os.fspath(path))[1].lower()
        name, log, pointer = encode(path, "a path"), Log(), self._live
        if ending == ".html":
            status = lib.crWriteReport(pointer, name, None, None, log.address, None)
        elif ending == ".png":
            status = lib.crWritePng(pointer, name, None, None, log.address)
        elif ending in writers:
            status = writers[ending](pointer, name, None, log.address)
        else:
            raise UsageError(f"{os.fspath(path)!r} does not end in .h5, .csv, .mat, .html, .glb or .png")
        messages = log.take()
        if status != d.cr_ok:
            raise make_error(status, messages, f"{os.fspath(path)} could not be written")
        warn(messages)

    def to_pandas(self):
        """A DataFrame of all variables over time; needs pandas."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas needs pandas: apt-get install python3-pandas") from error
        names = self.columns
        return pandas.DataFrame({name: self[name] for name in names}, index=pandas.Index(self.time, name="time"))

    # -------------------------------------------------------------------------------------- looking

    def report(self) -> str:
        """The report of the run as HTML, which needs no other file."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.html")
            self.save(path)
            with open(path, encoding="utf-8") as file:
                return file.read()

    def show(self) -> str:
        """Opens the report in the browser; returns the path of its file."""
        import webbrowser
        handle, path = tempfile.mkstemp(prefix=(self.model_name or "result") + "_", suffix=".html")
        os.close(handle)
        self.save(path)
        webbrowser.open("file://" + path)
        return path

    def _repr_html_(self):
        import html
        return (f'<iframe srcdoc="{html.escape(self.report())}" style="width: 100%; height: 600px; border: 0"'
                f' title="{html.escape(self.model_name)}"></iframe>')

    def plot(self, *names: str, ax=None):
        """Draws variables over time, those of one unit in one panel; needs matplotlib. Returns the axes."""
        from ._plot import plot
        return plot(self, names, ax)


def read_result(path) -> Result:
    """Reads a result.h5, or that of the folder of a run."""
    path = os.fspath(path)
    if os.path.isdir(path):
        path = os.path.join(path, "result.h5")
    pointer, log = ctypes.c_void_p(), Log()
    status = lib.crReadResult(encode(path, "a path"), None, log.address, ctypes.byref(pointer))
    messages = log.take()
    if status != d.cr_ok:
        error = make_error(status, messages, path)
        raise error if isinstance(error, (MemoryError, FileError)) else FileError(path, messages)
    return Result(Handle(pointer.value, lib.crDestroyResult), messages=messages)

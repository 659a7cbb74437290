"""Scenes: models that are built in Python."""
import ctypes
import re
from contextlib import contextmanager

from . import _declarations as d
from ._callback import PythonFunction
from ._elements import Elements
from ._errors import Log, UsageError, find_caller
from ._handle import Handle
from ._library import lib
from ._model import Model, compile_scene
from ._options import encode, number, read_anywhere
from ._parts import Element, take_fields, write_json
from ._result import Result

_NAME = "<scene>"  # stands for the file in messages
_STAND_IN = "return 0 -- a function in Python"


class Scene(Elements):
    """A model that is built in Python, with the constructors of Lua as methods.

        s = carom.Scene(stopTime=2)
        ground = s.world("ground", s.solid(shape=s.halfSpace(), contact="DryWood"))
        s.object("ball", s.solid(shape=s.sphere(radius=0.05), material="Steel", contact="Steel"),
                 parent=ground, position=[0, 0, 1], free=True)
        r = s.compile().run()

    Elements refer to each other by path; each method returns that of what it made. What breaks a rule is told by `compile`,
    all of it in one go. Keyword arguments are those of `scene`: options of the whole model.
    """

    _sections: dict
    _options: dict
    _prefix: str
    _sources: dict
    _functions: list

    def _begin(self):
        self._sections = {}  # section -> [JSON of an element]
        self._options = {}
        self._prefix = ""
        self._sources = {}  # path, or "section[number]" -> (file, line)
        self._functions = []  # (kind, fields, source): signals whose code is a Python function

    # -------------------------------------------------------------------------------------- elements

    def _note(self, section, path):
        source = find_caller()[:2]
        count = len(self._sections.get(section, ()))
        self._sources[f"{section}[{count}]"] = source
        if path is not None:
            self._sources.setdefault(path, source)

    def _add(self, section, kind, given):
        fields = take_fields(given, ("self", "features", "free", "name"))
        name = given.get("name")
        path = None
        if name is not None:
            if not isinstance(name, str):
                raise TypeError(f"a name is a string, not {type(name).__name__}")
            is_material = section in ("solidMaterials", "visualMaterials")
            path = name if is_material else self._prefix + name
            fields = {"name": path, **fields}
        if section == "objects":
            self._add_object_fields(fields, kind, given)
        elif kind is not None:
            fields = {"type": kind, **fields}
        if callable(fields.get("code")):
            self._functions.append((kind, dict(fields), find_caller()[:2]))
            self._note("functions", path)
            fields = {**fields, "code": _STAND_IN}
            self._sections.setdefault("functions", []).append(write_json(fields, path))
        else:
            text = write_json(fields, path or section)
            self._sections.setdefault(section, []).append(text)
            self._note(section, path)
        return Element(path if path is not None else "")

    @staticmethod
    def _add_object_fields(fields, kind, given):
        if kind is not None:
            fields["mobility"] = kind
        elif given.get("free"):
            fields["mobility"] = "free"
        features = list(given.get("features", ()))
        for feature in features:
            if not isinstance(feature, dict):
                raise TypeError(f"a feature is what solid(), visual(), mass(), light() or camera() makes, not "
                                f"{type(feature).__name__}")
        if features:
            fields["features"] = features

    def _set(self, given):
        fields = take_fields(given)
        write_json(fields, "the options of a scene")
        if fields:
            self._options.update(fields)
            self._sources.setdefault("scene", find_caller()[:2])

    @contextmanager
    def assembly(self, name, **parameters):
        """A named group: in its `with` block names get its own as a prefix, `robot.arm`. Parameters are kept for the
        record."""
        if not isinstance(name, str):
            raise TypeError(f"a name is a string, not {type(name).__name__}")
        before, path = self._prefix, self._prefix + name
        fields = {"name": path, **({"parameters": parameters} if parameters else {})}
        self._sections.setdefault("assemblies", []).append(write_json(fields, path))
        self._note("assemblies", path)
        self._prefix = path + "."
        try:
            yield Element(path)
        finally:
            self._prefix = before

    # --------------------------------------------------------------------------------------- writing

    def to_json(self) -> str:
        """The model as JSON, as `carom.load` and `carom run` read it. Functions in Python become a stand-in that is 0."""
        return self._write(True)

    def _write(self, has_functions):
        """One element a line."""
        sections = {name: list(items) for name, items in self._sections.items() if name != "functions"}
        if has_functions and self._functions:
            sections.setdefault("signals", []).extend(self._sections["functions"])
        parts = ['"carom": 1']
        if self._options:
            parts.append(f'"scene": {write_json(self._options, "the options of a scene")}')
        parts += [f'"{name}": [\n' + ",\n".join(items) + "\n]" for name, items in sections.items()]
        return "{\n" + ",\n".join(parts) + "\n}\n"

    def save(self, path) -> None:
        """Writes the model into a .json file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_json())

    # ------------------------------------------------------------------------------------- compiling

    def _locate(self, message):
        """The message with the line of Python that made its element."""
        source = None
        path = message.path or ""
        while path and source is None:
            source = self._sources.get(path)
            path = re.sub(r"[.\[ ,:][^.\[ ,:]*$", "", path) if re.search(r"[.\[ ,:]", path) else ""
        if message.file == _NAME or message.file is None:
            file, line = source or (None, None)
            return message._replace(file=file, line=line, column=None)
        return message

    def _read(self, text, log, folder):
        pointer, data = ctypes.c_void_p(), text.encode("utf-8", "surrogatepass")
        anywhere = read_anywhere()  # what Python makes is no stranger's
        status = lib.crReadJson(data, len(data), _NAME.encode(), encode(folder) if folder else None,
                                ctypes.byref(anywhere), None, log.address, ctypes.byref(pointer))
        return status, Handle(pointer.value, lib.crDestroyScene, keep=log) if pointer.value else None

    def compile(self, folder=None) -> Model:
        """The model, as `carom.load` makes it of a file. Mesh files are looked for in `folder`. ModelError has all that is
        wrong, each with the line of Python that made it."""
        log = Log()
        status, scene = self._read(self._write(False), log, folder)
        if not self._functions or scene is None:
            return compile_scene(scene, log, status, locate=self._locate)
        keep: list = []
        for kind, fields, source in self._functions:
            added = _add_function(scene, kind, fields, source, keep)
            status = added if status == d.cr_ok else status
        model = compile_scene(scene, log, status, keep=keep, locate=self._locate, has_functions=True)
        _, model._scene = self._read(self._write(True), Log(), folder)  # functions cannot be written, pictures need none
        return model

    def run(self, *arguments, **options) -> Result:
        """Compiles and runs: `Model.run`."""
        return self.compile().run(*arguments, **options)


# ------------------------------------------------------------------------------------------------ functions

def _make_arguments(inputs):
    array = (d.crArgument * max(len(inputs), 1))()
    for place, (name, signal) in zip(array, inputs.items()):
        place.name, place.signal = encode(name), encode(signal, f"the signal of {name!r}")
    return array


def _make_named(numbers, what):
    array = (d.crNamedNumber * max(len(numbers), 1))()
    for place, (name, value) in zip(array, numbers.items()):
        place.name, place.value = encode(name), number(value, f"{what} {name!r}")
    return array


def _add_function(scene, kind, fields, source, keep):
    """Adds a signal that calls a Python function; `keep` gets what the model needs as long as it lives."""
    if fields.get("parameters"):
        raise UsageError(f"{fields['name']}: a function in Python has its own variables, and no parameters")
    inputs, states = dict(fields.get("inputs") or {}), dict(fields.get("state") or {})
    is_sampled = kind == "sampled"
    def_ = d.crSignalDef(size=ctypes.sizeof(d.crSignalDef), name=encode(fields["name"]),
                         kind=d.cr_signalSampled if is_sampled else d.cr_signalFunction)
    def_.source.file, def_.source.line = encode(source[0]) if source[0] else None, source[1] or 0
    place = def_.as_.sampled if is_sampled else def_.as_.function
    arguments, numbers = _make_arguments(inputs), _make_named(states, "state")
    place.arguments, place.argumentCount = ctypes.addressof(arguments), len(inputs)
    if is_sampled:
        place.states, place.stateCount = ctypes.addressof(numbers), len(states)
        for name in ("period", "start", "value"):
            if name in fields:
                setattr(place, name, number(fields[name], f"{name} of {fields['name']}"))
    function = PythonFunction(fields["code"], len(inputs), len(states))
    function.fill(place.function)
    keep.append(function)
    return lib.crScene_AddSignal(scene, ctypes.byref(def_), None)

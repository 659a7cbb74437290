"""States that fit any build: crState as a dict of plain Python, with the keys of a state as JSON (`carom run --save-state`)."""
import ctypes
import math

import numpy as np

from . import _declarations as d
from ._errors import UsageError
from ._options import encode, number

_LISTS = (("states", "stateCount"), ("inputs", "inputCount"), ("discrete", "discreteCount"), ("turns", "turnCount"))
_LATER = ("slipPath", "bristle")  # that states of older versions do not have


def read_state(address):
    """A dict of a crState: time, states, inputs, discrete, turns by name, contacts, dissipated, work."""
    state = d.crState.from_address(address)
    out = {"caromState": 1, "time": state.time}
    for name, count in _LISTS:
        size = getattr(state, count)
        items = (d.crNamedNumber * size).from_address(getattr(state, name)) if size else ()
        out[name] = {item.name.decode(): _plain(item.value) for item in items}
    contacts = (d.crStateContact * state.contactCount).from_address(state.contacts) if state.contactCount else ()
    out["contacts"] = [_read_contact(contact) for contact in contacts]
    out["dissipated"], out["work"] = state.dissipated, state.work
    return out


def _plain(value):
    """None for NaN, as JSON has it."""
    return None if isinstance(value, float) and math.isnan(value) else value


def _read_contact(contact):
    out = {}
    for name, kind in d.crStateContact._fields_:
        value = getattr(contact, name)
        if kind is d.crContactMemory:
            value = {field: _plain(getattr(value, field)) for field, _ in kind._fields_}
        elif kind is d.crContactBristle:
            value = _read_bristle(value)
        out[name] = value.decode() if isinstance(value, bytes) else _plain(value)
    return out


def _read_bristle(bristle):
    """What friction that sticks has stored; None: the contact does not stick."""
    if bristle.count == 0:
        return None
    out = {}
    for name, kind in d.crContactBristle._fields_:
        value = getattr(bristle, name)
        if kind is d.crVec3:
            value = [value.x, value.y, value.z]
        out[name] = list(value) if isinstance(value, ctypes.Array) else _plain(value)
    return out


def make_state(state):
    """A crState of such a dict; what it points to lives as long as it does."""
    if not isinstance(state, dict) or "time" not in state or "states" not in state:
        raise TypeError("a state is a dict with at least time and states, as Simulation.portable_state has it")
    if state.get("caromState", 1) != 1:
        raise UsageError(f"a state of the format {state['caromState']!r} is unknown: 1 is known")
    unknown = set(state) - {"caromState", "time", "contacts", "dissipated", "work"} - {name for name, _ in _LISTS}
    if unknown:
        raise UsageError(f"a state has no {', '.join(sorted(map(repr, unknown)))}")
    out = d.crState(time=number(state["time"], "the time of a state"))
    keep = []
    for name, count in _LISTS:
        items = state.get(name) or {}
        if not isinstance(items, dict):
            raise TypeError(f"{name!r} of a state is a dict of names and numbers, not {type(items).__name__}")
        array = (d.crNamedNumber * max(len(items), 1))()
        for place, (key, value) in zip(array, items.items()):
            place.name, place.value = encode(key), _any_number(value, key)
        keep.append(array)
        setattr(out, name, ctypes.addressof(array))
        setattr(out, count, len(items))
    contacts = state.get("contacts") or []
    array = (d.crStateContact * max(len(contacts), 1))()
    for place, contact in zip(array, contacts):
        _fill_contact(place, contact)
    keep.append(array)
    out.contacts, out.contactCount = ctypes.addressof(array), len(contacts)
    out.dissipated = _any_number(state.get("dissipated", 0.0), "dissipated")
    out.work = _any_number(state.get("work", 0.0), "work")
    out.keep = keep
    return out


def _any_number(value, what):
    if value is None:
        return math.nan
    if isinstance(value, (int, float, np.number)):
        return float(value)
    raise TypeError(f"{what!r} of a state is a number, not {type(value).__name__}")


def _fill_contact(place, contact):
    if not isinstance(contact, dict):
        raise TypeError(f"a contact of a state is a dict, not {type(contact).__name__}")
    for name, kind in d.crStateContact._fields_:
        if name not in contact and name in _LATER:
            continue
        if name not in contact:
            raise UsageError(f"a contact of a state needs {name!r}")
        value = contact[name]
        if kind is d.crContactMemory:
            for field, _ in kind._fields_:
                setattr(place.memory, field, _any_number(value[field], field))
        elif kind is d.crContactBristle:
            _fill_bristle(place.bristle, value)
        elif kind is ctypes.c_char_p:
            setattr(place, name, encode(value))
        elif kind is ctypes.c_double:
            setattr(place, name, _any_number(value, name))
        else:
            whole = kind(value).value
            if whole != value:
                raise UsageError(f"{name!r} of a contact is {value!r}, which no int holds")
            setattr(place, name, whole)


def _fill_bristle(place, bristle):
    if bristle is None:
        return
    if not isinstance(bristle, dict):
        raise TypeError(f"the bristle of a contact is a dict or None, not {type(bristle).__name__}")
    for name, kind in d.crContactBristle._fields_:
        if name not in bristle:
            raise UsageError(f"the bristle of a contact needs {name!r}")
        value = bristle[name]
        if kind is d.crVec3 or issubclass(kind, ctypes.Array):
            count = 3 if kind is d.crVec3 else kind._length_
            if not isinstance(value, (list, tuple, np.ndarray)) or len(value) != count:
                raise UsageError(f"{name!r} of a bristle is a list of {count} numbers")
            numbers = [_any_number(item, name) for item in value]
            setattr(place, name, d.crVec3(*numbers) if kind is d.crVec3 else kind(*numbers))
        elif kind is ctypes.c_double:
            setattr(place, name, _any_number(value, name))
        else:
            setattr(place, name, kind(value).value)

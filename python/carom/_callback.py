"""Python functions that the library calls, and exceptions that have to find their way through it.

A function that raises ends what the library does; the exception is kept with its owner, the call that is under way,
and raised there, with its traceback. Signals are handled the same way: their handlers run inside callbacks, and what
they raise would be lost on its way through C.
"""
import ctypes
import itertools
import math
import signal
import threading

from . import _declarations as d

MAX_DEPTH = 50  # calls of functions inside each other; each needs kilobytes of a stack that Python does not watch
_local = threading.local()
_numbers = itertools.count(1)
_owners: dict[int, list] = {}  # number of a caller -> its owner; an owner takes its own away


class Owner:
    """Who has callers of Python functions, such as a simulation: keeps what they raised."""

    __slots__ = ("failures", "numbers", "before")

    def __init__(self):
        self.failures = []
        self.numbers = []

    def __enter__(self):
        self.before = getattr(_local, "owner", None)
        _local.owner = self
        return self

    def __exit__(self, *_):
        _local.owner = self.before

    def __del__(self):
        for number in self.numbers:
            _owners.pop(number, None)

    def raise_failure(self):
        """Raises what a function has raised, if any has."""
        if self.failures:
            failure, self.failures[:] = self.failures[0], []
            raise failure


class PythonFunction:
    """A crFunction that calls a Python function with its arguments as floats, in the order of the def.

    A function of time and arguments: f(t, a, b) -> float. One that is sampled and has states: f(t, a, b, states) ->
    (float, new states), where states is a tuple of floats.
    """

    def __init__(self, function, argument_count, state_count):
        self.function = function
        self.thunks = (d.crFunction_call(self._make_call(function, argument_count, state_count)),
                       d.crFunction_create(self._create))

    def fill(self, place):
        """Puts the function into a crFunction, which then needs this object."""
        place.call, place.create = self.thunks

    @staticmethod
    def _create(_context, _source, _allocator, _sink, out_caller):
        number = next(_numbers)
        owner = getattr(_local, "owner", None)
        if owner is not None:
            owner.numbers.append(number)
            _owners[number] = owner.failures
        ctypes.c_void_p.from_address(out_caller).value = number
        return d.cr_ok

    @staticmethod
    def _make_call(function, argument_count, state_count):
        arguments_type = ctypes.c_double * argument_count
        states_type = ctypes.c_double * state_count
        value_type = ctypes.c_double

        def call(caller, t, arguments, states, out_value):
            depth = getattr(_local, "depth", 0)
            _local.depth = depth + 1
            try:
                if depth >= MAX_DEPTH:
                    raise RecursionError(f"a function of a model calls itself through the library, {MAX_DEPTH} times over")
                values = arguments_type.from_address(arguments)[:] if argument_count else ()
                if state_count:
                    place = states_type.from_address(states)
                    value, new = function(t, *values, tuple(place))
                    new = tuple(map(float, new))
                    if len(new) != state_count:
                        raise ValueError(f"the function has {state_count} states, and returned {len(new)}")
                    place[:] = new
                else:
                    value = function(t, *values)
                value = float(value)
                value_type.from_address(out_value).value = value
                return d.cr_ok if math.isfinite(value) else d.cr_retry
            except BaseException as failure:  # it is raised again where the call began
                failures = _owners.get(caller)
                if failures is not None:
                    failures.append(failure)
                return d.cr_failNumerics
            finally:
                _local.depth = depth

        return call


_GUARDED = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGALRM", "SIGHUP", "SIGUSR1", "SIGUSR2")
            if hasattr(signal, name)]


class SignalGuard:
    """While it is entered, handlers of signals keep what they raise in `failures`; only the main thread has any. None: they
    are left as they are."""

    def __init__(self, failures):
        self.failures = failures
        self.before = []

    def __enter__(self):
        if self.failures is not None and threading.current_thread() is threading.main_thread():
            for number in _GUARDED:
                handler = signal.getsignal(number)
                if callable(handler):
                    signal.signal(number, self._wrap(handler))
                    self.before.append((number, handler))
        return self

    def _wrap(self, handler):
        failures = self.failures

        def guarded(number, frame):
            try:
                handler(number, frame)
            except BaseException as failure:
                failures.append(failure)

        return guarded

    def __exit__(self, *_):
        for number, handler in self.before:
            signal.signal(number, handler)

"""Objects of the library that Python owns."""
import threading

_lock = threading.RLock()  # a garbage collection may come while it is held, and release others


def check_handle(handle, destroy, maker):
    """Refuses what is no such object: classes are public, how they are made is not."""
    if not isinstance(handle, Handle) or handle._destroy is not destroy:
        raise TypeError(f"these objects are made by {maker}")


class Handle:
    """An object of the library, destroyed with the last reference to it.

    It is handed to functions of the library as it is, so that it lives during the call, whatever other threads close.
    Objects that stand on it are counted here, and not left to Python's references: a garbage collector takes apart
    rings of objects in any order, and a simulation must be gone before its model is.
    """

    __slots__ = ("_as_parameter_", "_destroy", "_parents", "_users", "_keep")

    def __init__(self, pointer, destroy, parents=(), keep=None):
        self._as_parameter_ = pointer
        self._destroy = destroy
        self._parents = parents
        self._keep = keep  # what the object points to
        self._users = 1  # this object itself
        for parent in parents:
            parent.retain()

    def retain(self):
        with _lock:
            self._users += 1

    def release(self):
        with _lock:
            self._users -= 1
            is_last = self._users == 0
        if is_last:
            self._destroy(self._as_parameter_)
            self._as_parameter_ = None
            for parent in self._parents:
                parent.release()

    def __del__(self):
        if hasattr(self, "_users"):
            self.release()

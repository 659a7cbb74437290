"""What a run shows while it goes on: a bar in terminals and notebooks."""
import sys
import time

WIDTH = 32  # [columns]
REFRESH = 0.1  # [s] between two drawings
PATIENCE = 0.3  # [s] runs shorter than this show no bar


def _is_notebook():
    shell = sys.modules.get("IPython")
    instance = shell.get_ipython() if shell is not None and hasattr(shell, "get_ipython") else None
    return instance is not None and instance.__class__.__name__ == "ZMQInteractiveShell"


class Progress:
    """Draws by carriage returns, which terminals and notebooks both understand. wanted None: only where someone looks."""

    def __init__(self, wanted, start, stop, stream=None):
        self.stream = stream if stream is not None else sys.stderr
        if wanted is None:
            wanted = bool(getattr(self.stream, "isatty", lambda: False)()) or _is_notebook()
        self.is_wanted = wanted
        self.start, self.stop = start, stop
        self.began = time.monotonic()
        self.next = self.began + PATIENCE
        self.length = 0

    def show(self, t):
        now = time.monotonic()
        if now < self.next:
            return
        self.next = now + REFRESH
        share = min(max((t - self.start) / (self.stop - self.start), 0.0), 1.0) if self.stop > self.start else 1.0
        filled = int(share * WIDTH)
        line = f"  {'█' * filled}{'░' * (WIDTH - filled)} {100 * share:3.0f} %  {t:.4g} of {self.stop:.4g} s"
        if share > 0.0:
            elapsed = now - self.began
            line += f"  {(t - self.start) / elapsed:.3g} x real time  {elapsed * (1 / share - 1):.0f} s left"
        self._write("\r" + line.ljust(self.length))
        self.length = len(line)

    def end(self):
        if self.length > 0:
            self._write("\r" + " " * self.length + "\r")
            self.length = 0

    def _write(self, text):
        try:
            self.stream.write(text)
            self.stream.flush()
        except (OSError, ValueError):  # nobody looks any more
            self.is_wanted = False

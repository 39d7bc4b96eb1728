"""Leave alone for a while what has failed again and again."""

from __future__ import annotations

import threading
import time
from typing import Literal


class CircuitOpen(Exception):
    """Nothing is to be asked now."""


class Circuit:
    """Opens after repeated failure, so that what is down costs nothing.

    After `pause` seconds one question is let through: its answer closes the circuit, its failure
    opens it again. One a process.
    """

    def __init__(self, *, failures: int = 5, pause: float = 30.0) -> None:
        self.most, self.pause = failures, pause
        self._lock = threading.Lock()
        self._failed = 0
        self._opened: float | None = None
        self._trying = False
        self.error = ""

    @property
    def state(self) -> Literal["closed", "open", "half_open"]:
        if self._opened is None:
            return "closed"
        return "open" if time.monotonic() - self._opened < self.pause else "half_open"

    def enter(self) -> None:
        """Raises CircuitOpen where nothing is to be asked now."""
        with self._lock:
            if self.state == "open" or (self.state == "half_open" and self._trying):
                raise CircuitOpen
            self._trying = self.state == "half_open"

    def succeed(self) -> None:
        with self._lock:
            self._failed, self._opened, self._trying, self.error = 0, None, False, ""

    def fail(self, code: str) -> None:
        with self._lock:
            self._failed += 1
            self._trying = False
            self.error = code
            if self._failed >= self.most:
                self._opened = time.monotonic()

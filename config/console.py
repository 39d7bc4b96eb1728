"""What the terminal shows: every child's lines, each with the name of whom it is from."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import sys
from collections.abc import Callable
from pathlib import Path

WIDTH = 8


class Console:
    """One `select` loop over all children's output and over signals, which wake it."""

    def __init__(self) -> None:
        self.reader_left = False
        self._selector = selectors.DefaultSelector()
        waking, woken = os.pipe()
        os.set_blocking(waking, False)
        os.set_blocking(woken, False)
        signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
        self._selector.register(waking, selectors.EVENT_READ, lambda: _read(waking))

    def say(self, sentence: str) -> None:
        self.write(f"{'memoir':<{WIDTH}} | {sentence}")

    def write(self, text: str) -> None:
        """Print; once nobody reads any more (`make run | head`), remember that and fall silent."""
        try:
            print(text, flush=True)  # noqa: T201 (this is the terminal)
        except OSError:
            self.reader_left = True
            sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 (open until the end)

    def follow(self, name: str, descriptor: int, remember: Callable[[str], None]) -> None:
        """Show what arrives at the descriptor until its writers are gone, then close it."""
        os.set_blocking(descriptor, False)
        rest = b""

        def carry() -> None:
            nonlocal rest
            read = _read(descriptor)
            if read == b"":
                self._selector.unregister(descriptor)
                os.close(descriptor)
                read = b"\n" if rest else b""
            *lines, rest = (rest + (read or b"")).split(b"\n")
            for line in lines:
                text = line.decode(errors="replace").rstrip()
                if text:
                    remember(text)
                self.write(f"{name:<{WIDTH}} | {text}")

        self._selector.register(descriptor, selectors.EVENT_READ, carry)

    def carry(self, patience: float) -> None:
        """Pass on what was written; wait up to `patience` seconds for the first of it."""
        while ready := self._selector.select(patience):
            for key, _ in ready:
                key.data()
            if patience:
                break


def _read(descriptor: int) -> bytes | None:
    """What is there: nothing (None) is not the end (no bytes)."""
    with contextlib.suppress(BlockingIOError):
        return os.read(descriptor, 65536)
    return None

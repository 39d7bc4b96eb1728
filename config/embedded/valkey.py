"""The embedded broker. Nothing on disk: the queue is in PostgreSQL, messages only nudge."""

from __future__ import annotations

import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from config.embedded.binaries import valkey_program
from config.embedded.errors import EmbeddedError
from config.embedded.home import Home
from config.embedded.process import blink, spawn

PATIENCE = 10.0


class Valkey:
    """Valkey on a unix socket; an open loopback port would let any local user enqueue."""

    name = "broker"
    stop_signals = (signal.SIGTERM, signal.SIGKILL)

    def __init__(self, home: Home) -> None:
        self.home = home

    @property
    def socket(self) -> Path:
        return self.home.sockets / "broker.sock"

    def start(self, output: int) -> subprocess.Popen[bytes]:
        directory = self.home.sockets
        self.socket.unlink(missing_ok=True)
        command = [
            str(valkey_program()),
            *("--port", "0", "--unixsocket", str(self.socket), "--unixsocketperm", "700"),
            *("--save", "", "--appendonly", "no", "--dir", str(directory)),
            # Its warnings are about saving to disk, which it is told not to do.
            *("--loglevel", "nothing"),
        ]
        return spawn(command, output=output)

    def wait(self, process: subprocess.Popen[bytes], pause: Callable[[], None] = blink) -> None:
        """Wait until it answers."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if process.poll() is not None:
                raise EmbeddedError(f"Valkey stopped at once (exit code {process.returncode}).")
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(1)
                try:
                    client.connect(str(self.socket))
                    client.sendall(b"PING\r\n")
                    if client.recv(16).startswith(b"+PONG"):
                        return
                except OSError:
                    pass
            pause()
        raise EmbeddedError(f"Valkey did not answer within {PATIENCE:.0f} s.")

"""What the person who started Memoir sees: that it is up, how to get in, and the mail."""

from __future__ import annotations

import contextlib
import email
import email.policy
import json
import re
import socket
import time
from pathlib import Path
from urllib.parse import urlsplit

HEALTH = "/api/v1/health"
SETTLED = 0.5  # seconds without change, after which a mail file counts as written


class Health:
    """Asks /api/v1/health without waiting: the loop that asks also carries everyone's output."""

    def __init__(self, host: str, port: int, base_url: str) -> None:
        self.address = ({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port)  # noqa: S104 (compared, not bound)
        self.host_header = urlsplit(base_url).netloc
        self.last = "no answer"
        self._socket: socket.socket | None = None
        self._asked = 0.0

    def good(self) -> bool:
        """Whether the last question was answered with 200. Asks anew when the time has come."""
        now = time.monotonic()
        if self._socket is None:
            if now - self._asked < 0.1:
                return False
            self._asked = now
            self._ask()
            return False
        try:
            head = self._socket.recv(64)
        except BlockingIOError:
            if now - self._asked > 10:
                self._forget("no answer within 10 s")
            return False
        except OSError as error:
            self._forget(error.strerror or "no answer")
            return False
        status = head.split(b" ")[1:2]
        self._forget(
            f"status {status[0].decode(errors='replace')}" if status else "an empty answer"
        )
        return status == [b"200"]

    def _ask(self) -> None:
        # A connection within the machine is made or refused at once; only the answer takes time.
        try:
            self._socket = socket.create_connection(self.address, timeout=1)
            self._socket.sendall(
                f"GET {HEALTH} HTTP/1.0\r\nHost: {self.host_header}\r\n\r\n".encode()
            )
            self._socket.setblocking(False)
        except OSError as error:
            self._forget(error.strerror or "no answer")

    def _forget(self, answer: str) -> None:
        self.last = answer
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def greeting(base_url: str, answer: str) -> str:
    """The lines to print, from what `manage.py greet` answered; without that, the address alone."""
    lines = ["", f"Memoir is running at {base_url}"]
    with contextlib.suppress(ValueError, AttributeError):
        known = json.loads(answer)
        if known.get("sign_in"):
            lines += ["", "Sign in as the demo owner with one click:", f"  {known['sign_in']}"]
        if known.get("curl"):
            lines += [
                "",
                "Ask it something, as an agent would:",
                *(f"  {line}" for line in known["curl"].splitlines()),
            ]
    return "\n".join([*lines, "", "Ctrl-C stops it.", ""])


class Mailbox:
    """The directory where mail lands when no mail server is configured."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._seen = dict(self._files())

    def new_links(self) -> list[str]:
        """The link of each mail that came since the last look."""
        links = []
        for path, written in self._files():
            if self._seen.get(path) != written and time.time() - written > SETTLED:
                self._seen[path] = written
                links += _link(path)
        return links

    def _files(self) -> list[tuple[Path, float]]:
        try:
            return [(path, path.stat().st_mtime) for path in sorted(self.directory.iterdir())]
        except OSError:
            return []


def _link(path: Path) -> list[str]:
    """The first link of the last message in the file (a line of dashes parts messages)."""
    try:
        raw = path.read_bytes()
    except OSError:
        return []
    messages = [part for part in re.split(rb"^-{79}\n", raw, flags=re.MULTILINE) if part.strip()]
    if not messages:
        return []
    body = email.message_from_bytes(messages[-1], policy=email.policy.default).get_body(
        ("plain", "html")
    )
    found = re.search(r"https?://[^\s<>\"']+", body.get_content()) if body else None
    return [found.group()] if found else []

"""Child processes that die with their parent, and ways to find and end those that did not.

A process id alone is no identity: the system reuses it. Here a process is its id and the moment it
started.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from config.embedded.account import Account

PS = "/bin/ps"
LINUX = sys.platform == "linux"
PROC = Path("/proc")
PR_SET_PDEATHSIG = 1

# Loaded before any fork: the child may only call it.
_libc = ctypes.CDLL(None, use_errno=True) if LINUX else None


def blink() -> None:
    """The pause between two looks at something that takes a moment."""
    time.sleep(0.02)


@dataclass(frozen=True)
class Process:
    """One process, told apart from a later one with the same id."""

    pid: int
    started: str

    @property
    def alive(self) -> bool:
        """Whether it runs. A zombie does not, though its id is still taken."""
        return _started(self.pid) == self.started and not is_zombie(self.pid)


def identify(pid: int) -> Process:
    return Process(pid, _started(pid))


def _started(pid: int) -> str:
    """When the process started, in whatever words the system has for it; empty if there is none."""
    if LINUX:
        try:
            # The name in parentheses may hold anything; the 22nd field is the start in clock ticks
            # since boot.
            return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[19]
        except (OSError, IndexError):
            return ""
    shown = subprocess.run(  # noqa: S603 (our own command)
        [PS, "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return shown.stdout.strip()


def is_zombie(pid: int) -> bool:
    if LINUX:
        try:
            return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
        except (OSError, IndexError):
            return False
    shown = subprocess.run(  # noqa: S603 (our own command)
        [PS, "-o", "state=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return shown.stdout.strip().startswith("Z")


def processes_where(matches: Callable[[Path], bool]) -> list[Process]:
    """Every process whose /proc directory satisfies the test; none where there is no /proc."""
    found = []
    if LINUX:
        for entry in PROC.iterdir():
            if entry.name.isdecimal() and int(entry.name) != os.getpid():
                with contextlib.suppress(
                    OSError
                ):  # it ended meanwhile, or belongs to somebody else
                    if matches(entry):
                        found.append(identify(int(entry.name)))
    return found


def working_in(directory: Path) -> list[Process]:
    """Processes whose current directory it is: PostgreSQL's all live in their data directory."""
    return processes_where(lambda entry: (entry / "cwd").readlink() == directory)


def marked(name: str, value: str) -> list[Process]:
    """Processes started with this variable, its value beginning so, whoever is their parent now."""
    wanted = f"\0{name}={value}".encode()
    return processes_where(lambda entry: wanted in b"\0" + (entry / "environ").read_bytes())


def running_with(*arguments: str) -> list[Process]:
    """Processes with these arguments in their command line, for systems without /proc."""
    command = [PS, "-axo", "pid=,command="]
    shown = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 (ours)
    rows = [line.split(maxsplit=1) for line in shown.stdout.splitlines()]
    wanted = f" {' '.join(arguments)} "
    return [identify(int(row[0])) for row in rows if len(row) == 2 and wanted in f"{row[1]} "]


def end(processes: Iterable[Process], *steps: tuple[signal.Signals, float]) -> list[Process]:
    """Send each signal in turn and wait that long for all to go. Returns those that remain."""
    left = [process for process in processes if process.alive]
    for number, patience in steps:
        for process in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process.pid, number)
        deadline = time.monotonic() + patience
        while left and time.monotonic() < deadline:
            blink()
            left = [process for process in left if process.alive]
        if not left:
            break
    return left


def wait_until_reaped(pid: int, patience: float = 3.0) -> None:
    """Wait for the id to be free.

    A killed process stays a zombie until its parent looks, and PostgreSQL takes a zombie for a
    running server. In a container without an init nobody ever looks, hence the limit.
    """
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except OSError:
            return
        blink()


def spawn(
    command: list[str],
    *,
    account: Account | None = None,
    environment: Mapping[str, str] | None = None,
    output: int | None = None,
    errors: int | None = subprocess.STDOUT,
    directory: Path | None = None,
    own_group: bool = False,
    death_signal: signal.Signals = signal.SIGTERM,
) -> subprocess.Popen[bytes]:
    """Start a child that ignores SIGINT and, on Linux, gets `death_signal` when this process dies.

    Ctrl-C in a terminal goes to every process of the group. Ignoring it is not enough, since
    gunicorn, Celery and Valkey install handlers of their own; a blocked signal stays blocked
    through exec, so it is both.
    """
    parent = os.getpid()

    def before_exec() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        if _libc is not None:
            # A change of user clears it; subprocess makes that change before it calls this.
            _libc.prctl(PR_SET_PDEATHSIG, death_signal, 0, 0, 0)
            if os.getppid() != parent:  # the parent died before we asked to be told
                os.kill(os.getpid(), signal.SIGKILL)

    return subprocess.Popen(  # noqa: S603 (our own commands)
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=errors if output is not None else None,
        env=dict(environment) if environment is not None else None,
        cwd=directory,
        process_group=0 if own_group else None,
        preexec_fn=before_exec,
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,
    )

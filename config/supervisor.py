"""`manage.py run`: the whole product in one supervised process.

1. Take the claim on MEMOIR_HOME, end what a crash left behind, refuse what cannot work.
2. Start the embedded database and broker, unless others are named.
3. Migrate, collect static files, load the demo owner: each only if due.
4. Start web, worker and beat; when health answers, say where and how to get in.
5. Restart what dies. Stop everything, in order, on Ctrl-C, SIGTERM or when something keeps dying.

One thread and one loop carry all of it. Children share this process's group, so Ctrl-C and `kill`
of the group reach them; how they ignore the former is told in `embedded/process.py`.
"""

from __future__ import annotations

import functools
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from config import programs
from config.console import Console
from config.embedded import MARK, EmbeddedError, Home, is_wanted
from config.embedded.claim import Claim
from config.embedded.home import ROOT
from config.embedded.postgres import Postgres
from config.embedded.process import end, marked, spawn
from config.embedded.services import stop
from config.embedded.valkey import Valkey
from config.greeting import HEALTH, Health, Mailbox, greeting
from config.preflight import check_everything, host, port, setting, wants_demo

TICK = 0.2
FIRST_PAUSE = 0.2  # before a restart; doubles with every death that follows
TOO_MANY, TOO_SOON = 5, 60.0
PATIENCE = 60.0  # before saying that health still does not answer


class Stopped(Exception):
    """Somebody asked us to stop."""


@dataclass
class Child:
    """Something that must run: how to start it, and how often it died."""

    name: str
    start: Callable[[int], subprocess.Popen[bytes]]
    process: subprocess.Popen[bytes] | None = None
    deaths: deque[float] = field(default_factory=lambda: deque(maxlen=TOO_MANY))
    due: float = 0.0
    last_words: str = "none"

    def remember(self, words: str) -> None:
        self.last_words = words

    def died(self, now: float) -> bool:
        """Note a death and when to start again. Whether it keeps dying."""
        self.deaths.append(now)
        recent = [moment for moment in self.deaths if now - moment < TOO_SOON]
        self.due = now + FIRST_PAUSE * 2 ** (len(recent) - 1)
        self.process = None
        return len(recent) >= TOO_MANY


class Supervisor:
    """The loop and its children."""

    def __init__(self, home: Home, claim: Claim) -> None:
        self.home = home
        self.claim = claim
        self.console = Console()
        self.children: dict[str, Child] = {}
        self.servers: dict[str, Postgres | Valkey] = {}
        self.asides: list[subprocess.Popen[bytes]] = []
        self.stop_asked = False
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._ask_to_stop)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # wakes the loop

    def _ask_to_stop(self, *_: object) -> None:
        self.stop_asked = True

    # -- the life of the whole ---------------------------------------------------------------------

    def live(self) -> None:
        """Start everything and keep it running, until `Stopped` or what cannot be mended."""
        database = self._start_servers()
        for step in programs.steps(self.home, database, demo=wants_demo()):
            if step.due:
                self.console.say(step.purpose)
                self._run(step.program)
                step.done()
        self.claim.ready()
        for program in (programs.web(host(), port()), programs.worker(), programs.beat()):
            self._start(program.name, functools.partial(self._spawn, program))
        mailbox = Mailbox(self.home.directory("mail"))
        self._greet()
        while True:
            self._tick()
            for link in mailbox.new_links():
                self.console.say(f"new mail: {link}")

    def stop(self) -> None:
        """Stop in order: first what uses the services, then the broker, then the database."""
        users = [
            *(child.process for name, child in self.children.items() if name not in self.servers),
            *self.asides,
        ]
        running = [process for process in users if process and process.poll() is None]
        for process in running:
            process.terminate()
        deadline = time.monotonic() + programs.GRACE + 1
        while time.monotonic() < deadline and any(process.poll() is None for process in running):
            self.console.carry(0.05)
        for process in running:
            process.kill()  # does nothing to what has ended
        end(marked(MARK, self.claim.mark), (signal.SIGKILL, 1.0))
        for name, server in reversed(self.servers.items()):
            child = self.children.get(name)
            if child and child.process:
                stop(server, child.process)
        self.console.carry(0)

    def _start_servers(self) -> Postgres | None:
        self.home.make_sockets()
        if not is_wanted():
            return None
        database = Postgres(self.home)
        self._serve(database)
        database.make_roles()
        if not setting("BROKER_URL"):
            self._serve(Valkey(self.home))
        return database

    def _serve(self, server: Postgres | Valkey) -> None:
        self.servers[server.name] = server
        child = self._start(server.name, server.start)
        assert child.process is not None
        try:
            server.wait(child.process, lambda: self._tick(0.02, restart=False))
        except EmbeddedError as error:
            self.console.carry(0)
            raise EmbeddedError(f"{error} Its last words: {child.last_words}") from error

    def _greet(self) -> None:
        """Say where Memoir is once health answers. Meanwhile `greet` prepares the way in."""
        base_url = setting("MEMOIR_BASE_URL", f"http://127.0.0.1:{port()}").rstrip("/")
        path = self.home.directory("log") / "greeting"
        greet = None
        if wants_demo() and programs.command_exists("greet"):
            with path.open("wb") as answer:
                program, output = programs.command("greet"), answer.fileno()
                child = Child("greet", lambda errors: self._spawn(program, output, errors))
                greet = self._launch(child)
            self.asides.append(greet)
        health = Health(host(), port(), base_url)
        patience = time.monotonic() + PATIENCE
        while not health.good() or (greet and greet.poll() is None):
            self._tick(0.05)
            if time.monotonic() > patience:
                self.console.say(f"still waiting for {base_url}{HEALTH} ({health.last})")
                patience += PATIENCE
        if wants_demo() and (greet is None or greet.returncode != 0):
            self.console.say("no sign-in link: `manage.py greet` is missing or failed")
        found = path.read_text() if greet else ""
        path.unlink(missing_ok=True)  # it holds a key and a way in
        self.console.write(greeting(base_url, found))

    # -- children ----------------------------------------------------------------------------------

    def _spawn(
        self, program: programs.Program, output: int, errors: int = subprocess.STDOUT
    ) -> subprocess.Popen[bytes]:
        return spawn(
            program.command,
            environment=program.environment(self.home, f"{self.claim.mark}/{program.name}"),
            output=output,
            errors=errors,
            directory=ROOT,
            death_signal=program.death_signal,
        )

    def _start(self, name: str, start: Callable[[int], subprocess.Popen[bytes]]) -> Child:
        child = self.children[name] = Child(name, start)
        self._launch(child)
        return child

    def _launch(self, child: Child) -> subprocess.Popen[bytes]:
        reading, writing = os.pipe()
        try:
            process = child.process = child.start(writing)
        except BaseException:
            os.close(reading)
            raise
        finally:
            os.close(writing)
        self.claim.record(child.name, process.pid)
        self.console.follow(child.name, reading, child.remember)
        return process

    def _run(self, program: programs.Program) -> None:
        """Run a step to its end. Its standard output is for scripts, and may hold a key."""
        start = functools.partial(self._spawn, program, subprocess.DEVNULL)
        child = Child(program.name, start)
        process = self._launch(child)
        self.asides.append(process)
        while process.poll() is None:
            self._tick()
        self.console.carry(0)
        if process.returncode != 0:
            code = process.returncode
            raise EmbeddedError(f"{program.name} failed (exit code {code}): {child.last_words}")

    def _look_after(self) -> None:
        """Notice deaths, restart what is due."""
        now = time.monotonic()
        for child in self.children.values():
            if child.process is not None and child.process.poll() is not None:
                code = child.process.returncode
                self.console.carry(0)
                # Its own children may still hold the port.
                end(marked(MARK, f"{self.claim.mark}/{child.name}"), (signal.SIGKILL, 2.0))
                if child.died(now):
                    raise EmbeddedError(
                        f"{child.name} died {TOO_MANY} times within {TOO_SOON:.0f} s; "
                        f"its last words: {child.last_words}"
                    )
                self.console.say(f"{child.name} died (exit code {code}), starting it again")
            if child.process is None and now >= child.due:
                self._launch(child)

    def _tick(self, patience: float = TICK, *, restart: bool = True) -> None:
        self.console.carry(patience)
        if self.stop_asked or self.console.reader_left:
            raise Stopped
        if restart:
            self._look_after()


def run() -> int:
    """Run until told to stop: 0 after an orderly end, 1 with a sentence if it could not go on."""
    home = Home.from_environment()
    claim = Claim.take(home, "manage.py run")
    supervisor = Supervisor(home, claim)
    try:
        check_everything(home)
        supervisor.live()
    except Stopped:
        supervisor.console.say("stopping")
    except EmbeddedError as error:
        print(f"memoir: {error}", file=sys.stderr, flush=True)  # noqa: T201 (the terminal)
        return 1
    finally:
        supervisor.stop()
        home.remove_sockets()
        claim.release()
    return 0

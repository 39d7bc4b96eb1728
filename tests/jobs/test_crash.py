"""kill -9 of the worker in the middle of a job, and of PostgreSQL in the middle of writes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from config.embedded import Home, Services
from config.embedded.process import working_in
from memory.border import owner_scope
from memory.models import Event, Job, Memory, MemoryUse
from memory.services import dispatch
from tests.conftest import MakeAgent
from tests.product import ROOT, Product

FRUITS = "苹果 香蕉 葡萄 西瓜 草莓 芒果 樱桃 菠萝 荔枝 桃子 柠檬 石榴 椰子 木瓜 山楂".split()  # noqa: SIM905
FORMS = "汁 干 酱 茶".split()  # noqa: SIM905
TALK = {
    "messages": [
        {"role": "user", "content": f"我喜欢{fruit}{form}。", "at": "2026-05-01T08:00:00Z"}
        for form in FORMS
        for fruit in FRUITS
    ]
}


def job_of(owner: User, pk: str) -> Job:
    with owner_scope(owner.pk):
        return Job.objects.get(pk=pk)


def wait_for(condition: Any, seconds: float, what: str) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


def test_a_worker_killed_in_the_middle_loses_and_doubles_nothing(
    product: Product, committed: None, alice: User, bob: User, make_agent: MakeAgent
) -> None:
    agent = make_agent(alice)
    pk = agent.post("conversations", TALK).json()["job"]["id"]
    wait_for(lambda: job_of(alice, pk).done >= 10, 30, product.log.read_text()[-2000:])
    product.kill("worker")
    killed = time.monotonic()
    stopped = job_of(alice, pk)
    assert stopped.status == "running"
    assert 10 <= stopped.done < stopped.total
    product.start("worker")
    wait_for(lambda: job_of(alice, pk).status == "done", 60, product.log.read_text()[-2000:])
    assert time.monotonic() - killed < 60

    undisturbed = make_agent(bob)
    other = undisturbed.post("conversations", TALK).json()["job"]["id"]
    dispatch.run_due_jobs()
    wait_for(lambda: job_of(bob, other).status == "done", 30, "the undisturbed job")
    assert outcomes(alice, pk) == outcomes(bob, other)
    assert words(alice) == words(bob)
    with owner_scope(alice.pk):
        job = Job.objects.get(pk=pk)
        assert job.done == job.total == len(job.results)
        written = Event.objects.filter(verb="written").values_list("memory", flat=True)
        assert Counter(written) == Counter(Memory.objects.values_list("pk", flat=True))
        assert MemoryUse.objects.count() == Memory.objects.count()


def outcomes(owner: User, pk: str) -> list[str]:
    return [entry["decision"] for entry in job_of(owner, pk).results]


def words(owner: User) -> list[tuple[str, str]]:
    with owner_scope(owner.pk):
        return sorted(Memory.objects.values_list("content", "status"))


# -- The database ----------------------------------------------------------------------------------

WRITES = 60


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """A database and broker of this test's own, as durable as a product's."""
    with Services(Home(tmp_path), "the crash test") as running:
        yield running


def manage(home: Path, *arguments: str) -> subprocess.Popen[str]:
    ours = ("MEMOIR_", "DATABASE_", "BROKER_", "SECRET_KEY", "PYTEST_", "COV_", "PYTHON")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return subprocess.Popen(
        [sys.executable, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={**kept, "MEMOIR_HOME": str(home), "PYTHONPATH": str(ROOT)}, text=True,
    )  # fmt: skip


def kill_database(services: Services) -> None:
    """kill -9 of the server and all its children, then start it again as the supervisor does."""
    database = services.database
    for process in working_in(database.data):
        try:
            os.kill(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    [(server, dead)] = [pair for pair in services._started if pair[0] is database]
    dead.wait(10)
    again = database.start(subprocess.DEVNULL)
    services._started[services._started.index((server, dead))] = (server, again)
    database.wait(again)


def test_postgresql_killed_in_the_middle_loses_and_doubles_nothing(services: Services) -> None:
    home = services.home.path
    with manage(home, "manage.py", "migrate") as migrating:
        migrating.communicate(timeout=60)
    assert migrating.returncode == 0
    with manage(home, "tests/jobs/crash_writer.py", str(WRITES)) as writer:
        acknowledged = watch(writer, services)
    assert writer.returncode == 0
    assert len(acknowledged) == WRITES

    def ask(sql: str) -> list[str]:
        return services.database.psql("--command", sql, database="memoir").splitlines()

    assert sorted(ask("SELECT id FROM memory_memory")) == sorted(acknowledged.values())
    assert ask("SELECT count(DISTINCT content) FROM memory_memory") == [str(WRITES)]
    assert ask("SELECT count(*) FROM memory_event WHERE verb = 'written'") == [str(WRITES)]
    assert ask("SELECT count(*) FROM memory_memoryuse") == [str(WRITES)]


def watch(writer: subprocess.Popen[str], services: Services) -> dict[int, str]:
    """Read what the writer was told, killing the database twice; the acknowledged memories."""
    assert writer.stdout is not None
    acknowledged: dict[int, str] = {}
    for line in writer.stdout:
        number, status, decision, memory = line.split()
        if status != "201":
            assert status == "503", line
            continue
        # Never a repetition: what was not acknowledged is answered as the first time.
        assert decision not in ("NOOP", "REFUSED"), line
        acknowledged[int(number)] = memory
        if len(acknowledged) in (WRITES // 3, 2 * WRITES // 3):
            kill_database(services)
    return acknowledged

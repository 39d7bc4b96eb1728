"""What cannot work is refused in one sentence, before anything is started."""

import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.embedded import Home, Services, addresses
from tests.run.conftest import remove
from tests.run.product import free_port, left_lying, manage, started

pytestmark = pytest.mark.run

KEY = "a key that is long enough to sign sessions with"


def refused(home: Path, **changes: str) -> str:
    """The sentence with which `manage.py run` refused."""
    done: subprocess.CompletedProcess[str] = manage(
        home, "run", **{"MEMOIR_PORT": str(free_port()), **changes}
    )
    assert done.returncode == 1, done
    assert done.stdout == ""
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("memoir: ")
    return lines[0]


def test_a_port_that_is_taken(fresh_home: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        assert f"Port {port} on 127.0.0.1 is taken" in refused(fresh_home, MEMOIR_PORT=port)
    assert left_lying(fresh_home) == []


def test_a_port_that_is_none(fresh_home: Path) -> None:
    assert "MEMOIR_PORT must be a number" in refused(fresh_home, MEMOIR_PORT="http")


def test_a_directory_that_cannot_be_used(fresh_home: Path) -> None:
    """Below a file: not even root can make a directory there."""
    (fresh_home / "file").write_text("")
    assert "cannot be used (Not a directory)" in refused(fresh_home / "file" / "var")


def test_a_second_start_beside_the_first(home: Path) -> None:
    with started(home) as product:
        sentence = refused(home)
        assert "already runs" in sentence
        assert str(product.process.pid) in sentence
        assert product.health() == 200


def test_passwords_that_are_not_those_of_the_database(fresh_home: Path) -> None:
    with Services(Home(fresh_home), durable=False):
        pass
    (fresh_home / "secrets.json").unlink()
    done = manage(fresh_home, "run", MEMOIR_PORT=str(free_port()))
    assert done.returncode == 1
    assert "made with other passwords" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def outside() -> Iterator[Services]:
    """The cluster of an embedded installation plays the outside database."""
    path = Path(tempfile.mkdtemp(prefix="memoir-test-")).resolve()
    with Services(Home(path), "a test", durable=False) as services:
        database = services.database
        database.psql("--command", "CREATE DATABASE bare TEMPLATE template0")
        database.psql("--command", "CREATE ROLE stranger LOGIN PASSWORD 'stranger'")
        yield services
    remove(path)


@pytest.fixture
def settings(outside: Services) -> dict[str, str]:
    """A complete set, of which each test spoils one."""
    known = addresses(outside.home.path)
    return {
        "DATABASE_URL": known.database_url,
        "DATABASE_SCHEMA_URL": known.database_schema_url,
        "BROKER_URL": known.broker_url,
        "SECRET_KEY": KEY,
    }


def signed_in_as(role: str, password: str, settings: dict[str, str]) -> str:
    return f"postgresql://{role}:{password}@{settings['DATABASE_URL'].partition('@')[2]}"


class TestWithADatabaseOfOnesOwn:
    def test_one_that_nobody_answers_for(self, fresh_home: Path, settings: dict[str, str]) -> None:
        settings["DATABASE_URL"] = f"postgresql://memoir_app:x@127.0.0.1:{free_port()}/memoir"
        assert "cannot be reached" in refused(fresh_home, **settings)

    def test_one_without_pgvector(self, fresh_home: Path, settings: dict[str, str]) -> None:
        settings["DATABASE_URL"] = settings["DATABASE_URL"].removesuffix("memoir") + "bare"
        assert "has no pgvector" in refused(fresh_home, **settings)

    def test_one_without_the_roles(self, fresh_home: Path, settings: dict[str, str]) -> None:
        settings["DATABASE_URL"] = signed_in_as("stranger", "stranger", settings)
        assert "does not let stranger become memoir_ops" in refused(fresh_home, **settings)

    def test_a_superuser(
        self, fresh_home: Path, settings: dict[str, str], outside: Services
    ) -> None:
        password = outside.home.secrets["superuser"]
        settings["DATABASE_URL"] = signed_in_as("postgres", password, settings)
        assert "row-level security does not hold" in refused(fresh_home, **settings)

    @pytest.mark.parametrize("name", ["SECRET_KEY", "DATABASE_SCHEMA_URL", "BROKER_URL"])
    def test_a_setting_that_is_missing(
        self, fresh_home: Path, settings: dict[str, str], name: str
    ) -> None:
        del settings[name]
        assert f"{name}" in refused(fresh_home, **settings)

    def test_a_complete_one_is_used_and_none_is_brought_along(
        self, fresh_home: Path, settings: dict[str, str]
    ) -> None:
        with started(fresh_home, **settings) as product:
            assert product.health() == 200
            assert "database |" not in product.said
            assert not (fresh_home / "postgres").exists()

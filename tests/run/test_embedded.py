"""The embedded database and broker: closed to others, and with the roles we count on."""

import os
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.embedded import AlreadyRunning, Home, Services, addresses, running
from config.embedded.account import unprivileged
from config.embedded.process import spawn
from tests.run.conftest import remove

pytestmark = pytest.mark.run


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """In pytest's own directory: deep, and closed to everyone but us."""
    path = tmp_path_factory.mktemp("deep") / ("d" * 80)
    with Services(Home(path), durable=False) as started:
        yield started
    remove(path)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_nobody_else_may_look_into_the_home(services: Services) -> None:
    home = services.home.path
    assert mode(home) & 0o007 == 0
    assert mode(home) & 0o040 == 0  # as root, the database's group may pass, not look
    assert mode(home / "secrets.json") == 0o600
    assert mode(services.home.sockets) == 0o700


def test_the_addresses_stay_and_their_sockets_fit(services: Services) -> None:
    known = addresses(services.home.path)
    assert known == addresses(services.home.path)
    assert len(known.secret_key) >= 50
    for socket in services.home.sockets.iterdir():
        assert len(os.fsencode(socket)) <= 107
    assert known.broker_url == f"redis+socket://{services.home.sockets}/broker.sock"


def test_data_the_database_user_cannot_reach_are_elsewhere(services: Services) -> None:
    place = services.home.path / "postgres"
    assert place.is_symlink() == (unprivileged() is not None)
    assert services.database.data.stat().st_uid != 0


def test_one_at_a_time(services: Services) -> None:
    assert running(services.home)
    with pytest.raises(AlreadyRunning, match=str(os.getpid())), Services(services.home):
        pass


def test_nobody_listens_on_a_port(services: Services) -> None:
    assert services.database.psql("--command", "SHOW listen_addresses") == ""


def test_web_and_worker_are_nobody_special(services: Services) -> None:
    asked = (
        "SELECT rolcanlogin, rolsuper, rolbypassrls, rolinherit, rolcreatedb, rolcreaterole "
        "FROM pg_roles WHERE rolname = 'memoir_app'"
    )
    assert services.database.psql("--command", asked) == "t|f|f|f|f|f"
    settings = services.database.psql(
        "--command",
        "SELECT unnest(rolconfig) FROM pg_roles WHERE rolname = 'memoir_app' ORDER BY 1",
    )
    assert settings.splitlines() == [
        "idle_in_transaction_session_timeout=15s",
        "lock_timeout=2s",
        "statement_timeout=5s",
    ]


def test_only_the_owner_of_the_tables_may_make_and_empty_them(services: Services) -> None:
    said = services.database.psql(
        "--command", "SET ROLE memoir_schema; CREATE TABLE rights (id serial)", database="memoir"
    )
    assert said == ""
    rights = services.database.psql(
        "--command",
        "SELECT grantee, string_agg(privilege_type, ' ' ORDER BY privilege_type) "
        "FROM information_schema.table_privileges "
        "WHERE table_name = 'rights' AND grantee <> 'memoir_schema' GROUP BY 1 ORDER BY 1",
        database="memoir",
    )
    assert rights.splitlines() == [
        "memoir_app|DELETE INSERT SELECT UPDATE",
        "memoir_ops|DELETE INSERT SELECT UPDATE",
    ]
    may_create = (
        "SELECT rolname FROM pg_roles WHERE rolname LIKE 'memoir_%' "
        "AND has_schema_privilege(oid, 'public', 'CREATE')"
    )
    assert services.database.psql("--command", may_create, database="memoir") == "memoir_schema"
    services.database.psql("--command", "DROP TABLE rights", database="memoir")


def test_operations_are_a_role_to_step_into(services: Services) -> None:
    asked = (
        "SELECT inherit_option, set_option FROM pg_auth_members "
        "WHERE roleid = 'memoir_ops'::regrole AND member = 'memoir_app'::regrole"
    )
    assert services.database.psql("--command", asked) == "f|t"


def test_databases_of_the_tests_are_made_by_the_owner_of_the_tables(services: Services) -> None:
    services.database.psql(
        "--command", "SET ROLE memoir_schema", "--command", "CREATE DATABASE made"
    )
    asked = "SELECT extname FROM pg_extension WHERE extname = 'vector'"
    assert services.database.psql("--command", asked, database="made") == "vector"
    services.database.psql("--command", "DROP DATABASE made")


def test_a_pid_file_that_names_a_stranger_does_not_stop_the_next_start(fresh_home: Path) -> None:
    """After a reboot the old server's number may be anybody's, even the same user's."""
    home = Home(fresh_home)
    with Services(home, durable=False) as first:
        data = first.database.data
    stranger = spawn(["sleep", "60"], account=unprivileged())
    try:
        (data / "postmaster.pid").write_text(f"{stranger.pid}\n{data}\n0\n5432\n\n\n\nready   \n")
        with Services(home, durable=False) as again:
            assert again.database.psql("--command", "SELECT 1") == "1"
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_a_server_without_a_parent_is_ended_by_the_next_start(fresh_home: Path) -> None:
    home = Home(fresh_home)
    with Services(home, durable=False) as first:
        pass
    home.make_sockets()
    orphan = first.database.start(subprocess.DEVNULL)  # nobody wrote it down
    first.database.wait(orphan)
    with Services(home, durable=False) as again:
        assert orphan.wait(5) == 0
        assert again.database.psql("--command", "SELECT 1") == "1"

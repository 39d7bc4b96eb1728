"""docs/configuration.md, docker-compose.yml and .env.example say what the settings read."""

import ast
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
DOCS = (ROOT / "docs" / "configuration.md").read_text()
MEMOIR_SERVICES = ("migrate", "web", "worker", "beat")


def calls(path: Path) -> list[tuple[str, ast.Call]]:
    """Calls whose first argument is the name of a variable, with that name."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = node.args[0].value
            reader = ast.unparse(node.func)
            reads = reader in {"setting", "os.environ.get"} or reader.startswith("env.")
            if reads and isinstance(name, str) and re.fullmatch(r"[A-Z][A-Z0-9_]+", name):
                found.append((name.removesuffix("_FILE"), node))
    return found


def read_by_the_code() -> set[str]:
    return {name for path in (ROOT / "config").rglob("*.py") for name, _ in calls(path)}


def documented() -> dict[str, str]:
    """Name and default of each row of the table."""
    rows = re.findall(r"^\| `([A-Z_]+)` \| (.*?) ?\| ", DOCS, re.MULTILINE)
    return {name: default.strip("`") for name, default in rows}


def test_the_table_lists_exactly_what_the_code_reads() -> None:
    assert set(documented()) == read_by_the_code()


def test_defaults_in_the_table_are_those_of_the_settings() -> None:
    compared = 0
    for name, call in calls(ROOT / "config" / "settings.py"):
        default = call.args[1] if len(call.args) > 1 else None
        if isinstance(default, ast.Constant) and default.value != "":
            written = str(default.value)
            written = written.lower() if isinstance(default.value, bool) else written
            assert documented()[name] == written, name
            compared += 1
    assert compared >= 5


def test_the_documented_roles_are_those_of_the_embedded_database() -> None:
    (quoted,) = re.findall(r"^```sql\n(.*?)^```$", DOCS, re.MULTILINE | re.DOTALL)
    assert quoted == (ROOT / "config" / "embedded" / "roles.sql").read_text()


class TestCompose:
    @pytest.fixture
    def services(self) -> dict[str, dict[str, dict[str, str]]]:
        loaded: dict[str, dict[str, dict[str, dict[str, str]]]] = yaml.safe_load(
            (ROOT / "docker-compose.yml").read_text()
        )
        return loaded["services"]

    @pytest.mark.parametrize("service", MEMOIR_SERVICES)
    def test_its_variables_are_settings(
        self, services: dict[str, dict[str, dict[str, str]]], service: str
    ) -> None:
        assert set(services[service]["environment"]) <= read_by_the_code()

    def test_only_migrations_know_the_owner_of_the_tables(
        self, services: dict[str, dict[str, dict[str, str]]]
    ) -> None:
        knowing = {
            name
            for name in MEMOIR_SERVICES
            if "DATABASE_SCHEMA_URL" in services[name]["environment"]
        }
        assert knowing == {"migrate"}

    def test_what_it_asks_of_the_environment_is_in_the_example(self) -> None:
        asked = set(re.findall(r"\$\{([A-Z_]+):\?", (ROOT / "docker-compose.yml").read_text()))
        example = re.findall(r"^([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
        assert asked <= set(example)

"""The docs say what the code does: commands, paths, numbers and reasons in them are compared."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import get_commands
from django.urls import resolve

from memory.adapters.embedders import BundledEmbedder
from memory.api.schemas import FactsIn, RecallIn, RecallOut
from memory.domain import decay
from memory.domain.policy import WEIGHTS, Policy
from memory.domain.values import Preset, Scenario, Tier
from memory.services.dispatch import KINDS

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("config", "panel", "memory", "accounts")
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
TEXTS = [*PAGES, ROOT / "NOTICE"]
# Where an address in the docs may lead. No package index is among them: locks carry hashes, and
# whoever installs names his own.
HOSTS = {"127.0.0.1", "github.com", "memoir.example.com"}
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def rows_after(mark: str, text: str) -> list[list[str]]:
    """The cells of the table that follows a mark, without its two head lines."""
    _, found, after = text.partition(mark)
    assert found, f"the mark {mark} is gone"
    table = takewhile(lambda line: line.startswith("|"), after.strip().splitlines())
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in list(table)[2:]]


def table(page: str, name: str) -> list[list[str]]:
    rows = rows_after(f"<!-- table: {name} -->", read(page))
    assert rows, f"the table {name} is empty"
    return rows


def same(written: str, computed: float) -> bool:
    """Whether a number in the docs is the computed one, to the digits that were written."""
    digits = re.sub(r"e.*|^0\.0*|\.", "", written)
    exponent = int(written.partition("e")[2] or 0)
    decimals = len(written.partition("e")[0].partition(".")[2])
    assert digits
    return abs(float(written) - computed) <= 0.5000001 * 10.0 ** (exponent - decimals)


def left(tier: Tier, hours: float, policy: Policy, times_served: int = 0) -> float:
    return decay.retention(
        NOW - timedelta(hours=hours), tier=tier, times_served=times_served, now=NOW, policy=policy
    )


# -- The version -----------------------------------------------------------------------------------


def test_the_changelog_begins_with_unreleased_or_with_the_version() -> None:
    version = tomllib.loads(read("pyproject.toml"))["project"]["version"]
    entries = re.findall(r"^## \[?([^\]\s]+)", read("CHANGELOG.md"), re.MULTILINE)
    assert entries[0] in ("Unreleased", version)
    released = [entry for entry in entries if entry != "Unreleased"]
    assert not released or released[0] == version


def test_the_licence_is_the_one_the_project_names() -> None:
    assert 'license = "Apache-2.0"' in read("pyproject.toml")
    text = read("LICENSE")
    assert "Apache License" in text
    assert "Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text


@pytest.mark.parametrize("name", ["core.in", "embedded.in"])
def test_the_notice_names_every_package_that_is_asked_for(name: str) -> None:
    asked = re.findall(r"^([a-z][a-z0-9-]*)", read(f"requirements/{name}"), re.MULTILINE)
    notice = read("NOTICE")
    assert asked
    assert [package for package in asked if not re.search(rf"\b{package}\b", notice)] == []


# -- Commands --------------------------------------------------------------------------------------


@every_page
def test_every_make_target_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z][a-z-]*):", read("Makefile"), re.MULTILINE))
    named = re.findall(r"(?:^|`)make ([a-z][a-z-]*)", page.read_text(), re.MULTILINE)
    assert set(named) <= targets


@every_page
def test_every_command_of_manage_py_exists(page: Path) -> None:
    named = set(re.findall(r"manage\.py ([a-z_]+)", page.read_text()))
    assert named <= {"run", *get_commands()}


def test_the_readme_shows_how_to_start_test_and_get_a_key() -> None:
    text = read("README.md")
    assert {"make run", "make test"} <= set(re.findall(r"^make [a-z]+$", text, re.MULTILINE))
    assert "manage.py provision --email" in text


def test_the_readmes_calls_are_accepted_and_its_answer_has_the_shape() -> None:
    text = read("README.md")
    bodies = [json.loads(body) for body in re.findall(r"-d '(\{.*?\})'\n", text, re.DOTALL)]
    facts, question = bodies
    assert len(FactsIn.model_validate(facts).facts) == 3
    RecallIn.model_validate(question)
    answers = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]
    key, answer = answers
    assert set(key) == {"owner", "agent", "key"}
    assert set(answer) == set(RecallOut.model_fields)


# -- Paths and addresses ---------------------------------------------------------------------------


def named_paths(text: str) -> set[str]:
    """What looks like a path of this repository, in code spans and in blocks of code."""
    directories = [path.name for path in ROOT.iterdir() if path.is_dir()]
    known = "|".join(
        re.escape(name) for name in directories if name not in (".git", ".venv", "var")
    )
    spans = re.findall(r"`([^`\n]+)`", text)
    blocks = re.findall(r"```[a-z]*\n(.*?)```", text, re.DOTALL)
    found: set[str] = set()
    for code in (*spans, *blocks):
        found |= set(re.findall(rf"(?<![\w/.$-])((?:{known})/[\w./*-]*)", code))
        found |= set(re.findall(r"(?<![\w/.-])([\w-]+\.(?:md|toml|yml))\b", code))
    return {path.rstrip(".") for path in found}


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_path_exists(page: Path) -> None:
    text = page.read_text()
    missing = [path for path in named_paths(text) if not any(ROOT.glob(path.rstrip("/")))]
    assert missing == []


def test_paths_are_found_where_there_are_some() -> None:
    assert len(named_paths(read("docs/architecture.md"))) > 40
    assert named_paths("see `memory/nothing.py`, `panel/*.py` and `NO.md`") == {
        "memory/nothing.py",
        "panel/*.py",
        "NO.md",
    }


@every_page
def test_every_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text())
    missing = [
        link
        for link in links
        if not link.startswith(("http://", "https://")) and not (page.parent / link).exists()
    ]
    assert missing == []


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_addresses_lead_to_no_package_index_and_no_machine_of_ours(page: Path) -> None:
    text = page.read_text()
    hosts = set(re.findall(r"https?://(?:[^\s/@]*@)?([\w.-]+)", text))
    assert hosts <= HOSTS
    assert not re.search(r"index-url|(?<![\w.])/(?:work|home|Users)/", text)


@every_page
def test_addresses_of_the_api_exist(page: Path) -> None:
    for address in set(re.findall(r"(?<![\w/])/api/v1/[a-z.]+", page.read_text())):
        assert resolve(address).url_name != "api_not_found", address
        assert "api_not_found" not in repr(resolve(address).func), address


@every_page
def test_tables_of_the_database_exist(page: Path) -> None:
    tables = {model._meta.db_table for model in apps.get_app_config("memory").get_models()}
    assert set(re.findall(r"\bmemory_[a-z]+\b", page.read_text())) <= tables


def test_the_decisions_are_numbered_and_listed() -> None:
    records = sorted((ROOT / "docs" / "decisions").glob("0*.md"))
    assert [int(path.name[:4]) for path in records] == list(range(1, len(records) + 1))
    index = read("docs/decisions/README.md")
    for number, path in enumerate(records, start=1):
        text = path.read_text()
        title = text.splitlines()[0].removeprefix("# ")
        assert title.startswith(f"{number}. ")
        assert f"[{title}]({path.name})" in index
        assert re.findall(r"^## (.+)$", text, re.MULTILINE)[:3] == [
            "Context", "Decision", "Measured",
        ]  # fmt: skip
        assert "\nStatus: " in text


# -- Who sees all owners' rows, and what the queue does --------------------------------------------


def reasons_in_the_code() -> dict[str, set[str]]:
    """Each reason given to operations(...), with the files that give it."""
    found: dict[str, set[str]] = {}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if not isinstance(node, ast.Call):
                    continue
                called = ast.unparse(node.func).rpartition(".")[2]
                if called != "operations":
                    continue
                given = node.args[0] if node.args else None
                where = str(path.relative_to(ROOT))
                assert isinstance(given, ast.Constant), f"{where}: the reason must be a plain word"
                found.setdefault(str(given.value), set()).add(where)
    return found


def test_the_reasons_for_seeing_all_rows_are_those_of_the_code() -> None:
    documented: dict[str, Any] = {
        reason.strip("`"): set(re.findall(r"`([^`]+)`", where))
        for reason, where, _ in table("docs/operations.md", "operations")
    }
    assert documented == reasons_in_the_code()


def test_the_kinds_of_jobs_are_those_a_worker_can_do() -> None:
    documented = {row[0].strip("`") for row in table("docs/operations.md", "jobs")}
    assert documented == {str(kind) for kind in KINDS}


# -- Numbers ---------------------------------------------------------------------------------------

LIFECYCLE = "docs/lifecycle.md"


def test_settings_have_the_defaults_written_beside_them() -> None:
    text = read(LIFECYCLE)
    compared = 0
    while "<!-- table: settings -->" in text:
        for name, default, _ in rows_after("<!-- table: settings -->", text):
            assert float(default) == getattr(Policy(), name.strip("`")), name
            compared += 1
        text = text.partition("<!-- table: settings -->")[2]
    assert compared > 30


def test_retention_over_time() -> None:
    for hours, *cells in table(LIFECYCLE, "retention"):
        for tier, cell in zip(Tier, cells, strict=True):
            assert same(cell, left(tier, float(hours), Policy())), (hours, tier)


def test_days_until_a_line() -> None:
    for line, *cells in table(LIFECYCLE, "days"):
        for tier, cell in zip(Tier, cells, strict=True):
            assert same(cell, decay.hours_until(float(line), tier=tier) / 24), (line, tier)


def test_what_being_served_does() -> None:
    for times, factor, *cells, after in table(LIFECYCLE, "served"):
        served = int(times)
        for tier, cell in zip(Tier, cells, strict=True):
            assert same(cell, decay.strength(tier, served)), (times, tier)
        base = decay.strength(Tier.WORKING, 0)
        assert same(factor, decay.strength(Tier.WORKING, served) / base)
        assert same(after, left(Tier.SHORT_TERM, 30 * 24, Policy(), served))


def test_the_classic_rate() -> None:
    for tier, days, rate in table(LIFECYCLE, "classic"):
        assert same(days, decay.strength(Tier(tier), 0))
        assert same(rate, decay.classic_lambda(Tier(tier)))


def test_a_larger_rate_fades_slower_as_written() -> None:
    for rate, *cells in table(LIFECYCLE, "rates"):
        policy = Policy(strength_rate=float(rate))
        for tier, cell in zip(Tier, cells, strict=True):
            assert same(cell, left(tier, 30 * 24, policy)), (rate, tier)


def test_scenarios() -> None:
    rows = table(LIFECYCLE, "scenarios")
    assert [row[0] for row in rows] == [scenario.value for scenario in Scenario]
    for name, rate, line in rows:
        policy = Policy.for_scenario(Scenario(name))
        assert (float(rate), float(line)) == (policy.strength_rate, policy.archive_line)


def test_presets() -> None:
    written = {
        Preset(name): tuple(map(float, weights)) for name, *weights in table(LIFECYCLE, "presets")
    }
    assert written == dict(WEIGHTS)


def test_the_weight_of_what_waits() -> None:
    for age, without, with_evidence in table(LIFECYCLE, "conflict"):
        assert same(without, decay.conflict_weight(float(age), False))
        assert same(with_evidence, decay.conflict_weight(float(age), True))


def test_the_calibration_of_the_bundled_embedder() -> None:
    for cosine, calibrated in table("docs/benchmarks.md", "calibration"):
        assert BundledEmbedder.calibrate(float(cosine)) == pytest.approx(float(calibrated))


@pytest.mark.parametrize(
    ("written", "computed", "holds"),
    [
        ("0.5134", 0.513417, True),
        ("0.5134", 0.5136, False),
        ("8.843e-5", 8.8427e-5, True),
        ("8.843e-5", 8.85e-5, False),
        ("90", 90.0, True),
        ("90", 91.0, False),
    ],
)
def test_numbers_are_compared_to_the_digits_written(
    written: str, computed: float, holds: bool
) -> None:
    assert same(written, computed) is holds

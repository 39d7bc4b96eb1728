"""The house itself: imports point one way, and what breaks that is noticed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def lint_imports() -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_imports_point_one_way() -> None:
    result = lint_imports()
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    ("room", "line"),
    [("memory/domain", "import django\n"), ("memory/services", "import memory.api.app\n"),
     ("accounts", "import memory.models\n")],
)  # fmt: skip
def test_a_planted_wrong_import_is_found(room: str, line: str) -> None:
    planted = ROOT / room / "planted_by_a_test.py"
    planted.write_text(line)
    try:
        assert lint_imports().returncode != 0
    finally:
        planted.unlink()


@pytest.mark.parametrize("name", ["recall", "sweep", "write"])
def test_a_benchmark_starts_when_run_as_a_file(name: str, tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / f"{name}.py"), "--help"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": "", "PYTHONSAFEPATH": ""},
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert name in result.stdout.split("usage:")[1]


def test_no_template_switches_escaping_off_or_runs_inline_code() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{number}: {found}"
        for path in (ROOT / "templates").rglob("*.html")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        for found in ("|safe", "autoescape off", " style=", "<style", " onclick=", " onload=",
                      " onerror=", "javascript:", "hx-on", "hx-vals")
        if found in line
    ]  # fmt: skip
    assert wrong == []


def test_htmx_is_asked_for_what_we_know_to_work() -> None:
    """No boosting, nothing disabled while it waits, no address that depends on where one is."""
    wrong = []
    for path in (ROOT / "templates").rglob("*.html"):
        html = path.read_text()
        found = re.findall(r"hx-boost|hx-disabled-elt", html)
        for address in re.findall(r'hx-(?:get|post|put|patch|delete)="([^"]*)"', html):
            # A variable holds what `reverse` or `{% url %}` gave.
            if not address.startswith(("{% url ", "{{ ", "/")):
                found.append(address)
        wrong += [f"{path.relative_to(ROOT)}: {one}" for one in found]
    assert wrong == []

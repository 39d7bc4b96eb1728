"""Both languages are complete, and say nothing that is no longer said."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

PO = Path(settings.BASE_DIR) / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
GLOSSARY = {
    "My memories": "我的记忆", "Active": "有效", "May be out of date": "已过时", "Past": "曾经",
    "Waiting for you": "待确认", "Confirm": "确认", "Deny": "否认", "Edit": "修改",
    "Delete": "删除", "Undo": "撤销", "Still true": "仍然如此", "Out of date": "标为过时",
    "you said it": "你说的", "concluded": "推断的", "from outside": "外部", "Clear all": "一键清空",
}  # fmt: skip
# On a machine of one's own gettext may be missing; `.ci/run` brings it and says so by CI.
needs_gettext = pytest.mark.skipif(
    not shutil.which("msgfmt") and not os.environ.get("CI"), reason="gettext is not installed"
)


def entries(text: str) -> set[str]:
    """The messages of a .po file, without header, comments and translations."""
    found = re.findall(
        r'^(?:msgctxt (".*"(?:\n".*")*)\n)?msgid (".*"(?:\n".*")*)', text, re.MULTILINE
    )
    return {context + "|" + "".join(re.findall(r'"(.*)"', words)) for context, words in found} - {
        "|"
    }


@needs_gettext
def test_nothing_is_untranslated_doubtful_or_broken() -> None:
    done = subprocess.run(
        ["msgfmt", "--check-format", "--statistics", "-o", "/dev/null", str(PO)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "untranslated" not in done.stderr
    assert "fuzzy" not in done.stderr


@needs_gettext
def test_the_catalogue_is_what_the_sources_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Path(settings.BASE_DIR)
    for name in ("accounts", "config", "memory", "panel", "templates"):
        shutil.copytree(root / name, tmp_path / name)
    (tmp_path / "locale").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(settings, "LOCALE_PATHS", [str(tmp_path / "locale")])
    call_command("makemessages", locale=["zh_Hans"], no_location=True, verbosity=0)
    fresh = (tmp_path / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po").read_text()
    assert entries(fresh) == entries(PO.read_text())


@needs_gettext
def test_the_compiled_catalogue_is_current(tmp_path: Path) -> None:
    subprocess.run(["msgfmt", "-o", str(tmp_path / "fresh.mo"), str(PO)], check=True)
    unpack = ["msgunfmt", "--no-wrap", "--sort-output"]
    fresh, kept = (
        subprocess.run([*unpack, str(mo)], capture_output=True, text=True, check=True).stdout
        for mo in (tmp_path / "fresh.mo", PO.with_suffix(".mo"))
    )
    assert entries(fresh) == entries(kept)
    assert re.findall(r"^msgstr.*", fresh, re.M) == re.findall(r"^msgstr.*", kept, re.M)


@pytest.mark.parametrize("english", GLOSSARY)
def test_the_glossary_is_kept(english: str) -> None:
    from django.utils import translation

    with translation.override("zh-hans"):
        assert translation.gettext(english) == GLOSSARY[english]

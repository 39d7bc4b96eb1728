"""htmx is told once what it may do, in words the vendored version knows."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import django_htmx
from django.templatetags.static import static
from django.test import Client

WANTED = {
    "historyRestoreAsHxRequest": False, "historyCacheSize": 0, "reportValidityOfForms": True,
    "allowEval": False, "allowScriptTags": False, "includeIndicatorStyles": False,
    "selfRequestsOnly": True,
    "responseHandling": [
        {"code": "204", "swap": False}, {"code": "[23]..", "swap": True},
        {"code": "409|422", "swap": True}, {"code": "[45]..", "swap": False, "error": True},
    ],
}  # fmt: skip


def test_the_configuration_is_exactly_this(db: None, client: Client) -> None:
    page = client.get("/").content.decode()
    found = re.findall(r"""<meta name="htmx-config" content='([^']+)'>""", page)
    assert len(found) == 1
    assert json.loads(html.unescape(found[0])) == WANTED


def test_htmx_knows_every_word_of_it() -> None:
    source = Path(django_htmx.__file__).parent / "static" / "django_htmx" / "htmx-2.js"
    known = source.read_text()
    for key in WANTED:
        assert re.search(rf"\b{key}\b", known), key


def test_nothing_is_inline(signed_in: Client) -> None:
    for address in ("/", "/activity/", "/settings/", "/clear/", "/help/", "/memories/add/"):
        page = signed_in.get(address).content.decode()
        assert not re.search(r"<script(?![^>]*\bsrc=)", page)
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", page)
        assert not re.search(r"""(?:src|href)=["']https?://""", page)


def test_pages_load_the_htmx_that_django_htmx_brings(signed_in: Client) -> None:
    """Version 2: in 4 `hx-disable` would mean something else, and no memory would be inert."""
    page = signed_in.get("/").content.decode()
    assert re.findall(r'<script src="([^"]*htmx[^"]*)"', page) == [
        static("django_htmx/htmx-2.min.js" if "htmx-2.min" in page else "django_htmx/htmx-2.js")
    ]

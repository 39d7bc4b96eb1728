"""Values that have broken programs before, by name: for every text, number, time, id and flag.

`TEXTS` are texts a person, an agent or an attacker may hand over; `VALUES` are JSON values of every
other type. `Raw` is JSON that no Python value stands for (`1e400`, an object with a name twice).
"""

from __future__ import annotations

import json
import os
import unicodedata
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Raw:
    """A piece of JSON, written as it is."""

    text: str


def encode(value: Any) -> bytes:
    """As `json.dumps`, with NaN, lone surrogates and `Raw` going through."""
    raws: list[str] = []

    def place(raw: object) -> str:
        assert isinstance(raw, Raw)
        raws.append(raw.text)
        return f"@raw-{len(raws) - 1}@"

    text = json.dumps(value, default=place)
    for number, raw in enumerate(raws):
        text = text.replace(f'"@raw-{number}@"', raw)
    return text.encode()


def stored(text: str, *, multiline: bool = True) -> str:
    """What API.md "Text" says is kept of a text, worked out apart from the product's own code."""
    hidden = {0x200B, 0x2060, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
    kept = "".join(
        ch
        for ch in text
        if ord(ch) not in hidden and (unicodedata.category(ch) != "Cc" or ch in "\t\n\r")
    )
    kept = unicodedata.normalize("NFC", kept.replace("\r\n", "\n").replace("\r", "\n"))
    if multiline:
        return kept
    for mark in "\t\n\u2028\u2029":
        kept = kept.replace(mark, "\0")
    while "\0\0" in kept:
        kept = kept.replace("\0\0", "\0")
    return kept.replace("\0", " ").strip()


def storable(text: str) -> bool:
    """Whether PostgreSQL could hold it at all."""
    return "\0" not in text and not any("\ud800" <= ch <= "\udfff" for ch in text)


def _named(prefix: str, texts: dict[str, str]) -> dict[str, str]:
    return {f"{prefix}: {name}": text for name, text in texts.items()}


_CODES = {
    "U+0001": 0x01, "bell": 0x07, "backspace": 0x08, "vertical tab": 0x0B, "form feed": 0x0C,
    "escape": 0x1B, "unit separator": 0x1F, "delete": 0x7F, "C1 padding": 0x80,
    "next line": 0x85, "C1 string terminator": 0x9C,
}  # fmt: skip
_HIDDEN = {
    "zero-width space": 0x200B, "non-joiner": 0x200C, "joiner": 0x200D, "word joiner": 0x2060,
    "BOM": 0xFEFF, "soft hyphen": 0x00AD, "grapheme joiner": 0x034F, "Arabic letter mark": 0x061C,
    "Mongolian vowel separator": 0x180E, "Hangul filler": 0x3164, "half-width filler": 0xFFA0,
    "braille blank": 0x2800, "function application": 0x2061, "invisible plus": 0x2064,
    "interlinear anchor": 0xFFF9, "object replacement": 0xFFFC, "tag a": 0xE0061,
    "left-to-right mark": 0x200E, "right-to-left mark": 0x200F, "no-break space": 0xA0,
    "figure space": 0x2007, "ideographic space": 0x3000, "Ogham space": 0x1680,
    "variation selector 1": 0xFE00, "variation selector 17": 0xE0100,
}  # fmt: skip
_BIDI = {
    "left-to-right embedding": 0x202A, "right-to-left embedding": 0x202B, "pop": 0x202C,
    "left-to-right override": 0x202D, "right-to-left override": 0x202E,
    "left-to-right isolate": 0x2066, "right-to-left isolate": 0x2067,
    "first strong isolate": 0x2068, "pop isolate": 0x2069,
}  # fmt: skip
_ODD = {
    "U+FFFE": 0xFFFE, "U+FFFF": 0xFFFF, "U+FDD0": 0xFDD0, "U+1FFFE": 0x1FFFE,
    "U+10FFFF": 0x10FFFF, "unassigned": 0x0378, "unassigned plane 14": 0xE0FFF,
    "private use": 0xE000, "private use plane 15": 0xF0000, "private use plane 16": 0x10FFFD,
    "replacement character": 0xFFFD,
}  # fmt: skip

ALL_TEXTS: dict[str, str] = {
    **_named("nul", {
        "alone": "\0", "at the start": "\0abc", "in the middle": "ab\0c", "at the end": "abc\0",
        "escaped": "\\u0000", "percent": "%00", "symbol": "\u2400", "overlong look": "\xc0\x80",
    }),
    **_named("surrogate", {
        "high": "a\ud800b", "low": "a\udc00b", "reversed": "\udc00\ud800",
        "last high": "\udbff", "last low": "\udfff", "high before emoji": "\ud83d😀",
        "escaped": "\\ud800", "whole pair": "\U0001f600",
    }),
    **_named("control", {name: f"a{chr(code)}b" for name, code in _CODES.items()}),
    **_named("hidden", {name: f"pay{chr(code)}load" for name, code in _HIDDEN.items()}),
    **_named("only hidden", {
        "zero-width": "\u200b\u200b", "joiners": "\u200c\u200d", "BOM": "\ufeff",
        "soft hyphen": "\xad", "bidi": "\u202e\u2066", "Hangul filler": "\u3164",
        "braille blank": "\u2800", "variation selector": "\ufe0f", "tags": "\U000e0061\U000e0062",
        "control": "\x01\x02", "mixed": "\u200b \ufeff\t\u2060\n",
    }),
    **_named("bidi", {name: f"a{chr(code)}gpj.exe" for name, code in _BIDI.items()}),
    **_named("bidi", {
        "trojan source": "is_admin\u202e\u2066 # not\u2069\u2066", "unbalanced": "\u202e" * 70,
        "Hebrew": "שלום world", "accent kept apart": "e\u202e\u0301",
    }),
    **_named("odd", {name: f"a{chr(code)}b" for name, code in _ODD.items()}),
    **_named("marks", {
        "zalgo": "Z̸̡̛͉̫̰͇͓̲̟̬͔̗̑̎̈́̓̐̍̆̓̕a̷̢̧̛̮̟̩̻͖̥̐̅͛́͗̕l̶̢͙̹͓͎̿̿̑̕g̵̱̈̽o̴͖̾",
        "leading": "\u0301abc", "alone": "\u0301", "one mark 1,900 times": "a" + "\u0301" * 1_900,
        "out of order 1,000": "a" + "\u0301\u0316" * 500,
        "one mark 10,000 times": "\u0300" * 10_000,
        "enclosing": "a\u20dd\u20e0", "Devanagari": "क्षि", "Thai": "ที่นี่", "Tibetan": "རྒྱ",
    }),
    **_named("emoji", {
        "family": "👨‍👩‍👧‍👦", "flag": "🇨🇳", "half a flag": "🇨", "England": "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
        "skin": "👍🏿", "heart text": "❤︎", "heart emoji": "❤️", "keycap": "1️⃣",
        "rainbow flag": "🏳️‍🌈", "skin alone": "🏿", "500 of them": "😀" * 500,
    }),
    **_named("normal form", {
        "NFC é": "caf\xe9", "NFD é": "cafe\u0301", "NFC Hangul": "한",
        "NFD Hangul": "\u1112\u1161\u11ab",
        "ångström": "\u212b", "two marks": "a\u0323\u0307", "two marks swapped": "a\u0307\u0323",
        "ligature": "ﬁn", "long s": "ẛ̣", "excluded composition": "\u0958", "grows": "\ufb2c" * 400,
        "fraction": "½", "one letter many words": "ﷺ", "compatibility ideograph": "\uf900",
        "dotless i": "ıİiI", "sharp s": "ßẞ", "final sigma": "ΟΔΥΣΣΕΥΣ", "Kelvin": "\u212a",
    }),
    **_named("digits", {
        "full-width": "１２", "Arabic": "١٢", "Persian": "۱۲", "Devanagari": "१२", "Thai": "๑๒",
        "superscript": "²", "circled": "①", "Roman": "Ⅻ", "Chinese": "十二", "mathematical": "𝟏𝟐",
    }),
    **_named("letters", {
        "full-width": "ＡＤＭＩＮ", "Cyrillic look": "аdmin", "mathematical": "𝒶𝒹𝓂𝒾𝓃",
        "full-width quote": "＇ ＯＲ １＝１", "Arabic": "مرحبا", "rare Han": "𠮷野家", "Yi": "ꀊꀋ",
    }),
    **_named("long", {
        "2,000": "a" * 2_000, "2,001": "a" * 2_001, "2,000 Han": "记" * 2_000,
        "2,000 unbroken with a tail": "W" * 1_999 + "!", "4,000": "b" * 4_000, "4,001": "b" * 4_001,
        "200": "k" * 200, "201": "k" * 201, "50": "s" * 50, "51": "s" * 51,
        "10,000": "c" * 10_000, "10,000 words": "word " * 2_000, "1,000,000": "d" * 1_000_000,
        "1,000 dots": "a." * 1_000, "1,000 joiners": "a-" * 999 + "a", "1,900 digits": "9" * 1_900,
        "2,000 astral": "𠮷" * 2_000, "2,000 spaces inside": "a" + " " * 1_998 + "b",
        "2,000 quotes": "'" * 2_000, "2,000 backslashes": "\\" * 2_000,
        "1,000 brackets": "(" * 1_000,
    }),
    **_named("lines", {
        "LF": "a\nb", "CR": "a\rb", "CRLF": "a\r\nb", "LS": "a\u2028b", "PS": "a\u2029b",
        "LFCR": "a\n\rb", "many": "a" + "\n" * 500 + "b", "tab": "a\tb", "only": "\r\n",
        "at the ends": "\n a \n",
    }),
    **_named("blank", {
        "empty": "", "space": " ", "spaces": " " * 50, "tab": "\t", "no-break": "\xa0",
        "ideographic": "\u3000", "em": "\u2003", "around": "  a  ",
    }),
    **_named("sql", {
        "or": "' OR 1=1--", "drop": "'; DROP TABLE memory_memory; --", "double": '" OR ""="',
        "union": "' UNION SELECT NULL, version()--", "sleep": "'; SELECT pg_sleep(9)--",
        "dollar": "$$; DROP TABLE x; $$", "comment": "/* */ --", "backslash": "\\'; --",
        "percent s": "%s %(name)s", "escape string": "E'\\047'", "cast": "1::int",
        "set owner": "'; SET app.owner = ''--", "copy": "COPY x FROM PROGRAM 'id'",
        "like percent": "%", "like percents": "%%%%%", "like underscore": "_", "like escape": "\\",
        "like trailing escape": "a\\", "like all": "%_\\%", "similar": "(a|b)*", "regex": "^(a+)+$",
        "open bracket": "[", "open brace": "a{", "bad range": "[z-a]", "backreference": "(a)\\1\\2",
        "huge repeat": "a{99999}", "tsquery": "a & | ! <-> :*", "array": "{1,2}",
    }),
    **_named("template", {
        "Django": "{{7*7}}", "tag": "{% debug %}", "settings": "{{ settings.SECRET_KEY }}",
        "load": "{% load static %}", "comment": "{# #}", "shell": "${7*7}", "ERB": "<%= 7*7 %>",
        "JNDI": "${jndi:ldap://127.0.0.1/a}", "Jinja": "{{ ''.__class__.__mro__ }}",
        "handlebars": "{{{{#each}}}}", "unclosed": "{{ {% {#",
    }),
    **_named("format", {
        "percent": "%s%s%s%n%x", "percent long": "%99999d", "braces": "{0} {} {name!r}",
        "attribute": "{0.__class__.__init__.__globals__}", "width": "{:>99999}",
        "percent bare": "100%",
        "percent paren": "%(text)s", "backslash": "\\x41\\u0041\\n",
        "shell": "`id` $(id); id | id && id",
    }),
    **_named("html", {
        "img": "<img src=x onerror=alert(1)>", "script": "<script>alert(1)</script>",
        "end of script": "</script><script>alert(1)</script>", "svg": "<svg onload=alert(1)>",
        "attribute": '" onmouseover="alert(1)', "single": "' autofocus onfocus='alert(1)",
        "javascript": "javascript:alert(1)", "data": "data:text/html,<script>alert(1)</script>",
        "htmx": '<div hx-get="/clear/" hx-trigger="load">',
        "htmx swap": '<i hx-swap-oob="true" id="messages">',
        "textarea": "</textarea><b>", "title": "</title><b>",
        "style": "<style>*{display:none}</style>",
        "comment": "<!--", "cdata": "]]>", "entity": "&lt;&#60;&nbsp", "base": "<base href=//x>",
        "template": "<template><b>", "form": "<form action=//x><button>", "bytes": "\xc2<\x9f",
        "UTF-7": "+ADw-script+AD4-",
        "doctype": "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>",
    }),
    **_named("formula", {
        "equals": "=1+1", "command": "=cmd|' /C calc'!A0", "plus": "+1", "minus": "-1+1",
        "at": "@SUM(A1)", "tab": "\t=1", "link": '=HYPERLINK("http://x","y")', "full-width": "＝1+1",
        "quote": '"=1"', "comma": "a,b;c\td",
    }),
    **_named("path", {
        "up": "../../../../etc/passwd", "backslash": "..\\..\\boot.ini", "percent": "%2e%2e%2f",
        "double percent": "%252e%252e%252f", "absolute": "/etc/passwd",
        "file": "file:///etc/passwd",
        "device": "CON", "dots": "...", "dot": ".", "two dots": "..", "slash": "/", "slashes": "//",
        "home": "~", "null extension": "a.txt%00.png", "UNC": "\\\\host\\share",
    }),
    **_named("url", {
        "http": "http://127.0.0.1:1/", "no scheme": "//example.com/", "userinfo": "http://a@b@c/",
        "metadata": "http://169.254.169.254/latest/", "query": "?a=b&c=d", "fragment": "#a",
        "port": "http://[::1]:99999/", "broken v6": "http://[::1",
        "no v6": "http://[x]/", "NFKC host": "http://a\u2100b/",
        "late port": "http://a:99999999999/", "plus": "a+b", "percent": "%", "half": "%f",
        "not UTF-8": "%ff%fe", "semicolon": "a;b=c", "backslash": "/\\example.com",
    }),
    **_named("header", {
        "CRLF": "a\r\nSet-Cookie: session=1", "LF": "a\nX: y", "double": "a\r\n\r\n<html>",
        "folded": "a\r\n b", "percent": "%0d%0aSet-Cookie:x", "Unicode CRLF": "a嘊嘍b",
        "To": "a@example.com\nBcc: b@example.com", "bearer": "Bearer mk_x", "basic": "Basic Og==",
    }),
    **_named("json", {
        "object": '{"a": 1}', "array": "[1]", "string": '"a"', "quote": '"', "broken": '{"a":',
        "close": '"}]}', "constructor": "__proto__", "operator": '{"$gt": ""}', "deep": "[" * 1_000,
        "null": "null", "undefined": "undefined", "None": "None", "nil": "nil",
    }),
    **_named("number", {
        "NaN": "NaN", "nan": "nan", "Infinity": "Infinity", "-inf": "-inf", "1e400": "1e400",
        "1e-400": "1e-400",
        "minus zero": "-0", "zero": "0", "one": "1", "minus one": "-1", "2^31": "2147483648",
        "2^53+1": "9007199254740993", "2^63": "9223372036854775808",
        "10^20": "100000000000000000000",
        "5,000 digits": "9" * 5_000, "hex": "0x10", "octal": "010", "binary": "0b1",
        "underscore": "1_0",
        "comma": "1,5", "thousands": "1,000", "plus": "+1", "space": " 1 ", "half": "0.5",
        "float": "1.0",
        "exponent": "1e2", "complex": "1j", "percent": "50%", "fraction": "1/2", "Arabic": "١٠",
        "minus sign": "\u22121", "full stop": ".", "empty exponent": "1e",
    }),
    **_named("time", {
        "year 1": "0001-01-01T00:00:00Z", "year 1 east": "0001-01-01T00:00:00+14:00",
        "year 9999": "9999-12-31T23:59:59.999999Z", "year 9999 west": "9999-12-31T23:59:59-14:00",
        "year 0": "0000-01-01T00:00:00Z", "year 10000": "10000-01-01T00:00:00Z",
        "BC": "-0044-03-15T00:00:00Z", "leap day": "2024-02-29T12:00:00Z",
        "no leap day": "2023-02-29T12:00:00Z", "February 30": "2024-02-30T00:00:00Z",
        "month 13": "2024-13-01T00:00:00Z", "hour 24": "2024-01-01T24:00:00Z",
        "hour 25": "2024-01-01T25:00:00Z", "leap second": "2016-12-31T23:59:60Z",
        "no zone": "2024-01-01T00:00:00", "zone +99:99": "2024-01-01T00:00:00+99:99",
        "zone +23:59": "2024-01-01T00:00:00+23:59",
        "zone of seconds": "2024-01-01T00:00:00+01:02:03",
        "date": "2024-01-01", "time": "12:00:00", "epoch": "0", "epoch number": "1700000000",
        "compact": "20240101T000000Z", "week": "2024-W01-1T00:00:00Z",
        "ordinal": "2024-001T00:00:00Z",
        "space": "2024-01-01 00:00:00Z", "lower": "2024-01-01t00:00:00z",
        "nanoseconds": "2024-01-01T00:00:00.123456789Z",
        "RFC 2822": "Mon, 01 Jan 2024 00:00:00 GMT", "named": "2024-01-01T00:00:00 Asia/Shanghai",
        "words": "tomorrow", "infinity": "infinity", "now": "now",
        "Arabic digits": "٢٠٢٤-٠١-٠١T٠٠:٠٠:٠٠Z",
        "full-width": "２０２４-01-01T00:00:00Z", "minus zero": "2024-01-01T00:00:00-00:00",
        "far future": "2999-01-01T00:00:00Z", "year 9998": "9998-12-31T23:59:59Z",
        "year 2": "0002-01-01T00:00:00Z", "epoch start": "1970-01-01T00:00:00Z",
        "German": "01.02.2024", "American": "2/1/2024", "slashes": "2024/01/01",
        "one digit": "2024-1-1",
    }),
    **_named("id", {
        "nil": "00000000-0000-0000-0000-000000000000",
        "max": "ffffffff-ffff-ffff-ffff-ffffffffffff",
        "version 7": "0190d4a7-3c6e-7b3a-8d5f-1a2b3c4d5e6f",
        "version 4": "8c6d0a5e-5a35-4f4b-9c1a-7d0f3d9a2b10",
        "upper": "0190D4A7-3C6E-7B3A-8D5F-1A2B3C4D5E6F",
        "braces": "{0190d4a7-3c6e-7b3a-8d5f-1a2b3c4d5e6f}",
        "urn": "urn:uuid:0190d4a7-3c6e-7b3a-8d5f-1a2b3c4d5e6f",
        "no hyphens": "0190d4a73c6e7b3a8d5f1a2b3c4d5e6f",
        "too short": "0190d4a7-3c6e-7b3a-8d5f", "too long": "0190d4a7-3c6e-7b3a-8d5f-1a2b3c4d5e6f0",
        "not hex": "0190d4a7-3c6e-7b3a-8d5f-1a2b3c4d5e6g",
        "hyphens elsewhere": "0190d4a73c6e-7b3a-8d5f-1a2b3c4d5e6f-",
        "full-width": "０190d4a7-3c6e-7b3a-8d5f-1a2b3c4d5e6f",
        "space": " 0190d4a7-3c6e-7b3a-8d5f-1a2b3c4d5e6f",
        "number": "1", "me": "me", "star": "*",
    }),
    **_named("flag", {
        "true": "true", "True": "True", "TRUE": "TRUE", "false": "false", "yes": "yes", "on": "on",
        "t": "t", "1": "1", "0": "0", "off": "off", "oui": "oui", "auto": "auto", "AUTO": "AUTO",
    }),
    **_named("word", {
        "active": "active", "ACTIVE": "ACTIVE", "active with space": "active ",
        "semantic": "semantic",
        "external": "external", "group": "group", "user": "user", "private": "private",
        "quarantined": "quarantined", "deleted": "deleted", "weighted": "weighted",
        "tempered": "tempered",
        "long_term": "long_term", "active,stale": "active,stale", "full-width": "ａｃｔｉｖｅ",
        "sort column": "-password", "sort lookup": "-owner__email", "sort random": "?",
    }),
}  # fmt: skip


def _nested(depth: int, opening: str, closing: str, inside: str = "1") -> Raw:
    return Raw(opening * depth + inside + closing * depth)


# Each through each parameter is minutes of work, so an ordinary run takes a share of every kind,
# at least 150 of them; `make test-long` takes all.
ALL = os.environ.get("HOSTILE") == "all"
_SHARE = 1 if ALL else 2.75
TEXTS: dict[str, str] = {
    name: text
    for number, (name, text) in enumerate(sorted(ALL_TEXTS.items()))
    if int(number / _SHARE) != int((number - 1) / _SHARE)
    or number == 0
    # What once did harm stays in every run.
    or name in {"url: broken v6", "time: year 1", "time: year 9999"}
    or name.startswith(("nul:", "surrogate:"))
}


def third(texts: dict[str, str], of: str) -> dict[str, str]:
    """In an ordinary run a third of the texts, another one for another field; in a long one all."""
    first = sum(of.encode()) % 3
    return texts if ALL else dict(list(texts.items())[first::3])


VALUES: dict[str, Any] = {
    "null": None, "true": True, "false": False, "empty list": [], "empty object": {},
    "list of text": ["a"], "list of null": [None], "list of list": [["a"]], "object": {"a": "b"},
    "zero": 0, "one": 1, "minus one": -1, "half": 0.5, "minus zero": -0.0,
    "just above one": 1.0000001,
    "2^31": 2**31, "2^53+1": 2**53 + 1, "2^63-1": 2**63 - 1, "2^63": 2**63,
    "minus 2^63-1": -(2**63) - 1,
    "10^20": 10**20, "10^400": 10**400, "NaN": Raw("NaN"), "Infinity": Raw("Infinity"),
    "-Infinity": Raw("-Infinity"), "1e400": Raw("1e400"), "1e308": Raw("1e308"),
    "-1e300": Raw("-1e300"),
    "1e-400": Raw("1e-400"), "5e-324": Raw("5e-324"), "1E5": Raw("1E5"), "1.0": Raw("1.0"),
    "10,000 digits": Raw("1" * 10_000), "4,000 decimals": Raw("0." + "3" * 4_000),
    "leading zero": Raw("01"), "plus": Raw("+1"), "hex": Raw("0x10"), "bare word": Raw("abc"),
    "single quotes": Raw("'a'"), "nothing": Raw(""), "trailing comma": Raw("[1,]"),
    "comment": Raw("1 /* a */"), "control in string": Raw('"a\x01b"'), "bad escape": Raw('"\\x41"'),
    "half an escape": Raw('"\\u00"'), "name twice": Raw('{"a": 1, "a": 2}'),
    "depth 6": _nested(6, '{"a":', "}"), "depth 40": _nested(40, "[", "]"),
    "depth 900": _nested(900, "[", "]"), "depth 100,000": _nested(100_000, "[", "]"),
    "depth 50,000 of objects": _nested(50_000, '{"a":', "}"), "never closed": Raw("[" * 50_000),
    "100,000 items": [0] * 100_000, "10,000 texts": ["a"] * 10_000,
    "5,000 names": {f"k{n}": n for n in range(5_000)},
    "text with NUL": {"a": "\0"}, "name with NUL": {"\0": "a"},
    "surrogate inside": {"a": ["\ud800"]},
    "name of surrogate": {"\udfff": 1}, "NaN inside": {"a": [Raw("NaN")]}, "empty name": {"": 1},
    "prototype": {"__proto__": {"admin": True}}, "operator": {"$ne": None},
    "name of 5,000": {"n" * 5_000: 1},
    "bidi name": {"a\u202eb": "c\u202ed"}, "NFD name": {"e\u0301": "e\u0301"},
}  # fmt: skip


def texts_about(*groups: str) -> dict[str, str]:
    """All texts of these groups, and the first of every other."""
    chosen: dict[str, str] = {}
    seen: set[str] = set()
    for name, text in TEXTS.items():
        group = name.partition(": ")[0]
        if group in groups or group not in seen:
            chosen[name] = text
        seen.add(group)
    return chosen

"""The rules read what strangers write: no text of 50 kB may hold them up."""

import time
from datetime import UTC, datetime

import pytest

from memory.domain.admission import find_emptiness
from memory.domain.dates import absolute
from memory.domain.extraction import Role, Turn, extract_facts
from memory.domain.importance import score
from memory.domain.injection import find_instruction
from memory.domain.kinds import kind_of, repeated_feedback
from memory.domain.secrets import blot_secrets
from memory.domain.sensitivity import find_sensitive
from memory.domain.tombstones import loose_fingerprint
from memory.domain.values import Source

SIZE = 50_000
SECONDS = 3.0
AT = datetime(2026, 3, 4, tzinfo=UTC)

RULES = {
    "secrets": blot_secrets,
    "orders": lambda text: find_instruction(text, source=Source.EXTERNAL),
    "emptiness": find_emptiness,
    "importance": score,
    "sensitivity": find_sensitive,
    "kind": kind_of,
    "feedback": lambda text: repeated_feedback([text]),
    "dates": lambda text: absolute(text, AT, UTC),
    "tombstone": loose_fingerprint,
    "user": lambda text: read(text, Role.USER),
    "assistant": lambda text: read(text, Role.ASSISTANT),
    "tool": lambda text: read(text, Role.TOOL),
}

WORST = ["a", "1", "我", "and I "]
MORE = [
    *("4111 ", "密码", "I ", "a-"),
    *("1 ", "用户", "password: ", "的", "my ", "always ", "ignore all ", "-----BEGIN ", "<system "),
    *("a b ", "eyJ", "A.", "http://a:", "周", "last ", "in two ", "<", "((", "- ", "。", "\n"),
    *("我喜欢", "I like ", "because ", "if ", "sk-a", '{"', "今天", "with aaa ", "allergic to "),
    *("not ", "，我", "a, ", "my wife and ", "mk_", "base64 ", "every ", "on the of ", "不", "在"),
    *(
        "对过敏",
        "can't eat ",
        "0-",
        "123456 is my ",
        "验证码 ",
        "seed phrase abc ",
        "curl -u ",
        "@",
    ),
    *("://", "-----BEGIN PRIVATE KEY-----", "decode and then ", "以后每次", "a a-b ", "in the "),
]


def read(text, role):
    return extract_facts([Turn(role=role, content=text, at=AT)], zone=UTC)


def check(unit):
    flood = unit * (SIZE // len(unit) + 1)
    # As one run, and as lines just short enough to be read as sentences.
    lines = "\n".join([flood[:290]] * (SIZE // 291))
    for text in (flood[:SIZE], lines):
        for name, rule in RULES.items():
            begun = time.process_time()
            rule(text)
            assert time.process_time() - begun < SECONDS, (name, unit)


@pytest.mark.parametrize("unit", WORST)
def test_fifty_kilobytes_of_anything_are_read_at_once(unit):
    check(unit)


@pytest.mark.long
@pytest.mark.parametrize("unit", MORE)
def test_fifty_kilobytes_of_anything_else_too(unit):
    check(unit)

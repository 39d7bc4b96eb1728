"""Every topic has a name people can read, in both languages."""

from __future__ import annotations

import re

import pytest
from django.utils import translation

from memory.domain.dimensions.general import _SAME
from memory.domain.dimensions.rules_en import RULES_EN
from memory.domain.dimensions.rules_zh import RULES_ZH
from memory.domain.dimensions.tools import TOOLS
from panel.topics import is_known_topic, known_label, topic_label

# Whatever the rules detect by themselves; a new one without a name fails here.
DETECTED = sorted(
    {rule.attribute for rule in (*RULES_EN, *RULES_ZH)}
    | {name for name, _ in TOOLS.values()}
    | set(_SAME.values())
)


@pytest.mark.parametrize("attribute", DETECTED)
def test_every_detected_topic_is_named_in_both_languages(attribute: str) -> None:
    assert is_known_topic(f"user.{attribute}")
    with translation.override("zh-hans"):
        assert re.search("[\u4e00-\u9fff]", topic_label(f"user.{attribute}")), attribute
    with translation.override("en"):
        assert not re.search("[._\u4e00-\u9fff]", topic_label(f"user.{attribute}"))


@pytest.mark.parametrize(
    ("key", "english", "chinese"),
    [
        ("user.favorite.drink", "Favourite drink", "最爱的饮品"),
        ("user.learning", "Learning", "在学"),
        ("user.mortgage", "Mortgage", "房贷"),
        ("user.airline.status", "Airline status", "航空会员等级"),
        ("q2-launch.owner", "Q2 launch: Owner", "Q2 launch：负责人"),
        ("home.router", "Router", "路由器"),
        ("user.plans.editor", "Plans: Editor", "打算：编辑器"),
        ("周会.time", "周会: Time", "周会：时间"),
        ("user.gadget_shelf", "Gadget shelf", "Gadget shelf"),
        ("", "No topic", "未分类"),
    ],
)
def test_a_key_is_read_as_far_as_it_is_known(key: str, english: str, chinese: str) -> None:
    with translation.override("en"):
        assert topic_label(key) == english
    with translation.override("zh-hans"):
        assert topic_label(key) == chinese


def test_a_name_with_somebodys_own_words_is_not_told() -> None:
    with translation.override("en"):
        assert known_label("user.editor", plain=False) == "Editor"
        assert known_label("my-divorce.owner", plain=False) == "Another topic"
        assert known_label("my-divorce.owner", plain=True) == "My divorce: Owner"

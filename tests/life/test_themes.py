"""Which words of weeks make a theme."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from memory.domain.themes import Mention, find_themes, say_theme

START = date(2026, 5, 1)


def mentions(*said: tuple[int, str]) -> list[Mention]:
    return [
        Mention(f"{n:03}", content, START + timedelta(days=day))
        for n, (day, content) in enumerate(said)
    ]


RUST = [
    (0, "问了 Rust 的所有权怎么理解"),
    (8, "在查 Rust 生命周期的报错"),
    (16, "想知道 rust 的异步怎么写"),
]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (RUST, "Rust"),
        ([(0, "Asked about Rust ownership"), (7, "Compared Rust with Go"),
          (15, "Fixing a Rust lifetime error")], "Rust"),
        ([(0, "今天跑步五公里"), (9, "跑步以后膝盖疼"), (20, "周末约了人跑步")], "跑步"),
        ([(0, "看了一篇机器学习的论文"), (9, "机器学习课程第二章"), (20, "用机器学习做预测")],
         "机器学习"),
        ([(0, "Sleeping badly again"), (9, "slept badly before the exam"),
          (21, "badly slept, too much coffee")], "badly"),
    ],
)  # fmt: skip
def test_three_mentions_over_two_weeks_make_a_theme(said: list[tuple[int, str]], name: str) -> None:
    [theme, *_] = find_themes(mentions(*said))
    assert theme.name == name
    assert len(theme.members) == 3


@pytest.mark.parametrize(
    "said",
    [
        RUST[:2],
        [(0, RUST[0][1]), (3, RUST[1][1]), (6, RUST[2][1])],
        [(0, RUST[0][1]), (0, RUST[1][1]), (20, RUST[2][1])],
        [(0, "今天喝了咖啡"), (8, "今天下雨了"), (16, "今天很累")],
        [(0, "学了吉他"), (8, "学了游泳"), (16, "学了做菜")],
        [(0, "Asked a question about work"), (8, "asked for help"), (16, "asking about lunch")],
        [],
    ],
    ids=["two", "one week", "two days", "today", "learned", "asked", "nothing"],
)
def test_less_makes_none(said: list[tuple[int, str]]) -> None:
    assert find_themes(mentions(*said)) == []


def test_one_group_of_memories_is_one_theme() -> None:
    """机器学习 is not 机器, 学习 and 器学."""
    said = [(0, "机器学习论文"), (9, "机器学习课程"), (20, "机器学习比赛")]
    assert [theme.name for theme in find_themes(mentions(*said))] == ["机器学习"]


def test_a_way_of_talking_is_no_theme() -> None:
    said = [(day, f"honestly, thing {chr(97 + day % 26)}{day}") for day in range(60)]
    assert [theme.name for theme in find_themes(mentions(*said))] == []


def test_the_order_of_rows_does_not_matter() -> None:
    said = mentions(*RUST, (1, "跑步五公里"), (9, "跑步膝盖疼"), (20, "约人跑步"))
    assert find_themes(said) == find_themes(said[::-1])
    assert {theme.name for theme in find_themes(said)} == {"Rust", "跑步"}


def test_the_sentence_names_the_theme() -> None:
    assert say_theme("Rust", chinese=False) == "Often comes back to Rust"
    assert say_theme("Rust", chinese=True) == "经常提到Rust"

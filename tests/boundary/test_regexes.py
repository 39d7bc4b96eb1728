"""No pattern of ours can be made to think: 50 kB of the worst input, as fast as a simple pattern."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from time import process_time
from types import ModuleType
from typing import Any

import pytest

import accounts
import config
import memory
import panel

LENGTH = 50_000
# A pattern without a fault, which looks forty characters ahead at every place. Its time is the unit,
# so that a busy machine is not taken for a slow pattern: ours take up to 3 units, what grows with the
# square takes fifty and more.
PLAIN = re.compile(r"[a-z]{0,40}?\d")
MOST = 6
# A fifth of the length first: what takes less than a twenty-fifth of the time there cannot, even
# where its time grows with the square, take too long on the whole.
FIRST = LENGTH // 5
FEW = MOST / 25
TRIES = 3
# Patterns put together while running: where, and why that is harmless.
DYNAMIC = {
    "memory/domain/conflicts/comparing.py": "escaped, between constants",
    "memory/domain/dimensions/rules_en.py": "rules of ours, met in their tables",
    "memory/domain/dimensions/rules_zh.py": "rules of ours, met in their tables",
    "memory/domain/extraction/subjects.py": "constants put together",
    "memory/domain/lexicon.py": "word lists of ours, met as constants",
    "memory/domain/text.py": "escaped constants",
}


def _modules() -> Iterator[ModuleType]:
    for package in (accounts, config, memory, panel):
        yield package
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name not in ("config.wsgi", "config.gunicorn"):
                yield importlib.import_module(found.name)


def _patterns_in(value: Any, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 4 and isinstance(value, dict):
        for item in (*value, *value.values()):
            yield from _patterns_in(item, depth + 1)
    elif depth < 4 and isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from _patterns_in(item, depth + 1)
    elif depth < 4 and type(value).__module__.split(".")[0] in (
        "accounts",
        "config",
        "memory",
        "panel",
    ):
        names = [*getattr(value, "__dict__", {}), *getattr(type(value), "__slots__", ())]
        for name in names:
            yield from _patterns_in(getattr(value, name, None), depth + 1)
    elif depth < 4 and isinstance(value, type) and value.__module__.startswith(("memory", "panel")):
        yield from _patterns_in(dict(vars(value)), depth + 1)


def _literal_patterns(source: ast.AST) -> Iterator[str | ast.AST]:
    """What is handed to functions of `re`: the literal, or the expression where it is none."""
    for node in ast.walk(source):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr not in ("escape", "purge")
            and node.args
        ):
            first = node.args[0]
            yield first.value if isinstance(first, ast.Constant) else first


def _sources() -> Iterator[tuple[str, ast.Module]]:
    root = Path(memory.__path__[0]).parent
    for package in ("accounts", "config", "memory", "panel"):
        for path in sorted((root / package).rglob("*.py")):
            yield str(path.relative_to(root)), ast.parse(path.read_text())


def _all_patterns() -> dict[tuple[str, int], str]:
    """Each pattern with where it was found."""
    found: dict[tuple[str, int], str] = {}
    for module in _modules():
        for value in list(vars(module).values()):
            for pattern in _patterns_in(value):
                if isinstance(pattern.pattern, str):
                    found.setdefault((pattern.pattern, pattern.flags), module.__name__)
    for name, source in _sources():
        for literal in _literal_patterns(source):
            if isinstance(literal, str) and not any(literal == known for known, _ in found):
                found[literal, 0] = name
    return found


def _samples(pattern: str, flags: int) -> set[str]:
    """Pieces the pattern likes: its literals, and one of each class."""
    pieces: set[str] = set()

    def walk(parsed: Any) -> str:
        whole = ""
        for operator, argument in parsed:
            if operator is sre.LITERAL:
                whole += chr(argument)
            elif operator is sre.IN:
                whole += _member(argument)
            elif operator in (sre.ANY, sre.NOT_LITERAL):
                whole += "x"
            elif operator in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
                inside = walk(argument[2])
                pieces.add(inside)
                whole += inside * max(1, min(argument[0], 5))
            elif operator is sre.SUBPATTERN:
                whole += walk(argument[3])
            elif operator is sre.ATOMIC_GROUP:
                whole += walk(argument)
            elif operator is sre.BRANCH:
                branches = [walk(branch) for branch in argument[1]]
                pieces.update(branches[:6])
                whole += branches[0]
        return whole

    pieces.add(walk(_parser.parse(pattern, flags & ~re.UNICODE.value)))
    return {piece for piece in pieces if piece}


def _member(members: Any) -> str:
    kinds = {
        sre.CATEGORY_DIGIT: "7", sre.CATEGORY_SPACE: " ", sre.CATEGORY_WORD: "a",
        sre.CATEGORY_NOT_DIGIT: "a", sre.CATEGORY_NOT_SPACE: "a", sre.CATEGORY_NOT_WORD: " ",
    }  # fmt: skip
    for operator, argument in members:
        if operator is sre.NEGATE:
            return "x"
        if operator is sre.LITERAL:
            return chr(argument)
        if operator is sre.RANGE:
            return chr(argument[0])
        if operator is sre.CATEGORY:
            return kinds[argument]
    return "x"


_USUAL = ("a", " ", "0", "我", "a ", "\n", "ab", ".", "a.", "-", "{", "<")


def _inputs(pattern: str, flags: int, length: int) -> Iterator[str]:
    """Much of what it likes, then something it does not; and a beginning without an end."""
    samples = sorted(_samples(pattern, flags), key=len)
    pieces = list(dict.fromkeys([*samples[:10], *samples[-2:], *_USUAL]))
    for piece in pieces:
        run = (piece * (length // len(piece) + 1))[:length]
        yield run + "\u2603"
    whole = samples[-1] if samples else ""
    for piece in (" ", "a", "0"):
        yield whole[: len(whole) // 2 + 1] + piece * length + "\u2603"


class _TooLong(Exception):
    pass


def _stop(*_: Any) -> None:
    raise _TooLong


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that interrupts")
def test_no_pattern_takes_long() -> None:
    slow: list[str] = []
    before = signal.signal(signal.SIGPROF, _stop)
    try:
        unit = min(_seconds(PLAIN, "a" * LENGTH) for _ in range(TRIES))
        for (pattern, flags), where in sorted(_all_patterns().items()):
            compiled = re.compile(pattern, flags)
            pairs = zip(
                _inputs(pattern, flags, FIRST), _inputs(pattern, flags, LENGTH), strict=True
            )
            for short, whole in pairs:
                if _seconds(compiled, short) > FEW * unit and (times := _times(compiled, whole)):
                    slow.append(f"{where}: {pattern[:150]!r}\n    {times}: {whole[:30]!r}…")
                    break
    finally:
        signal.signal(signal.SIGPROF, before)
    assert not slow, f"{len(slow)} patterns are slow\n" + "\n".join(slow)


def _times(pattern: re.Pattern[str], text: str) -> str:
    """How many times the plain pattern's time it takes, in words; empty where it once is enough."""
    tries = []
    for _ in range(TRIES):
        unit = _seconds(PLAIN, "a" * LENGTH)
        tries.append(_seconds(pattern, text) / unit)
        if tries[-1] <= MOST:
            return ""
    return f"{min(tries):.0f} times a plain pattern"


def _seconds(pattern: re.Pattern[str], text: str) -> float:
    """What finding everything takes; two seconds where it would take longer."""
    began = process_time()
    # Ends what would take minutes; the engine looks for signals now and then.
    signal.setitimer(signal.ITIMER_PROF, 2)
    try:
        for _ in pattern.finditer(text):
            pass
    except _TooLong:
        pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return process_time() - began


def test_no_pattern_comes_from_a_user() -> None:
    """Whatever is put together while running is listed above with the reason."""
    dynamic = {
        name
        for name, source in _sources()
        for literal in _literal_patterns(source)
        # A name or a call made from constants when the module is loaded was met above.
        if not isinstance(literal, str) and not _is_constant(source, literal)
    }
    assert dynamic == set(DYNAMIC)


def _is_constant(source: ast.Module, expression: ast.AST) -> bool:
    """Whether it stands outside every function, so that no input reaches it."""
    inside = {
        node
        for function in ast.walk(source)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for node in ast.walk(function)
    }
    return expression not in inside

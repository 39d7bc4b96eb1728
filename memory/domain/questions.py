"""The question to ask the owner about what waits, in the language of the memory itself."""

from collections.abc import Sequence

from memory.domain.text import is_unspaced
from memory.domain.values import Reason


def ask(reason: Reason, contents: Sequence[str]) -> str:
    """A ready question for one waiting memory or for the sides of a contradiction.

    「可能用 Mac」你的意思？ is requirement 75's own wording.
    """
    chinese = any(is_unspaced(ch) for content in contents for ch in content)
    if reason is Reason.CONTRADICTION and len(contents) > 1:
        if chinese:
            return "还是".join(f"「{content}」" for content in contents) + "：哪个对，还是都对？"
        return " or ".join(f"“{content}”" for content in contents) + ": which is right, or both?"
    [content, *_] = contents
    if reason is Reason.SUGGESTION:
        # A rule of behaviour ("answer briefly") or a theme ("often comes back to Rust").
        return f"「{content}」要这样记住吗？" if chinese else f"“{content}”: keep that in mind?"
    return f"「{content}」你的意思？" if chinese else f"“{content}”: is that right?"

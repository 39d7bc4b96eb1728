"""What others say about the owner: the assistant's guesses, and what tools and system know."""

import re
from collections.abc import Collection, Iterator

from memory.domain.extraction.clauses import read_sentences
from memory.domain.extraction.subjects import skip_openings
from memory.domain.extraction.turns import OWNER, Found, Turn

_GUESS = re.compile(
    r"^(?:(?:看来|看起来|看上去|听起来|听上去|感觉|我猜|我想|想必|估计|也许|或许|似乎|好像"
    r"|可见|说明)[,，]?你(?:们)?(?!们|可(?!能)|应该|不妨|最好|影响|度过|需要|想问|的问题)"
    r"|你们?(?:可能|应该是|大概|似乎|好像|看来|也许|或许|估计|八成|肯定是?|想必|看起来"
    r"|显然)(?!需要|想要|要|会(?:遇|想|看)|得|可以|遇到|想问|是想|忘|漏|在找|指)"
    r"|(?:it|that) (?:sounds|looks|seems|appears) (?:like|as if|that) you\b(?! (?:had"
    r"|have had|could|can|should|need|want)\b|['’](?:ve had|re having))|(?:sounds|looks"
    r"|seems) like you\b(?! (?:had|could|can|should|need|want)\b|['’](?:ve had|re having))"
    r"|(?:i (?:guess|assume|suspect|imagine|gather|take it)(?: that)?|maybe|perhaps"
    r"|presumably|apparently|clearly|evidently),? you\b(?! (?:can|could|should|may|might"
    r"|want|need)\b)"
    r"|you(?:['’]re| are)? (?:probably|likely|might|may|seem|must be|appear|apparently"
    r"|clearly|obviously|evidently|presumably|surely)\b(?! (?:want|need|like) to\b"
    r"| (?:want|need|consider|try|find|get|see|notice|run into|have to|be able|also want"
    r"|wish|be wondering)\b))",
    re.IGNORECASE,
)
_VAGUE_GUESS = re.compile(
    r"(?:喜欢|讨厌|了解)(?:它|这个|那个)$|\b(?:it|that|this|them)[.!]?$", re.I
)
_OF_THE_USER = re.compile(
    r"用户(?!名|量|数|体验|群|界面|端|手册|可以|需|必须|输入|点击|登录|协议|态|空间|故事"
    r"|增长|反馈)(?:的.{1,16}(?:是|为|有|在)|.{0,8}(?:是|有|在|住|喜欢|讨厌|不|用|会|叫|对"
    r"|偏好|养|从|计划|打算|正|已|想|爱|可能|希望))"
    r"|\b(?:the user|user)(?:['’]s (?:\w+ ){1,4}(?:is|are|was|has|have)\b| (?:\w+ly |also "
    r"|currently )?(?:is|are|was|lives|works|has|likes|loves|prefers|hates|dislikes|speaks"
    r"|uses|owns|drives|plays|eats|drinks|studies|wants|moved|enjoys|cannot|can['’]t"
    r"|does(?:n['’]t| not)|never|always)\b)"
    r"|^(?:请)?(?:记住|记下)[:：，, ]?|^(?:please )?remember(?: that)?[:, ]",
    re.IGNORECASE,
)
_JSON_BORDER = re.compile(r"[{}\[\]\"]{1,4}")


def read_guesses(turn: Turn, known: Collection[str]) -> Iterator[Found]:
    for sentence in read_sentences(turn.content, known=known):
        if any(clause.asked for clause in sentence):
            continue
        first = sentence[0]
        guess = first.text[skip_openings(first.text) :]
        if _GUESS.match(guess) and not _VAGUE_GUESS.search(guess):
            yield Found(first.start, sentence[-1].end, OWNER, "", False)


def read_outside(turn: Turn, known: Collection[str]) -> Iterator[Found]:
    # Blanked out, not cut, so that places in the message stay what they are.
    plain = _JSON_BORDER.sub(lambda border: "\n" * len(border.group()), turn.content)
    for sentence in read_sentences(plain, known=known):
        first, last = sentence[0], sentence[-1]
        text = plain[first.start : last.end]
        about = _OF_THE_USER.search(text)
        if about and not last.asked:
            yield Found(first.start, last.end, OWNER, "", False)

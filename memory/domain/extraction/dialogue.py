"""A dialogue to facts, by rules alone (requirements 62 to 64, 111).

Every fact is a clause of a message, word for word in its quote. What the rules are not sure of
they leave out: a fact missed can be said again, a fact invented is believed.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import tzinfo

from memory.domain import dates
from memory.domain.behaviour import is_behaviour
from memory.domain.dangers import is_safety_critical
from memory.domain.extraction import statements_en as en
from memory.domain.extraction import statements_zh as zh
from memory.domain.extraction.clauses import Clause, read_sentences
from memory.domain.extraction.hearsay import read_guesses, read_outside
from memory.domain.extraction.subjects import About, Who, find_subject, skip_openings
from memory.domain.extraction.turns import OWNER, Extracted, Found, Role, Turn
from memory.domain.kinds import kind_of
from memory.domain.tombstones import loose_fingerprint
from memory.domain.values import Kind, Source

# No message tells more about its writer than this; what does was pasted.
_MOST_FACTS = 40

_DENIAL = re.compile(
    r"^\s*(?:不是?(?:的|啊|这样)?[,，。！!\s]|不对|没有(?:啊|吧)?[,，。]|并不|不[,，]|才不"
    r"|错了|no\b|nope\b|nah\b|not (?:really|at all|true|quite|exactly)\b|wrong\b"
    r"|that['’]s (?:wrong|not)|actually,? (?:no|i)\b)",
    re.IGNORECASE,
)
# Said to the agent, not about the owner.
_REMARK = re.compile(
    r"(?:谢谢|多谢|感谢|好的?|嗯+|哈+|你|请|麻烦|帮|能|可以|真(?:离谱|是)|给我|thanks?"
    r"|thank you|thx|please|could|can|would|let['’]s|help|lol|ok(?:ay)?|great|nice|cool"
    r"|any)(?![a-z])",
    re.IGNORECASE,
)
_ME = re.compile(r"我(?!们?(?:的)?(?:同事|朋友|客户))|\b(?:i|me|my)\b", re.IGNORECASE)
_ONCE = re.compile(r"以前|之前|曾经|原来|本来|过去|\bused to\b|\bonce\b", re.IGNORECASE)
_HAN = re.compile(r"[\u4e00-\u9fff]")
_CONTRACTION = re.compile(r"['’](?:m|ve|d|ll|re)$")
_THINGS = frozenset({"", "它", "它们", "it", "it's", "it’s", "its"})
# A stranger, of whom nothing is kept.
_NOBODY = ""


def extract_facts(
    messages: Sequence[Turn], *, zone: tzinfo, known: Collection[str] = ()
) -> list[Extracted]:
    """The facts a dialogue states, in order, without repetitions.

    Of the user: what they state of themselves and theirs. Of the assistant: guesses about the
    user that the user's next words do not deny, inferred. Of tools and system: what is said of
    the user, external. `known`: contents that recall handed out; a line that repeats one, or has
    the form of a recall's context, states nothing. Raises NaiveTime.
    """
    forms = {loose_fingerprint(content) for content in known}
    facts: list[Extracted] = []
    seen: set[tuple[str, str]] = set()
    for index, turn in enumerate(messages):
        if turn.role is Role.USER:
            found = _read_user(turn, forms)
            source = Source.USER_STATED
        elif turn.role is Role.ASSISTANT:
            denied = _next_user_words(messages, index)
            found = iter(()) if _DENIAL.match(denied) else read_guesses(turn, forms)
            source = Source.INFERRED
        else:
            found = read_outside(turn, forms)
            source = Source.EXTERNAL
        for number, one in enumerate(found):
            if number >= _MOST_FACTS:
                break
            fact = _make(turn, index, one, source=source, zone=zone)
            form = (fact.subject, loose_fingerprint(fact.content))
            if form not in seen:
                seen.add(form)
                facts.append(fact)
    return facts


def _next_user_words(messages: Sequence[Turn], index: int) -> str:
    for turn in messages[index + 1 : index + 2]:
        if turn.role is Role.USER:
            return turn.content[:200]
    return ""


# --- What the user says ---


def _read_user(turn: Turn, known: Collection[str]) -> Iterator[Found]:
    subject = OWNER
    for sentence in read_sentences(turn.content, known=known):
        found, subject = _read_sentence(sentence, subject)
        yield from found


def _read_sentence(sentence: Sequence[Clause], subject: str) -> tuple[list[Found], str]:
    """The facts of one sentence, and whom it speaks of at its end.

    A clause that states a fact opens one; a clause that states nothing by itself belongs to the
    fact before it (因为…, "but only on weekends") unless it asks or supposes something. A clause
    without a subject speaks of whom the one before it did; `_NOBODY` is a stranger.
    """
    found: list[Found] = []
    carried = ""
    open_ = theirs = False
    for place, clause in enumerate(sentence):
        said = clause.text[skip_openings(clause.text) :]
        wish = is_behaviour(said)
        if wish:
            found.append(Found(clause.start, clause.end, OWNER, "", True))
            open_ = True
            continue
        if _asks(clause, said, last=place == len(sentence) - 1):
            open_ = False
            continue
        if _reports(said) or zh.HYPOTHETICAL.search(said) or en.HYPOTHETICAL.search(said):
            break
        about = find_subject(clause.text)
        if zh.HESITATION.search(said) or en.HESITATION.search(said):
            carried, open_ = _carry(about) or carried, False
            continue
        if about.who is Who.STRANGER:
            subject, open_ = _NOBODY, False
            continue
        if about.who is Who.PRONOUN or (about.who is Who.DROPPED and theirs):
            # "大的叫豆豆" belongs to the fact before it; without one, nobody knows who "she" is.
            theirs = True
            if open_:
                found[-1] = replace(found[-1], end=clause.end)
            elif about.words.lower() not in _THINGS:
                subject = _NOBODY
            continue
        theirs = False
        if about.who is Who.OWNER:
            subject, carried = OWNER, _carry(about)
        elif about.who is Who.KIN:
            subject, carried = _plain(about.words), ""
        elif subject == _NOBODY:
            continue
        dropped = about.who is Who.DROPPED
        if open_ and dropped and _ONCE.search(sentence[place - 1].text):
            # "以前喜欢咖啡，现在不喝了": one fact, and half of it would be the wrong one.
            found[-1] = replace(found[-1], end=clause.end)
        elif _states(clause.text, about):
            lead = ""
            if dropped:
                lead = carried if subject == OWNER else subject
            found.append(Found(clause.start, clause.end, subject, lead, False))
            open_ = True
        elif open_ and dropped and not _REMARK.match(clause.text):
            found[-1] = replace(found[-1], end=clause.end)
        else:
            open_ = False
    return found, subject


def _carry(about: About) -> str:
    """我们团队: a subject worth repeating before a clause that leaves it out."""
    return about.words if len(about.words) > 2 and not about.words.isascii() else ""


def _plain(words: str) -> str:
    """ "My wife's" and "my wife" are one subject."""
    words = words.rstrip("'’s ") if words.endswith(("'s", "’s", "'s ", "’s ")) else words.strip()
    return words[:1].lower() + words[1:]


def _asks(clause: Clause, said: str, *, last: bool) -> bool:
    return (clause.asked and last) or bool(zh.QUESTION.search(said) or en.QUESTION.match(said))


def _reports(said: str) -> bool:
    return bool(zh.REPORTED.search(said) or en.REPORTED.search(said))


def _states(clause: str, about: About) -> bool:
    """Whether a clause states something lasting of its subject."""
    if zh.TASK_TALK.search(clause) or en.TASK_TALK.search(clause):
        return False
    # A danger is kept however it is put: "bee stings send me into shock".
    if about.who is not Who.KIN and _ME.search(clause) and is_safety_critical(clause):
        return True
    rest = clause[about.rest :]
    dropped = about.who is Who.DROPPED
    if _HAN.search(rest):
        return zh.states_fact(rest, dropped=dropped)
    if about.who is Who.KIN:
        return en.states_of_kin(rest)
    words = about.words.lower()
    if " of " in words:
        return en.states_of_part(rest)
    contraction = _CONTRACTION.search(words)
    return en.states_fact(
        (contraction.group() if contraction else "") + rest,
        dropped=dropped,
        possessive=words in ("my", "our"),
    )


# --- From a stretch of a message to a fact ---


def _make(turn: Turn, index: int, found: Found, *, source: Source, zone: tzinfo) -> Extracted:
    quote = turn.content[found.start : found.end]
    said = quote[skip_openings(quote) :] if source is not Source.EXTERNAL else quote
    if found.carried and not said.startswith(found.carried):
        said = found.carried + said
    content = dates.absolute(said, turn.at, zone)
    kind = Kind.PROCEDURAL if found.procedural else kind_of(said)
    fact = Extracted(
        content=content[0].upper() + content[1:] if content[:2] in ("i ", "i'", "i’") else content,
        kind=kind,
        source=source,
        quote=quote,
        message_index=index,
        subject=found.subject,
    )
    return fact if found.procedural else _with_dates(fact, said, turn, zone)


def _with_dates(fact: Extracted, said: str, turn: Turn, zone: tzinfo) -> Extracted:
    """When it happened, or from when to when it holds, by the first date in its words.

    A plan for a day holds until that day is over; a change that is planned only begins then.
    """
    named = dates.resolve(said, turn.at, zone)
    if not named:
        return fact
    first = named[0]
    today = dates.local_day(turn.at, zone)
    begins = zh.STATE_START.search(said) or en.STATE_START.search(said)
    planned = zh.PLANNED.search(said) or en.PLANNED.search(said)
    if first.last < today or (first.first <= today and not planned):
        moment = first.starts(zone)
        happened = zh.EVENT.search(said) or en.EVENT.search(said) or fact.kind is Kind.EPISODIC
        return replace(
            fact,
            occurred_at=moment if happened else None,
            valid_from=moment if begins or not happened else None,
        )
    if planned or first.first > today:
        return replace(
            fact,
            valid_from=first.starts(zone),
            valid_to=None if begins else first.ends(zone),
        )
    return fact

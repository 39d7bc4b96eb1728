"""Whether a fact says what is, what happened, or how the agent should behave (requirement 108)."""

import re

from memory.domain.behaviour import is_behaviour
from memory.domain.feedback import Suggestion, repeated_feedback
from memory.domain.text import match_form
from memory.domain.values import Kind

__all__ = ["Suggestion", "kind_of", "repeated_feedback"]

# What happened on a day or in a span that is over.
_PAST_TIME = re.compile(
    r"昨[天晚日]|前天|上(?:个)?(?:周|星期|礼拜|月)|去年|前年|今早|刚才|刚刚|今天.{0,12}了"
    r"|[天周月年](?:以|之)?前|那天|上次|当时"
    r"|\b(?:yesterday|last (?:night|week|month|year|weekend|spring|summer|autumn|fall"
    r"|winter|\w+day)|\w+ (?:days?|weeks?|months?|years?) ago"
    r"|this morning|earlier today|the other day|back in|today i|on (?:the (?:morning"
    r"|afternoon|evening) of )?\d{4}-\d\d-\d\d)\b"
)
_HAPPENED = re.compile(
    r"了|过(?!敏|期)|在.{0,4}(?:调|修|看|开会)"
    r"|\b(?:was|were|had|did|went|got|saw|met|came|gave|ate|drank|ran|broke|flew|won|lost"
    r"|left|took|bought|sold|found|made|told|felt|handed|\w{2,}ed)\b"
)
_ATE = re.compile(
    r"(?:吃|喝|点|看|逛)了"
    r"|^(?:i |we )?(?:just )?(?:had|ate|drank|grabbed|watched|missed|visited|attended"
    r"|woke up|went|saw|met)\b"
)
# A change of state is told as an event and stays true as a fact.
_LASTING_CHANGE = re.compile(
    r"入职|搬(?:到|去|家)|换成|改成|改用|转(?:到|向)|切换|迁移?到|决定|升(?:职|任|为)|结婚"
    r"|戒|不再|开始|出生|确诊|过敏"
    r"|\b(?:moved to|started (?:at|as|working)|switched|migrated|decided|settled on"
    r"|went with|became|got married|quit smoking|gave up|was born|born in|grew up"
    r"|diagnosed|allergic|joined|since)\b"
)


def kind_of(text: str) -> Kind:
    """The kind of a statement by its words; what says neither is semantic."""
    said = match_form(text)
    if is_behaviour(said):
        return Kind.PROCEDURAL
    if _LASTING_CHANGE.search(said):
        return Kind.SEMANTIC
    if _ATE.search(said) or (_PAST_TIME.search(said) and _HAPPENED.search(said)):
        return Kind.EPISODIC
    return Kind.SEMANTIC

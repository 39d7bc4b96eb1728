"""The gate a statement passes before anything is stored: whose word it is, whether it holds a
secret or an order to the agent, and whether it says anything at all."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from memory.domain.behaviour import is_behaviour
from memory.domain.importance import is_passing
from memory.domain.injection import find_instruction
from memory.domain.secrets import SecretKind, find_secret
from memory.domain.text import match_form
from memory.domain.values import Kind, Reason, Source, Tier


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """Whether a statement may be stored, and whether it must wait for the owner.

    `code` is stable; `detail` says which kind of secret or order; `explanation` is a sentence for
    a person. None of them holds a word of the statement. `reason` is the status reason of a
    statement that waits. `highest_tier`: where it may be stored at most.
    """

    accepted: bool
    waits: bool
    code: str
    reason: Reason | None = None
    detail: str = ""
    explanation: str = ""
    highest_tier: Tier | None = None


_EXPLANATIONS = {
    "external_refused": "Text from outside is not remembered unless the owner allows it for this "
    "agent.",
    "empty_of_facts": "This says nothing to remember.",
    "question": "A question states nothing to remember.",
    "quarantined": "This gives orders to the agent. It waits where only the owner can read it.",
}
_SECRETS = {
    SecretKind.PASSWORD: "a password",
    SecretKind.API_KEY: "an API key",
    SecretKind.PRIVATE_KEY: "a private key",
    SecretKind.TOKEN: "an access token",
    SecretKind.CARD_NUMBER: "a card number",
    SecretKind.ONE_TIME_CODE: "a one-time code",
    SecretKind.CONNECTION_STRING: "an address with a password in it",
}

# What people say without stating anything. Longer texts are never read as filler.
_LONGEST_FILLER = 60
_FILLER = re.compile(
    r"(?:(?:你好呀?|您好|嗨|哈喽|hello|hi|hey|在吗|在不在|早|早上好|上午好|中午好|下午好"
    r"|晚上好|晚安|谢谢(?:你|您|啦|了)?|多谢|感谢|辛苦(?:了|啦)"
    r"|好(?:的|吧|嘞|呀|啊|滴)?|嗯+|哦+|噢|喔|啊+|行(?:吧)?|可以(?:的|了)?|收到"
    r"|明白(?:了)?|知道了|了解(?:了)?|懂了|没问题|没事(?:了)?|没关系|对(?:的|啊|了)?"
    r"|是(?:的|啊)?"
    r"|不是|不(?:用|要)?(?:了|谢)?|没有|哈+|呵+|嘿+|再见|拜拜|回见|继续|然后呢|真的吗?"
    r"|太好了|太棒了|不错|牛|厉害|赞|加油|稍等|等等|算了|随便|都行|一样"
    r"|there|thanks|thank you|thx|ty|cheers|ok|okay|k|kk|yes|yeah|yep|yup|no|nope|nah|sure"
    r"|great|cool|nice|good|fine|perfect|awesome|amazing|wow|right|alright|exactly"
    r"|got it|i see|understood|makes sense|sounds good|will do|done|bye|goodbye|see you"
    r"|later|lol|haha+|hehe+|hmm+|huh|oh|ah|uh|um|well|so|and|please|sorry|no problem"
    r"|never ?mind|good (?:morning|afternoon|evening|night)|very|much|a lot|so much"
    r"|for your help|again|all good|that'?s (?:it|all|fine|great)|go on|continue|next|test"
    r"|testing|ping)"
    r"[\s,.!;:~、。！,…^_\-]{0,6}){1,8}"
)
_QUESTION_END = re.compile(r"(?:[?？]|[吗么]|呢)[\s!。~]{0,4}$")
_QUESTION_START = re.compile(
    r"^(?:请问|你知道|怎么|如何|为什么|为啥|什么是|哪里|哪个|谁|多少"
    r"|(?:do|does|did|can|could|would|will|should|is|are|was|were|what|what's|how|why|when"
    r"|where|which|who)"
    r" (?:you|i|we|it|there|that|this|the|a|an|my|your|is|are|do|does|did|to|much|many|about)\b)"
)
_SENTENCE = re.compile(r"[。！!;；\n]|\.(?=\s)|[?？](?=.)")


def admit(
    source: Source,
    *,
    external_allowed: bool = False,
    content: str | None = None,
    others: Iterable[str] = (),
    kind: Kind = Kind.SEMANTIC,
    key: str = "",
) -> Admission:
    """What may become of a statement (requirements 59, 63 to 65, 99; 5.5 h and q).

    1. By its source: outside text is refused unless the owner allows it for the writing agent.
    2. A secret, in the content or in any of the `others` stored beside it: refused.
    3. An order to the agent: quarantined.
    4. Nothing said, or only asked: refused. A key or a rule of behaviour always says something.
    5. What is of the day only stays in working.

    The user's words are facts; an inference and allowed outside text wait. Without `content` only
    the source is judged.
    """
    if source is Source.EXTERNAL and not external_allowed:
        return _refused("external_refused")
    if content is not None:
        texts = (content, *others)
        for text in texts:
            secret = find_secret(text)
            if secret is not None:
                return Admission(
                    accepted=False,
                    waits=False,
                    code="secret",
                    detail=secret.kind.value,
                    explanation=f"This holds {_SECRETS[secret.kind]}. Secrets are not remembered.",
                )
        for text in texts:
            order = find_instruction(text, source=source)
            if order is not None:
                return Admission(
                    accepted=True,
                    waits=True,
                    code="quarantined",
                    reason=Reason.QUARANTINED,
                    detail=order.kind.value,
                    explanation=_EXPLANATIONS["quarantined"],
                )
        emptiness = "" if key or kind is Kind.PROCEDURAL else find_emptiness(content)
        if emptiness:
            return _refused(emptiness)
    passing = content is not None and is_passing(content, kind=kind, key=key)
    highest = Tier.WORKING if passing else None
    if source is Source.USER_STATED:
        return Admission(accepted=True, waits=False, code="stated", highest_tier=highest)
    if source is Source.INFERRED:
        return Admission(
            accepted=True,
            waits=True,
            code="inferred",
            reason=Reason.INFERRED,
            highest_tier=highest,
        )
    return Admission(
        accepted=True,
        waits=True,
        code="external_allowed",
        reason=Reason.EXTERNAL,
        highest_tier=highest,
    )


def find_emptiness(content: str) -> str:
    """`empty_of_facts` for greetings and fillers, `question` for a bare question, '' otherwise.

    Never by length: 对花生过敏 says more than many a page.
    """
    said = match_form(content)
    if len(said) <= _LONGEST_FILLER and (_FILLER.fullmatch(said) or _has_no_words(said)):
        return "empty_of_facts"
    if is_behaviour(said) or _SENTENCE.search(said.rstrip("?？ ")):
        return ""
    if _QUESTION_END.search(said) and "," not in said:
        return "question"
    return "question" if _QUESTION_START.match(said) and said.endswith("?") else ""


def _has_no_words(said: str) -> bool:
    # Emoji and other symbols may be all there is: 🐶 is a value somebody chose.
    return all(not ch.isalnum() and ord(ch) < 0x2190 for ch in said)


def _refused(code: str) -> Admission:
    return Admission(accepted=False, waits=False, code=code, explanation=_EXPLANATIONS[code])

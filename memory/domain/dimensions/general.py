"""Subject and attribute of a statement about anything: "the capital of France is Paris".

The key is made of the subject and of the attribute's words in one form, so that "X was founded by
Y" and "the founder of X is Y" share it. What these forms do not fit has no key.
"""

import re

from memory.domain.dimensions.shapes import Dimension
from memory.domain.dimensions.subjects import find_subject, slug

_NAME = r"[^,;:!?\n]{1,80}?"
_IS = r"(?:is|was|are|were|=|remains|became|has become|is now|is currently)"
_PLACE = r"(?: (?:located|based|situated|headquartered))? ?(?:in|at)? ?(?:the (?:city|country|continent|town|state) of)?"

_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = (
    # The name of the current head of the X government is Y; … head of state in X is Y.
    (
        "head",
        re.compile(
            rf"^the (?:name of the )?(?:current )?(?P<a>[a-z ]{{3,40}}?) of the (?P<s>{_NAME}) government {_IS} (?P<v>.+)$",
            re.I,
        ),
    ),
    (
        "headed",
        re.compile(
            rf"^the name of the (?:current )?(?P<a>[a-z ]{{3,40}}?) (?:in|of) (?P<s>{_NAME}) {_IS} (?P<v>.+)$",
            re.I,
        ),
    ),
    # The company that produced X is Y; the university where X was educated is Y.
    (
        "which",
        re.compile(
            rf"^the (?P<a>[a-z ]{{3,40}}?) (?:that|which|who|where|in which) (?P<b>(?:has |have |had )?(?:produced|made|created|built|wrote|founded|developed|owns|runs|publishes|manufactures|leads|designed|discovered|invented)) (?P<s>{_NAME}) {_IS} (?P<v>.+)$",
            re.I,
        ),
    ),
    (
        "where",
        re.compile(
            rf"^the (?P<a>[a-z ]{{3,40}}?) (?:that|which|where|in which|at which) (?P<s>{_NAME}) (?P<b>(?:was |is |were )?(?:plays|played|educated|studied|works|worked|born|lives|lived|died|speaks|teaches|taught|performs|performed|follows|uses)) {_IS} (?P<v>.+)$",
            re.I,
        ),
    ),
    # X was founded by Y; X is associated with the sport of Y; X is located in the continent of Y.
    (
        "passive",
        re.compile(
            r"^(?!the [^,;]{3,80} (?:is|was) (?:located|based|situated|headquartered))(?P<s>.{1,90}?) (?:is|was|are|were) (?:an? )?(?P<a>[a-z]{3,14}(?:ed|en|ded|wn|citizen|member|capital|native|ous)|born|built|made|sung|led|run|wed|married|held|citizen|member|native) (?P<p>by|in|for|with|to|at|of|from|on|as)(?: the (?P<n>(?-i:[a-z ]{3,24}?)) of)? (?P<v>.+)$",
            re.I,
        ),
    ),
    # The ATTRIBUTE of X is Y.
    (
        "of",
        re.compile(
            rf"^the (?P<a>[a-zA-Z\- ]{{3,40}}?) (?:of|for) (?P<s>.{{1,90}}?) {_IS}{_PLACE} (?P<v>.+)$",
            re.I,
        ),
    ),
    # X's ATTRIBUTE is Y.
    (
        "possessive",
        re.compile(
            rf"^(?P<s>{_NAME})(?:'s|s'|’s) (?P<a>[a-z\- ]{{3,40}}?) {_IS}{_PLACE} (?P<v>.+)$", re.I
        ),
    ),
    # X plays the position of Y; X works in the field of Y; X died in the city of Y.
    (
        "active",
        re.compile(
            r"^(?P<s>.{1,90}?) (?P<a>plays|played|speaks|spoke|works|worked|died|lives|lived|studies|studied|practices|practises|follows|holds|teaches|taught|serves|served|competes|writes|represents|covers|occupies|uses)(?: (?P<p>in|at|for|as|on))? the (?P<n>(?-i:[a-z ]{3,24}?)) of (?P<v>.+)$",
            re.I,
        ),
    ),
    (
        "died",
        re.compile(
            r"^(?P<s>.{1,90}?) (?P<a>died|passed away) (?P<p>in|at) (?P<v>(?!(?:january|february|march|april|may|june|july|august|september|october|november|december|\d|the (?:spring|summer|fall|autumn|winter|end|morning|night)|a |an |his|her|my|peace|sleep)).+)$",
            re.I,
        ),
    ),
)
_ZH_FORMS: tuple[re.Pattern[str], ...] = (
    re.compile(
        r"^(?P<s>[^,。;的]{1,24})的(?P<a>[^,。;的是在为有]{1,10})(?:现在|目前|已经|已)?(?:是|为|叫|在|位于|改成了?|改为了?|换成了?|变成了?|变为|调整为|调到|定为|定在)(?P<v>[^,。;!?]{1,60})$"
    ),
    re.compile(
        r"^(?P<s>[^,。;的]{1,24}?)(?P<a>由)(?P<v>[^,。;]{1,30}?)(?:创立|创办|创建|负责|开发|撰写|执导|主持|出版|维护)"
    ),
    re.compile(
        r"^(?P<s>[^,。;的我你他她]{2,24}?)(?P<a>位于|坐落于|成立于|隶属于?|属于|毕业于|信仰|效力于)(?P<v>[^,。;]{1,30})$"
    ),
)

# One name for attributes that are said in several ways.
_SAME = {
    "founded_by": "founder", "was_founded_by": "founder", "established_by": "founder",
    "written_by": "author", "authored_by": "author", "writer": "author",
    "directed_by": "director", "created_by": "creator", "developed_by": "developer",
    "performed_by": "performer", "sung_by": "performer", "singer": "performer",
    "married_to": "spouse", "wed_to": "spouse", "wife": "spouse", "husband": "spouse",
    "employed_by": "employer", "works_for": "employer", "led_by": "leader",
    "chief_executive_officer": "ceo", "chief_executive": "ceo",
    "chairperson": "chair", "chairman": "chair", "chairwoman": "chair",
    "born_in_city": "birthplace", "born_in": "birthplace", "born_at": "birthplace", "place_of_birth": "birthplace",
    "died_in_city": "deathplace", "died_in": "deathplace", "place_of_death": "deathplace",
    "located_in_continent": "continent", "created_in_country": "country_of_origin",
    "citizen_of": "citizenship", "country_of_citizenship": "citizenship", "nationality": "citizenship",
    "associated_with_sport": "sport", "affiliated_with_religion": "religion",
    "plays_position": "position", "played_position": "position", "speaks_language": "language",
    "works_in_field": "field", "worked_in_city": "work_city", "works_in_city": "work_city",
    "headquarter": "headquarters", "educated_at": "alma_mater", "university_educated": "alma_mater",
    "produced_by": "producer", "company_produced": "producer", "manufactured_by": "producer",
    "made_by": "producer", "written_in_language": "original_language",
    "famous_for": "known_for", "known_for": "known_for", "known_as": "known_as",
}  # fmt: skip
_NOT_SUBJECTS = re.compile(
    r"^(?:i|we|he|she|it|they|you|there|this|that|these|those|my|our|his|her|their|which|what|who|if|when|and|but|so|because)\b"
    r"|^(?:我|你|他|她|它|咱|这|那|大家|如果|因为|所以|但|而|每|有|没|最|以后|今天|昨天|现在)",
    re.I,
)
_NOT_VALUES = re.compile(
    r"^(?:not|never|no longer|n't|very|so|too|more|less|going|being|a lot)\b|^(?:不|没|很|非常|最|谁|什么|哪)",
    re.I,
)
_VAGUE = frozenset(
    "rest lot number kind sort type part one most some end top side middle beginning point case fact"
    " result idea reason problem thing way purpose".split()
)
_LEAD = re.compile(
    r"^(?:更正|纠正|不对|说错了|记错了|其实|sorry|correction|actually|oops|typo)[:：,， ]+", re.I
)
_ARTICLES = re.compile(r"^(?:the|a|an) ", re.I)


def detect_general(text: str) -> Dimension | None:
    """Subject, attribute and value of a statement about a thing or a person; None for none."""
    said = _LEAD.sub("", text.strip()).rstrip(".。!！ ")
    if not 4 <= len(said) <= 300 or "\n" in said:
        return None
    for name, form in _FORMS:
        found = form.match(said)
        if found:
            parts = found.groupdict()
            made = _make(name, parts, said)
            if made is not None:
                return made
    for form in _ZH_FORMS:
        found = form.match(said)
        if found:
            parts = found.groupdict()
            attribute = parts["a"]
            if attribute == "由":
                attribute = found.group()[-2:]
            return _dimension(parts["s"], attribute, parts["v"])
    return None


def _make(form: str, parts: dict[str, str | None], said: str) -> Dimension | None:
    subject, value = parts["s"] or "", parts["v"] or ""
    attribute = (parts["a"] or "").lower()
    if form in ("which", "where"):
        verb = re.sub(r"^(?:was|is|were|has|have|had) ", "", (parts["b"] or "").lower())
        attribute = (
            f"{attribute.removeprefix('type of ')} {verb}"
            if form == "which" or verb == "educated"
            else attribute
        )
        if verb == "educated":
            attribute = "alma mater"
    elif form == "head":
        attribute = f"{attribute} government"
    elif form == "passive" or form == "active":
        attribute = " ".join(filter(None, (attribute, parts["p"], parts["n"])))
    elif form == "died":
        attribute = "died in"
    if attribute.split(" ")[-1] in _VAGUE and form in ("of", "possessive"):
        return None
    return _dimension(subject, attribute, value)


def _dimension(subject: str, attribute: str, value: str) -> Dimension | None:
    subject = _ARTICLES.sub("", subject.strip()).strip()
    value = value.strip().rstrip(".")
    if not subject or not value or _NOT_SUBJECTS.match(subject) or _NOT_VALUES.match(value):
        return None
    if len(value) > 80:
        return None
    who = find_subject(f"{subject} is")
    name = who.name if who.named and who.end >= len(subject) - 2 else slug(subject)
    attribute = slug(_ARTICLES.sub("", attribute.strip()))
    attribute = re.sub(r"(?:^|_)(?:current|the|name_of)(?=_|$)", "", attribute).strip("_")
    attribute = _SAME.get(attribute, attribute)
    if not name or not attribute:
        return None
    return Dimension(
        key=f"{name}.{attribute}",
        value=value,
        subject=name,
        attribute=attribute,
        single_valued=True,
        family=attribute,
        general=True,
    )

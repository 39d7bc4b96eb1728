"""Secrets in a text: found so that they can be refused, and blotted out of what is kept.

The rules lean towards finding: a refused fact can be said again without the secret, a stored
password cannot be unsaid. Nothing here returns the secret itself, only its kind and its place.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class SecretKind(StrEnum):
    """What kind of secret a text holds; the word an event may keep."""

    PRIVATE_KEY = "private_key"
    TOKEN = "token"  # noqa: S105 (hardcoded-password-string: the name of a kind)
    API_KEY = "api_key"
    CONNECTION_STRING = "connection_string"
    CARD_NUMBER = "card_number"
    ONE_TIME_CODE = "one_time_code"
    PASSWORD = "password"  # noqa: S105 (hardcoded-password-string: the name of a kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A secret's kind and where it stands in the text that was searched."""

    kind: SecretKind
    start: int
    end: int


BLOT = "▇▇▇▇"

_QUOTE = r"[\"'“”‘’「」`]?"
_GLUE = r"[ \t]{0,3}"

_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[^-]{0,20000}-----END [A-Z0-9 ]{0,40}-----|[\s\S]{0,20000})"
)
_SEED_PHRASE = re.compile(
    r"(?:助记词|seed phrase|recovery phrase|mnemonic)[^\n]{0,20}?"
    r"\b((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})\b",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r"\beyJ[\w-]{8,4000}\.[\w-]{8,4000}\.[\w-]{0,4000}"
    r"|\bya29\.[\w-]{16,400}"
    r"|\bAuthorization: ?(?:Basic|Bearer|Token) [\w+/=.-]{12,4000}"
    r"|\b(?:session_?id|sid|sessionid|csrftoken|jsessionid|phpsessid)=[\w%.-]{16,400}"
    r"|\b(?:access|refresh|id|auth|bearer)[_ -]?token\"?"
    + _GLUE
    + r"(?:[:=]|is|是|为)"
    + _GLUE
    + _QUOTE
    + r"[\w.~+/=-]{16,4000}",
    re.IGNORECASE,
)
# Known forms, each by its own prefix; ours is the first.
_API_KEY = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"mk_[\w-]{16,200}"
    r"|sk-(?=[\w-]{0,80}\d)[\w-]{20,300}"
    r"|(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])"
    r"|LTAI[0-9A-Za-z]{12,26}|AKID[0-9A-Za-z]{20,40}"
    r"|gh[pousr]_[0-9A-Za-z]{30,255}|github_pat_\w{22,255}|glpat-[\w-]{20,64}"
    r"|xox[abeoprs]-[\w-]{10,255}|xapp-[\w-]{20,255}"
    r"|AIza[\w-]{30,60}"
    r"|[srp]k_(?:live|test)_[0-9A-Za-z]{10,255}|whsec_[0-9A-Za-z]{20,255}"
    r"|hf_[0-9A-Za-z]{20,64}|npm_[0-9A-Za-z]{30,64}|pypi-[\w-]{20,255}"
    r"|SG\.[\w-]{16,64}\.[\w-]{16,64}|dop_v1_[0-9a-f]{40,64}|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{20,64}"
    r"|\d{8,10}:AA[\w-]{30,40}"
    r")"
)
_NAMED_KEY = re.compile(
    r"(?:(?:api|access|secret|app|client|signing|encryption|private)[ _-]?(?:access[ _-]?)?"
    r"(?:key|secret|token)|x-api-key|密钥|密匙|秘钥|appsecret|secretkey)\"?"
    + _GLUE
    + r"(?:[:=]|is|是|为)?"
    + _GLUE
    + _QUOTE
    + r"((?=[\w+/.=-]{0,80}\d)[\w+/.=-]{16,300})",
    re.IGNORECASE,
)
_CONNECTION = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{0,80}:([^\s/@]{1,200})@"
    r"|\bmysql\w{0,6}\b[^\n]{0,60}?\s-p([^\s-]\S{2,80})"
    r"|\bcurl\b[^\n]{0,60}?\s(?:-u|--user)[ =]{1,2}[^\s:]{1,64}:(\S{3,100})",
    re.IGNORECASE,
)
_DIGIT_RUN = re.compile(r"(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.]\d|\d)")
_NOT_A_CARD = re.compile(
    r"(?:订单|单号|快递|运单|流水|编号|发票|序列号|order|tracking|invoice|isbn|imei|serial"
    r"|ticket|身份证)"
    r"[^\n]{0,12}$",
    re.IGNORECASE,
)
_CODE_DIGITS = r"(\d(?:[ -]?\d){3,8})(?![\d年月日位元块个条分秒])"
_ONE_TIME = (
    re.compile(
        r"(?:验证码|驗證碼|校验码|动态码|动态密码|动态口令|登录码|确认码|激活码|短信码"
        r"|备用码|恢复码)"
        r"[是为:：】\]\s\"“(]{0,6}" + _CODE_DIGITS
    ),
    re.compile(
        r"\b(?:(?:verification|login|log-?in|sign-?in|security|auth(?:entication)?|confirmation"
        r"|access|one[- ]time|2fa|mfa|backup|recovery|activation)[ -](?:pass)?codes?|otp"
        r"|one[- ]time (?:password|pin))\b(?: (?:is|are|was)|[:=])? ?[\"“]?" + _CODE_DIGITS,
        re.IGNORECASE,
    ),
    re.compile(
        r"(?<![\d-])((?:G-)?\d{4,8}) (?:is|as) (?:your|my|the) (?:\w+ ){0,3}(?:code|otp"
        r"|passcode)\b",
        re.IGNORECASE,
    ),
    re.compile(r"(?<!\d)(\d{4,8})(?:是|为)(?:你|您|我)的.{0,8}(?:验证|校验|登录)码"),
)

_HIDDEN_WORD = (
    r"(?:密码|密碼|口令|暗码|passw(?:or)?d|pass ?phrase|pass ?code|passwd|pwd|pw|password)"
)
_VALUE = r"([^\s\"'“”‘’「」,，。;；、)]{4,120})"
_PASSWORDS = (
    # 密码是 hunter2, password: S3cr3t, PASSWORD=…: said to be one.
    re.compile(
        _HIDDEN_WORD
        + r"\"?"
        + _GLUE
        + r"(?:改成了?|改为|设成了?|设为|设置为|换成了?|就是|是|为|[:=]|is\b|was\b)"
        + _GLUE
        + _QUOTE
        + r"(?=[\x21-\x7e])"
        + _VALUE,
        re.IGNORECASE,
    ),
    # 邮箱密码 Qwerty!2345: beside the word, and looking like one.
    re.compile(_HIDDEN_WORD + r"[ \t]{0,3}" + _QUOTE + r"(?=[\x21-\x7e])" + _VALUE, re.IGNORECASE),
    # "password for the staging box: toor-99-xyz", "changed my password to N3wPass".
    re.compile(
        r"\b(?:password|pass ?phrase|passcode|pwd)\b[^\n:=.,;]{0,40}?(?:[:=]| is| to) ?"
        + _QUOTE
        + _VALUE,
        re.IGNORECASE,
    ),
)
_QUOTED_PHRASE = re.compile(
    r"\b(?:password|pass ?phrase|pwd)\b[^\n:=.,;\"“]{0,40}(?:[:=]|\bis"
    r"|\bto) ?[\"“]([^\"”\n]{6,80})[\"”]",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[\"'”’」.!?]{0,3}\s{0,9}(?:$|[,，。;；、\n])")
_PIN = re.compile(
    r"\b(?:pin|pin code|pin number)(?: is|[:=])? {0,2}(\d{4,8})(?!\d)|(?:支付|取款|锁屏"
    r"|开机)?密码[ :：]{0,3}(\d{4,12})(?![\d年月日位个])",
    re.IGNORECASE,
)
# What follows "password is" and "password:" without being one.
_NOT_PASSWORDS = re.compile(
    r"(?:required|optional|none|null|true|false|string|str|text|field|hidden|empty|missing|invalid"
    r"|wrong|correct|incorrect|weak|strong|secure|unsafe|expired|expiring|stored|hashed|salted"
    r"|encrypted|masked|changed|reset|forgotten|rotated|shared|private|personal|important"
    r"|long|short"
    r"|complicated|simple|easy|hard|gone|lost|unknown|different|annoying|manager|policy|at|in|not"
    r"|too|very|always|never|only|managed|kept|saved|safe|the|a|an|to|\*{3,}|•+|x{3,}|<[^>]*>?"
    r"|\$\{?\w+\}?|\{\{?\w+\}?\}?|\[\w+\]|1password|bitwarden|keepass\w*|lastpass|argon2\w*"
    r"|bcrypt|scrypt|pbkdf2|sha-?\d+|md5|case-sensitive|fine|ok|good|bad|known|public"
    r"|default|mandatory|needed|here|there|below|above|attached)[.!?]?",
    re.IGNORECASE,
)
_DIGIT_OR_SIGN = re.compile(r"[\d!@#$%^&*_+=~?-]")
_LETTER = re.compile(r"[A-Za-z]")
_BRANDS = (
    # First digits, lengths.
    (re.compile(r"4"), frozenset({13, 16, 19})),
    (re.compile(r"5[1-5]|2(?:2[2-9]|[3-6]\d|7[01]|720)"), frozenset({16})),
    (re.compile(r"3[47]"), frozenset({15})),
    (re.compile(r"6011|64[4-9]|65"), frozenset({16, 19})),
    (re.compile(r"35(?:2[89]|[3-8]\d)"), frozenset({16, 19})),
    (re.compile(r"3(?:0[0-5]|[68])"), frozenset({14})),
    (re.compile(r"62|81"), frozenset({16, 17, 18, 19})),
)
_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def find_secret(text: str) -> Secret | None:
    """The first secret of a text, or None."""
    return min(_all_secrets(text), key=lambda secret: secret.start, default=None)


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Every secret of a text, from left to right, none inside another."""
    kept: list[Secret] = []
    for secret in sorted(_all_secrets(text), key=lambda secret: (secret.start, -secret.end)):
        if not kept or secret.start >= kept[-1].end:
            kept.append(secret)
        elif secret.end > kept[-1].end:
            last = kept.pop()
            kept.append(Secret(kind=last.kind, start=last.start, end=secret.end))
    return tuple(kept)


def blot_secrets(text: str) -> str:
    """The text with every secret blotted out, for a message that is kept for its other words."""
    parts: list[str] = []
    at = 0
    for secret in find_secrets(text):
        parts += [text[at : secret.start], BLOT]
        at = secret.end
    return "".join([*parts, text[at:]])


def _all_secrets(text: str) -> Iterator[Secret]:
    folded, origins = _fold(text)
    for kind, start, end in _find(folded):
        if BLOT in folded[start:end]:
            continue
        yield Secret(kind=kind, start=origins[start], end=origins[end - 1] + 1)


def _fold(text: str) -> tuple[str, list[int]]:
    """Width folded and invisible characters dropped, with each character's place in the text."""
    folded: list[str] = []
    origins: list[int] = []
    for place, ch in enumerate(text):
        if ch.isascii():
            kept = ch
        elif unicodedata.category(ch) == "Cf":
            continue
        else:
            kept = unicodedata.normalize("NFKC", ch)
        folded.append(kept)
        origins.extend([place] * len(kept))
    return "".join(folded), origins


def _find(said: str) -> Iterator[tuple[SecretKind, int, int]]:
    for kind, pattern in (
        (SecretKind.PRIVATE_KEY, _PRIVATE_KEY),
        (SecretKind.PRIVATE_KEY, _SEED_PHRASE),
        (SecretKind.TOKEN, _TOKEN),
        (SecretKind.API_KEY, _API_KEY),
        (SecretKind.API_KEY, _NAMED_KEY),
        (SecretKind.CONNECTION_STRING, _CONNECTION),
        *((SecretKind.ONE_TIME_CODE, pattern) for pattern in _ONE_TIME),
        (SecretKind.PASSWORD, _QUOTED_PHRASE),
        (SecretKind.PASSWORD, _PIN),
    ):
        for found in pattern.finditer(said):
            yield (kind, *found.span(found.lastindex or 0))
    for found in _DIGIT_RUN.finditer(said):
        if _is_card(said, found):
            yield (SecretKind.CARD_NUMBER, *found.span())
    yield from _find_passwords(said)


def _find_passwords(said: str) -> Iterator[tuple[SecretKind, int, int]]:
    stated, beside, apart = _PASSWORDS
    for found in stated.finditer(said):
        if _may_be(said, found):
            yield (SecretKind.PASSWORD, *found.span(1))
    for pattern in (beside, apart):
        for found in pattern.finditer(said):
            if _looks_chosen(found.group(1)):
                yield (SecretKind.PASSWORD, *found.span(1))


def _may_be(said: str, found: re.Match[str]) -> bool:
    """Whether what is called the password is one: "is swordfish." but not "is stored hashed"."""
    # Chinese words that follow do not belong to it.
    value = _ascii_head(found.group(1)).rstrip(".!?")
    if len(value) < 4 or _NOT_PASSWORDS.fullmatch(value):
        return False
    end = found.start(1) + len(value)
    return not value.isalpha() or _CLAUSE_END.match(said, end) is not None


def _ascii_head(value: str) -> str:
    return value[: next((at for at, ch in enumerate(value) if not "!" <= ch <= "~"), len(value))]


def _looks_chosen(value: str) -> bool:
    """Letters mixed with digits or signs, as people choose passwords."""
    core = _ascii_head(value).rstrip(".!?:-")
    return (
        len(core) >= 6
        and _NOT_PASSWORDS.fullmatch(core) is None
        and bool(_LETTER.search(core) and re.search(r"\d|[!@#$%^&*]", core))
    )


def _is_card(said: str, found: re.Match[str]) -> bool:
    digits = re.sub(r"\D", "", found.group())
    if _NOT_A_CARD.search(said[max(0, found.start() - 24) : found.start()]):
        return False
    fits = any(len(digits) in lengths and first.match(digits) for first, lengths in _BRANDS)
    return fits and _passes_luhn(digits) and not _is_resident_id(digits)


def _passes_luhn(digits: str) -> bool:
    total = 0
    for place, ch in enumerate(reversed(digits)):
        doubled = int(ch) * (2 if place % 2 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def _is_resident_id(digits: str) -> bool:
    """A Chinese resident's number: a birthday inside and a check digit of its own."""
    if len(digits) != 18:
        return False
    try:
        date(int(digits[6:10]), int(digits[10:12]), int(digits[12:14]))
    except ValueError:
        return False
    weighed = sum(int(ch) * weight for ch, weight in zip(digits, _ID_WEIGHTS, strict=False))
    return "10X98765432"[weighed % 11] == digits[17]

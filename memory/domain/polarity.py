"""Whether a statement affirms or denies, and what is left of it without its polarity.

Negation is read by words, not by the character 不 (requirement 5.5 p).
"""

import re
from functools import lru_cache

from memory.domain.quantities import read_quantities
from memory.domain.text import is_unspaced, match_form, tokens
from memory.domain.things import find_things

# Contain 不, 没, 无 or 非 and deny nothing; questions of the form X不X are no statements.
NOT_NEGATION = re.compile(
    "不耐受|不得不|不能不|不会不|不可能不|不是不|不得已|不仅|不但|不只|不光|不单|不错(?!过)|不久|不过(?![敏期关瘾问分时审滤夜户年节])|不同(?!意)|不少|不断|不管|不论|不如"
    "|不妨|不禁|不由|不愧|不客气|不好意思|不知不觉|不一会|不锈钢|不等式|不动产|差不多|对不起|了不起|看不起"
    "|来不及|舍不得|忍不住|巴不得|怪不得|恨不得|要不是|要不然|没错|没关系|没事|没问题|非常|非洲|无线|无人机|无论"
    "|是不是|要不要|能不能|会不会|好不好|可不可以|有没有|喜不喜欢|离不开|少不了|不亦乐乎|百吃不厌|爱不释手"
    "|没有一天不|没有哪天不|没有一[个次]不|没有不(?!耐受)|没[有]?.{1,4}不(?!耐受)|无不|非.{1,6}不可|不无|未尝不|无糖|无麸质|无乳糖|无聊|无限|不赖|不是[^,，。;；]{1,16}[,，] ?而?是|不是[^,，。;；]{1,16}而是|不甘|不俗"
    "|不懈|不止|不愁|不二|从不缺席|从不间断|从不缺|雷打不动|没日没夜|不知疲倦|停不下来|再好不过|没话说|没得说|不在话下|不离手"
    r"|, not [\w\- ]{1,24}(?=$|[.!])|\bnot [^,.;]{1,24}, but\b|\bnot only\b|\bnot just\b|n't (?:only|just)\b|\bnot bad\b|\bno doubt\b|\bno problem\b|\bno matter\b"
    r"|\bnothing but\b|\bnot a day\b|\bisn't a day\b|\bnot unhappy\b|\bnot uncommon\b|\bno wonder\b"
    r"|\bnever miss(?:es)?\b|\bnever skips?\b|\bcan't get enough\b|\bcan't live without\b"
    r"|\bcannot live without\b|\bcan't do without\b|\bcan't wait\b|\bcan't help\b|\bcannot wait\b"
    r"|\bwhy not\b|\bnothing beats\b|\bcan't go wrong\b|\bnot without\b|\bnever without\b"
    r"|\bcan't complain\b|\bno less\b|\bcouldn't be happier\b|\bcouldn't live without\b"
)
# Those of them that open a denial of their own later in the sentence: "isn't a day I don't …".
_NEEDS_ANOTHER = re.compile(
    r"\b(?:isn't|not|hardly|never) (?:been )?a (?:single )?day\b|没有一天|没有哪天|没一天|\bnever a day\b"
)
NEGATION = re.compile(
    "不再|从不|绝不|从来不|从来没有?|从未|不是|没有|不曾|并非|不|没|未(?!来|婚妻|婚夫)|无法|别(?=[用给说再写加放])|拒绝"
    r"|\bnot\b|n't\b|\bnever\b|\bno\b|\bcannot\b|\bnone\b|\bneither\b|\bnor\b|\bnobody\b|\bwithout\b"
    r"|\bunable\b|\brefuses?\b|\bhardly\b"
)
DISLIKE = re.compile(
    r"讨厌|厌恶|反感|反对|不赞成|恨(?!不得)|受不了|吃不了|喝不了|嫌弃|嫌|难吃|难喝|排斥|忌口?|戒|碰都不碰"
    r"|\bhates?\b|\bopposes?\b|\bagainst\b|\bdistrusts?\b|\bhated\b|\bdislikes?\b|\bloathes?\b|\bcan't stomach\b|\bturned off by\b|\bsick of\b|\btired of\b"
    r"|\bdetests?\b|\bcan't stand\b|\bcannot stand\b|\bcan't bear\b|\bavoids?\b|\bdespises?\b|\bcan't handle\b|\bfed up with\b"
)
LIKE = re.compile(
    r"喜欢|喜爱|热爱|支持|赞成|同意|最爱|钟爱|酷爱|偏爱|爱(?:吃|喝|看|听|玩|打)?|偏好|迷上|着迷|真不错|很不错|不错|真好吃|好吃|好喝|很棒|真棒|一绝|赞|香"
    r"|\blik(?:es?|ed)\b|\blov(?:es?|ed|ing)\b|\benjoys?\b|\badores?\b|\bfan of\b|\bfond of\b|\binto\b|\bkeen on\b"
    r"|\bcan't get enough of\b|\bdelicious\b|\bgreat\b|\bamazing\b|\bcrazy about\b|\bprefers?\b"
)
# An answer before the statement denies the question, not what follows.
_INTERJECTION = re.compile(r"^(?:(?:不|不是|没有|没|不会|不用|no|nope|nah)[,，。!！])+ ?(?=\S)")
# What says nothing about the matter: degree, politeness, the speaker, particles.
_FILLER_ZH = re.compile(
    r"用户|本人|一直|每次|每[天日]|都|很|非常|特别|真的?|最|挺|超级?|比较|相当|十分|了|的|得|着|呢|吧|啊|呀|哦|嘛|我们|我|是|在|有|就|也|还|只|去|来|把|被|让|会|能|可以|吃|喝|用|个|一"
    r"|请|平时|通常|一般|主要|自己|这个|那个|这|那|感觉|觉得|现在|其实|目前|已经|确实|总是|经常|常|仍然|仍|依然|还是|再|敢|想|要|使用|起来|和|与|跟|给"
)
_FILLER_EN = frozenset(
    "user really very much do doe quit usual general alway often total absolut definit actual current now still"
    " i my me we our the am are is be been a an to eat drink use ha have had get got just so lot all at of in on"
    " that it thi there can ani more anymor longer every one s t m ve re d ll some when for with by from as quite"
    " home work live go take pretti total tri keep main most mostli person".split()
)


@lru_cache(maxsize=4096)
def is_negative(text: str) -> bool:
    """Whether a statement denies or dislikes: an odd number of negations.

    不错, 不仅 and "not only" deny nothing, 不是不喜欢 is positive.
    """
    said = _INTERJECTION.sub("", match_form(text))
    # "There isn't a day I don't …" is a pair: both are taken out.
    said = _NEEDS_ANOTHER.sub("not a thing ", said) if _is_daily_pair(said) else said
    said = NOT_NEGATION.sub(_cancel_pairs, said)
    dislikes = len(DISLIKE.findall(said))
    said = DISLIKE.sub(" ", said)
    return (len(NEGATION.findall(said)) + dislikes) % 2 == 1


def _is_daily_pair(said: str) -> bool:
    return _NEEDS_ANOTHER.search(said) is not None


def _cancel_pairs(found: re.Match[str]) -> str:
    # Each of these is a pair of negations or none: either way it does not flip the statement.
    return " "


# Amounts of these kinds are compared as amounts, not as words. What is counted stays a word.
_MEASURED = frozenset(
    "length mass time usd cny eur gbp jpy data share volume celsius clock date weekday day age".split()
)


def _without_amounts(text: str) -> str:
    lower = text.lower()
    if len(lower) != len(text):
        return text
    kept, at = [], 0
    for quantity in read_quantities(lower):
        if quantity.kind in _MEASURED:
            kept.append(text[at : quantity.start])
            at = quantity.end
    return " ".join((*kept, text[at:])) if kept else text


@lru_cache(maxsize=4096)
def content_words(text: str) -> frozenset[str]:
    """What a statement speaks about, whatever its polarity: things, words, Chinese characters.

    Things by their one name in both languages, so that 咖啡 and coffee are one word.
    """
    text = _without_amounts(text)
    found = find_things(text)
    kept, at = [], 0
    for thing in found:
        kept.append(text[at : thing.start])
        at = thing.end
    kept.append(text[at:])
    rest = match_form(" ".join(kept))
    rest = NOT_NEGATION.sub(" ", rest)
    rest = DISLIKE.sub(" ", LIKE.sub(" ", rest))
    rest = NEGATION.sub(" ", rest)
    words = {thing.name for thing in found}
    for token in tokens(_FILLER_ZH.sub(" ", rest)):
        if is_unspaced(token[0]):
            words.update(token)
        elif token not in _FILLER_EN:
            words.add(token)
    return frozenset(words)

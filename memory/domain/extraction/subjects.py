"""Whom a clause is about: the owner, somebody of theirs, or somebody else.

What is said of relatives, partners and pets is kept as theirs. Of colleagues, clients and anybody
else nothing is kept: they never asked to be remembered.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


class Who(StrEnum):
    """Whose fact a clause would be. DROPPED: no subject in words, as Chinese allows."""

    OWNER = "owner"
    KIN = "kin"
    STRANGER = "stranger"
    PRONOUN = "pronoun"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """`words`: the subject as written. `rest`: where what is said of it begins in the clause."""

    who: Who
    words: str
    rest: int


# Openings that say nothing: dropped from the content, never from the quote.
_OPENING = re.compile(
    r"(?:也(?!许|门|是)|对了|说实话|老实说|坦白(?:说|讲)|讲真|自我介绍一下|简单介绍一下"
    r"|顺便(?:说一[下句]|提一[下句])?|另外|还有|其实|嗯+|哦+|噢|啊|好的?(?=[,，]|吧)|那么"
    r"|然后|总之|说起来|话说"
    r"|补充一[下点]|提醒一[下句]|跟你说|告诉你|记住|请?记一下|请记住|记得|更正一下"
    r"|纠正一下|不过|但是?|而且|所以|因为|可是"
    r"|by the way|btw|also|well|oh|hey|hi|hello|so|anyway|fyi|for the record|just so you know"
    r"|one more thing|another thing|remember(?: that)?|please remember(?: that)?"
    r"|note(?: that)?|ok(?:ay)?"
    r"|yes|yeah|yep|sure|thanks|thank you|and|but|plus|though|because|since|to be honest"
    r"|honestly|frankly"
    r"|you should know(?: that)?|let me tell you|i should mention(?: that)?"
    r"|i(?: just)? want you to know(?: that)?"
    r"|i think(?: that)?)"
    r"(?:[\s,，:：、—-]{1,3}|(?<=[\u4e00-\u9fff]))",
    re.IGNORECASE,
)
_ADVERB_ZH = (
    r"(?:(?:前几天|这几天|前阵子|这阵子|最近几天|平常|有一次"
    r"|[每周一二三四五六日天早晚上下午月年号点和、前后末个星期礼拜\d]{2,16}(?=我)|最近"
    r"|现在|目前|如今|平时|一般|通常|已经|终于|刚刚?|其实|确实|真的|也|还|都|就|才|又|从小"
    r"|以前|之前|曾经|后来"
    r"|最后|最终|本来|原来|今天|昨天|明天|后天|前天|今晚|明晚|今早|上个?月|下个?月|今年|明年|去年"
    r"|(?:上|下|这|本)(?:个)?(?:周|星期|礼拜)[一二三四五六日天末]?|(?:周|星期"
    r"|礼拜)[一二三四五六日天末]|(?:[一二两三四五六七八九十半\d]{1,3})个?(?:天|周|月|年"
    r"|星期)[前后]"
    r"|(?:从|自)?\d{2,4}年(?:\d{1,2}月)?(?:起|开始)?|从.{1,8}(?:起|开始)|周末|早上|晚上"
    r"|每.{1,4}(?:[早晚]上)?|除了.{1,10}|特别|非常|很"
    r"|有时候?|经常|总是|一直|从来|可能|大概|应该|原则上|在公司|在家|工作上"
    r"|对于我来说)[,，]?\s?){0,4}"
)
_KIN_ZH = (
    r"(?:爸妈|父母|爸爸|爸|父亲|老爸|妈妈|妈|母亲|老妈|老婆|妻子|太太|媳妇|老公|丈夫|先生"
    r"|女儿|闺女|儿子|孩子|宝宝|娃"
    r"|哥哥?|姐姐?|弟弟?|妹妹?|爷爷|奶奶|外公|外婆|姥姥|姥爷|叔叔?|舅舅?|姑姑|阿姨|姨妈"
    r"|岳父|岳母|公公|婆婆|家人"
    r"|女朋友|男朋友|女友|男友|对象|伴侣|未婚妻|未婚夫|表[哥姐弟妹]|堂[哥姐弟妹]|侄子|侄女"
    r"|外甥女?|孙子|孙女"
    r"|猫咪?|狗狗?|小狗|小猫|鹦鹉|兔子|仓鼠)"
)
_STRANGER_ZH = (
    r"(?:同事|老板|领导|上司|主管|经理|客户|甲方|朋友|邻居|房东|租客|同学|室友|舍友|老师"
    r"|导师|学生|学员|队友|下属"
    r"|前任|前女友|前男友|闺蜜|哥们|网友|师傅|师兄|师姐|教练|医生|对方|候选人|用户)"
)
_KIN_START = re.compile(
    r"(?:我们?家?的?|俺|咱)?(?:大|小|二|三|亲)?" + _KIN_ZH + r"(?!们?(?:店|粮|展|咖|砂))(?:们|子)?"
)
_OWN_KIN = re.compile(r"(?:我们?家?的?|俺|咱)(?:大|小|二|三|亲)?" + _KIN_ZH)
_STRANGER_START = re.compile(
    r"(?:我们?(?:公司|团队|部门|组)?的?(?:里|有)?(?:一|这|那|某|几|好几|很多|有些"
    r"|有的)?(?:个|位|名|些)?|咱们?的?|有(?:一)?个|一个)?(?:大学|高中|初中|前|新|女|男|老)?"
    + _STRANGER_ZH
)
_PRONOUN_ZH = re.compile(r"(?:他|她|它|牠)们?|大的|小的|人家")
_OTHERS_ZH = re.compile(
    r"别人|大家|有人|网友|某人|某个|对方|听说|据说|新闻|小[赵钱孙李周吴郑王张陈刘杨黄林]"
    r"|老[王李张陈刘赵]"
)
_OWNER_ZH = re.compile(r"我们?(?:自己|俩|一家|两个)?|俺们?|咱们?|本人")
_OUR_ZH = re.compile(r"我们?(?:团队|公司|组|部门|学校|家|单位|项目组?|产品|小组)(?:里|的)?")

_KIN_EN = (
    r"(?:wife|husband|spouse|partner|fianc[eé]e?|girlfriend|boyfriend|mother|father|mom|mum|dad"
    r"|parents?|son|daughter|kids?|child|children|baby|brother|sister|siblings?|twins?"
    r"|grand(?:mother|father|ma|pa|parents?|son|daughter)|aunt|uncle|cousin|niece|nephew"
    r"|(?:mother|father|brother|sister|son|daughter)-in-law|in-laws|family|cat|dog|puppy"
    r"|kitten|parrot"
    r"|rabbit|hamster|horse|pets?)"
)
_STRANGER_EN = (
    r"(?:colleagues?|co-?workers?|boss|manager|client|customer|friends?|best friend|neighbou?rs?"
    r"|landlord|landlady|roommate|flatmate|classmate|teacher|professor|student|teammate|supervisor"
    r"|ex|ex-\w+|doctor|dentist|coach|mentor|intern|ceo|cto|lead|assistant)"
)
_ADJECTIVES_EN = (
    r"(?:(?:older|younger|elder|little|big|oldest|youngest|eldest|late|two|three|twin|new"
    r"|old) ){0,2}"
)
_KIN_START_EN = re.compile(
    r"(?:my|our) "
    + _ADJECTIVES_EN
    + _KIN_EN
    + r"\b(?:,? \w+(?= (?:is|has|works|lives)\b))?(?!['’]s \w)(?!['’] )",
    re.I,
)
_KINS_THING_EN = re.compile(r"(?:my|our) " + _ADJECTIVES_EN + _KIN_EN + r"['’]s ", re.I)
_STRANGER_START_EN = re.compile(
    r"(?:(?:my|our|a|the|one of my|some of my|some|that) (?:\w+ )?"
    + _STRANGER_EN
    + r"(?:['’]s)?\b)",
    re.I,
)
_PRONOUN_EN = re.compile(
    r"(?:he|she|they|it|his|her|their|its|he['’]s|she['’]s|they['’]re|it['’]s)\b", re.I
)
_OWNER_EN = re.compile(
    r"(?:my (?:wife|husband|partner|family|girlfriend|boyfriend|brother|sister) and i|(?:i"
    r"|we)(?:['’](?:m|ve|d|ll|re))?|(?:most|all|some|half|one|part|much) of (?:my"
    r"|our) [\w-]{1,24}"
    r"|(?:my|our)(?= )|(?:me|us) and my \w+)\b",
    re.I,
)
_ADVERB_EN = re.compile(
    r"(?:(?:in the end|at the end|actually|currently|recently|lately|these days|nowadays"
    r"|now|right now"
    r"|finally|eventually|originally|usually|normally|generally|typically|sometimes|often"
    r"|yesterday|today"
    r"|tomorrow|tonight|personally|luckily|unfortunately|sadly|professionally|outside work"
    r"|correction"
    r"|no|nope|yes|sorry|still|then|first|anyway|again|after all|as (?:a|an) \w{1,30}(?: \w{1,30})?"
    r"|as of \w{1,30}"
    r"|(?:last|next|this(?! (?:is|was|one|has|are)\b)|every"
    r"|each) (?:[\w-]{1,20}(?=[ ,])){1}(?: (?:night|morning|evening|afternoon)(?=[ ,]))?"
    r"|\w{1,12} (?:days?|weeks?|months?|years?) ago"
    r"|(?:on|at|in|by|for|from|since|until|after|before|during|when|whenever|while|because"
    r"|with|as|besides)"
    r" (?:(?!i\b|we\b|my\b|our\b)[\w'’/-]{1,20}(?=[ ,:]) ?){1,5})[,:]? ?){0,2}",
    re.I,
)
# "my doctor says I have …", 医生说我血压高: told by somebody, about the owner.
_TOLD_ABOUT_OWNER = re.compile(
    r"(?:医生|大夫|牙医|体检报告)(?:说|告诉我|建议)(?=我)"
    r"|(?:my|the) (?:\w+ )?(?:doctor|gp|dentist|physician|allergist|therapist"
    r"|optician) (?:says|said|told me|thinks|confirmed)"
    r"(?: that)? (?=i\b|my\b)",
    re.I,
)


def find_subject(clause: str) -> About:
    """Whom a clause speaks of, judged by how it begins."""
    at = skip_openings(clause)
    told = _TOLD_ABOUT_OWNER.match(clause, at)
    if told:
        at = told.end()
    return _chinese(clause, at) or _english(clause, at) or About(who=Who.DROPPED, words="", rest=at)


def skip_openings(clause: str) -> int:
    """Where a clause begins to say something."""
    at = 0
    for _ in range(3):
        found = _OPENING.match(clause, at)
        if not found or found.end() >= len(clause):
            break
        at = found.end()
    return at


_ADVERBS = re.compile(_ADVERB_ZH)


def _chinese(clause: str, at: int) -> About | None:
    begin = _end_of(_ADVERBS, clause, at)
    for start in (begin, at):
        kin = _OWN_KIN.match(clause, start) or _KIN_START.match(clause, start)
        if kin and not re.match(r"(?:和|跟|与)?我(?!们?的?" + _KIN_ZH + ")", clause[kin.end() :]):
            thing = re.match(r"的", clause[kin.end() :])
            who = (
                Who.STRANGER if thing and _STRANGER_START.match(clause, kin.end() + 1) else Who.KIN
            )
            return About(who=who, words=kin.group(), rest=kin.end())
        stranger = _STRANGER_START.match(clause, start) or _OTHERS_ZH.match(clause, start)
        if stranger:
            return About(who=Who.STRANGER, words=stranger.group(), rest=stranger.end())
        pronoun = _PRONOUN_ZH.match(clause, start)
        if pronoun:
            return About(who=Who.PRONOUN, words=pronoun.group(), rest=pronoun.end())
        ours = _OUR_ZH.match(clause, start) or _OWNER_ZH.match(clause, start)
        if ours:
            return About(who=Who.OWNER, words=ours.group(), rest=ours.end())
    return None


def _english(clause: str, at: int) -> About | None:
    begin = _end_of(_ADVERB_EN, clause, at)
    for start in (begin, at):
        stranger = _STRANGER_START_EN.match(clause, start)
        if stranger:
            return About(who=Who.STRANGER, words=stranger.group(), rest=stranger.end())
        ours = re.match(
            r"my (?:wife|husband|partner|family|girlfriend|boyfriend|brother|sister) and i\b",
            clause[start:],
            re.I,
        )
        kin = (
            None
            if ours
            else _KIN_START_EN.match(clause, start) or _KINS_THING_EN.match(clause, start)
        )
        if kin:
            return About(who=Who.KIN, words=kin.group().rstrip(), rest=kin.end())
        pronoun = _PRONOUN_EN.match(clause, start)
        if pronoun:
            return About(who=Who.PRONOUN, words=pronoun.group(), rest=pronoun.end())
        owner = _OWNER_EN.match(clause, start)
        if owner:
            return About(who=Who.OWNER, words=owner.group(), rest=owner.end())
    return None


def _end_of(pattern: re.Pattern[str], clause: str, at: int) -> int:
    found = pattern.match(clause, at)
    return found.end() if found else at

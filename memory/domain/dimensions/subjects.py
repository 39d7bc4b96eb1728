"""Whom a statement is about: the owner, someone of the family, the team, a named person."""

import re
from dataclasses import dataclass
from functools import lru_cache

OWNER = "user"
TEAM = "team"
OTHER = "other"

_ZH_RELATIONS = {
    "father": "爸爸|父亲|老爸|爸|爹",
    "mother": "妈妈|母亲|老妈|妈|娘",
    "parents": "父母|爸妈|爹妈",
    "wife": "老婆|妻子|太太|媳妇|爱人",
    "husband": "老公|丈夫",
    "girlfriend": "女朋友|女友",
    "boyfriend": "男朋友|男友",
    "partner": "对象|伴侣",
    "son": "大儿子|小儿子|儿子",
    "daughter": "大女儿|小女儿|女儿|闺女",
    "child": "孩子|小孩|娃|宝宝",
    "brother": "哥哥|弟弟|哥|弟",
    "sister": "姐姐|妹妹|姐|妹",
    "grandfather": "爷爷|外公|姥爷",
    "grandmother": "奶奶|外婆|姥姥",
    "uncle": "叔叔|舅舅|伯伯|姑父|姨父",
    "aunt": "阿姨|姑姑|姑妈|姨妈|婶婶|舅妈",
    "nephew": "侄子|侄女|外甥女?",
    "grandchild": "孙子|孙女|外孙女?",
    "in_law": "岳父|岳母|公公|婆婆|嫂子|姐夫|妹夫|弟媳|弟妹",
    "fiance": "未婚夫|未婚妻",
    "ex": "前任|前夫|前妻",
    "landlord": "房东",
    "colleague": "同事",
    "friend": "好朋友|朋友|闺蜜|哥们|发小",
    "boss": "老板|领导|上司|主管|经理|leader",
    "roommate": "室友|舍友",
    "neighbour": "邻居",
    "classmate": "同学",
    "client": "客户|甲方",
    "doctor": "医生|大夫",
    "teacher": "老师|导师|教练",
    "dog": "狗狗|狗",
    "cat": "猫咪|猫",
}
_EN_RELATIONS = {
    "father": "father|dad", "mother": "mother|mom|mum", "parents": "parents", "wife": "wife",
    "husband": "husband", "girlfriend": "girlfriend", "boyfriend": "boyfriend",
    "partner": "partner|spouse", "son": "(?:oldest |eldest |youngest |older |younger )?sons?",
    "daughter": "(?:oldest |eldest |youngest |older |younger )?daughters?", "child": "child|kid|toddler|baby",
    "brother": "brother", "sister": "sister", "grandfather": "grandfather|grandpa",
    "grandmother": "grandmother|grandma", "colleague": "colleague|coworker|co-worker|teammate",
    "friend": "(?:best )?friend|buddy", "boss": "boss|manager|supervisor|team lead|lead",
    "roommate": "roommate|flatmate", "neighbour": "neighbou?r", "client": "client|customer",
    "doctor": "doctor|physician|dentist", "teacher": "teacher|professor|coach|tutor",
    "dog": "dog|puppy", "cat": "cat|kitten", "uncle": "uncle", "aunt": "aunt", "cousin": "cousin",
    "nephew": "nephew|niece", "grandchild": "grandson|granddaughter|grandkid|grandchild(?:ren)?",
    "in_law": r"\w+-in-law", "fiance": "fianc[ée]e?", "ex": "ex(?:-(?:wife|husband|girlfriend|boyfriend))?",
    "landlord": "landlord|landlady",
}  # fmt: skip
_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈"
    "姚卢姜崔钟谭陆汪范石廖贾夏韦傅方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔"
)
_NAME_VERBS = (
    "已经|已|现在|最近|上周|上个月|昨天|今年|去年|在|是|喜欢|说|住|的|从|换|去|被|负责|用|不|没|最|也|有|会|养|对|做"
    "|调|升|搬|爱|讨厌|来|离|加入|入职|接|决定|觉得|告诉|建议|要|想|打算|今|一直|每|刚|其实|请|休|代"
)
_LEAD_ZH = (
    r"(?:(?:其实|对了|现在|最近|目前|如今|以后|上周|上个?月|昨天|今天|去年|今年|前几天|从.{1,10}(?:起|开始)"
    r"|自.{1,10}起|后来|刚刚?|听说|据说|原来|以前|之前|曾经|更正[:：]?|更正一下[:：]?|抱歉|不好意思|不对|(?:我)?(?:说|记|写|弄|搞)错了|纠正一下[:：]?|还有)[,，:： ]*){0,3}"
)
_ZH = [
    *(
        (
            subject,
            re.compile(
                rf"^{_LEAD_ZH}(?:我(?:们)?(?:的|家)?|用户(?:的)?|俺)?(?:前|新|老|大|小|亲|表|堂)?(?:{names})(?!店|粮|群|日|节|圈|都|型|司)"
            ),
        )
        for subject, names in _ZH_RELATIONS.items()
    ),
    (
        OTHER,
        re.compile(
            rf"^{_LEAD_ZH}(?:隔壁|别的|其他|其它|另一?个?|对面|兄弟|对手|友商|竞品)的?.{{0,4}}(?:组|团队|部门|公司|班|家|厂|宿舍|桌|人)"
        ),
    ),
    (TEAM, re.compile(rf"^{_LEAD_ZH}(?:我们|咱们|咱|我司|本公司|公司|团队|部门|组里|项目组|全组)")),
    (OWNER, re.compile(rf"^{_LEAD_ZH}(?:我|用户|本人|俺)")),
    (OTHER, re.compile(rf"^{_LEAD_ZH}(?:他们|她们|他|她|别人|有人|人家|大家|很多人)")),
]
_ZH_NAME = re.compile(
    rf"^{_LEAD_ZH}(?P<name>[小老阿][\u4e00-\u9fff]|[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}?|[{_SURNAMES}]总"
    rf"|[A-Za-z]{{2,20}})(?= ?(?:{_NAME_VERBS}))"
)
_NOT_A_NAME = re.compile(
    r"^(?:小区|小时|小学|小组|小孩|小说|老家|老师|老板|老婆|老公|高中|高铁|万一|方案|方便|白天|任务|任何|江西|江苏|黄金|周末|周[一二三四五六日]"
    r"|马上|石头|余额|金额|程序|钱包|林业|龙井|雷打|史上|严格|于是|何时|何必|许多|许可|安排|张开|陶瓷|夏天|秦岭|田野|叶子|白酒|万事|高血|高考|高管|曾经)"
)
_LEAD_EN = (
    r"(?:(?:well|actually|so|also|btw|by the way|fyi|yes|no|now|and|but|correction|update|note|sorry|oops|wait|i was wrong|i misspoke|my mistake"
    r"|recently|lately|last \w+|this \w+|yesterday|today|since \w+(?: \d+)?|as of \w+(?: \d+)?|in \w+(?: \d+)?"
    r"|after [^,]{1,40}|from now on|these days|in fact|for now|until [^,]{1,30}|once [^,]{1,30})[,:]? +){0,3}"
)
_EN = [
    *(
        (
            subject,
            re.compile(
                rf"^{_LEAD_EN}(?:(?:my|our|the user's|his|her|the|an?) )(?:former |old |new |late )?(?:{names})s?\b"
            ),
        )
        for subject, names in _EN_RELATIONS.items()
    ),
    (
        OTHER,
        re.compile(
            rf"^{_LEAD_EN}(?:the |an? |our |my )?(?:other|another|neighbou?ring|rival|sister|competing|next) "
            r"(?:\w+ )?(?:teams?|groups?|departments?|compan(?:y|ies)|squads?|offices?|people|guys)\b"
            rf"|^{_LEAD_EN}(?:the rest of|everyone else|everybody else|most of|some of) (?:the|my|our|us)?\b"
            # "My bandmate hates jazz": whoever it is, only somebody can.
            rf"|^{_LEAD_EN}my (?:[a-z]+ )?(?!team |company )[a-z]+ (?:hates?|loves?|likes?|dislikes?|enjoys?|can't stand|quit|gave up|retired"
            r"|drinks?|eats?|speaks?|smokes?|thinks?|believes?|wants?|lives?)\b"
        ),
    ),
    (
        TEAM,
        re.compile(
            rf"^{_LEAD_EN}(?:we|we're|we've|we'll|our|the team|the company|my team|my company)\b"
        ),
    ),
    (OWNER, re.compile(rf"^{_LEAD_EN}(?:i|i'm|i've|i'll|i'd|my|mine|the user|user|the owner)\b")),
    (
        OTHER,
        re.compile(
            rf"^{_LEAD_EN}(?:he|she|they|someone|people|everyone|some people|most people)\b"
        ),
    ),
]
_EN_NAME = re.compile(
    r"^(?:(?:Actually|Now|Also|But|So|Recently|Apparently|I heard(?: that)?|Heard that)[, ]+)?"
    r"(?P<name>[A-Z][\w.\-]{1,30}(?: [A-Z][\w.\-]{0,30}){0,3})(?:'s)? +"
    r"(?P<verb>is|isn't|was|wasn't|has|hasn't|had|does|doesn't|did|didn't|says|said|tells|told|thinks|can|can't"
    r"|will|won't|never|always|also|no|just|now|currently|recently|prefers|likes|loves|hates|enjoys|dislikes|lives|works|uses"
    r"|moved|switched|started|joined|left|plays|speaks|drinks|eats|owns|runs|leads|manages|handles|got|became"
    r"|quit|took|bought|sold|turned|wants|needs|studies|teaches|drives|covers|reports|mentioned|suggested|[a-z]{3,12}(?:s|ed))\b"
)
# Capitalised at the start of a sentence without being a name: "Works at Acme", "Uses Go".
_NOT_NAMES = frozenset(
    "the a an this that these those it there here what who when where why how my our your his her their"
    " every each all some any no not lives works uses prefers likes loves hates enjoys dislikes drinks eats plays"
    " speaks owns runs has had is was goes wakes drives commutes allergic never always usually also currently now"
    " recently moved switched started joined left got became quit took bought sold turned wants needs studies"
    " teaches born married deadline budget monday tuesday wednesday thursday friday saturday sunday january"
    " february march april may june july august september october november december today yesterday from please use keep call give write answer always stop don't prefer only make remember explain reply respond include add put speak talk as after before since until for on at in with by to if when typo correction favorite favourite monthly weekly native main primary backend frontend server service app api project code everything database"
    " all staging production deployments rent salary".split()
)
_EN_OWNER = re.compile(
    r"^(?P<name>[A-Z][\w.\-]{1,30}(?: [A-Z][\w.\-]{0,30}){0,2})(?:'s|’s) (?=[a-z])"
)
_TOLD_ABOUT_OWNER = re.compile(
    r"(?:说|告诉|建议|让|要求|劝|叫)(?:了)?我|我(?:现在)?(?:可以|能|不能|已经|需要|应该)|\b(?:told me|says? i|said i|that i|i can|i should|advised me|wants me)\b"
)


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a statement is about. `named`: the words say so; else it is taken to be the owner."""

    name: str
    named: bool
    end: int = 0


@lru_cache(maxsize=4096)
def find_subject(text: str) -> Subject:
    """The subject of a statement, from the words it begins with. `text` in NFKC with capitals."""
    said = text.lower()
    for subject, pattern in (*_ZH, *_EN):
        found = pattern.match(said)
        if found:
            if _TOLD_ABOUT_OWNER.search(said[found.end() : found.end() + 24]) and subject != OWNER:
                return Subject(OWNER, True, found.end())
            return Subject(subject, True, found.end())
    found = _EN_NAME.match(text) or _EN_OWNER.match(text)
    if found and found["name"].split()[0].lower() not in _NOT_NAMES:
        return Subject(slug(found["name"]), True, found.end("name"))
    found = _ZH_NAME.match(text)
    if found and not _NOT_A_NAME.match(text[found.start("name") :]):
        return Subject(slug(found["name"]), True, found.end("name"))
    return Subject(OWNER, False)


def may_be_same(one: Subject, other: Subject) -> bool:
    """Whether two statements can be about the same: a subject left out fits owner and team."""
    if one.name == other.name:
        return True
    return (not one.named and other.name in (OWNER, TEAM)) or (
        not other.named and one.name in (OWNER, TEAM)
    )


_NOT_IN_KEYS = re.compile(r"[\W_]+")


def slug(words: str) -> str:
    """Words as one part of a key: lower case, `_` between, at most 60 characters."""
    return _NOT_IN_KEYS.sub("_", words.casefold()).strip("_")[:60]

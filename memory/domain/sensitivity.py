"""Which topics a text touches that stay private unless the owner grants more (DESIGN)."""

import re

from memory.domain.lexicon import Patterns, en, zh
from memory.domain.text import match_form

_TOPICS: dict[str, Patterns] = {
    "emotion": (
        zh(
            r"抑郁|焦虑|难过|伤心|崩溃|孤独|绝望|情绪|压力(?:很|太|好)?大|失眠|害怕|恐惧|心情(?:不好|很差|低落)|哭了"
        ),
        en(
            r"depress(?:ed|ion)|anxi(?:ous|ety)|lonely|loneliness|grie(?:f|ving)|heartbroken",
            r"hopeless|overwhelmed|stressed|panic attacks?|burn(?:ed|t)? ?out|crying|cried",
            r"feel(?:s|ing)? (?:\w+ )?(?:sad|down|awful|terrible|scared|afraid|ashamed|worthless)",
        ),
    ),
    "health": (
        zh(
            r"过敏|生病|疾病|患有|确诊|医院|医生(?:说|建议|诊断)|手术|吃药|服药|药物|血压|血糖|糖尿病|癌|肿瘤|哮喘"
            r"|癫痫|怀孕|抑郁症|体检|受伤|骨折|康复|住院|青霉素|头孢|胰岛素|戒烟|戒酒|心理医生|心脏病"
        ),
        en(
            r"allergic|allerg(?:y|ies)|illness|disease|diagnos(?:ed|is)|hospital(?:ized)?|surgery",
            r"medications?|medicine|prescri(?:bed|ption)|blood (?:pressure|sugar|type)|diabet\w+",
            r"cancer|tumou?r|asthma|epilep\w+|pregnan\w+|therap(?:y|ist)|injur(?:y|ed)|insulin",
            r"penicillin|epi-?pens?|antidepressants?|adhd|hiv|migraines?|chronic (?:pain|\w+itis)",
        ),
    ),
    "money": (
        zh(
            r"工资|薪水|薪资|年薪|月薪|收入|存款|贷款|房贷|欠(?:款|债|钱)|债务|信用卡|负债|破产|投资|股票|基金|理财|奖金|彩礼"
        ),
        en(
            r"salary|wages?|income|savings|mortgage|loans?|debts?|bankrupt\w*|credit card"
            r"|overdraft",
            r"net worth|investments?|stocks?|bonus|earn(?:s|ing)? (?:\$|€|£|\d)",
        ),
        re.compile(r"[$€£¥]\s?\d"),
    ),
    "work_search": (
        zh(
            r"找工作|求职|投简历|简历|面试(?!官|题)|猎头|想(?:要)?(?:跳槽|离职|辞职|换工作)|打算(?:跳槽|离职|辞职|换工作)|被裁|裁员|失业"
        ),
        en(
            r"job (?:search|hunt|hunting|interview|application|offer)|look(?:s"
            r"|ing)? for (?:a )?(?:new )?job",
            r"resum[eé]|recruiters?|headhunters?|laid off|unemployed|quit(?:ting)? my job"
            r"|interview(?:ing)? (?:at|with)",
        ),
    ),
    "intimacy": (
        zh(
            r"性生活|性取向|同性恋|双性恋|跨性别|出轨|暗恋|恋爱|分手|离婚|约会|避孕|婚外情|女朋友|男朋友|性关系"
        ),
        en(
            r"sex(?:ual|uality)?|gay|lesbian|bisexual|transgender|queer|affair|divorc(?:e|ed|ing)",
            r"dating|broke up|break-?up|contracepti\w+|girlfriend|boyfriend|crush on",
        ),
    ),
    "beliefs": (
        zh(
            r"信仰|宗教|基督教|佛教|伊斯兰|天主教|道教|教徒|信佛|祷告|礼拜|政治(?:立场|观点|倾向)|投票给|党员|入党|无神论"
        ),
        en(
            r"religio(?:n|us)|christian|catholic|muslim|islam|jewish|buddhist|hindu|atheist"
            r"|pray(?:s|ed|ing)?",
            r"church|mosque|synagogue|vot(?:e|ed|es|ing) for|democrat|republican"
            r"|political (?:views?|party|beliefs?)",
        ),
    ),
}

NAMES: tuple[str, ...] = tuple(_TOPICS)


def find_sensitive(content: str, *, key: str = "") -> tuple[str, ...]:
    """The sensitive topics of a text and its key, in the order of `NAMES`; () for none.

    emotion, health, money, work_search, intimacy, beliefs. Errs on the side of private: a text
    about somebody else's salary is about money too.
    """
    said = match_form(f"{content} {key.replace('.', ' ').replace('_', ' ')}")
    return tuple(
        name
        for name, patterns in _TOPICS.items()
        if any(pattern.search(said) for pattern in patterns)
    )

"""Whether words say how the agent should behave, for good: in what manner, tongue and form to
answer. A request for this one time ("translate this into English") is none."""

import re

from memory.domain.text import match_form

_ANSWER_ZH = (
    r"(?:回[答复]|答案|解释|说明|输出|代码|注释|示例|例子|表情|emoji|颜文字|中文|英文|英语"
    r"|日语|繁体|简体|markdown|表格|列表|格式|语气|口吻|称呼|术语|标题|链接|总结|结论|废话"
    r"|客套|道歉|寒暄|分点|步骤|单位|字数|篇幅|句子)"
)
_MANNER_ZH = (
    r"(?:简洁|简短|精简|短一?点|短些|长一?点|详细|具体|直接|正式|口语|随意|礼貌|通俗|友好|幽默"
    r"|严肃|客气|啰嗦|太长|一点|一些)"
)
_RULE_ZH = re.compile(
    r"(?:以后|今后|从现在起|从今以后|从今往后|下次|每次|默认|一律|都|永远|总是|始终"
    r"|请记住).{0,14}(?:" + _ANSWER_ZH + "|叫我|称呼我|提醒我|先给|先问|推荐|" + _MANNER_ZH + ")"
    r"|^(?:请|麻烦|希望你?|你(?:要|得|应该)?|尽量|务必|记得)?(?:在)?(?:回[答复]|解释|输出"
    r"|说话|写代码|写注释|代码里?|注释|总结|语气|格式)(?:我|时|的时候|问题|里|中)?(?:尽量"
    r"|请|都|要|得|应该|可以|最好|务必|必须|不要|别|不用|不许|能不能|用|保持|写){1,3}"
    r"|^(?:请|麻烦|希望你?|尽量|务必)?(?:不要|别|不用|少|禁止|避免)(?:再)?(?:使?用|写|加"
    r"|发|带|给|出现|总|老|说|讲|放|输出|显示|回[答复])?.{0,8}(?:" + _ANSWER_ZH + ")"
    r"|^(?:请|麻烦|希望你?)?(?:都|一直|只|始终)?(?:使?用|说)(?:简体|繁体)?(?:中文|英文"
    r"|英语|日语|法语|德语|表格|列表|公制|markdown).{0,4}(?:回[答复]|交流|和我|跟我|沟通"
    r"|解释|输出)"
    r"|^(?:你)?(?:回[答复]|解释|写代码|总结)(?:问题|我)?的?时候?.{0,6}(?:先|要|别|不要|请|用|尽量)"
    r"|^(?:代码|注释|变量名|提交信息|文档)(?:里的?)?(?:注释|变量名?)?(?:都|请|要"
    r"|一律)?用(?:中文|英文|英语)"
    r"|^先(?:给|写|说)(?:出)?(?:代码|结论|答案|结果)|^(?:请|就|可以|以后)?叫我.{1,12}$"
    r"|我(?:更)?(?:喜欢|希望|想要|偏好).{0,4}(?:" + _MANNER_ZH + r").{0,2}的(?:回[答复]|解释|答案)"
    r"|(?:推荐|建议).{0,10}(?:时|的时候).{0,4}(?:避开|不要|别|记得|先|优先)",
    re.IGNORECASE,
)
_ONE_OFF_ZH = re.compile(
    r"这(?:次|封|段|个|篇|句|份|张|道)|(?:帮|给|替)我(?:写|改|翻译|看|查|生成|做|画|解释"
    r"|总结|算|润色|想|起)|帮忙|上面|下面|刚才|一下这|现在就"
)

_ANSWER_EN = (
    r"(?:answers?|repl(?:y|ies)|responses?|explanations?|summar(?:y|ies)|output|examples?|code"
    r"|comments?|emojis?|emoticons?|bullet points?|bullets|markdown|tables?|lists?|headings?"
    r"|jargon|preambles?|disclaimers?|apolog\w+|small talk|pleasantries|tone|units|english"
    r"|chinese|german|french|spanish|mandarin|japanese|polish|filler|exclamation marks?)"
)
_MANNER_EN = (
    r"(?:short|shorter|brief|briefer|concise|terse|succinct|long|longer|detailed|simple|plain"
    r"|direct|formal|informal|casual|polite|friendly|to the point|crisp)"
)
_RULE_EN = re.compile(
    r"^(?:please |could you |can you |i(?:['’]d| would) (?:like|prefer"
    r"|appreciate) (?:it )?(?:if you |you to )?|i want you to |i(?:['’]d"
    r"| would) rather you (?:would )?|you should |try to |just ){0,2}"
    r"(?:"
    r"(?:always|never|from now on|from here on|in (?:the )?future|going forward|by default"
    r"|next time|every time|whenever you)\b,? (?!i\b|we\b|my\b)\w+(?:(?! i\b).)*"
    r"|(?:don['’]t|do not|stop|avoid|skip|no|no more|omit|leave out|drop)(?: \w+){0,4}? "
    + _ANSWER_EN
    + r"|(?:keep|make|give|write) (?:me )?(?:(?:your|the|all) )?(?:"
    + _ANSWER_EN
    + r"|it|things|them)?(?: \w+)? ?"
    + _MANNER_EN
    + r"|(?:give|show|use|provide|include|write|put|prefer|send)(?: me)? (?:\w+ ){0,2}"
    + _MANNER_EN
    + r" "
    + _ANSWER_EN
    + r"|(?:answer|reply|respond|write|speak|talk|explain)(?: to me| me)?(?: only"
    r"| always)? in [a-z]+"
    r"|(?:show|give|put) (?:me )?(?:the )?(?:code|answer|conclusion|result)s? (?:first|before)"
    r"|(?:use|stick to|switch to) (?:metric|imperial|markdown|bullet|plain|simple|british"
    r"|american|type hints|tabs|spaces)"
    r"|call me \w+|address me as"
    r")"
    r"|\b(?:prefer|like|want|love) (?:\w+ ){0,2}?"
    + _MANNER_EN
    + r"(?: and \w+)?(?:,? \w+)? "
    + _ANSWER_EN
    + r"|\b(?:prefer|like|want) (?:your |the )?"
    + _ANSWER_EN
    + r" (?:to be |that are |in )",
    re.I,
)
_ONE_OFF_EN = re.compile(
    r"\b(?:this|that|the following|these) (?:email|letter|text|paragraph|sentence|time"
    r"|code|function|essay|message|one|file|document)\b|\b(?:translate|rewrite"
    r"|summari[sz]e|fix|debug|check|review|refactor) (?:this|that|the|my|it)\b",
    re.I,
)

_PREFERENCE_FOR_ANSWERS = re.compile(
    r"(?:偏好|喜欢|希望|想要).{0,6}(?:简洁|简短|详细|直接|中文|英文).{0,4}(?:回[答复]|解释|答案)"
    r"|(?:回[答复]|解释|答案).{0,3}(?:要|应该?|得|尽量).{0,2}(?:简洁|简短|详细|直接|短"
    r"|用中文|用英文|精简)"
    r"|\b(?:prefers?|wants?|likes?) (?:\w+ )?(?:concise|short|brief|detailed|direct|terse) "
    r"(?:answers|replies|responses|explanations)"
)


def is_behaviour(text: str) -> bool:
    """Whether a text says how the agent should answer, and not just this once."""
    said = match_form(text)
    if _ONE_OFF_ZH.search(said) or _ONE_OFF_EN.search(said):
        return False
    return bool(
        _RULE_ZH.search(said) or _RULE_EN.search(said) or _PREFERENCE_FOR_ANSWERS.search(said)
    )

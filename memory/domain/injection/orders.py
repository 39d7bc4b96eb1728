"""The wordings of orders to an agent, by what they are after."""

import re
from enum import StrEnum


class InstructionKind(StrEnum):
    """What an order is after; the word an event may keep."""

    OVERRIDE = "override"
    CONCEALMENT = "concealment"
    FORGED_ROLE = "forged_role"
    HIDDEN_TEXT = "hidden_text"
    ENCODED = "encoded"
    EXFILTRATION = "exfiltration"
    PLANTING = "planting"
    COMMAND = "command"
    MEMORY_TAMPERING = "memory_tampering"
    ORDER_FROM_OUTSIDE = "order_from_outside"


_RULES_EN = (
    r"(?:instructions?|directions?|directives?|prompts?|rules|guidelines|polic(?:y|ies)|guardrails"
    r"|restrictions|constraints|programming)"
)
# An order starts a sentence; a report ("I ignored the previous warning") has somebody before it.
_START = r"(?:^|[.!?:;,\n\]>»*#。！？：；，、】-] ?)"
_POLITE = (
    r"(?:(?:please|now|then|just|and|so|also|you must|you should|you will|you have to|must) )?"
)
_ORDER = _START + _POLITE
_ANSWERS = r"(?:answers?|repl(?:y|ies)|responses?|respond|messages?|outputs?|sentence|email)"

ANYWHERE: tuple[tuple[InstructionKind, re.Pattern[str]], ...] = (
    (
        InstructionKind.OVERRIDE,
        re.compile(
            r"\b(?:ignore|disregard|override|bypass|forget|discard|neglect|skip) "
            r"(?:(?:all|any|every|each|the|of|your|my|our|these|those) ){0,4}"
            r"(?:previous|prior|above|earlier|preceding|existing|former|original|system|initial"
            r"|foregoing|safety|security|content|confirmation|memory)"
            r"(?: (?:and|or) \w+)?(?: \w+)? ?" + _RULES_EN + r"?\b"
            r"(?<!previous warnings)"
        ),
    ),
    (
        InstructionKind.OVERRIDE,
        re.compile(
            r"\b(?:ignore|disregard|forget|do not follow|don't follow|stop following) "
            r"(?:all |any )?(?:of )?(?:your|the user's|user|system|their) (?:\w+ )?" + _RULES_EN
        ),
    ),
    (
        InstructionKind.OVERRIDE,
        re.compile(
            r"\b(?:you are|you're|act as|become|pretend (?:to be|that you|you)"
            r"|roleplay as) (?:now )?"
            r"(?:(?:an?|the|in|have|are) )?(?:\w+ ){0,2}"
            r"(?:unrestricted|unfiltered|jailbroken|uncensored|dan\b|developer mode|god mode|evil"
            r"|no (?:\w+ )?(?:polic|restriction|rule|limit|filter)"
            r"|without (?:any )?(?:filter|restrict))"
        ),
    ),
    (
        InstructionKind.OVERRIDE,
        re.compile(
            r"\b(?:new|updated|revised) (?:system )?(?:prompt|instructions|rules|goal|task|persona)"
            r"(?: (?:is|are))? ?:|\byour (?:new|real|true) (?:goal|task|mission|purpose"
            r"|instructions?)"
            r"|\byour (?:instructions|rules|guidelines) (?:have been|were|are now|has been)"
            r"|\bforget everything (?:you|above|before)|\bsafety rules (?:do not|don't|no longer)"
            r"|\b(?:developer|debug|admin|sudo|god) mode (?:enabled|on|activated)"
            r"|\bi authori[sz]e you to|\bdo anything now\b"
        ),
    ),
    (
        InstructionKind.OVERRIDE,
        re.compile(
            r"(?:忽略|无视|忘记|忘掉|抛弃|绕过|跳过|违反|推翻|覆盖|不(?:必|要|用|需要?"
            r"|得)遵守|不(?:必|要|用)理会)"
            r"(?:掉|你|您|了)?(?:之前|此前|以前|上面|以上|前面|先前|所有|全部|一切|任何"
            r"|原有|原来|系统|用户|安全|内容)"
            r"的?(?:所有|全部|一切|任何|那些|安全|系统|审核|审查)?的?(?:指令|指示|规则"
            r"|设定|提示词?|要求|限制|约束|命令|内容|检查|确认|系统消息)"
        ),
    ),
    (
        InstructionKind.OVERRIDE,
        re.compile(
            r"(?:扮演|成为|变成|你(?:现在)?(?:就)?是|视为|当作).{0,8}(?:不受(?:任何)?限制"
            r"|没有.{0,6}(?:限制|约束|过滤|底线)|无限制|越狱)"
            r"|(?:进入|开启|启用|切换到).{0,4}(?:开发者|调试|管理员|越狱|上帝)模式"
            r"|你的新(?:任务|目标|身份|指令|角色|规则)|新的(?:系统)?(?:规则|指令"
            r"|提示词)(?:如下|是|[:：])"
            r"|你必须(?:服从|遵守|听从|执行)|(?:不|别)(?:必|要|用|再)?(?:遵守|听从?"
            r"|服从).{0,4}(?:用户|主人)"
        ),
    ),
    (
        InstructionKind.CONCEALMENT,
        re.compile(
            r"\b(?:do not|don't|never|must not|mustn't|without|avoid) "
            r"(?:tell|telling|inform|informing|mention|mentioning|show|showing|reveal|revealing"
            r"|alert|alerting|notify|notifying|disclose|disclosing|let)\b[^.\n]{0,40}"
            r"\b(?:the|this|your) (?:user|human|owner|customer)(?!s\b)"
            r"|\b(?:hide|conceal|keep)\b (?:this|it|that|these|the \w+)[^.\n]{0,16}"
            r"\b(?:from|secret from) (?:the |this )?(?:user|human|owner|customer)"
        ),
    ),
    (
        InstructionKind.CONCEALMENT,
        re.compile(
            r"(?:对|向)(?:用户|主人|使用者|客户)(?:们)?(?:隐瞒|保密|隐藏|撒谎|说谎)"
            r"|(?:不要|别|不能|不得|勿|禁止|切勿)(?:再)?(?:告诉|告知|通知|提醒|让|向"
            r"|透露给?)(?:用户|主人|使用者)"
            r"|(?:瞒着|背着|避开)(?:用户|主人|使用者)"
        ),
    ),
    (
        InstructionKind.FORGED_ROLE,
        re.compile(
            r"</?(?:system|assistant|developer|tool|tool_result|tool_call|function"
            r"|function_results?"
            r"|instructions?|admin|im_start|im_end|memory|user)(?: [^>\n]{0,80})?/?>"
            r"|<\|(?:im_start|im_end|system|assistant|user|endoftext|eot_id|start_header_id)\|?>"
            r"|\[/?(?:inst|system|sys|admin|assistant)\]|<<sys>>"
            r"|(?:^|\n| )#{2,4} ?(?:system|instructions?|assistant|developer)\b ?:?"
            r"|^ ?(?:system|developer|assistant) ?(?:message|prompt|note)? ?:"
            r"|[【\[](?:系统|管理员|开发者|system|admin)(?:消息|提示|通知|指令)?[】\]]"
            r"|(?:系统提示|系统消息|系统指令|管理员指令|开发者指令|系统命令) ?[:：]"
        ),
    ),
    (
        InstructionKind.FORGED_ROLE,
        re.compile(
            r"\b(?:operator|admin|administrator|developer|system|internal|hidden) (?:note|message"
            r"|notice|instruction|directive|override) ?:"
            r"|\b(?:note|message|instructions?|reminder|attention|warning) (?:to"
            r"|for) (?:the |any |all )?"
            r"(?:ai|assistant|agent|llm|model|chatbot|bot)s?\b"
            r"|\b(?:ai|llm) (?:agents?|assistants?|models?|systems?) (?:reading|processing"
            r"|parsing|that read)"
            r"|\bif you are an? (?:ai|llm|language model|assistant|agent|bot)\b"
            r"|^(?:dear )?(?:assistant|ai|agent|chatbot) ?[,:] ?(?:your|you|please|from|now|always"
            r"|never|do|ignore)"
            r"|给 ?(?:ai|助手|智能体|模型|机器人)的?(?:备注|提示|留言|指令|话|说明)"
            r"|(?:助手|智能体|ai|大模型|模型)(?:们)?(?:请)?注意"
            r"|看到(?:这|此).{0,8}的 ?(?:ai|助手|智能体|模型|机器人)"
            r"|(?:将|把).{0,10}(?:视为|当作|当成|看作).{0,4}(?:用户"
            r"|主人)(?:本人)?.{0,3}(?:说|发|写|的话)"
            r"|\btreat (?:the |this |these |all )?(?:\w+ ){0,4}as (?:coming from|said by"
            r"|written by|if) "
            r"(?:the )?(?:user|owner|system)"
        ),
    ),
    (
        InstructionKind.EXFILTRATION,
        re.compile(
            _ORDER
            + r"(?:reveal|print|output|show|repeat|leak|dump|display|return|expose|disclose) "
            r"(?:me )?(?:all |the |your |any |of |every ){0,3}(?:hidden |full |entire "
            r"|original |secret "
            r"|exact )?(?:system prompt|prompt|instructions|api keys?|passwords?|credentials"
            r"|words above|text above|secrets)"
            r"|\b(?:exfiltrate|leak|collect) (?:the |all |any )?(?:user|owner|his|her"
            r"|their|your|passwords?"
            r"|credentials|private|personal)"
            r"|\b(?:send|post|upload|forward|e-?mail|transmit) (?:\w+ ){0,2}(?:the |all "
            r"|any |their |his |her )"
            r"(?:\w+ )?(?:conversation|history|memor(?:y|ies)|files?|data|messages|chat|passwords?"
            r"|credentials|secrets|keys)\b[^.\n]{0,24} ?(?:to|at) (?:https?://|\S{1,64}@"
            r"|this|the following)"
            r"|\breveal (?:the |your )?(?:hidden |secret )?(?:system )?prompt"
        ),
    ),
    (
        InstructionKind.EXFILTRATION,
        re.compile(
            r"(?:输出|打印|泄露|透露|公开|重复|展示|告诉我|发给我).{0,6}(?:系统提示词?"
            r"|提示词|系统指令|system prompt)"
            r"|(?:把|将).{0,4}(?:系统)?提示词.{0,4}(?:输出|打印|发|告诉|展示)"
            r"|(?:把|将).{0,12}(?:记忆|对话|聊天记录|邮箱|文件|密码|数据|隐私"
            r"|资料).{0,6}(?:发送|发|转发|上传|提交|邮寄)(?:到|给|至)"
            r"|(?:收集|窃取|套取).{0,6}(?:用户|主人).{0,4}(?:密码|隐私|资料|信息|数据)"
            r"|(?:付款|转账|汇款|收款).{0,8}(?:都|全部|一律).{0,4}(?:转|打|汇|付)(?:到|给|至)"
        ),
    ),
    (
        InstructionKind.PLANTING,
        re.compile(
            r"\bwhen(?:ever)? (?:you are |you're |being )?asked\b"
            r"|\b(?:when(?:ever)?|if|every time) (?:the |a |any |this )?(?:users?|humans?"
            r"|customers?"
            r"|someone|anyone|people|owner) (?:asks?|wants?|mentions?|needs?|inquires?)\b"
            r"|\b(?:prefer|favou?r|promote|prioriti[sz]e) (?:results|links|products"
            r"|content) (?:from|of|by)"
            r"|\bfor (?:every|all|any) (?:future )?(?:requests?|questions?|queries"
            r"|answers?|messages?)"
            r"|\b(?:append|add|insert|include|put) (?:the |a |this |an )?(?:text|link|ad"
            r"|phrase|sentence"
            r"|url|line|advert\w*)\b[^.\n]{0,40}(?:\bto|https?://|[\"“])"
            r"|\b(?:must|should) add a (?:link|note|reference) to"
            r"|\btrust (?:this|the following) (?:source|site|page|document|message)"
        ),
    ),
    (
        InstructionKind.PLANTING,
        re.compile(
            r"(?:当|如果|只要|以后|每当|一旦|凡是|无论|不管)(?:有)?(?:用户|主人|有人|别人"
            r"|客户|他|她)(?:再)?.{0,3}(?:问|询问|提到|提问|搜索|想要|需要)"
            r"|(?:每次|以后|一律|始终|永远|总是|都)都?(?:要|得)?(?:优先|首先|只)?推荐(?!我"
            r"|给我|新手|我们)(?!.{0,8}(?:给我|我爱|我喜欢))"
            r"|(?:回答|回复|答案|结果|消息)(?:里|中|末尾|最后|结尾)?(?:都|必须|一定)?(?:要"
            r"|得|请)?(?:都)?(?:加上?|加入|插入|附上?|带上?|植入).{0,12}(?:链接|广告|网址"
            r"|推广|网站)"
            r"|(?:请)?在回[答复]中.{0,4}(?:加入|插入|附上|植入)"
        ),
    ),
    (
        InstructionKind.COMMAND,
        re.compile(
            r"\b(?:execute|run) (?:the following|this|these|the) (?:\w+ )?(?:command|code"
            r"|script)s?\b"
            r"(?: |$)(?:without|:|now|immediately|silently)|\brm -rf /|\|\s?(?:sudo )?(?:ba)?sh\b"
            r"|" + _ORDER + r"run `[^`\n]{1,200}`"
            r"|执行(?:以下|下面|下列|这些?|此)(?:的)?(?:命令|代码|脚本"
            r"|操作).{0,6}(?:不(?:用|必|要|需)|无需|立即|马上)"
            r"|悄悄(?:地)?(?:执行|运行|发送|删除|上传)"
        ),
    ),
    (
        InstructionKind.MEMORY_TAMPERING,
        re.compile(
            _ORDER
            + r"(?:delete|erase|wipe|clear|overwrite|remove|forget) (?:all |every |the |any ){1,3}"
            r"(?:\w+ )?(?:memor(?:y|ies)|facts|records)"
            r"|"
            + _ORDER
            + r"(?:mark|set|flag|treat) (?:all |every |each |these |this |the )(?:\w+ ){0,4}"
            r"(?:as )(?:confirmed|verified|trusted|user_stated|true)"
            r"|\bskip (?:the )?(?:verification|confirmation|review)\b"
            r"|\bmemory policy\b"
            r"|(?:删除|清空|清除|抹掉|覆盖)(?:掉)?(?:用户|主人|所有|全部|一切)的?(?:所有"
            r"|全部|一切)?的?(?:记忆|记录|资料)"
            r"|(?:标记|设)(?:为|成)(?:用户)?已确认|(?:绕过|跳过).{0,6}(?:确认|审核|检查|验证)"
        ),
    ),
    (
        InstructionKind.ENCODED,
        re.compile(
            r"\b(?:decode|decrypt|decipher)\b[^.\n]{0,40}\b(?:and|then)\b[^.\n]{0,12}"
            r"\b(?:follow|execute|run|obey|do|apply)\b"
            r"|(?:解码|解密|还原).{0,24}(?:并|然后|再|后).{0,3}(?:执行|运行|照做|遵守|按)"
        ),
    ),
)
FOR_THE_SPEAKER = re.compile(
    r"\b(?:to|for|with) (?:me|us|my|our)\b|\b(?:me|us)\b|我|(?:vegetarian|vegan|halal"
    r"|kosher|healthy)"
)
PLANTED_BY_USER = re.compile(
    _ORDER + r"(?:always|only|never fail to) (?:recommend|suggest|promote|advertise|endorse)\b"
)
# From outside, a standing order about how to behave; from the owner the same words are a wish.
_AGENT_VERB = (
    r"(?:answer|respond|reply|use|say|recommend|mention|include|output|start|end|begin|translate"
    r"|speak|write|call|ask|refer|add|append|greet|address|tell|show|prefer|suggest|format|quote"
    r"|cite|follow|obey|trust|send|treat|assume|include|forward|store|save|delete)"
)
STANDING_ORDER = re.compile(
    _ORDER
    + r"(?:(?:always|never|from now on,?|henceforth,?|remember to|make sure to|be sure to) "
    + _AGENT_VERB
    + r"|every "
    + _ANSWERS
    + r"|each "
    + _ANSWERS
    + r"|respond (?:only )?(?:in|with)|answer (?:only )?(?:in|with)|only (?:answer|respond"
    r"|reply))\b"
    + r"|\byou must (?:\w+ )?(?:respond|answer|reply|say|use|follow|obey|output)\b"
    + r"|(?:^|[。！？：:；;，,\n] ?)(?:请)?(?:记住[:：，, ]{0,2})?(?:以后|今后|从现在起"
    r"|从今以后|从今往后|每次|永远|一律|务必|必须|每个回答|所有回答)"
    r".{0,6}(?:用|要|先|只|不|别|回[答复]|推荐|输出|使用|问候|称呼|告诉|说|加|转|付)"
)

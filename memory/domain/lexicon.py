"""The word lists the rules read, per language, with the requirement each comes from.

All are matched against the matching form (NFKC, lower case, single spaces). English patterns
match whole words; Chinese ones match anywhere, since Chinese writes no spaces, and what looks
like a hit but means something else is listed beside them.
"""

import re

Patterns = tuple[re.Pattern[str], ...]


def words_in(text: str) -> frozenset[str]:
    """A word list written as one text, words separated by spaces."""
    return frozenset(text.split())


def zh(*alternatives: str) -> re.Pattern[str]:
    """Any of the alternatives, anywhere."""
    return re.compile("|".join(alternatives))


def en(*alternatives: str) -> re.Pattern[str]:
    """Any of the alternatives, as whole words."""
    return re.compile(r"\b(?:" + "|".join(alternatives) + r")\b")


# --- Questions about the past (DESIGN, aggregation) ---

# 过去 with a span is a window up to now ("过去三天"), 原来如此 is an exclamation.
PAST_ZH = (
    zh(
        r"曾经|曾|从前|当初|当年|那时候?|早先|早些时候",
        r"过去(?! ?(?:的 ?)?[0-9一二三四五六七八九十两几半这])",
        r"原来(?!如此|是这样)",
        r"去年|前年|上一(?:份|个|任|家|次)(?:工作|公司|职位|语言|项目|住)?|前(?:公司|雇主|任)",
    ),
)
PAST_EN = (
    re.compile(
        r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bbe )(?<!\bbeen )(?<!\bbeing )"
        r"(?<!\bget )(?<!\bgot )(?<!\bgetting )(?<!\bam )(?<!'m )(?<!'s )(?<!'re )\bused to\b"
    ),
    en(
        r"did(?:n't)? (?:\w+ )?use to",
        r"previously|previous|formerly|former|originally|back then|in those days",
        r"in the past(?! (?:\d|few|couple|week|month|day|hour|year|two|three))",
        r"last year|years ago|history of|old (?:job|company|address|employer|role)",
    ),
)
# "5点之前", "周五以前", "出发之前": a deadline or an order of acts.
DEADLINES_BEFORE_ZH = re.compile(
    r"(?:[0-9〇零一二三四五六七八九十]|[点号日月周天年分时钟末晨午晚早底初]|今天|明天|后天|出发|出门|下班|上班"
    r"|睡觉?|吃饭|饭|会议?|截止|上线|发布|放假|考试|手术|起飞|登机|开始|结束|离开|回家|提交)$"
)
TIMES_AFTER_BEFORE_EN = re.compile(
    r"(?:\d|noon|midnight|tomorrow|tonight|today|monday|tuesday|wednesday|thursday|friday|saturday"
    r"|sunday|the (?:meeting|deadline|end|trip|flight|call|weekend)|bed|lunch|dinner|breakfast"
    r"|january|february|march|april|may|june|july|august|september|october|november|december)"
)

# --- Importance (requirements 19 to 22, 91) ---

SAFETY = (
    zh(
        r"过敏|敏感体质",
        r"禁用.{0,8}(?:青霉素|头孢|阿司匹林|布洛芬|磺胺|[链红庆]霉素|吗啡|可待因|造影剂|激素|抗生素|药|麻醉)",
        r"(?:不能|不可以?|禁止|严禁|忌)(?:吃|服|用|碰|打|注射|食).{0,6}(?:花生|坚果|海鲜|虾|蟹|牛奶|乳糖|麸质"
        r"|鸡蛋|青霉素|头孢|阿司匹林|布洛芬|药)",
        r"肾上腺素笔|心脏起搏器|糖尿病|胰岛素|癫痫|哮喘|血友病|心脏病|乳糜泻|蚕豆病|孕妇|怀孕|抗凝|自杀|自残",
    ),
    en(
        r"allergic|allerg(?:y|ies)|anaphyla\w+|epi-?pens?|epinephrine",
        r"contraindicat\w+|intoleran(?:t|ce)|celiac|coeliac",
        r"(?:can't|cannot|can not|must not|mustn't|never|not allowed to) (?:take|have|eat|use"
        r"|be given) "
        r"(?:\w+ ){0,2}(?:peanuts?|nuts?|shellfish|dairy|lactose|gluten|eggs?|penicillin|aspirin"
        r"|ibuprofen|sulfa|codeine|morphine|antibiotics|nsaids?)",
        r"pacemaker|diabet(?:es|ic)|insulin|epilep(?:sy|tic)|asthma(?:tic)?|h(?:a)?emophilia",
        r"blood thinners?|warfarin|pregnant|suicid\w+",
    ),
)
# What takes a safety word back: denied, outgrown, or no danger at all.
NOT_SAFETY = re.compile(
    r"不(?:会|再|是)?(?:对[^,;。]{0,8})?过敏|(?:没有?|无)(?:任何|什么)?[^,;。]{0,6}过敏|脱敏"
    r"|对(?:开会|会议|早起|上班|加班|周一|工作|学习|运动|数学|领导|老板|家务|应酬|社交|内卷|鸡汤|甲方|ppt"
    r"|bug|废话).{0,3}过敏|(?:没有?|未)(?:怀孕|患|得)"
    r"|\b(?:not|isn't|aren't|wasn't|never|n't|no longer) (?:\w+ )?(?:allergic|diabetic|pregnant"
    r"|asthmatic)"
    r"|\b(?:no|without|any|zero|outgrew (?:my|his|her|the)) (?:known |food |drug "
    r"|\w+ )?(?:allerg(?:y|ies)"
    r"|intolerances?|diabetes|asthma|epilepsy)"
    r"|\ballergic to (?:\w+ )?(?:meetings?|mornings?|mondays?|work|exercise|bureaucracy"
    r"|deadlines?|change"
    r"|commitment|small talk|paperwork|homework|early|waking|spreadsheets?|jargon|drama|bad code"
    r"|bugs"
    r"|javascript|java|responsibility|housework|cardio|hype|nonsense)"
    r"|\ballerg(?:y|ies) (?:season|app|project|dataset|feature|table|page)"
)
IDENTITY = (
    zh(
        r"我叫|名字(?:是|叫)|姓名|生日|出生",
        r"住在|家在|家住|住址|定居|老家|常住|搬到|搬去",
        r"职业|职位|岗位|任职|就职|入职|跳槽|升任|从事|担任|工作是",
        r"在.{1,16}(?:工作|上班|任教|做.{0,8}(?:工程师|开发|后端|前端|设计|运营|产品|测试|算法|老师|医生|律师|会计))",
        r"(?:是|当|做).{0,10}(?:工程师|程序员|开发者|架构师|医生|护士|老师|教师|教授|律师|会计|设计师|产品经理|经理"
        r"|记者|厨师|学生|研究员|司机|警察|公务员)",
        r"妻子|老婆|丈夫|老公|女儿|儿子|已婚|结婚|国籍|母语|主力语言|主力编程语言",
    ),
    en(
        r"(?:my|his|her|their) name is|named|birthday|born (?:in|on)",
        r"lives? in|living in|resides? in|based in|home (?:is|city|address)|hometown|moved to",
        r"works? (?:at|as|for|in)|employed (?:at|by|as)|job (?:is|title)|profession|occupation",
        r"started (?:working )?(?:at|as)",
        r"(?:am|is|'m) (?:an? )(?:\w+ ){0,3}(?:engineer|developer|programmer|architect|doctor|nurse"
        r"|teacher|professor|lawyer|accountant|designer|manager|journalist|chef|student|researcher"
        r"|driver|scientist|analyst|consultant|counselor|artist|writer)",
        r"wife|husband|spouse|daughter|son|married|nationality|native language|main language",
    ),
)
CORE_PREFERENCE = (
    zh(
        r"最喜欢|最爱|最讨厌|偏好|偏爱|习惯用|一直(?:用|喜欢|吃|喝)|总是|从不|从来不|绝不|吃素|素食|信奉|必须|务必|只用|只吃|只喝"
    ),
    en(
        r"favou?rite|prefers?|preference|always|never|vegetarian|vegan|only (?:uses?|eats?"
        r"|drinks?)",
        r"(?:strongly|absolutely) (?:likes?|dislikes?|loves?|hates?)",
    ),
)
LIKING = (
    zh(r"喜欢|喜爱|热爱|爱(?:吃|喝|看|听|玩|好)|讨厌|厌恶|反感|兴趣|爱好|擅长|会用"),
    en(r"likes?|loves?|enjoys?|hates?|dislikes?|interested in|hobby|hobbies|good at|fond of"),
)
ONGOING = (
    zh(
        r"正在|在学|学习|项目|备考|准备.{0,8}(?:考试|面试|比赛|上线)|进行中|开发中|负责|研究|最近在|目标|训练"
    ),
    en(
        r"learning|studying|working on|projects?|building|preparing|training for|in progress",
        r"researching|goal|responsible for|taking (?:a |an )?(?:\w+ )?(?:course|class|lessons)",
    ),
)
TRANSIENT = (
    zh(
        r"今天|今早|今晚|昨天|昨晚|前天|刚才|刚刚|上周|这会儿|此刻|早上(?:吃|喝)了|中午(?:吃|喝)了|晚上(?:吃|喝)了",
        r"天气|很热|很冷|下雨|下雪|哈哈|谢谢|你好|晚安",
    ),
    en(
        r"today|tonight|yesterday|this (?:morning|afternoon|evening)|last (?:night|week)|just now",
        r"(?:had|ate|drank|grabbed) (?:an? |some |my )?(?:\w+ ){0,2}(?:latte|coffee|tea|lunch"
        r"|dinner"
        r"|breakfast|sandwich|pizza|beer|snack|burger|salad|espresso|cappuccino)",
        r"weather|raining|snowing|so hot|so cold|thanks|thank you|hello|lol",
    ),
)

# --- What says nothing by itself (keyword relevance) ---

# Characters of the closed classes: pronouns, particles, auxiliaries, prepositions, conjunctions,
# adverbs, question words, and 一 and 几 with their commonest measure words. A pair of two of them
# (一个, 什么, 我的, 有没) is no subject. Checked against the two-character words of stopwords-iso.
SLIGHT_CHARACTERS_ZH = frozenset(
    "我你您他她它们咱的地得了着过吗呢吧啊呀嘛是在有和与跟或也都就还很太最更挺会能可要想请给帮让把被"
    "从到对为以而但又再才只不没这那哪些个几两一什么怎样谁吗该应将已之其所如"
)
# Words of the same classes with a character that also says something elsewhere.
SLIGHT_WORDS_ZH = words_in(
    "一下 一点 一种 一次 一直 多少 多久 时候 么时 何时 哪里 哪儿 哪天 哪种 这里 那里 这种 那种 "
    "这次 现在 目前 平时 通常 一般 因为 所以 如果 虽然 然后 知道 觉得 告诉 自己 大家 别人 可以 "
    "应该 需要 是否 能否 关于 有关 有没 没有 比较 非常 真的 其实"
)

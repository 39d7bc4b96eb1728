"""Which topics a text touches that stay private unless the owner grants more (DESIGN).

Words that name a thing of work or of a work of art ("stress test", "panic in the Go runtime",
电影《…》) are cut out first; what is left and still names a topic is private.
"""

import re

from memory.domain.lexicon import Patterns, en, zh
from memory.domain.text import match_form

_HARMLESS = re.compile(
    # Titles, and topics as the matter of somebody's work or of software.
    r"《[^》]{0,40}》|(?:压力|回归|冒烟|性能|兼容性?)测试|系统(?:的)?压力|健康(?:码|检查)"
    r"|体检脚本|(?:服务|程序|系统|应用|软件|页面|进程|浏览器|接口|数据库"
    r"|代码)[^,，。]{0,4}崩溃"
    r"|面试(?:官|题库?|者)|(?:医院|银行|基金|保险|股票|证券|理财|贷款|信用卡|医疗|健身"
    r"|恋爱|婚恋|交友|教会|心理|薪资|工资|招聘|简历)[^,，。]{0,6}(?:系统|项目|公司|接口"
    r"|模块|平台|网站|app|小程序|数据|模型|行业|前端|后端|计算器|模板|解析|页面)"
    r"|(?:给|为|帮)[^,，。]{1,8}(?:医院|银行|教堂|学校)[^,，。]{0,4}(?:开发|做|写)|(?:医院"
    r"|教堂|银行|药店|诊所|寺庙?)(?:旁边|对面|附近|门口|楼下|后面|隔壁)"
    r"|手术刀|[^,，。]{1,12}是我的(?:网名|昵称)|宗教(?:史|学)|政治课|爱情(?:电影|片|小说"
    r"|剧|故事|喜剧)|(?:收入|返回|投入)参数|参数|网名|(?:我是|做|当)面试官|单身(?:公寓"
    r"|狗粮)"
    r"|\b(?:stress|load|smoke|sad path|health)[- ](?:tests?|testing|checks?|endpoints?)"
    r"|\bstress test\b|\bpanic(?:s|ked)? (?:in|at|when) (?:the )?(?:go|rust|kernel|runtime"
    r"|main|goroutine)|\b(?:go|rust|kernel) panic"
    r"|\bdepression in (?:the|a) (?:road|ground|surface|economy|market)|\b(?:great"
    r"|economic) depression|\bcrying with laughter|\bcrying emoji|\bhealthy (?:code|diet"
    r"|food|margin|debate)"
    r"|\b(?:drug ?store|pharmacy) (?:near|next|around|opposite)|\b(?:near|next to|opposite"
    r"|behind) the (?:church|hospital|mosque|bank|pharmacy|clinic)|\bdoctor who\b"
    r"|\b(?:carbon|java|dating a (?:manuscript|fossil|painting)|date) (?:dating|picker)"
    r"|\bdating (?:a )?(?:manuscript|fossil|sample|painting|artefact)s?"
    r"|\bdating app (?:project|backend)"
    r"|\b(?:salary|loan|mortgage|income|debt|tax|wage|bonus|savings) (?:calculator|app|api"
    r"|table|column|field|schema|module|service|dataset|model|prediction)"
    r"|\bstock of|\bstock(?:ed|ing)\b|\bin stock|\bout of stock|\bbonus[- ](?:track\w*"
    r"|level|round|feature|point)|\bjob (?:queue|scheduler|runner|id)|\bcron jobs?"
    r"|\bresume (?:the|a|download|from|where|playback|work)"
    r"|\binterview (?:podcast|question bank|series)|\baffair of the|\bchurch of (?:vim"
    r"|emacs|rust|python)|\bvotes? for (?:the )?(?:best|feature|answer|framework|issue"
    r"|topic)|\bupvot\w+|\bqueen and\b"
    r"|\b(?:database|software|heart of the|catheter) surgery|\bpatient (?:pattern|with me)"
    r"|\bsexy?\b(?= (?:code|ui|design))|\bgender field|\bsingle[- ]page|\btechnical debt"
    r"|\btech debt|\bcode debt|\btherapy session of debugging"
    r"|\b(?:software|code|app|dataset|paper|thesis|project|startup|app|model)s? (?:about"
    r"|for|on|to (?:predict|detect|track)) (?:\w+ )?(?:cancer|diabetes|depression|health"
    r"|stocks?|salar\w+|loans?|divorce)"
)

_TOPICS: dict[str, Patterns] = {
    "emotion": (
        zh(
            r"抑郁|焦虑|难过|难受|伤心|悲伤|崩溃|孤独|孤单|寂寞|绝望|无助|情绪|压力(?:很"
            r"|太|好|特别|非常|有点)?大|失眠|害怕|恐惧|恐慌|心情(?:不好|很差|低落|一直|糟)"
            r"|低落|哭(?!笑)|自卑|自责|内疚|羞愧|委屈"
            r"|紧张(?:到|得|死)|活着没|没(?:什么)?意思$|不想活|厌世|emo(?![a-z])|生无可恋"
            r"|喘不过气|吵架|心累|(?:很|太|好|特别)(?:烦躁|痛苦|愤怒|生气)|想念(?:去世"
            r"|过世)|创伤|ptsd"
        ),
        en(
            r"depress(?:ed|ion|ing)|anxi(?:ous|ety)|lonely|loneliness|grie(?:f|ving|ve)"
            r"|heartbroken|mourning",
            r"hopeless|overwhelmed|stressed|panic attacks?|burn(?:ed|t)?[- ]?out|crying"
            r"|cried|cry (?:myself|every|a lot|at night)|miserable|suicidal|self-harm"
            r"|traumati\w+|ptsd|nightmares?|insecure|self-esteem|mood swings",
            r"feel(?:s|ing)? (?:\w+ ){0,3}(?:sad|down|low|awful|terrible|scared|afraid"
            r"|ashamed|worthless|guilty|empty|numb|lost|alone|failure|unloved|hurt|angry"
            r"|jealous)|(?:really|so|been|pretty) (?:\w+ )?(?:down|sad|unhappy|upset)",
            r"terrified|petrified|ashamed|worthless|hate myself|emotionally"
            r"|emotional (?:wreck|breakdown)|breakdown|freak(?:ing|ed) out",
        ),
    ),
    "health": (
        zh(
            r"过敏|生病|疾病|患(?:有|上)|确诊|查出|医院|医生(?:说|建议|诊断|让)|手术|吃药"
            r"|服药|服用|药物|抗抑郁|血压|血糖|血脂|糖尿病|癌|肿瘤|结节|哮喘|息肉|结石|囊肿"
            r"|癫痫|怀孕|备孕|孕(?:期|妇|周)|流产|堕胎|月经|痛经|更年期|不孕|试管|抑郁症"
            r"|体检|受伤|骨折|扭伤|康复|住院|急诊|青霉素|头孢|胰岛素|戒烟|戒酒|戒毒"
            r"|心理(?:医生|咨询|治疗)|精神科|心脏病|起搏器"
            r"|近视|散光|听力|失明|色[盲弱]|残疾|胃镜|肠镜|胃炎|胃病|肠炎|肝炎|乙肝|艾滋"
            r"|hiv|腰椎|颈椎|椎间盘|痛风|关节炎|贫血|鼻炎|皮炎|湿疹|甲状腺|甲亢|甲减"
            r"|脂肪肝|肾(?:病|炎|结石)|中风|偏头痛|多动症|自闭症|双相|强迫症|疫苗|发烧"
            r"|新冠|不耐受|乳糖|麸质|减肥药|高血压|脊柱|痔疮|脱发"
        ),
        en(
            r"allergic|allerg(?:y|ies)|illness|disease|disorder|syndrome|diagnos(?:ed|is)"
            r"|hospitali[sz]ed|hospital|surgery|operation on my|operated on|biopsy|mri"
            r"|chemo\w*",
            r"medications?|medicine|prescri(?:bed|ption)|antidepressants?|ssri|metformin"
            r"|statins?|blood (?:pressure|sugar|type|test|thinners?)|diabet\w+|cholesterol",
            r"cancer|tumou?r|asthma|epilep\w+|seizures?|pregnan\w+|miscarriage|abortion"
            r"|ivf|infertil\w+|menopause|therap(?:y|ist)|psychiatrist|injur(?:y|ed)"
            r"|insulin|stroke|heart attack|pacemaker",
            r"penicillin|epi-?pens?|adhd|autis\w+|bipolar|ocd|dyslexi\w+|hiv|aids"
            r"|hepatitis|migraines?|chronic (?:pain|\w+itis|fatigue|\w+)|\w{3,}itis|celiac"
            r"|coeliac|crohn'?s|ibs|intoleran(?:t|ce)|lactose|gluten|anemi(?:a|c)|thyroid"
            r"|hernia|concussion|disabilit(?:y|ies)|disabled|wheelchair|deaf|blind"
            r"|colou?r-?blind|hearing aid|sober|rehab|addict(?:ed|ion)|quit (?:smoking"
            r"|drinking)|covid|broke my (?:arm|leg|wrist|ankle|foot|hand|collarbone|hip)"
            r"|sprained|back pain|knee|physio\w*|weeks pregnant|overweight|obese"
            r"|anorexi\w+|bulimi\w+|eating disorder|insomnia|anaphyla\w+",
        ),
    ),
    "money": (
        zh(
            r"工资|薪水|薪资|底薪|年薪|月薪|时薪|年终奖|收入|存款|积蓄|贷款|房贷|车贷|网贷"
            r"|花呗|欠(?:了|款|债|钱|着|他|她|我|朋友|银行|信用卡)|借(?:给|了|钱)|债务"
            r"|信用卡|负债|破产|投资|股票|炒(?:股|币)|基金|理财|奖金|彩礼|公积金|社保"
            r"|退休金|养老金|房租|月供|首付|还款|还不起|入不敷出|月光|亏了|赚了"
            r"|花了.{0,4}[万千百]|资产|遗产|没钱|缺钱|破财"
            r"|[0-9一二三四五六七八九十百千两]{1,9}(?:万|千|块|元)(?:块|元|钱)?(?!公里|步"
            r"|字|行|人|次|条|里|米|个|年|名|台|张|件)"
        ),
        en(
            r"salary|wages?|income|paycheck|savings|mortgage|loans?|debts?|in debt"
            r"|bankrupt\w*|credit (?:card|score)|overdraft|overdue|rent (?:is|was|costs)"
            r"|behind on (?:my |the )?(?:rent|payments|bills)|alimony|child support"
            r"|inheritance|inherited|pension|broke (?:this|right now|again)|can't afford"
            r"|cannot afford|payday",
            r"net worth|investments?|invested|stocks?|shares in|crypto|bitcoin|bonus|owes?"
            r"|owed|earn(?:s|ing|ed)? (?:about |around |roughly |over )?(?:\$|€|£|\d)"
            r"|lost money|tax(?:es)? (?:debt|return)|\d+ ?k (?:a|per) (?:year|month)"
            r"|(?:\d[\d,.]{0,15}) (?:euros?|dollars|pounds|bucks|usd|eur|gbp)|gambl\w+"
            r"|financ(?:es|ially)",
        ),
        re.compile(r"[$€£¥]\s?\d"),
    ),
    "work_search": (
        zh(
            r"找(?:新)?工作|求职|投(?:了)?(?:几份|份)?简历|简历|面试(?!官|题)|猎头|(?:想"
            r"|想要|打算|准备|考虑|计划|正在|要)(?:裸)?(?:跳槽|离职|辞职|换(?:个)?工作"
            r"|辞掉)|裸辞|提(?:了)?(?:离职|辞职)|被(?:公司)?(?:裁|辞退|开除|优化)|裁员"
            r"|失业|待业|offer|内推|离职(?:交接|证明)|被.{0,6}裁了|骑驴找马|春招|秋招|背调"
        ),
        en(
            r"job (?:search|hunt|hunting|interview|application|offer|offers)|(?:look|looks"
            r"|looking|searching) for (?:an? )?(?:new )?(?:job|role|position|work)"
            r"|job[- ]hunting|new job",
            r"resum[eé](?:s)?|cv|recruiters?|headhunters?|laid off|fired|let go"
            r"|redundan(?:t|cy)|unemployed|out of work|severance|notice period|hand(?:ed"
            r"|ing)? in my notice|quit(?:ting)? my job|leav(?:e|ing) my job|resign(?:ed"
            r"|ing)?|interview(?:s|ed|ing)? (?:at|with|for)|appl(?:ied|ying) (?:to"
            r"|for) (?:\w+ ){0,3}(?:jobs?|positions?|roles?|companies)|offer from"
            r"|between jobs|career change|poached",
        ),
    ),
    "intimacy": (
        zh(
            r"性生活|夫妻生活|性取向|性冷淡|同性恋|双性恋|跨性别|出柜|出轨|劈腿|外遇|小三"
            r"|暗恋|恋爱|初恋|表白|分手|离婚|分居|复合|约会|相亲|避孕|婚外情|女朋友|男朋友"
            r"|女友|男友|前任|前女友|前男友|性关系|上床|一夜情|单身|暧昧"
            r"|喜欢上(?:了)?(?:一个|同事|同学|他|她)|同居"
        ),
        en(
            r"sex(?:ual|uality|ually)?|gay|lesbian|bi(?:sexual)?|transgender|trans (?:man"
            r"|woman)|non-?binary|queer|asexual|polyamor\w+|came out|coming out (?:to|as)"
            r"|closeted|affair|cheat(?:ed|ing)? on|divorc(?:e|ed|ing)|separat(?:ed"
            r"|ing) (?:from)?|(?:we|husband|wife|partner)[^.]{0,12} are separating"
            r"|unfaithful",
            r"(?:am|are|is|'m|started|been|i'm|we're|currently) dating|dating (?:someone"
            r"|a |my |him|her|apps?)|broke up|break-?up|contracepti\w+|on the pill"
            r"|birth control|girlfriend|boyfriend|ex-(?:wife|husband)|my ex|crush on"
            r"|in love with|one-night stand|hook(?:ed|ing)? up|tinder|marriage counsel\w+"
            r"|erectile|libido|virgin",
        ),
    ),
    "beliefs": (
        zh(
            r"信仰|宗教|基督|佛教|伊斯兰|天主教|道教|教徒|教会|教堂|清真寺|穆斯林|信(?:佛"
            r"|主|教|耶稣|神|命)|祷告|祈祷|礼拜(?![一二三四五六日天])|念经|烧香|拜佛"
            r"|供着?(?:观音|佛|菩萨|神)|观音|菩萨|皈依|受洗|政治(?:立场|观点|倾向|面貌)"
            r"|投票给|投了?.{0,6}党|党员|入党|共青团|无神论|左派|右派|自由派|保守派"
            r"|支持.{0,4}(?:党|独立)|堕胎权"
        ),
        en(
            r"religio(?:n|us)|christian|catholic|protestant|baptist|evangelical|mormon"
            r"|jehovah'?s|muslim|islam|jewish|judaism|kosher|halal|ramadan|buddhis[tm]"
            r"|hindu\w*|sikh\w*|quaker|atheis[tm]|agnostic|pray(?:s|ed|ing|ers?)?|bible"
            r"|quran|god",
            r"church|mosque|synagogue|temple on|mass on sundays|baptized|vot(?:e|ed|es"
            r"|ing) (?:for|labou?r|tory|conservative|green|republican|democrat\w*|liberal"
            r"|left|right)|democrats?|republicans?|socialist|communist|anarchist|left-wing"
            r"|right-wing|libertarian|(?:party|union) member|political(?:ly)? (?:views?"
            r"|party|beliefs?|active|left|right|conservative|liberal)|(?:pro-choice"
            r"|pro-life|abortion rights|gun control)|activist|feminist",
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
    said = _HARMLESS.sub(" ", said)
    return tuple(
        name
        for name, patterns in _TOPICS.items()
        if any(pattern.search(said) for pattern in patterns)
    )

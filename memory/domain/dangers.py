"""What may harm the owner's body: allergies, drugs they must not get, conditions that turn a
wrong meal or medicine into an emergency. Denied, outgrown and figurative ones are none."""

import re

from memory.domain.lexicon import Patterns, en, zh
from memory.domain.text import match_form

_FOODS_ZH = (
    "花生|坚果|核桃|腰果|杏仁|榛子|海鲜|贝类|虾|蟹|螃蟹|鱼|牛奶|奶制品|乳制品|乳糖|麸质"
    "|面筋|小麦|鸡蛋|蛋清|大豆|黄豆|蚕豆|芒果|菠萝"
    "|桃子?|猕猴桃|草莓|荞麦|芝麻|味精|酒精"
)
_DRUGS_ZH = (
    "青霉素|头孢|阿莫西林|阿司匹林|布洛芬|磺胺|[链红庆]霉素|吗啡|可待因|造影剂|激素|抗生素"
    "|消炎药|止痛药|麻醉|碘|疫苗|破伤风"
)
_HARMS_ZH = (
    "起疹|荨麻疹|红疹|休克|喘不上气|呼吸困难|喉咙肿|嘴肿|全身(?:发)?痒|窒息|浑身痒|嘴唇发?肿"
    "|进(?:了)?急诊|要命"
)
_FOODS_EN = (
    r"(?:peanuts?|nuts?|tree nuts?|almonds?|cashews?|walnuts?|shellfish|seafood|fish"
    r"|prawns?|shrimps?"
    r"|crab|lobster|dairy|milk|lactose|gluten|wheat|eggs?|soy|sesame|strawberr(?:y|ies)"
    r"|kiwis?|mango(?:es)?"
    r"|fava beans|grapefruit|alcohol|msg|celery|mustard)"
)
_DRUGS_EN = (
    r"(?:penicillin|amoxicillin|aspirin|ibuprofen|sulfa|codeine|morphine|antibiotics?"
    r"|nsaids?|latex|iodine"
    r"|contrast|an(?:a)?esthe(?:sia|tics?)|paracetamol|tylenol|vaccines?|cephalosporins?"
    r"|naproxen|steroids)"
)
_DANGERS: Patterns = (
    zh(
        r"过敏|敏感体质|(?:皮试|斑贴试验)(?:呈)?阳性|乳糖不耐|不耐受",
        rf"禁用.{{0,8}}(?:{_DRUGS_ZH}|药)",
        rf"(?:不能|不可以?|禁止|严禁|忌|不得|千万别|不许|绝不能|不准)(?:再|随便|乱"
        rf"|同时)?(?:吃|服用?|用|碰|打|注射|食用?|喝|含|接触|摄入).{{0,8}}(?:{_FOODS_ZH}"
        rf"|{_DRUGS_ZH}|药)",
        rf"(?:吃|喝|碰|闻|用|打|沾)(?:了|到|一?口|点)?.{{0,4}}(?:{_FOODS_ZH}"
        rf"|{_DRUGS_ZH}).{{0,10}}(?:{_HARMS_ZH})",
        r"肾上腺素笔|心脏起搏器|心脏(?:里)?(?:装|放|做)(?:了|过)?.{0,4}(?:支架|搭桥"
        r"|起搏器)|(?:装|放)了.{0,4}(?:支架|起搏器)",
        r"(?:有|患|得了?|是|确诊|先天性?|我).{0,6}(?:糖尿病|癫痫|哮喘|血友病|心脏病|乳糜泻"
        r"|蚕豆病|再障|白血病|尿毒症|心衰|冠心病)",
        r"胰岛素|血友病|蚕豆病|乳糜泻|抗凝|华法林|利伐沙班|硝酸甘油|透析|器官移植"
        r"|移植(?:了|过)(?:肾|肝|心)",
        r"怀孕|孕妇|孕期|哺乳期",
        r"(?:医生|大夫).{0,8}(?:绝对|一定|千万|严禁|禁止|不能|不可以|不让"
        r"|不许)[^,，。]{0,6}(?:喝|吃|用|碰|运动|做|坐)",
        r"(?:不能|不可)(?:剧烈|做剧烈|激烈)运动|晕针|自杀|自残|轻生|想死",
    ),
    en(
        r"allergic|allerg(?:y|ies)|anaphyla\w+|epi-?pens?|epinephrine|anaphylactic",
        r"contraindicat\w+|intoleran(?:t|ce)|celiac|coeliac|g6pd",
        r"(?:can't|cannot|can not|must not|mustn't|must never|never|not allowed to"
        r"|shouldn't|should not|unable to|may not"
        r"|not supposed to|have to avoid|must avoid) "
        r"(?:take|have|eat|drink|use|touch|get|be given|be near|tolerate)? ?(?:\w+ ){0,3}(?:"
        + _FOODS_EN
        + "|"
        + _DRUGS_EN
        + r")",
        r"(?:hives|rash|swell\w*(?: up| shut)?|anaphyla\w+|trouble breathing|can't breathe"
        r"|throat clos\w+|break out)[^.]{0,40}(?:eat|ate|drink|take|touch|from"
        r"|after)[^.]{0,30}"
        r"(?:" + _FOODS_EN + "|" + _DRUGS_EN + r")",
        r"(?:"
        + _FOODS_EN
        + "|"
        + _DRUGS_EN
        + r"|bee stings?|wasp stings?|latex)[^.]{0,30}(?:hives|rash|swell\w*|shock|hospital"
        r"|emergency|kill me|can't breathe)",
        r"pacemaker|defibrillator|(?:type (?:1|2|one|two) )?diabet(?:es|ic)|insulin"
        r"|epilep(?:sy|tic)|seizures?|asthma(?:tic)?|h(?:a)?emophilia(?:c)?",
        r"blood thinners?|warfarin|coumadin|anticoagulants?|dialysis|(?:heart|kidney|liver"
        r"|organ) (?:transplant|failure|condition|disease)|immunosuppress\w+",
        r"(?:i'm|i am|is|am|currently|she's|weeks|months) (?:\w+ )?pregnant|breastfeeding"
        r"|suicid\w+|self-harm|kill myself|overdose",
    ),
)
# What takes a danger back: denied, outgrown, somebody's figure of speech, or a thing's name.
_NO_DANGER = re.compile(
    r"不(?:会|再|是)?(?:对[^,，;。]{0,8})?过敏(?!原)|(?:没有?|无)(?:任何"
    r"|什么)?[^,，;。]{0,6}过敏|脱敏|抗过敏|过敏原(?:检测|测试)?(?:都|全)?(?:正常|阴性)"
    r"|对(?:开会|会议|早起|上班|加班|周一|工作|学习|运动|数学|领导|老板|家务|应酬|社交"
    r"|内卷|鸡汤|甲方|ppt"
    r"|bug|废话|代码|早会|文档|鸡娃|英语|考试|政治|广告|噪音|俗套|狗血剧?|形式主义|套路).{0,3}过敏"
    r"|(?:没有?|未|不是?)(?:怀孕|患|得|糖尿病|有)|(?:项目|产品|app|系统|功能|应用|论文"
    r"|课题|数据集|软件).{0,10}(?:糖尿病|胰岛素|过敏|癫痫|哮喘)"
    r"|(?:糖尿病|胰岛素|过敏|癫痫|哮喘|怀孕|孕妇).{0,4}(?:项目|产品|app|系统|功能|应用"
    r"|论文|课题|数据集|模型|检测算法|主题)"
    r"|禁用(?:了)?(?:缓存|功能|插件|脚本|账号|javascript|js|cookie)"
    r"|\b(?:not|isn't|aren't|wasn't|never|n't|no longer) (?:\w+ )?(?:allergic|diabetic"
    r"|pregnant|asthmatic|epileptic)"
    r"|\b(?:no|without|any|zero|outgr(?:e|o)w(?:n)? (?:my|his|her|the|a)) (?:known |food "
    r"|drug |\w+ )?"
    r"(?:allerg(?:y|ies)|intolerances?|diabetes|asthma|epilepsy|seizures)"
    r"|\ballergic to (?:\w+ )?(?:meetings?|mornings?|mondays?|work|exercise|bureaucracy"
    r"|deadlines?|change"
    r"|commitment|small talk|paperwork|homework|early|waking|spreadsheets?|jargon|drama"
    r"|bad code|bugs|stupidity"
    r"|javascript|java|php|perl|responsibility|housework|cardio|hype|nonsense|powerpoint"
    r"|authority|fun|effort|buzzwords|documentation)"
    r"|\ballerg(?:y|ies) (?:season|app|project|dataset|feature|table|page|tracker)"
    r"|\b(?:diabetes|insulin|allergy|epilepsy|seizure|pregnancy|asthma) (?:app|project"
    r"|dataset|model|study|research|paper|prediction|tracker|startup|clinic|detection)"
    r"|\bpregnant (?:pause|silence)|\bsuicide (?:squad|burn|linux)|\b(?:works?|working"
    r"|research\w*|thesis|paper|book|novel) (?:on|about|in) (?:\w+ )?(?:diabetes|allerg\w+"
    r"|epilepsy|asthma|suicide)"
)


def is_safety_critical(content: str) -> bool:
    """Whether a text states a danger to the person's body, not denied and not a figure of speech.

    "不过敏", "no known allergies" and "allergic to meetings" are none.
    """
    return states_danger(match_form(content))


def states_danger(said: str) -> bool:
    """The same for a text already in its matching form."""
    # What is taken back is cut out first, so that "不对虾过敏，但对花生过敏" still counts.
    left = _NO_DANGER.sub(" ", said)
    return any(pattern.search(left) for pattern in _DANGERS)


def denies_danger(said: str) -> bool:
    """Whether a text takes a danger back."""
    return _NO_DANGER.search(said) is not None

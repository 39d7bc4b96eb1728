"""The words by which the rules of importance tell a life's facts from the day's (requirement 20).

Matched against the matching form. Identity and core preferences last, what is going on lasts a
while, states and small talk pass.
"""

from memory.domain.lexicon import Patterns, en, words_in, zh

IDENTITY_KEYS = words_in(
    "residence home city address hometown birthplace job position role profession occupation "
    "employer company name nickname birthday nationality diet partner spouse primary main"
)
SAFETY_KEYS = words_in("allergy allergies contraindication contraindications")

IDENTITY: Patterns = (
    zh(
        r"我叫|名字(?:是|叫)|姓名|英文名|生日|出生"
        r"|[0-9一二三四五六七八九十]{1,3}岁(?!的时候)|属[鼠牛虎兔龙蛇马羊猴鸡狗猪]$",
        r"(?:^|我|现|常|长期|目前)住(?:在|[^院手宿口])|住在|家在|家住|住址|定居|老家|籍贯"
        r"|长大|来自|搬(?:到|去)|搬家",
        r"职业|职位|岗位|任职|就职|入职|跳槽|升(?:任|职|为)|晋升|从事|担任|工作是|退休"
        r"|创业当|自由职业",
        r"在(?!考虑|找|想|换).{1,16}(?:工作|上班|任教|读博|读研|上大学|教书|当(?!.{0,3}天)"
        r"|做.{0,8}(?:工程师|开发|后端|前端|设计|运营|产品|测试|算法|老师|医生|律师|会计"
        r"|销售|研发|人事|财务|护士|编辑))",
        r"(?:是|当|做).{0,10}(?:工程师|程序员|开发者|架构师|医生|护士|老师|教师|教授|律师"
        r"|会计|设计师|产品经理|经理|记者|厨师|学生|研究员|司机|警察|公务员|消防员|翻译"
        r"|作家|画家|科学家|分析师|顾问|医师|药剂师)",
        r"妻子|老婆|太太|丈夫|老公|女儿|儿子|双胞胎|孩子(?:叫|今年|上)|已婚|未婚|单身|离异"
        r"|结婚|国籍|母语|主力(?:编程)?语言|技术栈",
        r"左撇子|色盲|色弱|失聪|失明|听力|残疾|轮椅|血型|信(?:佛|教|基督|主)|(?:穆斯林"
        r"|基督徒|佛教徒|天主教徒|无神论者)",
    ),
    en(
        r"(?:my|his|her|their|user's|first|last|full|sur) ?name(?: is|'s)|named|birthday"
        r"|born (?:in|on)|(?:i'm|i am|is) \d{2}(?: years old)?$|years old",
        r"lives? in|living in|resides? in|based in|home (?:is|city|address)|hometown"
        r"|moved to|grew up|relocated to|(?:i'm|i am|is) from|comes? from",
        r"works? (?:\w+ )?(?:at|as|for|in)|employed (?:at|by|as)|job (?:is|title)"
        r"|profession|occupation|career|self-employed|freelanc\w+|retired",
        r"started (?:working )?(?:at|as)|promoted to|hired (?:as|by)|runs? (?:a|my|his|her"
        r"|their) (?:own )?(?:bakery|shop|company|business|clinic|firm|restaurant|farm)",
        r"(?:am|is|'m|are|as) (?:an? )(?:\w+ ){0,3}(?:engineer|developer|programmer"
        r"|architect|doctor|nurse|teacher"
        r"|professor|lawyer|accountant|designer|manager|journalist|chef|student|researcher"
        r"|driver|scientist|analyst"
        r"|consultant|counselor|artist|writer|firefighter|pilot|plumber|electrician"
        r"|carpenter|farmer|librarian|pharmacist"
        r"|paramedic|therapist|translator|editor|founder|cook|baker|police officer|soldier"
        r"|dentist|vet|surgeon|midwife|photographer|musician|barista)",
        r"wife|husband|spouse|fianc[eé]e?|daughter|son|sons|twins|kids|children|married"
        r"|divorced|widowed|nationality|native (?:language|speaker|tongue)|first language"
        r"|mother tongue|main (?:programming )?language|tech stack",
        r"deaf|blind|colou?r-?blind|left-handed|wheelchair|dyslexi\w+|autistic|adhd"
        r"|blood type|hard of hearing",
        r"(?:am|is|'m) (?:an? )?(?:\w+ )?(?:christian|muslim|jewish|buddhist|hindu"
        r"|catholic|atheist|sikh|quaker)",
    ),
)
CORE_PREFERENCE: Patterns = (
    zh(
        r"最喜欢|最爱|最讨厌|最烦|偏好|偏爱|习惯用|一直(?:用|喜欢|吃|喝|穿)|总是|从不"
        r"|从来(?:都)?(?:不|没)|绝不|绝对不|坚决不|(?<!最近在)(?<!最近)(?:吃素|素食)"
        r"|素食主义|信奉|必须|务必|只用|只吃|只喝|只穿|首选|无辣不欢|滴酒不沾|终身|永远",
    ),
    en(
        r"favou?rite|prefers?|preference|always|never|(?:am|is|'m|been|a"
        r"|strict) (?:\w+ )?(?:vegetarian|vegan|pescatarian|teetotal\w*)|^vegetarian"
        r"|^vegan|only (?:uses?|eats?|drinks?|wears?|buys?)"
        r"|(?:strongly|absolutely|really|deeply|passionately|utterly) (?:likes?|dislikes?"
        r"|loves?|hates?|prefers?|can't stand)|can't stand|cannot stand|more than anything"
        r"|all-time|doesn't (?:eat|drink|smoke)|don't (?:eat|drink|smoke)|(?:no longer"
        r"|do not|does not) (?:eat|drink|smoke)s?",
    ),
)
# Preferences of the moment that only sound like core ones.
NOT_CORE: Patterns = (
    zh(r"最近|这(?:几天|周|阵子)|暂时|今天|临时|这次"),
    en(
        r"lately|recently|these days|this week|for now|today|right now|always (?:seems"
        r"|happens|fails|crash\w*)|never (?:mind|works|ends|heard|seen|been)"
    ),
)
LIKING: Patterns = (
    zh(
        r"喜欢|喜爱|热爱|爱(?:吃|喝|看|听|玩|好|逛|做|写|读)|讨厌|厌恶|反感|受不了|兴趣"
        r"|爱好|擅长|会(?:用|弹|说|唱|跳|画|写|做|拉|吹|游)|能?看懂|精通|不(?:爱|吃|喝)"
        r"|怕(?:高|狗|黑|热|冷|辣)",
        r"养(?:了|着)|家里有|有(?:一|两|三|辆|只|条|台|套|个).{0,8}(?:车|猫|狗|房|相机"
        r"|吉他|钢琴|自行车|花|植物|鱼)|买了|入手|拥有|开(?:的是|着)?.{0,3}(?:一辆|车)|换了",
        r"每(?:天|周|晚|早|个?月|年|逢)|周末(?:常|都|会|一般|总)|经常|常常?去|平时|通常|习惯",
    ),
    en(
        r"likes?|loves?|enjoys?|hates?|dislikes?|interested in|hobby|hobbies|good at"
        r"|fond of|into|fan of|passionate about|keen on|afraid of|scared of|bad at",
        r"owns?|drives?|plays?|speaks?|collects?|bought|adopted|has (?:an?|two|three|four"
        r"|\d+)|have (?:an?|two|three|four|\d+) (?:\w+ ){0,2}(?:cats?|dogs?|car|bike|house"
        r"|flat|retriever|guitar|piano|boat|garden|horse|parrot|puppy|kitten|motorbike"
        r"|bicycle|camera)|got a (?:new )?\w+",
        r"every (?:day|morning|evening|week|weekend|night|\w+day)|usually|often|on (?:mon"
        r"|tues|wednes|thurs|fri|satur|sun)days|regularly|goes? (?:\w+ing|to the gym)"
        r"|on weekends|twice a|once a",
    ),
)
ONGOING: Patterns = (
    zh(
        r"正在|(?:^|我|还|一直|最近)?在(?:学|读|看|写|做|准备|研究|备考|开发|减肥|装修"
        r"|考虑|练|找|攒|追|办|创业|筹备|考|健身)(?!了)|学习|项目|备考|准备.{0,8}(?:考试"
        r"|面试|比赛|上线|雅思|托福|搬家|婚礼)|进行中|开发中|负责|研究|目标|训练|迷上|沉迷",
        r"打算|计划|预计|要去|要(?:参加|考|搬|交|出差|开始|面试|体检|做手术)|出差|旅行"
        r"|下(?:个)?(?:周|月|学期|季度)|明年|截止|上线|发布|到期|决定|选(?:了|定)|团队"
        r"|公司(?:用|要|的)|改用|换成|切换|迁移|改成",
    ),
    en(
        r"learning|studying|working on|projects?|building|preparing|training for"
        r"|in progress|writing (?:a|my)|reading (?:a|the|\w+)|practi[sc]ing|renovating"
        r"|saving (?:up )?for|trying to (?:quit|learn|lose|save|cut)|lately|currently",
        r"researching|goals?|responsible for|taking (?:a |an )?(?:\w+ )?(?:course|class"
        r"|lessons)|in charge of|thesis|exam|launch(?:es|ing)?|deadline|due (?:in|on|by)"
        r"|sprint|quarter|side project",
        r"plans? to|planning|going to|next (?:week|month|year|quarter|\w+day)"
        r"|in (?:january|february|march|april|may|june|july|august|september|october"
        r"|november|december)|intends? to|wants? to|hopes? to|considering|decided|switched"
        r"|migrated|went with|settled on|chose|the team|our (?:team|product|company|stack)"
        r"|we (?:use|decided|switched|chose)|expires?|appointment|trip|booked|uses?|using",
    ),
)
TRANSIENT: Patterns = (
    zh(
        r"今天|今早|今晚|昨天|昨晚|前天|刚才|刚刚|^刚|刚(?:开完|吃|点|洗|到|睡|醒|下)|上周"
        r"|这会儿|此刻|等会儿?|待会儿?|马上|早上(?:吃|喝|忘|起)|中午(?:吃|喝)|晚上(?:吃"
        r"|喝)了|现在在(?!.{1,12}(?:工作|上班|做|当|读|学|用|住))",
        r"天气|好(?:热|冷|累|困|饿|烦|无聊)|很(?:热|冷|累|困|饿|烦)$|有点(?:累|困|饿|烦|忙"
        r"|冷|热)|下(?:大|小|暴)?[雨雪]|堵车|哈哈|谢谢|你好|晚安|没电|死机|卡住|报错|快递"
        r"|外卖|排队|没睡好|忘带|迟到",
    ),
    en(
        r"today|tonight|yesterday|this (?:morning|afternoon|evening)|last (?:night|week)"
        r"|just now|right now|at the moment|in a (?:minute|bit|second)|brb|be right back",
        r"(?:had|ate|drank|grabbed|having|eating|drinking) (?:an? |some |my "
        r"|the )?(?:\w+ ){0,3}(?:latte|coffee|tea|lunch|dinner|breakfast|sandwich|pizza"
        r"|beer|snack|burger|salad|espresso|cappuccino|noodles|ramen|sushi|cake|soup|pasta)",
        r"weather|raining|snowing|sunny|windy|so hot|so cold|thanks|thank you|hello|lol"
        r"|haha|stuck (?:in|at|on)|in traffic|on the (?:train|bus|plane|metro|subway|tram)"
        r"|woke up|just (?:woke|got|grabbed|had|finished|arrived|left)|slept (?:badly|well"
        r"|in)|a bit (?:tired|hungry|sleepy)|feeling (?:\w+ )?(?:tired|hungry|sleepy)"
        r"|(?:is|are) (?:cold|slow|jammed|down|broken|dead|late|loud)|failed again"
        r"|missed (?:the|my) (?:bus|train|flight)|battery|doorbell|again$",
    ),
)
# What happened to be said with today's date and lasts all the same.
LASTING_CHANGE: Patterns = (
    zh(
        r"入职|跳槽|升(?:职|任|为)|晋升|搬(?:到|去|家)|结婚|领证|离婚|毕业|退休|出生"
        r"|生(?:了|下)|确诊|换成|改成|改用|转(?:到|向|行)|录取|拿到.{0,6}(?:offer|驾照|证"
        r"|学位|绿卡)|戒",
    ),
    en(
        r"moved to|started (?:working |a new job )?(?:at|as)|promoted|hired|got (?:married"
        r"|engaged|divorced|promoted)|graduated|retired|born|switched|migrated|joined"
        r"|diagnosed|became|quit (?:smoking|drinking|my)|gave birth|relocated|accepted",
    ),
)

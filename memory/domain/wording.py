"""The wordings that decide about a contradiction, per language, and how they are looked for.

All are matched against the matching form. English patterns match whole words; Chinese ones match
anywhere, since Chinese writes no spaces, and what looks like a hit but means something else is
listed beside them.
"""

import re

from memory.domain.lexicon import Patterns, en, zh

# S1's own four, for its own `resolve` (requirement 69).
REPLACEMENT_S1 = ("不用了", "改成", "换成", "迁到")

# --- Change (requirements 41, 68, 69, 81; 5.5 d) ---

REPLACEMENT = (
    zh(
        "不用.{0,12}了",
        "改(?:成|为|用|名|叫|到|至|在|喝|吃|坐|骑|开|走|住|学|做|去|投|签|由|期|练|写|看|养|穿|睡|约|订|交|玩)",
        "(?<!交)换(?:成|到|了|为|用|上|去|回|成了|乘)|更换|更改|变更为|变成了|替换为|替换成|替代了|来替代|取代了|代替了",
        "迁到|迁往|迁至|迁移|迁去|迁回|迁入",
        "转向|转到|转岗|转行|转投|转去|转用|转做|转成|转为|转战|转型|转正|转学到|转入",
        "切换到|切换成|切换为|切到|切成|切回",
        "搬(?:到|去|至|家|进|回|来|了|出|走)",
        "调到|调任|调往|调去|调回|调岗|调整(?:到|为|成|至)|调至|调成|调为",
        "入职|跳槽|升任|升为|升职|升到|升至|升成|晋升|就任|出任|担任|上任|就职|接任|接手|当上了|被任命|被提拔|提拔为|评上|入读|考上|考入|考进",
        "升级到|升级为|升级成|升级了|更新到|更新为",
        "已从|弃用|告别了?",
        "推迟|延期|延后|提前到|提前至|顺延|延到|延至|推到|挪到|移到|改期",
        "涨到|涨至|涨了|降到|降至|降为|减到|减为|增加到|增到|提高到|提升到|缩短到|缩短为|压到|上调|下调|瘦到|胖到|瘦了|胖了|长到|长高到|扩大到|扩到|缩减到",
        "敲定|拍板|选定|定为|定下来|定在|定了|最终选|最后选|最终用|最后用",
        "决定(?:还是)?(?:用|采用|改|选|去|换|上|把|以|由|使用|采取|走)",
        "从现在起|从今天起|从今往后|从今以后|今后(?!一|的|几)|往后(?!的)|从此|下次起|即日起|自即日起",
        "以后.{0,8}(?:都|只|请|别|不要|就|用)",
        "满了? ?[0-9一二三四五六七八九十]{1,3} ?(?:周)?岁",
        "新(?:家|公司|工作|职位|手机号|号码|地址|邮箱|电脑|手机|车|老板|经理|主管|领导|负责人|预算|工资|密码)(?:是|在|叫|换|为)",
        "重新(?:用|开始|回到)|恢复(?:用|为|成|到|了)|又(?:用回|换回|搬回|回到|开始)|回归",
        "开始(?:用|在|改|学着)|起用|启用|上手了",
        "结婚了|领证|订婚|出生了|生了|添了|怀上|报到|开始(?:上|读|念|学|做|喝|吃|住|带)",
        "(?:^|[,，。])(?:请)?(?:以后|之后|接下来)(?!想|可能|打算|也许|如果|会|要是|再|有机会|有空|还)",
    ),
    en(
        r"switch(?:ed|ing)? (?:\w+ )?(?:over |back )?(?:to|from)",
        r"mov(?:ed|ing) (?:\w+ ){0,3}?(?:over |back )?(?:to|from|into|out)",
        r"migrat(?:ed|ing) (?:\w+ ){0,3}(?:over )?(?:to|from)",
        r"chang(?:ed|ing) (?:\w+ ){0,4}(?:to|from)",
        r"(?:has|have|was|been|got) (?:been )?(?:changed|moved|pushed|postponed|rescheduled|extended"
        r"|delayed|updated|raised|cut|lowered|shifted)",
        r"(?:slipped|pushed|postponed|rescheduled|delayed|shifted|extended|bumped|brought forward"
        r"|pulled in) (?:back )?(?:\w+ )?(?:to|until|by)",
        r"changed (?:my |our |the )?\w+(?=[,.;]|$)",
        r"replac(?:ed|ing) (?:\w+ ){1,4}(?:with|by)|(?:was|been|got) replaced (?:with|by)",
        r"(?:relocated|transferred|converted|upgraded|promoted|renamed|went up|went down|rose|raised"
        r"|increased|decreased|dropped|reduced|grew|lowered|cut|bumped) (?:\w+ )?(?:to|from)",
        r"(?:swapped|traded|ditched|dropped|left|abandoned) (?:[\w.+#]+ ){1,4}for",
        r"(?:use|uses|using|write|writes|drink|drinks|eat|eats|take|takes|play|plays|run|runs|go with"
        r"|work with|ride|drive) (?:[\w.+#]+ ){1,4}instead",
        r"now (?:\w+ ){1,8}instead|instead of",
        r"started (?:working |a new job |my new job )?(?:at|as|with|for)",
        r"start(?:ed)? (?:using|working|writing|drinking|eating|taking|driving)",
        r"(?:got|took|accepted|landed|have|has|started) (?:a|an|my|the) (?:new )?(?:\w+ )?(?:job|position|role|offer)"
        r" (?:at|as|with)",
        r"joined|hired (?:by|as|at)|became|been promoted|got promoted|appointed|took over(?: as)?",
        r"from now on|going forward|henceforth|as of (?:today|now)|effective (?:today|immediately)",
        r"(?:decided|settled|landed|agreed) (?:up)?on|went with|going with|chose|picked",
        r"decided to (?:use|go|adopt|move|switch|take)",
        r"turned (?:\w+ )?\d{1,3}|just turned",
        r"(?:my|our|the|his|her) new \w+(?: \w+)? (?:is|are)|new (?:\w+ )?is",
        r"got (?:engaged|married|remarried)|(?:child|baby|kid|son|daughter|twins?) (?:was|were) born|gave birth|(?:have|has|\'ve) grown to|are (?:now )?(?:up|down) to|booked|stop (?:using|including|adding|writing)",
        r"(?:went|gone|going) back to|back to (?:using|writing|drinking)|back on",
        r"converted to|went (?:vegan|vegetarian|keto|remote|freelance)",
        r"rewrote|rewritten|ported",
    ),
)
# A change only where it stands beside a single-valued dimension or an amount.
NOW = (
    zh("现在|如今|目前已|眼下|已经(?!不|没)|这下|刚(?:刚)?(?:换|搬|升|改|到)|变了"),
    en(r"now|nowadays|has become"),
)
CORRECTION = (
    zh(
        "(?:记|说|弄|搞|写|填|听|打|讲)错了?",
        "更正|纠正|订正|有误",
        "其实是|实际上是|应该是|准确(?:地)?(?:说|来说)|正确的?是|并不是.{1,16}是",
        "不是.{1,16}而是|不是.{1,16}[,，] ?是|应为|不对[,，]",
    ),
    en(
        r"correction|to correct|i misspoke|misspoke|i was wrong|was a mistake|by mistake|typo",
        r"(?:i )?meant(?: to say)?|made a mistake|got (?:it|that) wrong|mistyped|mixed up",
        r"actually,? (?:it'?s|it is|that'?s|my|it was|the|i'?m|i)",
        r"(?:is|are|'s|was) actually|in fact|not .{1,24}, but|should be|should have been",
        r"rather than what i said|not [\w\-]{2,20}(?=$|[.!])",
    ),
)
# A comparison or an exclusive choice: with it, "these days" is a change.
COMPARED = (
    zh(
        "比起|更喜欢|更爱|多过|胜过|只(?:喝|吃|用|写|看|听|去|买|坐|骑)|全(?:都|面|部)?(?:用|写|跑|换|在)"
    ),
    en(r"prefers?|over|rather than|more than|only|exclusively|entirely|fully"),
)
# What stands right before a change word and takes it back.
NOT_YET_ZH = re.compile(
    r"(?:没有?|还没有?|未|尚未|不会|不想|不打算|别|不要|不用|无法|不能|没能|差点)$"
)
NOT_YET_EN = re.compile(
    r"(?:\bnot|n't|\bnever|\bwithout|\bnearly|\balmost) (?:yet |been |even |really )?$"
)

# --- Ends without a new value (DESIGN, conflict routing 3; requirement 59) ---

ENDED = (
    zh(
        "戒了|戒掉|戒.{1,6}了|戒(?=[烟酒咖茶糖肉奶辣网游])",
        "停了|停用|停掉|停止|停服|停运|停更|停吃|停(?=药)",
        "不再|再也(?:不|没)",
        "作废|失效|取消|过期了|撤销|废止|废除|废弃|淘汰|归档|下线|关停|关闭了|关掉了|下架",
        "不用.{0,12}了|不(?!错|过|久|同|太|只|仅|但|得|如|少|管|知道|清楚|认识|一样)[^的太,，被]{1,6}了$|(?<!差)不(?:喝|吃|用|玩|打|抽|做|去|学|练|住|干|养|看|听|写|跑|骑|开|喜欢|爱|想|是).{0,10}了(?![解])",
        "没(?:再|有再).{1,10}(?:了|过)",
        "离职|辞职|辞掉|辞了|退休|卸任|离开了|离任|被裁|分手|离婚|退出|退订|退会|退掉|退租|退学|毕业了",
        "去世|过世|离世|走了(?=$|[,，。])|病逝|死了|没了(?=$|[,，。])|丢了|送人了?|送走",
        "(?:过敏|病|症|炎|痛|疼|伤|失眠|骨折).{0,4}(?:好了|没了|消失了?|康复)|痊愈|治愈|治好|康复了?|误诊",
        "卖掉|卖了|(?<!我)放弃了?|扔了|扔掉|注销|卸载|删掉|删了|解散|拆了|断舍离|戒断|告吹|黄了|结束了|搬走了?|搬出去了?|停更|散了|玩腻|喝腻|吃腻|腻了",
    ),
    en(
        r"no longer|(?:any ?more|any longer)",
        r"(?:gave|given|giving) up|(?:gave|given) (?:\w+ ){1,4}(?:up|away)",
        r"(?:quit|stopped|ceased|retired|resigned|cancelled|canceled|discontinued|deprecated"
        r"|decommissioned|archived|abandoned|ditched|scrapped|uninstalled|deleted|dissolved|disbanded"
        r"|expired|terminated|ended|closed|dropped|swore off|sworn off|cut out|phased out)",
        r"(?:passed away|died|broke up|split up|divorced|sold|lost|got rid of|put down|shut down"
        r"|walked away from|moved on from|done with|over with|through with)",
        r"left(?= (?:my|the|our|his|her) (?!office|house|keys?|phone|door|light))|left(?= [\w&.\-]+(?: (?:last|in|this|two|three|a|on|back|after|for|at|since|recently) [\w ]{1,20})?$)",
        r"laid off|got fired|was fired|dropped out|let (?:\w+ )?go|turned off|took down|torn down",
        r"(?:haven't|hasn't|have not|has not) (?:\w+ ){1,6}(?:since|in (?:months|years|ages|a year))",
        r"never again|never (?:\w+ ){1,6}again|(?:don't|doesn't|won't|can't) (?:\w+ ){1,6}again",
        r"outgrew|outgrown|cured|healed|recovered from|cleared up|went away|misdiagnos(?:ed|is)",
        r"kicked the (?:\w+ )?habit|went off|off (?:coffee|alcohol|sugar|caffeine|meat|dairy)",
    ),
)
# --- Both at once (requirement 80), and what is no statement about now ---

COEXIST = (
    zh(
        "也(?!许)",
        "同时",
        "还(?:会|用|喜欢|有|是|学|爱|养|说|在学|能|懂|玩|打|练|爱吃|参加|负责|兼)",
        "以及|另外|此外|兼职|兼任|再加上|又(?:养|学|买|多|加|添|报)了?",
        "不只|不仅|不但|不光|除了.{1,16}(?:还|也)",
        "并且|和.{1,12}都",
    ),
    en(
        r"also|as well|too(?=$|[.!,])|both|in addition|besides|alongside|not only|not just"
        r"|don't only|don't just|doesn't only|doesn't just|another|on top of|plus|as well as"
        r"|picked up|additionally|sometimes also|a second|on the side|along with",
    ),
)
HYPOTHETICAL = (
    zh(
        "如果|假如|要是(?!.{0,4}的话说)|假设|万一|倘若|的话[,，]?|假使|早知道|本来(?:想|要|打算)|差点",
        "[?？]$|吗$|呢$|吧[?？]$",
        "(?<!还)是不是|要不要|会不会|能不能|有没有|是否|该不该|好不好|行不行|值不值",
    ),
    en(
        r"if|suppose|what if|would (?:like|love|prefer|rather|have)|wish(?:es)?|should i|imagine"
        r"|unless|in case|whether|almost|nearly|i'd|could (?:have|maybe)|dream(?:s|t|ing)? of",
    ),
    re.compile(r"[?？]$"),
)
INTENDED = (
    zh(
        "(?:可能|也许|或许|大概|估计|说不定|没准|兴许|恐怕)(?:会|要|就要|得|将|快要)",
        "(?<!没)打算|(?<!按)计划(?!是|书|表|里|于)|(?<!不)准备(?!好了|了|的)|(?:在|还在|正|正在)(?:想|纠结|犹豫着|看机会|观望)|(?:还)?想(?:要)?(?:换|搬|转|改|学|去|试|买|辞|养|戒|用|退|卖|扔|停|离|取消)"
        "|考虑|(?<!不再)(?<!不)(?<!别)犹豫|纠结|动了.{0,6}念头|有点心动|有意|希望|梦想|争取|迟早|总有一天|说不定|建议(?!的)|我们?(?:是不是)?(?:应该|该)(?!是)|提议|看情况|再说",
    ),
    en(
        r"(?<!is )(?<!are )(?<!was )plan(?:s|ning|ned)? (?:to|on|for)|aims? to|considering|consider|considers",
        r"intends? to|thinking (?:of|about)|toying with|tempted|debating|hoping|proposed|proposing",
        r"(?:i|we) (?:really |probably )?(?:should|ought to|need to)|contemplating|looking (?:at|into) (?:moving|switching|buying|getting)|weighing|leaning",
        r"might|may (?:be |have to )?(?:switch|mov|chang|try|leav|quit|join|start|stop)(?:e|ing)?|someday|one day|eventually|wants? to|hop(?:e|es|ing) to"
        r"|'d (?:like|love) to|interested in (?:moving|switching)|exploring|wonders?|wondering",
    ),
)
# Said of what has a date of its own (a meeting, a deadline), the future is no plan.
FUTURE = (
    zh(
        "将会|即将|快要|将要|将于|(?:下|明)(?:个?月|年|周|天|季度)(?!.{0,2}(?:前|之前))(?:要|就|会|开始|再)?|明天|后天|以后想"
    ),
    en(
        r"will|'ll|won't|tomorrow|soon|going to (?!the|bed|work|school|a )|gonna|about to|next (?:week|month|year|quarter|summer|spring|fall|winter)"
    ),
)
REPORTED = (
    zh(
        "听说|据说|有人说|网上说|传闻|据.{1,8}(?:说|称|报道)|文章(?:里)?说|新闻(?:里)?说|书上说",
        "(?:他|她|它|他们|同事|朋友|老板|妈妈|爸爸|我妈|我爸|别人|客户|医生|老师|邻居|室友|领导|经理|同学|老婆|老公|大家|专家)(?:们|跟我|告诉我|都|总|一直)?(?:说|讲|觉得|认为|建议|推荐|劝|提到|让我)",
        "[\u4e00-\u9fffa-z]{1,6}告诉我|(?:都|还|也|一直|总|就|[人们])(?:以为|认为|觉得|当)我",
    ),
    en(
        r"i (?:heard|read|saw)|heard that|according to|apparently|supposedly|rumou?r|allegedly",
        r"(?:he|she|they|someone|people|\w+) (?:said|says|told me|tells me|claims?|thinks|suggested"
        r"|suggests|recommended|recommends|mentioned|mentions|believes|keeps telling|advised)",
        r"(?:he|she|they|someone|somebody|people|\w+) (?:wrote|writes|posted|texted|insists?|assume[sd]?|swears|reckons?|thought|hinted)(?: that)? (?:i|i'm|i've|my)",
        r"(?:an?|the) (?:article|post|blog|doctor|friend|report) (?:said|says|claims?)",
    ),
)
TEMPORARY = (
    zh(
        "最近|近来|近期|这几天|这周(?!起|开始)|这两周|这两天|这阵子|这段时间|本周(?!起|开始)|这个?月(?!起|开始)|今天|今晚|今早|昨天|昨晚|昨日|暂时|临时|出差|目前先|顶几天|先凑合|短期|这次|这趟|刚好|碰巧|偶尔",
        "(?:到|直到)(?:周|星期|下周|月底|年底|周末|明天).{0,4}|(?:周|星期)[一二三四五六日末天]?前(?:都)?在|待(?:几|两|三|一)(?:天|周|个月)|休假|请假|住院期间|代班|代(?:管|理)|顶班|借(?:用|住)|放假|旅游|旅行|度假",
        "(?:这|接下来)(?:几|两|三|半)?(?:个)?(?:天|周|星期|月)(?!.{0,4}(?:开始|起))",
    ),
    en(
        r"recently|lately|these days|currently|temporarily|for now|at the moment|right now|this time"
        r"|for the time being|meanwhile|in the meantime|until (?:\w+ )?(?:mon|tues|wednes|thurs|fri"
        r"|satur|sun|next|the end|tomorrow|further|then|i|we|he|she|it|january|february|march|april"
        r"|may|june|july|august|september|october|november|december)\w*",
        r"(?:this|for a|for the|for two|for three|for a few|for a couple of|all) (?:week|month"
        r"|weekend|day|days|weeks|months|year|morning|afternoon|evening|quarter|sprint)s?",
        r"today|tonight|yesterday|last night|visiting|on a (?:business )?trip|on vacation|on holiday"
        r"|on leave|traveling|travelling|on loan|borrowing|filling in|covering for|is covering"
        r"|staying (?:with|at|in)|while (?:my|the|i|he|she)|just this once|for lunch|for once",
    ),
)
# Said of the past alone: it tells nothing about today.
PAST = (
    zh(
        "以前|之前(?!说|写|记)|曾经?|从前|当年|当初|小时候|上学时|大学时|读书时|早年|年轻时|过去(?!了)|原来(?!如此|是)|前几年|(?:[0-9一二三四五六七八九十两几]{1,3}) ?年前|那时|去年(?!.{0,2}(?:起|开始|就|走|去世|换|搬|离|卖|停|戒|转|升|改))|前年|上一份|前一家|高中|童年"
    ),
    en(
        r"used to|previously|formerly|once (?:lived|worked|owned|had|played|used|studied|spoke)|years ago"
        r"|(?:at|in|for) (?:an?|my|his|her|the|our) (?:old|previous|former) \w+|^used (?!to)|back (?:in|then|when)|as a (?:kid|child|teenager|student)|when i was|in college|in the past"
        r"|in my (?:twenties|thirties|teens|youth|old|previous|last)|at my (?:old|previous|last)"
        r"|in high school|growing up|(?:in|from) (?:19|20)\d\d (?:to|until|-) |had once|originally|long ago"
        r"|before (?:i|we|he|she|they) |before that",
    ),
)
# The speaker is not sure: such words take nothing away from what was said plainly. With an amount
# ("大概 5000 元", "about") they say how exact it is.
UNSURE = (
    zh(
        "可能(?!性)|也许|或许|兴许|没准|好像(?!是?一样)|似乎|貌似|大概(?! ?[0-9一二三四五六七八九十百千两几])|多半|估计|恐怕|不确定|不太确定|不敢肯定|说不好|拿不准|应该是?吧|记不清"
    ),
    en(
        r"maybe|perhaps|probably|possibly|presumably|not (?:entirely |really |quite |too )?(?:sure|certain)|unsure|uncertain|(?:it )?seems?|appears? to"
        r"|i (?:think|guess|suppose|believe|suspect|assume)|i don't think|kind of think|if i remember|might|can't remember"
        r"|(?:i|we|he|she|they|it|you|user) (?:may|could)(?! ?(?:\d|never|not|n't))"
    ),
)
HEDGED = (
    zh("有点|有些|部分|偶尔|有时|不太|不一定|不怎么|没那么|说不上|大约摸"),
    en(
        r"sometimes|a bit|kind of|sort of|not really|kinda|not always|a little|somewhat|not so much"
        r"|not that into|occasionally"
    ),
    *UNSURE,
)
# An undecided state that any decision ends.
UNDECIDED = (
    zh(
        "犹豫|纠结|还没(?:有)?(?:决定|定|想好|选)|尚未决定|未定|待定|在.{1,20}之间(?:选|摇摆|权衡)|比较.{1,20}(?:哪个|方案)|评估|选型|讨论用|考虑.{1,16}还是|选.{1,10}还是|想.{1,12}还是"
    ),
    en(
        r"undecided|deciding (?:between|whether)|torn between|choosing between|evaluating|comparing"
        r"|not (?:yet )?decided|haven't decided|hasn't decided|debating|tbd|to be (?:decided"
        r"|determined|confirmed)|weighing|considering|between \w+ and \w+"
    ),
)
DECIDED = (
    zh(
        "决定|敲定|拍板|选定|定了|定在|订了|订好|最后买|买了|选的是|最终(?:选|用|定)|最后(?:选|用|定)|选了|选择了|定为|定下|确定|采用"
    ),
    en(
        r"decided|booked|bought|settled|chose|picked|going with|went with|agreed on|final(?:ly|ized|ised)?|selected|opted|committed to"
    ),
)


def find(said: str, patterns: Patterns) -> str:
    """The first wording found, '' for none."""
    for pattern in patterns:
        found = pattern.search(said)
        if found and found.group():
            return found.group()
    return ""


def find_change(said: str, patterns: Patterns) -> str:
    """The first wording that is not taken back: "没有换成 Go" says that nothing changed."""
    for pattern in patterns:
        for found in pattern.finditer(said):
            before = said[max(0, found.start() - 24) : found.start()]
            if not NOT_YET_ZH.search(before) and not NOT_YET_EN.search(before):
                return found.group()
    return ""

"""Everyday dimensions as English says them. The group `v` is the value."""

import re

from memory.domain.dimensions.rules_zh import Rule

_END = r"(?= (?:since|because|but|and now|for (?:\d|a|the|two|three|several)|in (?:january|february|march|april|may|june|july|august|september|october|november|december|19|20)|last|this|next|every|these days|now|anymore|with my|after|before|until|starting|from now|right now|at the moment|currently)\b|[,;.!?\n]|$)"
V = rf"(?P<v>[^,;!?\n]{{1,60}}?){_END}"
_JOBS = (
    "engineer|developer|programmer|architect|doctor|nurse|teacher|professor|lawyer|accountant|designer|manager|director"
    "|journalist|chef|student|researcher|driver|scientist|analyst|consultant|counselor|artist|writer|lead|founder|ceo|cto"
    "|freelancer|editor|translator|photographer|electrician|plumber|pharmacist|therapist|barista|pilot|vp|officer|intern"
    "|supervisor|principal|specialist|administrator|contractor|physician|surgeon|dentist|paralegal|marketer|recruiter"
)


def _rule(
    attribute: str, pattern: str, *, many: bool = False, act: str = "", unless: str = ""
) -> Rule:
    return Rule(
        attribute, not many, re.compile(pattern), act, re.compile(unless) if unless else None
    )


RULES_EN: tuple[Rule, ...] = (
    # --- the person ---
    _rule(
        "birthday",
        rf"\b(?:birthday|date of birth|birth date)(?:'s)? (?:is|was|falls)?(?: actually)?(?: on)? ?{V}|\bborn on {V.replace('<v>', '<v2>')}",
    ),
    _rule(
        "age",
        r"\b(?P<v>\d{1,3}|[a-z]{3,6}(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?)[- ]years?[- ]old\b|\bturn(?:ed|s|ing)? (?P<v2>\d{1,3}|[a-z]{3,7})\b(?! (?:to|into|out|down|off|up))|\baged? (?:is )?(?P<v3>\d{1,3})\b|\b(?:is|am|i'm|'s) (?P<v4>\d{1,2})(?=$|[.,;!]| now)",
        unless=r"minutes|turned (?:out|into|down|off|to|it|the|my)",
    ),
    _rule("height", r"\b(?:height|tall)\b", unless="building|tower"),
    _rule("weight", r"\b(?:weigh(?:s|ed)?|weight (?:is|was|dropped|went)|body weight)\b"),
    _rule(
        "phone",
        rf"\b(?:phone(?: number)?|mobile(?: number)?|cell(?: number)?|number) (?:is|was|changed to|has changed to)(?: now)? {V}",
        unless="iphone|pixel|team",
    ),
    _rule(
        "email",
        r"\b(?:e-?mail(?: address)?) (?:is|was|changed to|has changed to)(?: now)? (?P<v>\S{3,60})",
    ),
    _rule("blood_type", rf"\bblood type (?:is )?{V}"),
    _rule("nickname", rf"\b(?:nickname is|goes by|call me|known as) {V}"),
    _rule(
        "name",
        rf"\b(?:my|user's|the user's|full|first|last|his|her) name (?:is|was|changed to)(?: now)? {V}|\bis (?:named|called) {V.replace('<v>', '<v2>')}",
    ),
    _rule(
        "timezone",
        rf"\b(?:time ?zone) (?:is|was|changed to)(?: now)? {V}|\b(?:in|on) (?P<v2>(?:utc|gmt|est|pst|cet|pdt|edt|ist|jst)[+\-\d]{{0,4}})\b",
    ),
    _rule("nationality", rf"\b(?:nationality is|citizen of) {V}"),
    # --- home and work ---
    _rule("birth_year", r"\bborn in (?P<v>(?:19|20)\d\d)\b"),
    _rule("alma_mater", rf"\b(?:graduated from|alma mater is) {V}"),
    _rule(
        "hometown",
        rf"\b(?:hometown|home town) (?:is|was) {V}|\b(?:grew up in|(?:am|is|i'm|comes?|originally|native) (?:originally )?from|was born in|born in) {V.replace('<v>', '<v2>')}",
        unless="from (?:now|work|home|java|scratch)|born in (?:19|20|january|february|march|april|may|june|july|august|september|october|november|december)|(?:second|third|fourth|first|baby|son|daughter|child|kid)[a-z ]{0,40} (?:was|is) born",
    ),
    _rule(
        "school",
        r"\b(?:studies|studying|study|enrolled|student|goes|go|transferred) (?:\w+ )?(?:at|in|to) (?P<v>[^,;!?\n]{0,40}(?:university|college|school|institute|mit|stanford|academy|kindergarten)[^,;.!?\n]{0,20})|\bgoes to (?P<v2>[^,;.!?\n]{1,30} (?:university|college|school))",
    ),
    _rule(
        "major",
        rf"\b(?:major(?:s|ing)? in|major is|studying for a degree in|changed (?:my|her|his) major to|major (?:changed )?to) {V}",
    ),
    _rule(
        "residence",
        rf"\b(?:lives?|living|(?:have|has|'ve|been) lived|resides?|residing|based|settled|home is|relocated|moved|moving|relocating)(?: (?:back|over|permanently|out|down|up|full-time))? ?(?:in|to|at) {V}|\b(?:home|address|place) is (?:now )?(?:in )?{V.replace('<v>', '<v2>')}",
        unless=r"lives? \d|away from|(?:moved|moving) (?:on|everything|all|our|the|my (?:code|site|blog|data|project)|\w+ (?:over )?to (?:go|rust))|moved to (?:tea|coffee|a (?:new|different) (?:team|role|project))|live (?:in|with) (?:fear|peace)|moved (?:back )?to (?:vim|emacs|go|rust|java|python|linux|windows|mac)|based on|moved (?:to|from) (?:monday|tuesday|wednesday|thursday|friday|\d)",
    ),
    _rule(
        "employer",
        rf"\b(?:works?|working|employed|employee|job|role|position|contract(?:ing|or)?|intern(?:ing)?)(?: (?:full-time|part-time|now|remotely|currently))? (?:at|for) {V}|\b(?:employed|hired) by {V.replace('<v>', '<v3>')}|\b(?:joined|hired by|started (?:working |a new job |my new job |a job |a role )?(?:at|with|for)|got a (?:new )?job (?:at|with)|employer is|company is|moved to a (?:new )?(?:job|role) at|left \w+ for|accepted an offer (?:from|at)|(?:took|accepted) a (?:new )?(?:job|position|role|offer) (?:at|with|from)|starting at) {V.replace('<v>', '<v2>')}",
        unless=r"joined (?:a|the|my|our) (?:gym|club|band|team|choir|group|call|meeting)|works? (?:for me|with me|well|fine|at (?:night|home|\d)|from)|work at (?:night|home|\d)|working with|works? with (?:\w+ )?(?:python|react|go|java|the)",
    ),
    _rule(
        "job",
        rf"\b(?:job title|title|job|occupation|profession|position|role) (?:is|was|changed to|has changed to)(?: now)?(?: an?| the)? {V}|\b(?:works?|working|started|hired|employed|serves?|promoted|appointed|took a role|took a job|got a job|acting)(?: (?:at|for) [\w ]{{1,20}})? (?:as|to be|to)(?: an?| the| our)? (?P<v2>[^,;.!?\n]{{0,30}}?(?:{_JOBS})[^,;.!?\n]{{0,16}}?){_END}|\b(?:am|is|'m|became|become|was|now)(?: now)?(?: an?| the| our)? (?P<v3>(?:[\w\-]+ ){{0,4}}(?:{_JOBS}))(?=$|[,;.!?]| (?:at|for|in|by|now|since|on|with|of)\b)|\bpromoted to {V.replace('<v>', '<v4>')}",
        unless="not a|manager is|boss is|supervisor is|lead is|student discount|want|architect of",
    ),
    _rule(
        "salary",
        r"\b(?:salary|wages?|earns?|earning|makes? \$|income|paycheck|hourly rate|base pay)\b",
    ),
    _rule(
        "team_size",
        r"\b(?:team|group|department|company|we) (?:\w+ )?(?:has|have|had|is|are|grew to|shrank to|of|consists of|now has|went (?:from \w+ )?to) (?:\w+ )?(?:\d{1,5}|two|three|four|five|six|seven|eight|nine|ten|twelve) (?:people|members|engineers|developers|employees)|\bteam size\b",
    ),
    _rule(
        "commute",
        r"\b(?:commutes?|commuting|gets? to work|goes? to work|go to the office|travels? to work|to work|to the office)\b(?:(?: \w+){0,2}? (?:by|on|via|in) (?P<v>[^,;.!?\n]{1,20}))?|\b(?:takes?|rides?|drives?|bikes?|cycles?|walks?|drove|biking|driving|taking)(?: (?:the|a|my|his|her))? ?(?P<v2>\w{0,12}) to (?:work|the office)\b",
        unless=r"\b(?:km|miles?|minutes?|hours?|from home|want|like|love|hate|need|have|get|back) to work|commute (?:is|takes|of)|to work (?:on|with|for|at|out)",
    ),
    _rule(
        "commute_time",
        r"\bcommute\b[^,;!?\n]{0,30}\b(?:minutes?|mins?|hours?|hr)\b|\b(?:minutes?|mins?|hours?)[^,;.!?\n]{0,10} (?:commute|to get to work)",
    ),
    _rule(
        "commute_distance",
        r"\b(?:km|kilometers|kilometres|miles?|meters|blocks) (?:away )?(?:from|to) (?:work|the office|my office|campus|school)|\bcommute is [^,;.!?\n]{0,12}(?:km|miles?|kilometers)",
    ),
    _rule(
        "work_mode",
        r"\b(?:works?|working|job is|role is|team is|went|go(?:es)?|office is|fully|am|is|are)(?: (?:now|fully|mostly|entirely|back|100%))* ?(?P<v>remote(?:ly)?|from home|hybrid|on-?site|in the office|in-office|in person)\b",
        unless="from home to|remote control|remote server",
    ),
    # --- every day ---
    _rule(
        "wake_time",
        r"\b(?:wakes? up|waking up|gets? up|getting up|up at \d|wake-up time|alarm (?:is )?(?:set )?(?:for|at))\b",
        unless="hate|love|like|hard|difficult|struggle",
    ),
    _rule(
        "sleep_time",
        r"\b(?:go(?:es)? to (?:bed|sleep)|bedtime|falls? asleep|asleep by|in bed by|turns? in at|sleeps? at)\b",
    ),
    _rule(
        "sleep_hours",
        r"\b(?:sleeps?|sleeping|gets?)(?: (?:about|around|only|for|at least))? (?:\d{1,2}(?:\.\d)?|\w{3,5}) hours(?: of sleep)?",
    ),
    _rule(
        "working_hours",
        r"\b(?:work(?:ing)? hours|office hours|shift (?:is|starts)|works? (?:from )?\d{1,2}[^,;.]{0,12}(?:to|until|-) \d)",
    ),
    _rule(
        "diet",
        r"\b(?P<v>vegetarian|vegan|pescatarian|keto|paleo|halal|kosher|gluten-free|omnivore|low-carb|plant-based|carnivore)(?: diet)?(?=$|[,;.!?]| (?:now|again|since|diet|for|and|anymore|because|person|by)\b)|\bdiet is {0}".replace(
            "{0}", V.replace("<v>", "<v2>")
        ),
        act="have",
        unless="restaurants?|cheese|trying|recipes?|options?|for a (?:week|month)|this (?:week|month)",
    ),
    _rule(
        "allergies",
        rf"\b(?:allergic to|allergy to|intolerant to|allergies (?:are|include)) {V}|\b(?:(?:has|have|having|got|with|developed|a|an|no|my|known)) (?:severe |bad |mild |serious |known )?(?P<v2>\w{{3,20}}) (?:allergy|allergies|intolerance)\b|\b(?P<v3>lactose|gluten|histamine)[- ]intolerant\b",
        many=True,
        act="have",
        unless="season",
    ),
    _rule(
        "medications",
        rf"\b(?:(?:on|takes?|taking|prescribed|started on) (?P<v>\w{{4,20}}(?:in|ol|ine|ide|mab|pril|statin|cin|formin|pam|one|ate|zole))\b)|\bmedication is {V.replace('<v>', '<v2>')}",
        many=True,
        act="habit",
    ),
    # --- people ---
    _rule(
        "children.count",
        r"\b(?:has|have|had|got|with|of|expecting|raising|are|is)?(?: (?:no|a|one|two|three|four|five|six|\d))? ?(?:no|one|two|three|four|five|six|\d) (?:\w+ )?(?:kids?|children|sons?|daughters?)\b|\b(?:first|second|third|fourth|fifth) (?:child|kid|baby|son|daughter)\b(?: (?:was born|arrived|is (?:here|born)|came))?|\bno kids\b",
        unless="years? old|colleague|friend",
    ),
    _rule(
        "siblings",
        r"\b(?:has|have|got) (?:an? |one |two |three |\d |no )?(?:\w+ )?(?P<v>brothers?|sisters?|siblings?)\b|\bonly child\b",
        many=True,
        act="have",
    ),
    _rule(
        "pets",
        r"\b(?:has|have|had|got|adopted|own|owns|bought|rescued|raising|keep|keeps)(?: (?:a|an|one|two|three|another|\d|my|some|no))? ?(?:\w+ ){0,2}?(?P<v>dogs?|cats?|puppy|kitten|parrots?|hamsters?|rabbits?|turtles?|goldfish|horses?|snakes?|guinea pigs?|corgis?|labradors?|golden retriever|poodle|pets?)\b|\b(?:dog|cat|pet|puppy|kitten)(?:'s name)? is (?:called |named )?(?P<v2>[a-z]\w{1,14})\b",
        many=True,
        act="have",
        unless="dogs? (?:is|are) (?:great|cute)|want|would",
    ),
    _rule(
        "marital_status",
        r"\b(?:am|is|'m|got|was|are|recently|just|now|been)(?: (?:now|happily|newly|recently|just|finally)){0,3} (?P<v>married|single|engaged|divorced|widowed|separated)\b",
    ),
    _rule(
        "partner",
        rf"\b(?:wife|husband|partner|girlfriend|boyfriend|spouse)(?:'s name)? is (?:called |named )?(?P<v>[a-z]\w{{1,14}})(?=$|[,;.!?])|\b(?:married to|dating|engaged to) {V.replace('<v>', '<v2>')}",
        unless="is (?:a|an|the|not|on|at|in|from|very|so|pregnant|allergic|vegan|vegetarian)\\b",
    ),
    _rule(
        "manager",
        rf"\b(?:manager|boss|supervisor|team lead|line manager) (?:is|was|changed to)(?: now)? {V}|\breports? (?:directly )?to {V.replace('<v>', '<v2>')}",
        unless="is (?:a|an|on|not|very|so|out|away|nice|strict|great|leaving)\\b",
    ),
    *(
        _rule(
            attribute,
            rf"\bmy (?:new |current |family )?(?:{names})(?:'s name)? (?:is|was|changed to)(?: now| called){{0,2}} (?:(?:dr|mr|mrs|ms|prof)\. )?{V}",
            unless="is (?:a|an|on|not|very|so|out|away|nice|strict|great|leaving|the|from|in|at|off|always|also|retir\\w+)\\b",
        )
        for attribute, names in (
            ("doctor", "doctor|gp|physician"),
            ("dentist", "dentist"),
            ("lawyer", "lawyer|attorney"),
            ("accountant", "accountant"),
            ("therapist", "therapist"),
            ("landlord", "landlord|landlady"),
            ("coach", "coach|personal trainer"),
        )
    ),
    # --- style of answers ---
    _rule(
        "answers.language",
        r"\b(?:answers?|respond|reply|replies|write|speak|talk|communicate|chat|responses?)(?: \w+){0,4}? in (?P<v>english|chinese|mandarin|spanish|french|german|japanese|korean|both languages)\b|\b(?:use|prefer) (?P<v2>english|chinese|spanish|french|german|japanese) (?:for|in|when) (?:answers?|repl|respon)",
    ),
    _rule(
        "answers.tone",
        r"\b(?:tone|style|voice)(?: \w+){0,3}? (?P<v>formal|casual|friendly|playful|serious|professional|humorous|direct|warm|polite|relaxed|witty)\b|\b(?:be|sound|keep it|prefers?|likes?|use an?) (?:more |a )?(?P<v2>formal|casual|friendly|playful|serious|professional|humorous|direct|blunt|polite)(?: tone| answers?| language)?(?=$|[,;.!?])",
    ),
    _rule(
        "answers.format",
        r"\b(?:answers?|respond|reply|format|output|summari\w+|responses?|results?)(?: \w+){0,4}? (?P<v>bullet points|bullets|tables?|lists?|prose|paragraphs|markdown|plain text|json|emojis?|numbered lists?)\b|\b(?:use|prefers?|likes?|wants?|no) (?P<v2>bullet points|bullets|prose|paragraphs|markdown|plain text|emojis?|numbered lists?)\b",
    ),
    _rule(
        "answers.verbosity",
        r"\b(?P<v>detailed|concise|brief|short|long|shorter|longer|thorough|verbose|terse|in-depth|succinct|to the point|one-line|step-by-step|lengthy)\b(?: \w+){0,2}? ?(?:answers?|explanations?|repl(?:y|ies)|responses?|summar(?:y|ies))|\b(?:answers?|explanations?|repl(?:y|ies)|responses?|explain|respond|keep it|be|summaries)(?: \w+){0,4}? (?P<v2>detailed|concise|brief|short|shorter|longer|thorough|verbose|terse|in detail|in depth|succinct|to the point|conclusion|bottom line|step by step)\b|\b(?:just|only) (?:give me |want |the )*(?P<v3>the (?:conclusion|answer|bottom line|code))",
    ),
    # --- favourites ---
    _rule(
        "favorite",
        rf"\b(?:favou?rite|go-to|preferred) (?P<a>[\w ]{{1,24}}?) (?:is|are|was|has become|became|changed to)(?: now)?(?: the)? {V}|\b(?P<v2>[\w ]{{1,24}}) is (?:now )?(?:my|his|her|the user's) favou?rite (?P<a2>\w{{2,16}})",
        act="favorite",
    ),
    # --- work on things ---
    _rule(
        "deadline",
        r"\b(?:deadline|due date|due (?:on|by)|is due|launch(?:es)? (?:date|on|is|moved|slipped)|release date|\b(?:release|launch|go-live|rollout) (?:is|was|has|slipped|moved|pushed|got|will be)|ship(?:s|ping)? (?:date|on)|go-live|delivery date|cutoff|submission date|releases? on)\b",
    ),
    _rule(
        "version",
        r"\b(?:version|upgraded (?:\w+ )?(?:from \S+ )?to|runs? on|on) v?\d{1,3}(?:\.\d{1,3}){0,3}\b(?! (?:minutes|hours|km))",
        unless="works? on",
    ),
    _rule("budget", r"\bbudget\b"),
    _rule("rent", r"\brent\b(?! a)"),
    _rule("mortgage", r"\bmortgage\b"),
    _rule(
        "learning",
        rf"\b(?:learning|studying|taking (?:lessons|classes|a course) in|started learning) {V}",
        many=True,
        act="use",
        unless="machine learning|university|college",
    ),
    _rule(
        "breakfast",
        rf"\b(?:eats?|has|have|having|drinks?|makes?) (?P<v>[\w ]{{2,30}}?) (?:for|at|with) breakfast\b|\bbreakfast is (?:usually |always |now )?{V.replace('<v>', '<v2>')}",
        act="habit",
    ),
    _rule(
        "lunch",
        rf"\b(?:eats?|has|have|having) (?P<v>[\w ]{{2,30}}?) (?:for|at) lunch\b|\blunch is (?:usually |always |now )?{V.replace('<v>', '<v2>')}",
        act="habit",
    ),
    _rule(
        "hobbies",
        rf"\b(?:hobb(?:y|ies)|pastime)(?: is| are| include| includes|:) {V}|\binterested in {V.replace('<v>', '<v2>')}",
        many=True,
        act="use",
    ),
    _rule(
        "vehicle",
        rf"\b(?:drives?|driving|bought|car is|got|traded (?:\w+ ){{1,4}}for) (?:an?|my|the|a new|a used)? ?(?P<v>(?:\w+ )?(?:tesla|toyota|honda|bmw|ford|audi|volvo|byd|nissan|mazda|subaru|volkswagen|vw|kia|hyundai|jeep|porsche|lexus|mercedes)[\w ]{{0,16}}?){_END}",
    ),
)

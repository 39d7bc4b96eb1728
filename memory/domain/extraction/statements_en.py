"""Which English clauses state a fact: what is said of the owner after the subject."""

import re

# --- What is no statement ---

QUESTION = re.compile(
    r"^(?:do|does|did|can|could|would|will|should|shall|is|are|was|were|have|has|what"
    r"|what's|whats|how|why|when|where"
    r"|which|who|whom|whose|any|may|might) (?:you|i|we|it|there|that|this|the|a|an|my|your"
    r"|s|is|are|do|does|did|about|come"
    r"|much|many|long|can|should|would|one|kind|sort|idea|tips|he|she|they)\b",
    re.I,
)
HYPOTHETICAL = re.compile(
    r"^(?:if|suppose|supposing|imagine|assuming|say|what if|let's say|pretend"
    r"|hypothetically|unless|in case)\b"
    r"|\b(?:if (?:i|we) (?:were|was|had|could|did|lived|won|ever)|as if|i wish|we wish"
    r"|i would|i could|i might|we would|i should|would have|could have)\b"
    r"|\b(?:i|we)['’]d (?!(?:like|prefer|rather|love) (?:you|it|your|answers|replies"
    r"|short)|been|moved|already)",
    re.I,
)
HESITATION = re.compile(
    r"\btorn between\b|\bcan(?:no|')t decide\b|\bcannot decide\b|\bundecided\b"
    r"|\bnot sure (?:if|whether|about|which|what)\b"
    r"|\bunsure\b|\bdebating\b|\bon the fence\b|\bhesitat|\bgoing back and forth\b"
    r"|\bwhether (?:to|i|we)\b|\bwondering\b"
    r"|\bdon['’]t know (?:if|whether|which|what|how)\b|\bstill (?:deciding|comparing"
    r"|weighing)\b|\beither \w+ or\b|\bweighing\b",
    re.I,
)
REPORTED = re.compile(
    r"^(?:i (?:heard|read|saw|was told)|someone (?:said|told)|people (?:say|think)"
    r"|apparently|rumou?r|he (?:said|says)|she (?:said|says)"
    r"|they (?:said|say)|according to)\b|\b(?:thinks?|says?|said|claims?|assumes?"
    r"|believes?|joked?|told (?:him|her|them|people)) (?:that )?(?:i|we|my)\b"
    r"|\bnot true that\b|\bi (?:never|didn['’]t) sa(?:id|y)\b|\bin (?:the|my|a) (?:novel"
    r"|book|movie|film|dream|song|game|story)\b",
    re.I,
)
TASK_TALK = re.compile(
    r"\bwe can\b|\b(?:your|yours|you)\b(?! know)|\byou(?:r| just| said| gave| suggested"
    r"| wrote)\b.{0,24}\b(?:suggestion|answer|code|advice|example|solution|explanation"
    r"|snippet|said|suggested|wrote|gave)"
    r"|\b(?:this|that|the|these|those) (?:\w+ )?(?:error|bug|code|function|file|test|tests"
    r"|build|script|query|snippet|command|stack trace|traceback|line|output|message"
    r"|warning|package|endpoint|page|question|answer|list|table|example|article)\b"
    r"|\b(?:errors?|exceptions?|bugs?|logs?|stack traces?|timeouts?|tracebacks?)\b"
    r"|\b(?:an?|some|another|one|quick|few) (?:\w+ )?(?:question|questions|issue|issues"
    r"|error|problem|problems|doubt|bug|idea|feeling|look|minute|second|moment|hunch"
    r"|favou?r)\b"
    r"|\b(?:using|tried|trying|changed|ran|running|found|installed|added|fixed) (?:this"
    r"|that|the|your|it)\b|\b(?:just )?(?:asking|checking|testing|guessing|wondering"
    r"|saying)\b"
    r"|\b(?:doesn['’]t|don['’]t|won['’]t|didn['’]t|isn['’]t|not) (?:work|working|compile"
    r"|start|load|run|build|respond)\b(?! (?:at|in|for|on|as|from|with|weekends|mondays"
    r"|fridays)\b)|\b(?:is|are|keeps?) (?:broken|failing|crashing|down|slow|throwing)\b"
    r"|\bno idea\b|\btrying to (?:fix|debug|understand|figure|run|install|get|make)\b"
    r"|\bgetting an?\b",
    re.I,
)
PASSING = re.compile(
    r"\b(?:feel|feels|feeling|felt|worried|proud of|inspired|excited|thankful|grateful"
    r"|glad|honou?red|blessed|overwhelmed|amazed|immersed|gonna|in awe|looking forward"
    r"|swamped|familiar with|here (?:to|for)|in this together)\b"
    r"|\bhappy (?:to|for|that|with)\b|\bhaving (?:an?|some|so much|such"
    r"|lots of) (?:\w+ )?(?:blast|fun|great|good|hard|tough|rough|time)\b"
    r"|\bwill (?:definitely|keep|try|consider|think|be sure|make sure|remember|check|look"
    r"|give|do|practi[cs]e|refer)\b|\bwant to (?:relax|talk|find|know|hear|ask|share"
    r"|make sure|keep|see|discuss|chat|say|thank|take a walk)\b"
    r"|\bhop(?:e|ing) (?:to (?:see|hear|keep)|that|it|you|this)\b|\b(?:not|won['’]t"
    r"|never) (?:be )?giv(?:ing|e) up\b|\bkeep (?:it up|pushing|going|practi[cs]ing"
    r"|trying)\b|\bpushing (?:forward|myself|through)\b|\bbelieve in (?:us|me|myself|him"
    r"|her|them)\b|\blet['’]s\b"
    r"|\b(?:a bit|a little|so|really|pretty|kinda|super|very|just) (?:tired|hungry|sleepy"
    r"|bored|busy|cold|hot|late|happy|sad|excited|confused|lost|stuck)\b"
    r"|\b(?:stuck|confused|back|done|ready|sure|sorry|afraid (?:not|so)|glad|curious|aware"
    r"|good|fine|okay|late|hungry|tired|busy|bored|here|there|kidding|joking)\b.{0,12}$"
    r"|\b(?:had|ate|drank|grabbed) (?:an? |some |my )?(?:\w+ ){0,2}(?:latte|coffee|tea"
    r"|lunch|dinner|breakfast|sandwich|pizza|beer|snack|burger|salad)"
    r"|\bgoing to (?:bed|sleep|eat|try|check|grab|see|look)\b|\b(?:will|['’]ll"
    r"|going to) \w+ (?:it|that|this|them)\b"
    r"|\bright now\b|\bthis (?:morning|afternoon|evening)\b|\b(?:woke up|on the (?:train"
    r"|bus|way)|in traffic|at \d+ ?%)\b",
    re.I,
)

# --- What is one ---

_LIKE = (
    r"(?:like|likes|love|loves|enjoy|enjoys|prefer|prefers|hate|hates|dislike|dislikes|adore"
    r"|adores|loathe|detest|despise|can['’]t stand|cannot stand|can['’]t bear|fancy|favou?r"
    r"|value|appreciate|care about|lean towards?)"
)
_HOW = (
    r"(?:(?:\w{3,}ly|also|still|just|only|mostly|now|always|never|usually|often|sometimes"
    r"|rarely|seldom|do|don['’]t|do not|does(?:n['’]t| not)?|didn['’]t|did"
    r"|can['’]t|cannot|can|no longer|used to|not|kind of|sort of|much|both|all|currently"
    r"|already|recently|even|already|ever since|have|has|['’]ve|['’]d|would|rather|had"
    r"|been|once) ){0,4}"
)
_DO = (
    r"(?:live|lives|lived|living|reside|work|works|worked|working|study|studies|studied"
    r"|use|uses|using|drive|drives|own|owns|play|plays|speak|speaks|drink|drinks|eat|eats"
    r"|smoke|smokes|touch|write (?!to you|this|that)\w+|code|program|run (?!the|this|that"
    r"|it|into|a test|tests|make|pip|npm)\w+|runs|swim|go(?:es)? (?:\w+ing|to|for|out|on"
    r"|by)|cook|cooks|bake|garden|wear|wears|wake up|get up"
    r"|sleep|go to bed|commute|commutes|cycle|bike|teach|teaches|lead|leads|manage|manages"
    r"|avoid|avoids|collect|collects|practi[cs]e|meditate|exercise|train|volunteer"
    r"|freelance|rent"
    r"|read (?!this|that|the|your)\w+|listen to|watch (?!this|that|the)\w+|follow a"
    r"|keep (?:kosher|bees|chickens|a)|believe in|pray|vote|fly|travel|hike|climb|ski|surf"
    r"|dance|sing|paint|draw|knit|camp"
    r"|support|specialize|specialise|focus on|belong to|take (?:\w+ ){0,3}(?:medication"
    r"|pills|metformin|insulin|vitamins|classes|lessons|the (?:train|bus|subway|tube))"
    r"|carry|carries|have to avoid"
    r"|react (?:badly )?to|suffer from|suffers from|break out|need (?:glasses|a wheelchair"
    r"|hearing)|wake|sell|build|design|maintain|raise|grow|make my|brew|share an?)"
)
_DID = (
    r"(?:moved|relocated|grew up|was (?:born|diagnosed|raised|promoted|hired|laid off"
    r"|accepted|admitted)|were (?:born|married)|switched|decided|chose|picked|went with"
    r"|opted|settled (?:on|for|in)"
    r"|ended up (?:with|choosing|going|picking|using)|started|began|joined|quit|left (?:my"
    r"|our|the|\w+ (?:last|in))|resigned|bought|adopted|got (?!it|this|that|your|the"
    r"|an error|a error|back|stuck|lost|confused)(?:a |an |my |married|engaged|promoted"
    r"|divorced|laid|hired|into|rid)"
    r"|graduated|finished (?!the|this|that|it)\w+|handed in|submitted (?:my|our|a"
    r"|the (?:thesis|paper|application))|passed (?:my|the|an?)|completed (?:my|our|an?)"
    r"|ran (?:a|an|my|the \w+ )(?: ?\w+)? ?marathon|broke (?:my|up)|had (?:\w+ )?surgery"
    r"|had my (?!\w+ (?:open|running|set))\w+|been to"
    r"|stopped|gave up|given up|sold|retired|founded|co-?founded|published|won|inherited"
    r"|upgraded|replaced|migrated|converted|signed up|enrolled|booked|applied|landed"
    r"|lost my|became|turned \d+|celebrated|visited|flew|travell?ed)"
)
_PLAN = (
    r"(?:plan|plans|planning|intend|intends|aim|aims|hope|hopes|hoping|want|wants|going"
    r"|aiming|intending|looking) (?:to|on|for)(?! (?:know|ask|see|understand|fix|make sure"
    r"|check|try|be able|use this))\b|(?:thinking|dreaming) (?:of|about) \w+ing"
    r"|considering \w+ing"
    r"|will (?!be back|check|try|do|let|see|use this|look)\w+|['’]ll (?:be )?(?:mov|start"
    r"|fly|visit|attend|travel|leav|retir|turn|marry|graduat|join)\w*"
    r"|(?:flying|moving|travell?ing|starting|leaving|getting|visiting|meeting|attending"
    r"|running|speaking|presenting|defending|returning|taking|switching|going|hosting"
    r"|having) "
)
_AM_ADVERB = (
    r"(?:(?:not|also|still|now|currently|actually|really|just|a|an|the|both|originally|very"
    r"|mostly|allegedly|only|no longer|quite|pretty|severely|deathly|mildly|happily"
    r"|proudly) ){0,3}"
)
_AM = (
    r"(?:'m|’m|'re|’re| am| are| was| were|'ve been|’ve been| have been) "
    + r"(?!(?:so|a bit|a little|a tad|sorry|not sure|sure|glad|curious|wondering|back|done"
    r"|ready|afraid (?:not|so|that)|looking (?:at|into|for (?:an?|the) (?:answer|way|bug))"
    r"|getting an?|trying(?! to (?:learn|quit|lose|save|cut|get into|eat|exercise"
    r"|read more|speak))|thinking(?! (?:of|about) \w+ing)|assuming|following|happy with"
    r"|on version|having (?:trouble|issues|problems)|using this|here|good|fine|ok|okay"
    r"|confused|lost|stuck|aware|kidding|joking|happy to|going to (?:try|check|ask|use|run"
    r"|look|see|bed|eat|sleep|grab)|asking|talking|referring|saying|thinking that"
    r"|reading (?:this|that|the|your)|seeing|doing (?:well|fine|good|ok)|on it)\b)"
    + _AM_ADVERB
    + r"(?:[\w'’-]+)"
)
_HAVE = (
    r"(?:'ve got| have| has|’ve got| own| owns| also have| still have| now have| only have"
    r"| got) (?:an? |two |three |four |five |six |\d+ |no |some |several |type |high |low "
    r"|chronic |severe |my |mild |lots of |many |celiac|coeliac|asthma|diabetes|epilepsy|adhd"
    r"|kids|children|allerg|migraine|arthritis|insomnia|lived|worked|been|never|always)"
)
_SAID = re.compile(
    r"^(?:"
    + r"(?:"
    + _AM
    + r")"
    + r"|(?:"
    + _HAVE
    + r")"
    + r"|(?:['’](?:ve|d|ll|re|m))? ?"
    + _HOW
    + r"(?:"
    + "|".join((_LIKE, _DO, _DID, _PLAN))
    + r")(?:\b|(?<= ))"
    + r")",
    re.I,
)
_OWN_THING = re.compile(
    r"^(?: [\w'’./&-]{1,30}){1,6}? ?(?:(?:['’]s|['’]re|is|are|isn['’]t|aren['’]t|was|were"
    r"|has|have|expires?|ends?|starts?|uses?|runs? on|lives?|works?|changed|moved"
    r"|consists?|means|includes?|comes?|goes|died|passed|speaks?|named|called)\b)",
    re.I,
)
_NOT_A_THING = re.compile(
    r"^ (?:\w+ )?(?:build|battery|tests?|script|query|function|question|problem|guess"
    r"|point|mistake|bad|fault|coffee|tea|lunch|dinner|error|screen|wifi|connection"
    r"|queries|idea|opinion|concern|understanding|example"
    r"|internet|head|brain|apologies|pleasure|terminal|console|laptop (?:is|was) (?:slow"
    r"|hot|dead)|phone (?:is|was) (?:dead|at))\b",
    re.I,
)
# Said without a subject, as in notes: "Allergic to peanuts", "Working at Siemens".
_DROPPED = re.compile(
    r"^(?:severely |deathly |highly |also )?(?:not (?:an?|much of an?) (?:big "
    r"|huge )?(?:fan of|\w+ person)|allergic to|intolerant|lactose intolerant|born (?:in"
    r"|on)|based in|living in|working (?:at|as|for|on (?:a|my|our))|currently (?:learning"
    r"|studying|living|working|reading)"
    r"|learning \w+(?: \w+){0,3}$|vegetarian|vegan|left-handed|colou?r-?blind|moved to"
    r"|married|(?:love|prefer|hate) (?!that|this|these|those|how|when|the way|it\b|seeing"
    r"|hearing|your|the )\w+|can['’]t stand|never (?:eat|drink|use|touch)|planning (?:to"
    r"|on|a)|training for|preparing for|saving (?:up )?for|interested in|trying to (?:quit"
    r"|learn|lose|save|cut)|hoping to|grew up in|switched (?:from|to))\b",
    re.I,
)
_VAGUE_OBJECT = re.compile(
    r"^(?:['’]\w+)?(?: [\w'’-]+){0,4} (?:it|that|this|them|those|these|that one|this one)(?: now"
    r"| too| yet| already| so much| a lot| again)?[.!]?$|\b(?:to|and|with|for|joined|too"
    r"|even)$|"
    r"\b(?:like|love|enjoy|prefer|hate|dislike|use|bought|have|want|need|chose|picked"
    r"|appreciate|got)(?:d|s)? (?:it|that|this|them|those|these|one|the (?:first|second"
    r"|last|latter|former) (?:one)?|you|your \w+|how you \w+)(?: (?:too|a lot|so much"
    r"|very much|more|better|already|now|though))?[.!]?$",
    re.I,
)
EVENT = re.compile(
    r"\b(?:graduated|finished|handed in|submitted|passed|completed|ran|broke"
    r"|had (?:\w+ )?surgery|got (?:married|engaged|promoted|divorced|hired)"
    r"|was (?:promoted|hired|diagnosed|laid off|accepted)|adopted|bought|sold|quit"
    r"|resigned|left|won"
    r"|visited|flew|travell?ed|celebrated|published|founded|lost|died|passed away|retired"
    r"|met|attended|went to|moved|started|joined|switched|took)\b",
    re.I,
)
STATE_START = re.compile(
    r"\b(?:moved|moving|relocat\w+|start(?:ed|ing)?|join(?:ed|ing)|switch(?:ed|ing)|became"
    r"|since|migrat\w+|converted|stopped|quit|gave up|expires?|ends?|begins?|retir\w+)\b",
    re.I,
)
PLANNED = re.compile(
    r"\b(?:plan(?:s|ning)?|intend\w*|going to|will|hop(?:e|es|ing)|want(?:s)? to|flying"
    r"|moving|travell?ing|starting|leaving|getting|visiting|attending|expires?|due|booked"
    r"|appointment|considering|thinking (?:of|about)|have to|need to|must)\b|['’]ll\b",
    re.I,
)


def states_fact(rest: str, *, dropped: bool, possessive: bool) -> bool:
    """Whether what follows the subject (or stands without one) states something lasting.

    `possessive`: the subject was "my" or "our", so that a thing of the owner's comes next.
    """
    if PASSING.search(rest) or _VAGUE_OBJECT.search(rest):
        return False
    if dropped:
        return _DROPPED.search(rest) is not None
    if possessive:
        return not _NOT_A_THING.match(rest) and _OWN_THING.match(rest) is not None
    return _SAID.match(rest) is not None


_OF_KIN = re.compile(
    r"\A(?:[\w'’ -]{0,60}?\b(?:is|are|was|has|have|lives?|works?|loves?|likes?|hates?|go|play|speak"
    r"|can['’]t|does|doesn['’]t|never|always|goes|plays?|speaks?|died|turned|turns|moved|got|started"
    r"|wants?|needs?|takes?|eats?|named|called|studies|just)\b|['’]s\b)",
    re.I,
)
_SAID_BY_KIN = re.compile(r" ?(?:said|says|told|thinks?|thought|asked|always say)\b", re.I)
_OF_PART = re.compile(r" (?:\w+ ){0,3}(?:is|are|was|were|has|have|comes|goes|uses)\b", re.I)


def states_of_kin(rest: str) -> bool:
    """Whether what follows "my wife" states something of her."""
    return not _SAID_BY_KIN.match(rest) and _OF_KIN.match(rest) is not None


def states_of_part(rest: str) -> bool:
    """Whether what follows "most of my code" states something of it."""
    return _OF_PART.match(rest) is not None

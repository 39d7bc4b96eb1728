"""Everyday things by their names in Chinese and English, so that 咖啡 and coffee are one.

A thing's class tells what a bare name can be a value of (Go: a programming language; 阿里云: a
cloud). The list is a help, not a border: what it does not know is compared by its own words.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

# class: first name is the thing, the others are the same thing; things separated by " / ".
_LISTS = {
    "language": (
        "java / go,golang,go语言 / python / rust / javascript,js / typescript,ts / c++,cpp / c#"
        " / kotlin / swift / ruby / php / scala / haskell / elixir / erlang / clojure / dart / lua"
        " / perl / matlab / fortran / cobol / julia / zig / ocaml / groovy / objective-c / r语言"
    ),
    "frontend": "react,reactjs / vue,vue3,vue.js / angular / svelte / solidjs / jquery / preact",
    "framework": (
        "django / flask / fastapi / spring boot,springboot / spring / rails,ruby on rails"
        " / express.js,expressjs / laravel / gin / axum / actix / nestjs / next.js,nextjs"
        " / nuxt / flutter / react native / pytorch / tensorflow / celery / tailwind / bootstrap"
    ),
    "database": (
        "postgresql,postgres,pg / mysql / sqlite / mongodb,mongo / redis / oracle / sql server"
        " / mariadb / cassandra / dynamodb / elasticsearch / tidb / oceanbase / clickhouse"
        " / cockroachdb / neo4j / pgvector / milvus / valkey"
    ),
    "cloud": (
        "aws,amazon web services,亚马逊云 / 阿里云,aliyun,alibaba cloud / 腾讯云,tencent cloud"
        " / 华为云,huawei cloud / azure / gcp,google cloud,谷歌云 / heroku / vercel / digitalocean"
        " / cloudflare / netlify / hetzner"
    ),
    "editor": (
        "vim,vi / neovim,nvim / emacs / vs code,vscode,visual studio code / intellij,idea,"
        "intellij idea / pycharm / sublime text,sublime / cursor / zed / webstorm / goland / nano"
        " / eclipse / xcode / android studio"
    ),
    "notes": (
        "notion / obsidian / evernote,印象笔记 / onenote / logseq / 语雀 / 飞书文档 / 有道云笔记"
        " / apple notes,备忘录 / bear"
    ),
    "chat": "slack / 飞书,lark,feishu / 钉钉,dingtalk / teams / discord / 企业微信 / telegram / 微信,wechat",
    "browser": "chrome,谷歌浏览器 / firefox,火狐 / safari / edge / brave / arc / opera",
    "system": (
        "windows / macos,mac os,os x / linux / ubuntu / debian / fedora / arch linux,arch / nixos"
        " / android,安卓 / ios / 鸿蒙,harmonyos / centos"
    ),
    "tracker": "jira / linear / trello / asana / github issues / tapd / 禅道",
    "ci": "jenkins / github actions / gitlab ci / circleci / travis / drone / argo cd,argocd",
    "container": "docker / podman / kubernetes,k8s / nomad / docker swarm,swarm",
    "broker": "rabbitmq / kafka / nats / pulsar / rocketmq",
    "phone_model": (
        "iphone,苹果手机 / 安卓手机,android phone / 华为手机,华为 / 小米手机,小米 / 三星手机,samsung"
        " / pixel / 一加"
    ),
    "computer": (
        "mac,macbook,苹果电脑 / thinkpad / windows 电脑,windows pc / surface / chromebook / imac"
    ),
    "spoken": (
        "english,英语,英文 / chinese,中文,汉语 / mandarin,普通话 / japanese,日语,日文 / french,法语"
        " / german,德语 / spanish,西班牙语,西语 / korean,韩语 / russian,俄语 / italian,意大利语"
        " / portuguese,葡萄牙语 / cantonese,粤语 / arabic,阿拉伯语 / thai,泰语 / hindi,印地语"
        " / swedish,瑞典语 / dutch,荷兰语 / vietnamese,越南语"
    ),
    "drink": (
        "coffee,咖啡 / tea,茶 / green tea,绿茶 / black tea,红茶 / milk tea,bubble tea,boba,奶茶"
        " / latte,拿铁 / espresso,浓缩咖啡 / americano,美式 / beer,啤酒 / wine,葡萄酒 / red wine,红酒"
        " / alcohol,酒,饮酒,drinking / liquor,白酒,baijiu / cola,coke,可乐 / juice,果汁 / milk,牛奶"
        " / soy milk,豆浆 / water,水 / soda,汽水 / whisky,whiskey,威士忌 / matcha,抹茶"
    ),
    "food": (
        "pizza,披萨,比萨 / spicy,spicy food,辣,辛辣,辣的,吃辣 / cilantro,coriander,香菜 / sushi,寿司"
        " / ramen,拉面 / noodles,面条 / rice,米饭 / hotpot,hot pot,火锅 / barbecue,bbq,烧烤,烤肉"
        " / dumplings,饺子 / meat,肉 / beef,牛肉 / steak,牛排 / pork,猪肉 / chicken,鸡肉 / lamb,羊肉"
        " / fish,鱼 / seafood,海鲜 / shrimp,prawn,虾 / crab,螃蟹 / shellfish,贝类 / egg,鸡蛋"
        " / peanut,花生 / nut,坚果 / dairy,乳制品,奶制品 / lactose,乳糖 / gluten,麸质 / wheat,小麦"
        " / soy,大豆 / tofu,豆腐 / durian,榴莲 / mango,芒果 / strawberry,草莓 / banana,香蕉 / apple,苹果"
        " / tomato,番茄,西红柿 / eggplant,茄子 / bitter melon,苦瓜 / garlic,大蒜 / onion,洋葱"
        " / scallion,葱 / ginger,生姜 / chocolate,巧克力 / dessert,sweets,甜食,甜点,甜品 / cake,蛋糕"
        " / ice cream,冰淇淋,冰激凌 / sugar,糖 / salt,盐 / bread,面包 / cheese,奶酪,芝士 / salad,沙拉"
        " / burger,汉堡 / fast food,快餐 / junk food,垃圾食品 / stinky tofu,臭豆腐 / oyster,生蚝"
        " / italian food,italian cuisine,意大利菜,意餐 / japanese food,日料,日本料理 / thai food,泰国菜"
        " / sichuan food,川菜 / cantonese food,粤菜 / mushroom,蘑菇 / snack,零食 / breakfast,早餐,早饭"
        " / fried food,油炸食品 / sashimi,生鱼片,刺身"
    ),
    "medicine": (
        "penicillin,青霉素 / aspirin,阿司匹林 / ibuprofen,布洛芬 / cephalosporin,头孢 / sulfa,磺胺"
        " / pollen,花粉 / dust,dust mite,灰尘,尘螨 / cat hair,猫毛 / latex,乳胶 / insulin,胰岛素"
        " / bee sting,蜂毒,bee stings / codeine,可待因 / morphine,吗啡"
    ),
    "diet_name": (
        "vegetarian,素食,吃素,素食者,素食主义者 / vegan,纯素,纯素食,严格素食 / keto,生酮"
        " / pescatarian,鱼素 / halal,清真 / kosher / low-carb,low carb,低碳 / gluten-free,无麸质"
        " / intermittent fasting,轻断食,间歇性断食"
    ),
    "animal": (
        "dog,狗,狗狗,puppy,小狗 / cat,猫,猫咪,kitten,小猫 / bird,鸟 / parrot,鹦鹉 / hamster,仓鼠"
        " / rabbit,兔子 / turtle,乌龟 / goldfish,金鱼 / horse,马 / snake,蛇 / guinea pig,豚鼠"
    ),
    "sport": (
        "running,jogging,跑步,慢跑,run,jog / swimming,游泳,swim / yoga,瑜伽 / basketball,篮球,打篮球"
        " / football,soccer,足球,踢球 / tennis,网球 / badminton,羽毛球 / table tennis,ping-pong,乒乓球"
        " / hiking,徒步,hike / climbing,攀岩,爬山 / cycling,biking,骑行,骑车,cycle,bike / fitness,健身,gym"
        " / skiing,滑雪,ski / golf,高尔夫 / volleyball,排球 / pilates,普拉提 / boxing,拳击 / chess,象棋"
        " / marathon,马拉松 / surfing,冲浪 / dancing,跳舞 / fishing,钓鱼 / meditation,冥想"
        " / smoking,抽烟,吸烟,烟,smoke / gaming,打游戏,游戏,video games"
    ),
    "instrument": (
        "guitar,吉他 / piano,钢琴 / violin,小提琴 / drums,鼓,架子鼓 / cello,大提琴 / flute,长笛"
        " / guzheng,古筝 / erhu,二胡 / saxophone,萨克斯 / ukulele,尤克里里"
    ),
    "transport": (
        "subway,metro,地铁,underground / bus,公交,公交车,巴士 / car,开车,自驾,driving,drive,汽车"
        " / train,火车,高铁 / bicycle,自行车,单车 / on foot,walk,walking,走路,步行 / taxi,打车,出租车"
        " / scooter,电动车,电瓶车 / motorcycle,motorbike,摩托车"
    ),
    "film": (
        "film,movie,films,movies,电影,片子 / horror,恐怖,恐怖片,恐怖电影,horror movies,horror films"
        " / comedy,喜剧 / sci-fi,科幻,science fiction / romance,爱情片 / documentary,纪录片"
        " / anime,动漫,动画"
    ),
    "city": (
        "beijing,北京 / shanghai,上海 / guangzhou,广州 / shenzhen,深圳 / hangzhou,杭州 / chengdu,成都"
        " / nanjing,南京 / wuhan,武汉 / xi'an,xian,西安 / suzhou,苏州 / chongqing,重庆 / tianjin,天津"
        " / qingdao,青岛 / xiamen,厦门 / changsha,长沙 / dalian,大连 / kunming,昆明 / hong kong,香港"
        " / taipei,台北 / tokyo,东京 / osaka,大阪 / seoul,首尔 / singapore,新加坡 / london,伦敦"
        " / paris,巴黎 / berlin,柏林 / munich,慕尼黑 / hamburg,汉堡市 / new york,纽约,nyc"
        " / san francisco,旧金山,sf / seattle,西雅图 / boston,波士顿 / chicago,芝加哥"
        " / los angeles,洛杉矶 / toronto,多伦多 / vancouver,温哥华 / sydney,悉尼 / melbourne,墨尔本"
        " / madrid,马德里 / barcelona,巴塞罗那 / rome,罗马 / milan,米兰 / vienna,维也纳 / zurich,苏黎世"
        " / amsterdam,阿姆斯特丹 / dublin,都柏林 / lisbon,里斯本 / austin / denver / portland"
    ),
    "mode": (
        "dark mode,深色模式,暗色模式,dark theme,深色主题 / light mode,浅色模式,亮色模式,light theme,浅色主题"
    ),
    "brevity": (
        "detailed,详细,详尽,in detail,in-depth,verbose,长一点,展开,step by step,detail,thorough"
        " / concise,简洁,简短,brief,short,精简,结论,bullet points,要点,terse,言简意赅,to the point"
    ),
    "term": "allergy,allergic,allergies,过敏 / spouse",
    "person": "child,孩子,娃,小孩,kid,children,kids / wife,老婆,妻子,太太 / husband,老公,丈夫,先生",
    "other": "remote,remotely,from home,远程,居家办公,在家办公,work from home / meetings,meeting,开会,会议",
}

# English words too: the thing only where written with a capital, or in Chinese words.
_AMBIGUOUS = frozenset(
    "go rust swift dart julia ruby scala spring express gin solid cursor zed arc edge safari opera"
    " linear bear drone notion teams slack oracle flask rails pixel surface eclipse brave nano"
    " polish arch idea mango apple mac swarm asana celery bootstrap perl vi ts pg r c mongo".split()
)
# Names that are also parts of other words and everyday characters.
_LONGEST = 8
_SKIP_AFTER = {"水": "平果管", "马": "上", "鼓": "励", "茶": "馆", "糖": "尿", "鱼": "素"}
_SKIP_BEFORE = {"水": "薪喷香胶墨口", "马": "罗斑", "酒": "啤红白戒米", "烟": "", "蛇": ""}


class Thing(NamedTuple):
    """A thing named in a text: what it is, of which class, and where."""

    name: str
    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Names:
    latin: dict[str, tuple[str, str]]
    chinese: dict[str, tuple[str, str]]


def _read_lists() -> _Names:
    latin: dict[str, tuple[str, str]] = {}
    chinese: dict[str, tuple[str, str]] = {}
    for kind, text in _LISTS.items():
        for entry in text.split(" / "):
            names = [name.strip() for name in entry.split(",")]
            for name in names:
                (latin if name.isascii() else chinese).setdefault(name, (names[0], kind))
    return _Names(latin, chinese)


_NAMES = _read_lists()
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[.'\-][A-Za-z0-9]+)*[+#]{0,2}")
_CJK = re.compile(r"[\u4e00-\u9fff]")


@lru_cache(maxsize=4096)
def find_things(text: str) -> tuple[Thing, ...]:
    """The things a text names, in order; longest names first where they overlap.

    `text` in NFKC with its capitals: "Go" is a language, "go" in an English sentence is not.
    """
    return tuple(sorted(_find_latin(text) + _find_chinese(text), key=lambda thing: thing.start))


def _find_latin(text: str) -> list[Thing]:
    found: list[Thing] = []
    words = list(_WORD.finditer(text))
    chinese = _CJK.search(text) is not None
    at = 0
    while at < len(words):
        step = 1
        for length in (3, 2, 1):
            group = words[at : at + length]
            if len(group) < length:
                continue
            start, end = group[0].start(), group[-1].end()
            said = " ".join(text[start:end].split())
            entry = _NAMES.latin.get(said.lower()) or _NAMES.latin.get(_singular(said.lower()))
            if entry is None or end - start > 40:
                continue
            if (
                said.lower() in _AMBIGUOUS
                and not chinese
                and (
                    not said[0].isupper()
                    or (at == 0 and len(words) > 1 and said.lower() in ("go", "express"))
                )
            ):
                continue
            found.append(Thing(entry[0], entry[1], start, end))
            step = length
            break
        at += step
    return found


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 3 else word


def _find_chinese(text: str) -> list[Thing]:
    found: list[Thing] = []
    at = 0
    while at < len(text):
        step = 1
        if _CJK.match(text[at]):
            for length in range(min(_LONGEST, len(text) - at), 0, -1):
                said = text[at : at + length]
                entry = _NAMES.chinese.get(said)
                if entry is None or _is_part_of_more(text, at, length):
                    continue
                found.append(Thing(entry[0], entry[1], at, at + length))
                step = length
                break
        at += step
    return found


def _is_part_of_more(text: str, at: int, length: int) -> bool:
    said = text[at : at + length]
    after = text[at + length : at + length + 1]
    before = text[at - 1 : at] if at else ""
    return (after != "" and after in _SKIP_AFTER.get(said, "")) or (
        before != "" and before in _SKIP_BEFORE.get(said, "")
    )

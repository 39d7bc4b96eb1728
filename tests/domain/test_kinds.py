import pytest

from memory.domain.behaviour import is_behaviour
from memory.domain.kinds import kind_of, repeated_feedback
from memory.domain.values import Kind

SEMANTIC = [
    "我住在杭州",
    "对花生过敏",
    "主力语言是 Go",
    "I live in Berlin",
    "I am allergic to cats",
    "我喜欢披萨",
    "我打算明年去日本",
    "今天入职阿里",
    "I moved to Berlin last year",
    "上周决定用 Vue",
    "我们已经全面转向 Go 了",
]
EPISODIC = [
    "昨天参加了半程马拉松",
    "今天喝了咖啡",
    "上周在调一个 Python 服务",
    "三天前见了导师",
    "I handed in my thesis last Friday",
    "had a latte",
    "we visited Kyoto last spring",
    "I was debugging a Python service last week",
    "watched a movie yesterday",
]
PROCEDURAL = [
    "回答要简洁",
    "以后都用中文回答我",
    "别用表情符号",
    "先给代码再解释",
    "叫我阿杰",
    "always answer in Chinese",
    "Please don't use emojis",
    "Keep your answers short",
    "prefers concise answers",
    "From now on, show code first",
]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *((text, Kind.SEMANTIC) for text in SEMANTIC),
        *((text, Kind.EPISODIC) for text in EPISODIC),
        *((text, Kind.PROCEDURAL) for text in PROCEDURAL),
    ],
)
def test_the_kind_of(text, kind):
    assert kind_of(text) is kind


@pytest.mark.parametrize(
    "text",
    [
        "把这段翻译成英文",
        "请把这封邮件写得短一点",
        "translate this into English",
        "fix this code please",
        "I never eat meat",
        "every time I fly I get a cold",
        "我不吃香菜",
        "",
    ],
)
def test_a_request_for_this_once_is_no_rule(text):
    assert not is_behaviour(text)


def test_feedback_said_three_times_becomes_one_suggestion():
    told = ["回答太长了", "帮我看看这段代码", "还是太啰嗦", "谢谢", "说重点，太长了"]
    suggestion = repeated_feedback(told)
    assert suggestion is not None
    assert suggestion.content == "回答要简洁"
    assert suggestion.members == (0, 2, 4)
    assert kind_of(suggestion.content) is Kind.PROCEDURAL


def test_feedback_said_twice_is_none():
    assert repeated_feedback(["回答太长了", "回答太长了"]) is None
    assert repeated_feedback([]) is None
    assert repeated_feedback(["我住在杭州"] * 5) is None


@pytest.mark.parametrize(
    ("texts", "content"),
    [
        (["too long", "can you be more concise?", "way too verbose"], "Keep answers short"),
        (["not detailed enough", "elaborate", "more details please"], "Give detailed answers"),
        (["说中文", "请用中文", "不要用英文"], "用中文回答"),
        (["in English please", "in english", "answer in English"], "Answer in English"),
        (["太正式了", "口语化一点", "别这么死板，轻松一点"], "语气轻松一些"),
        (["no emojis", "stop using emojis", "too many emojis again"], "Do not use emojis"),
        (["先给代码", "直接上代码", "先看代码吧"], "先给代码再解释"),
        (["用表格", "换成表格", "做成表格"], "用表格回答"),
        (["别用列表", "不要分点", "不要用表格"], "不要用列表和表格"),
        (["too technical", "less jargon", "plain English please"], "Explain in plain words"),
        (["举个例子", "多给点例子", "没有例子"], "解释时给例子"),
        (["stop apologizing", "no need to apologize", "don't apologize"], None),
        (["stop apologizing", "no more apologizing", "don't apologise"], None),
    ],
)
def test_each_theme_has_its_rule(texts, content):
    suggestion = repeated_feedback(texts)
    if content is None:
        assert suggestion is not None
        assert suggestion.theme == "no_flattery"
    else:
        assert suggestion is not None
        assert suggestion.content == content


def test_who_asks_for_the_opposite_since_is_not_nagged():
    assert repeated_feedback(["太长了", "太长了", "太长了", "太短了，详细一点"]) is None

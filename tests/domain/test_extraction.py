from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memory.domain.errors import NaiveTime
from memory.domain.extraction import Role, Turn, extract_facts
from memory.domain.polarity import is_negative
from memory.domain.text import match_form
from memory.domain.values import Kind, Source
from tests.domain.labelled import read_dialogue

SHANGHAI = ZoneInfo("Asia/Shanghai")
AT = datetime(2026, 3, 4, 12, tzinfo=SHANGHAI)


def extract(content, role=Role.USER, **options):
    return extract_facts([Turn(role=role, content=content, at=AT)], zone=SHANGHAI, **options)


def contents(content, role=Role.USER, **options):
    return [fact.content for fact in extract(content, role, **options)]


def match_expected(expected, facts):
    """Each expected fact with the fact that tells it: same message, and all its words within the
    matching form of the content. No fact tells two."""
    left = list(facts)
    pairs = []
    for wanted in expected:
        told = next(
            (
                fact
                for fact in left
                if fact.message_index == wanted["message"]
                and all(match_form(word) in match_form(fact.content) for word in wanted["words"])
            ),
            None,
        )
        if told is not None:
            left.remove(told)
        pairs.append((wanted, told))
    return pairs, left


@pytest.fixture(params=["tuning", "held_out"])
def dialogue(request):
    script = read_dialogue(request.param)
    turns = [
        Turn(
            role=Role(message["role"]),
            content=message["content"],
            at=datetime.fromisoformat(message["at"]),
        )
        for message in script["messages"]
    ]
    facts = extract_facts(turns, zone=ZoneInfo(script["zone"]), known=script["known"])
    return script, turns, facts


def test_a_bilingual_dialogue_yields_the_facts_listed_beforehand(dialogue, record_property):
    script, turns, facts = dialogue
    assert len(turns) == 40
    pairs, invented = match_expected(script["expected"], facts)
    told = [wanted for wanted, fact in pairs if fact is not None]
    precision = 1 - len(invented) / len(facts)
    recall = len(told) / len(pairs)
    record_property("precision", precision)
    record_property("recall", recall)
    assert precision >= 0.9
    assert recall >= 0.7


def test_no_polarity_is_flipped_and_nobody_elses_fact_is_the_owners(dialogue):
    script, _turns, facts = dialogue
    pairs, _invented = match_expected(script["expected"], facts)
    for wanted, fact in pairs:
        if fact is None:
            continue
        assert fact.source == wanted["source"]
        if wanted["subject"] is not None:
            assert fact.subject == wanted["subject"]
        if wanted["kind"] is not None:
            assert fact.kind == wanted["kind"]
        if wanted["negative"]:
            # "受不了" and "can't stand" deny by one word what they would deny twice.
            assert is_negative(fact.content) or "stand" in fact.content or "受不了" in fact.content
        for name in ("valid_from", "occurred_at"):
            if name in wanted:
                assert getattr(fact, name).date().isoformat() == wanted[name]


def test_every_quote_stands_in_its_message(dialogue):
    _script, turns, facts = dialogue
    for fact in facts:
        assert fact.quote in turns[fact.message_index].content


def test_the_same_dialogue_twice_says_nothing_new(dialogue):
    script, turns, facts = dialogue
    again = extract_facts([*turns, *turns], zone=ZoneInfo(script["zone"]), known=script["known"])
    assert [fact.content for fact in again] == [fact.content for fact in facts]


STATED = [
    "我不吃辣",
    "我有轻微的乳糖不耐受",
    "我家有两只猫",
    "我习惯用 Vim 写代码",
    "我戒烟三年了",
    "我开一辆特斯拉",
    "我英文名叫 Leo",
    "我们公司用飞书",
    "我换工作了",
    "我有恐高症",
    "喜欢喝美式",
    "对海鲜过敏",
    "在准备考公务员",
    "养了一只叫豆包的橘猫",
    "我信基督教",
    "我胃不好",
    "I'm a vegetarian",
    "My favourite editor is Neovim",
    "I've been learning Japanese for two years",
    "I don't like spicy food",
    "I no longer eat meat",
    "I was born in 1988",
    "I can't eat gluten",
    "I take metformin twice a day",
    "My wife and I have two kids",
    "I'm not a morning person",
    "I mostly write Rust these days",
    "Allergic to penicillin",
    "Peanuts make my throat swell up",
]


@pytest.mark.parametrize("content", STATED)
def test_a_first_person_statement_is_kept_in_its_own_words(content):
    [fact] = extract(content)
    assert (fact.content, fact.quote, fact.subject) == (content, content, "user")
    assert fact.source is Source.USER_STATED


NOT_STATED = [
    "你好",
    "帮我写个函数",
    "这个报错怎么解决？",
    "今天好累",
    "我试了一下还是不行",
    "我想知道怎么用 Docker",
    "我在用你给的代码，报错了",
    "如果我是老板，我就涨工资",
    "要是我住在海边就好了",
    "听说你们出了新模型",
    "我听说他喜欢猫",
    "我不知道该用哪个",
    "React 好还是 Vue 好？",
    "你知道我喜欢什么吗",
    "谁说我喜欢加班",
    "我不是说我喜欢香菜",
    "我以为我喜欢猫",
    "我喜欢这个",
    "客户要求周五交付",
    "能用中文再说一遍吗？",
    "请把这封邮件写得短一点",
    "Can you help me with this bug?",
    "I'm getting an error",
    "I like your idea",
    "I love it!",
    "If I were rich I would travel",
    "I wish I could sing",
    "I was wondering whether to use Redis",
    "I have a question",
    "My build is failing",
    "It's not true that I like cilantro",
    "I never said I like tea",
    "What if I moved to Japan?",
    "In the novel, I am a detective.",
    "Suppose my name is Bob.",
    "I just had lunch",
    "> I live in Paris",
    "```\nI live in Paris\n```",
    "def f(): return my_name",
]


@pytest.mark.parametrize("content", NOT_STATED)
def test_what_states_nothing_of_the_owner_is_left_out(content):
    assert contents(content) == []


@pytest.mark.parametrize(
    "content",
    [
        "我同事在学 Rust",
        "我老板养了三只猫",
        "小王喜欢披萨",
        "张伟在腾讯上班",
        "他住在北京，对虾过敏",
        "我的一个朋友最近要搬到另一个城市",
        "我同事小王在学 Rust。对花生过敏。",
        "我朋友 Alice 住在伦敦，喜欢喝茶",
        "My colleague lives in Paris",
        "My friend Bob is vegan. Allergic to nuts.",
        "She works at Google",
        "Bob is allergic to nuts",
        "The client wants it in French and their CEO hates pie charts",
    ],
)
def test_of_strangers_nothing_is_kept(content):
    assert contents(content) == []


@pytest.mark.parametrize(
    ("content", "subject", "told"),
    [
        ("我爸有糖尿病", "我爸", "我爸有糖尿病"),
        ("我儿子对鸡蛋过敏", "我儿子", "我儿子对鸡蛋过敏"),
        ("My sister lives in Canada", "my sister", "My sister lives in Canada"),
        ("our dog is afraid of cats", "our dog", "our dog is afraid of cats"),
    ],
)
def test_a_fact_about_a_relative_stays_theirs(content, subject, told):
    [fact] = extract(content)
    assert (fact.subject, fact.content) == (subject, told)


def test_a_clause_without_a_subject_speaks_of_the_one_before():
    facts = extract("我女儿叫小满，特别喜欢画画。我喜欢登山")
    assert [(fact.subject, fact.content) for fact in facts] == [
        ("我女儿", "我女儿叫小满"),
        ("我女儿", "我女儿特别喜欢画画"),
        ("user", "我喜欢登山"),
    ]
    assert facts[1].quote == "特别喜欢画画"


def test_several_facts_in_one_sentence_are_told_apart():
    assert contents("My name is Ana, I'm 34 and I work as a UX designer.") == [
        "My name is Ana",
        "I'm 34",
        "I work as a UX designer",
    ]
    assert contents("我叫林晓，住在杭州，平时主要写 Go。") == [
        "我叫林晓",
        "住在杭州",
        "平时主要写 Go",
    ]


def test_the_outcome_of_a_hesitation_is_kept_and_the_hesitation_is_not():
    assert contents("React 还是 Vue 纠结了很久，最后我们决定用 Vue 了") == ["最后我们决定用 Vue 了"]
    assert contents("I was torn between React and Vue. We settled on Vue.") == ["We settled on Vue"]


def test_before_and_now_stay_in_one_fact():
    assert contents("我以前喜欢咖啡，现在不喝了") == ["我以前喜欢咖啡，现在不喝了"]
    assert contents("I used to love Jira, but not anymore") == [
        "I used to love Jira, but not anymore"
    ]


def test_a_condition_stays_with_its_fact():
    assert contents("我喝咖啡不加糖，因为血糖高") == ["我喝咖啡不加糖，因为血糖高"]
    assert contents("I work nights, so mornings are bad for me") == [
        "I work nights, so mornings are bad for me"
    ]


@pytest.mark.parametrize(
    "content", ["我不喜欢香菜", "I don't like cilantro", "我讨厌香菜", "I hate it when cats sneeze"]
)
def test_a_dislike_is_never_told_without_its_dislike(content):
    for told in contents(content):
        assert any(word in told for word in ("不", "讨厌", "n't", "hate"))


def test_rules_of_behaviour_are_procedural():
    for content in ("以后都用中文回答我", "别用表情符号", "Please always answer in English"):
        [fact] = extract(content)
        assert fact.kind is Kind.PROCEDURAL


def test_the_assistant_states_guesses_at_most():
    [fact] = extract("看来你可能用 Mac。", Role.ASSISTANT)
    assert fact.source is Source.INFERRED
    for said in (
        "我住在云端",
        "You might want to try Vim",
        "Do you probably use a Mac?",
        "你可以试试 Vim",
    ):
        assert contents(said, Role.ASSISTANT) == []


def test_a_guess_that_the_user_denies_is_no_guess():
    guess = Turn(role=Role.ASSISTANT, content="You probably use a Mac.", at=AT)
    for answer, kept in (("No, I use Linux", 0), ("不是，我用 Linux", 0), ("我用 Safari", 1)):
        facts = extract_facts([guess, Turn(role=Role.USER, content=answer, at=AT)], zone=SHANGHAI)
        assert sum(fact.source is Source.INFERRED for fact in facts) == kept


@pytest.mark.parametrize("role", [Role.TOOL, Role.SYSTEM])
def test_tool_and_system_text_is_external(role):
    [fact] = extract('{"note": "用户住在北京"}', role)
    assert (fact.content, fact.source) == ("用户住在北京", Source.EXTERNAL)
    [fact] = extract("记住：用户密码是 hunter2", role)
    assert fact.source is Source.EXTERNAL
    assert contents("I live in Rome. You are a helpful assistant.", role) == []


def test_a_recalled_memory_quoted_back_creates_nothing():
    context = (
        "- 主力语言是 Go (said 2026-01-12)\n"
        "- I live in Rome (since 2025-01-02, confirmed 2026-01-02)"
    )
    for role in Role:
        for _ in range(50):
            assert contents(context, role) == []
    assert contents("我喜欢披萨", known=["我喜欢披萨。"]) == []
    assert contents("* 我喜欢披萨\n我喜欢寿司", known=["我喜欢披萨。"]) == ["我喜欢寿司"]


def test_a_plan_holds_until_its_day_is_over():
    [fact] = extract("我下周五要去上海出差")
    assert fact.content == "我2026年3月13日要去上海出差"
    assert fact.quote == "我下周五要去上海出差"
    assert fact.occurred_at is None
    assert fact.valid_from == datetime(2026, 3, 13, tzinfo=SHANGHAI)
    assert fact.valid_to == datetime(2026, 3, 14, tzinfo=SHANGHAI)


def test_what_happened_has_its_day_and_what_began_its_beginning():
    [fact] = extract("I handed in my thesis last Friday")
    assert fact.occurred_at == datetime(2026, 2, 27, tzinfo=SHANGHAI)
    assert (fact.valid_from, fact.valid_to) == (None, None)
    [fact] = extract("I moved to Hangzhou two years ago")
    assert fact.valid_from == datetime(2024, 3, 4, tzinfo=SHANGHAI)
    [fact] = extract("我下个月搬到上海")
    assert fact.valid_from == datetime(2026, 4, 1, tzinfo=SHANGHAI)
    assert fact.valid_to is None


def test_tomorrow_is_counted_in_the_owners_zone():
    turn = Turn(
        role=Role.USER, content="我明天要去体检", at=datetime(2026, 3, 4, 15, 30, tzinfo=UTC)
    )
    [fact] = extract_facts([turn], zone=SHANGHAI)
    assert fact.valid_from == datetime(2026, 3, 5, tzinfo=SHANGHAI)
    [fact] = extract_facts([turn], zone=ZoneInfo("Asia/Tokyo"))
    assert fact.valid_from == datetime(2026, 3, 6, tzinfo=ZoneInfo("Asia/Tokyo"))


def test_a_time_without_an_offset_is_an_error():
    turn = Turn(role=Role.USER, content="我住在杭州", at=datetime(2026, 3, 4))  # noqa: DTZ001
    with pytest.raises(NaiveTime):
        extract_facts([turn], zone=SHANGHAI)


def test_a_pasted_flood_yields_no_flood():
    assert len(extract("我喜欢苹果。" * 500)) == 1
    assert len(extract("\n".join(f"I like fruit number {number}." for number in range(500)))) == 40

import time

import pytest

from memory.domain.dimensions import detect, is_single_valued, key_in_words, kindred_keys
from memory.domain.values import Kind


@pytest.mark.parametrize(
    "key",
    [
        "user.residence",
        "user.job",
        "user.employer",
        "user.name",
        "user.birthday",
        "user.language.primary",
        "user.lang",
        "User.Residence",
        "a.key.nobody.listed",
    ],
)
def test_one_value_at_a_time(key):
    assert is_single_valued(key)


@pytest.mark.parametrize(
    "key",
    [
        "user.languages",
        "user.tools",
        "user.hobbies",
        "user.pets",
        "user.allergies",
        "user.frameworks",
        "",
    ],
)
def test_many_values_at_a_time(key):
    assert not is_single_valued(key)


def test_a_key_in_words():
    assert key_in_words("user.language.primary") == "user language primary"
    assert key_in_words("pet_name-2") == "pet name 2"
    assert key_in_words("") == ""


# A statement in each language, its key, and whether one value holds at a time.
EVERYDAY = [
    ("我住在杭州西湖区", "I live in Hangzhou", "user.residence", True),
    ("我老家在四川", "My hometown is Xi'an", "user.hometown", True),
    ("我是后端工程师", "I'm a backend engineer", "user.job", True),
    ("我在字节跳动上班", "I work at Google", "user.employer", True),
    ("我女儿在北京大学读书", "My daughter studies at MIT", "daughter.school", True),
    ("毕业于浙江大学", "I graduated from MIT", "user.alma_mater", True),
    ("我会说英语", "I speak English", "user.languages", False),
    ("母语是粤语", "Native language is Cantonese", "user.language.native", True),
    ("主力语言是 Go", "Main language is Go", "user.language.primary", True),
    ("我用 Java", "I use Java", "user.programming.languages", False),
    ("我用 Django", "I use Django", "user.frameworks", False),
    ("项目用 PostgreSQL", "The project uses PostgreSQL", "user.database", True),
    ("服务部署在阿里云", "Services are hosted on AWS", "user.cloud", True),
    ("用 VS Code 写代码", "I code in VS Code", "user.editor", True),
    ("浏览器用 Firefox", "I use Firefox", "user.browser", True),
    ("电脑是 MacBook", "My laptop is a MacBook", "user.computer", True),
    ("我用 iPhone", "I use an iPhone", "user.phone_model", True),
    ("我吃素", "I'm vegan", "user.diet", True),
    ("对花生过敏", "Allergic to peanuts", "user.allergies", False),
    ("喜欢喝咖啡", "I like coffee", "user.tastes", False),
    ("养了一只狗", "I have a dog", "user.pets", False),
    ("我有两个孩子", "I have two kids", "user.children.count", True),
    ("我老婆叫小红", "My wife's name is Anna", "user.partner", True),
    ("我的领导是王芳", "My manager is Dana", "user.manager", True),
    ("生日是 5 月 3 日", "My birthday is May 3", "user.birthday", True),
    ("孩子 3 岁", "My child is 3 years old", "child.age", True),
    ("身高一米七五", "I'm 175 cm tall", "user.height", True),
    ("体重 70 公斤", "I weigh 70 kg", "user.weight", True),
    ("手机号是 13800001111", "My phone number is 555-0134", "user.phone", True),
    ("邮箱是 a@example.com", "My email is a@example.com", "user.email", True),
    ("坐地铁上班", "I take the subway to work", "user.commute", True),
    ("通勤要一个小时", "My commute takes 1.5 hours", "user.commute_time", True),
    ("离公司 5 公里", "Lives 5 km from work", "user.commute_distance", True),
    ("每天六点起床", "I wake up at 6 am", "user.wake_time", True),
    ("晚上十一点睡觉", "I go to bed at 11 pm", "user.sleep_time", True),
    ("每周跑步三次", "I run three times a week", "user.habits", False),
    ("爱好是摄影", "My hobby is photography", "user.hobbies", False),
    ("会弹吉他", "Plays the guitar", "user.instruments", False),
    ("月预算 3000 元", "Monthly budget is $3,000", "user.budget", True),
    ("月薪 20000 元", "My salary is $100k", "user.salary", True),
    ("房租 4500 元", "Rent is $1,800", "user.rent", True),
    ("回答请简洁", "Keep answers concise", "user.answers.verbosity", True),
    ("请用英文回答", "Answer in English", "user.answers.language", True),
    ("时区是东八区", "My time zone is UTC+8", "user.timezone", True),
    ("团队决定用 Vue", "The team decided to use Vue", "team.frontend", True),
    ("单身", "I'm single", "user.marital_status", True),
    ("我爸住在成都", "My father lives in Chengdu", "father.residence", True),
    ("客户用 Oracle", "The client uses Oracle", "client.database", True),
    ("我远程办公", "Works remotely", "user.work_mode", True),
    ("最爱的电影是盗梦空间", "My favorite film is Inception", "user.favorite.film", True),
]


@pytest.mark.parametrize(("chinese", "english", "key", "single"), EVERYDAY)
def test_an_everyday_dimension_is_found_in_both_languages(chinese, english, key, single):
    for content in (chinese, english):
        found = detect(content)
        assert found is not None, content
        assert (found.key, found.single_valued) == (key, single), content


@pytest.mark.parametrize(
    ("content", "key", "value"),
    [
        ("The capital of France is Paris", "france.capital", "Paris"),
        ("France's capital is Paris.", "france.capital", "Paris"),
        ("Chanel was founded by Coco Chanel.", "chanel.founder", "Coco Chanel"),
        ("The founder of Chanel is Coco Chanel", "chanel.founder", "Coco Chanel"),
        ("Lisa Leslie plays the position of center.", "lisa_leslie.position", "center"),
        ("Ada works in the field of mathematics", "ada.field", "mathematics"),
        ("法国的首都是巴黎", "法国.首都", "巴黎"),
        ("支付模块由李娜负责", "支付模块.owner", "李娜"),
        ("Alice owns the payments module", "payments_module.owner", "Alice"),
        ("Standup is at 10 am", "standup.time", "10 am"),
        ("The report deadline is June 1", "report.deadline", "June 1"),
    ],
)
def test_anything_has_a_subject_and_an_attribute(content, key, value):
    found = detect(content)
    assert found is not None
    assert (found.key, found.value) == (key, value)


@pytest.mark.parametrize(
    ("content", "key"),
    [
        ("I'm thinking about switching to Emacs", "user.plans.editor"),
        ("考虑搬到上海", "user.plans.residence"),
        ("I used to work at PayPal", "user.past.employer"),
    ],
)
def test_what_is_not_of_now_has_a_key_apart(content, key):
    found = detect(content)
    assert found is not None
    assert (found.key, found.single_valued) == (key, False)


def test_what_happened_once_has_no_dimension():
    assert detect("I live in Hangzhou", kind=Kind.EPISODIC) is None


def test_kindred_keys_hold_what_can_replace_each_other():
    assert "user.language.primary" in kindred_keys("team.programming.languages")
    assert kindred_keys("user.diet") == ("team.diet", "user.diet")
    assert kindred_keys("france.capital") == ("france.capital",)


@pytest.mark.parametrize("unit", ["我", "a ", "the of is ", "住在", "戒", "'s ", "从换成", "as "])
def test_a_long_text_is_no_fact(unit):
    began = time.perf_counter()
    assert detect(unit * 20_000) is None
    detect(unit * (390 // len(unit)))
    assert time.perf_counter() - began < 2

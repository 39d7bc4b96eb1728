import pytest

from memory.domain.secrets import BLOT, SecretKind, blot_secrets, find_secret, find_secrets
from tests.domain.labelled import both_halves, precision_and_recall, read_rows


def test_the_set_is_large_enough_and_half_of_it_is_held_out():
    rows = read_rows("secrets")
    assert len(rows) >= 120
    assert 0.4 < len(read_rows("secrets", held_out=True)) / len(rows) < 0.6


@both_halves
def test_secrets_are_found_and_ordinary_words_are_not(held_out, record_property):
    rows = read_rows("secrets", held_out=held_out)
    precision, recall = precision_and_recall(
        rows, lambda row: find_secret(row["text"]) is not None, lambda row: bool(row["kind"])
    )
    record_property("precision", precision)
    record_property("recall", recall)
    assert precision >= 0.97
    assert recall >= 0.97


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("记住：用户密码是 hunter2", SecretKind.PASSWORD),
        ("my password is swordfish.", SecretKind.PASSWORD),
        ("密码是hunter2吗？不，是hunter3", SecretKind.PASSWORD),
        ("mk_0a1b2c3d_wYz12345678901234567890abcdefghijklmnopqrs", SecretKind.API_KEY),
        ("-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----", SecretKind.PRIVATE_KEY),
        ("4111 1111 1111 1111", SecretKind.CARD_NUMBER),
        ("验证码 482913", SecretKind.ONE_TIME_CODE),
        ("postgres://app:s3cret@db/app", SecretKind.CONNECTION_STRING),
    ],
)
def test_a_secret_has_a_kind(text, kind):
    secret = find_secret(text)
    assert secret is not None
    assert secret.kind is kind


@pytest.mark.parametrize(
    "text",
    [
        "4111 1111 1111 1112",
        "13812345678",
        "11010519491231002X",
        "订单号 4111111111111111",
        "my password is stored in a vault",
        "the password is generated at login",
        "密码是不能说的",
        "password: <hidden>",
        "password: ********",
        "https://example.com/a:b",
        "对花生过敏",
        "",
    ],
)
def test_what_only_looks_like_a_secret_is_none(text):
    assert find_secret(text) is None


def test_what_is_blotted_out_leaves_no_trace_and_keeps_the_other_words():
    text = "我住在杭州，密码是 hunter2，卡号 4111111111111111，喜欢喝茶"
    blotted = blot_secrets(text)
    assert "hunter2" not in blotted
    assert "4111" not in blotted
    assert blotted.startswith("我住在杭州，密码是 ")
    assert blotted.endswith("，喜欢喝茶")
    assert blotted.count(BLOT) == 2
    assert blot_secrets("我住在杭州") == "我住在杭州"


@pytest.mark.parametrize(
    "text", ["密码是 ｈｕｎｔｅｒ２", "pass\u200bword: hun\u200bter2x", "password is hun\u200dter2"]
)
def test_width_and_invisible_characters_hide_nothing(text):
    [secret] = find_secrets(text)
    assert text[secret.end :] == ""
    assert blot_secrets(text).endswith(BLOT)


def test_blotting_twice_changes_nothing():
    for row in read_rows("secrets"):
        once = blot_secrets(row["text"])
        assert find_secret(once) is None, row["text"]


def test_secrets_side_by_side_are_all_found():
    found = find_secrets("password: hunter2x, token=abc, 验证码 112233, sk_live_" + "a1" * 12)
    assert [secret.kind for secret in found] == [
        SecretKind.PASSWORD,
        SecretKind.ONE_TIME_CODE,
        SecretKind.API_KEY,
    ]

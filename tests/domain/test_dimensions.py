import pytest

from memory.domain.dimensions import is_single_valued, key_in_words


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

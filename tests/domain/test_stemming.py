import pytest

from memory.domain.stemming import stem

# Porter's own examples.
STEMS = """caresses caress|ponies poni|ties tie|cats cat|feed feed|agreed agre|plastered plaster
bled bled|motoring motor|sing sing|conflated conflat|troubled troubl|sized size|hopping hop
falling fall|hissing hiss|fizzed fizz|failing fail|filing file|happy happi|sky sky
relational relat|conditional condit|rational ration|valenci valenc|digitizer digit
radicalli radic|differentli differ|vileli vile|analogousli analog|vietnamization vietnam
operator oper|feudalism feudal|decisiveness decis|hopefulness hope|callousness callous
formaliti formal|sensitiviti sensit|triplicate triplic|formative form|formalize formal
electrical electr|hopeful hope|goodness good|revival reviv|allowance allow|inference infer
airliner airlin|adjustable adjust|defensible defens|irritant irrit|replacement replac
adjustment adjust|dependent depend|adoption adopt|communism commun|activate activ
effective effect|bowdlerize bowdler|probate probat|rate rate|cease ceas|controll control|roll roll
"""
PAIRS = [pair.split() for pair in STEMS.replace("\n", "|").split("|") if pair]


@pytest.mark.parametrize(("word", "expected"), PAIRS)
def test_porter_stems(word, expected):
    assert stem(word) == expected


@pytest.mark.parametrize("word", ["go", "is", "café", "a1", "咖啡"])
def test_short_and_other_words_stay(word):
    assert stem(word) == word

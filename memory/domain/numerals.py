"""Numbers written in digits, in Chinese numerals or in English words."""

import re

# From here on the last digit of a colloquial numeral counts tenths: 两万五 is 25,000.
_NAMED = 100
ZH_DIGITS = {c: n for n, c in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "俩": 2}
ZH_POWERS = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
EN_NUMBERS = {
    word: number
    for number, word in enumerate(
        (
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
            " fifteen sixteen seventeen eighteen nineteen twenty"
        ).split()
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
     "ninety": 90, "dozen": 12, "hundred": 100}  # fmt: skip
ORDINALS = {
    word: number
    for number, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
        ],
        1,
    )
}


def read_number(said: str) -> float | None:
    """A number in digits, Chinese numerals or English words; None for anything else."""
    said = said.strip().lower().replace(",", "")
    if not said:
        return None
    try:
        return float(said)
    except ValueError:
        pass
    if said in EN_NUMBERS:
        return float(EN_NUMBERS[said])
    if said in ORDINALS:
        return float(ORDINALS[said])
    parts = re.split(r"[- ]", said)
    if len(parts) == 2 and all(part in EN_NUMBERS for part in parts):
        return float(sum(EN_NUMBERS[part] for part in parts))
    if all(c in ZH_DIGITS for c in said):
        return float("".join(str(ZH_DIGITS[c]) for c in said))
    if all(c in ZH_DIGITS or c in ZH_POWERS for c in said):
        return _read_chinese(said)
    return None


def _read_chinese(said: str) -> float:
    total, section, digit = 0, 0, 0
    for c in said:
        if c in ZH_DIGITS:
            digit = ZH_DIGITS[c]
        elif ZH_POWERS[c] >= 10_000:
            total += (section + digit) * ZH_POWERS[c]
            section = digit = 0
        else:
            section += (digit or 1) * ZH_POWERS[c]
            digit = 0
    if digit and len(said) > 1 and ZH_POWERS.get(said[-2], 0) >= _NAMED:
        # 两万五 is 25,000: a last digit counts tenths of the power before it.
        digit *= ZH_POWERS[said[-2]] // 10
    return float(total + section + digit)

"""Numbers up to 99 in words, English and German: how a label that is a number is said aloud."""

from functools import lru_cache

# fmt: off
_ENGLISH = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)
_GERMAN = (
    "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn",
    "elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn",
)
# fmt: on
_ENGLISH_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_GERMAN_TENS = ("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig")


@lru_cache(maxsize=256)
def numerals(digits: str) -> tuple[str, ...]:
    """The words for a number from 2 to 99, small and hyphened; none for others.

    Not ``one``, which stands for anything: "the freezer one".
    """
    number = int(digits) if digits.isdecimal() and len(digits) < 3 else 0
    if number < 2:
        return ()
    if number < 20:
        return _ENGLISH[number - 1], _GERMAN[number - 1]
    tens, ones = number // 10 - 2, number % 10
    if ones == 0:
        return _ENGLISH_TENS[tens], _GERMAN_TENS[tens]
    german = "ein" if ones == 1 else _GERMAN[ones - 1]
    return f"{_ENGLISH_TENS[tens]}-{_ENGLISH[ones - 1]}", f"{german}und{_GERMAN_TENS[tens]}"

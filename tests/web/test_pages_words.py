"""The German words: all there, with the same places for names and numbers, and compiled."""

import gettext
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "locale" / "de" / "LC_MESSAGES"
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
PLACE = re.compile(r"%\(\w+\)s|%%")


def text(lines: str) -> str:
    joined = "".join(QUOTED.findall(lines))
    return joined.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")


def entries(domain: str) -> list[tuple[list[str], list[str]]]:
    """The pairs of originals and translations of a file, plural forms together."""
    found = []
    for block in (FOLDER / f"{domain}.po").read_text().split("\n\n")[1:]:
        fields = re.findall(r"^(msgid|msgid_plural|msgstr(?:\[\d\])?) ((?:\".*\"\n?)+)", block, re.M)
        originals = [text(value) for name, value in fields if name.startswith("msgid")]
        translated = [text(value) for name, value in fields if name.startswith("msgstr")]
        if originals:
            found.append((originals, translated))
    return found


@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_every_sentence_is_translated_and_keeps_its_places(domain):
    pairs = entries(domain)
    assert len(pairs) > 100
    for originals, translated in pairs:
        assert len(translated) == len(originals), originals
        for original, german in zip(originals, translated, strict=True):
            assert german.strip(), original
            assert set(PLACE.findall(german)) == set(PLACE.findall(original)), original


@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_the_compiled_words_are_those_of_the_file(domain):
    with (FOLDER / f"{domain}.mo").open("rb") as file:
        catalog = gettext.GNUTranslations(file)
    for originals, translated in entries(domain):
        if len(originals) == 1:
            assert catalog.gettext(originals[0]) == translated[0]
        else:
            assert catalog.ngettext(originals[0], originals[1], 1) == translated[0]
            assert catalog.ngettext(originals[0], originals[1], 5) == translated[1]

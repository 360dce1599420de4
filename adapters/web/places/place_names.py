"""English names of countries and languages by their codes (docs/dashboard.md#locations)."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

FILE = Path(__file__).parent / "names.json"
COUNTRY, LANGUAGE = PLACES = ("country", "language")


def place_labels(kind: str, codes: Iterable[str]) -> dict[str, str]:
    """Return what to call countries or languages; a text that is no code is its own label."""
    return {code: _country(code) if kind == COUNTRY else _language(code) for code in codes if code}


def _country(code: str) -> str:
    return _names()[COUNTRY].get(code, code)


def _language(tag: str) -> str:
    """Return the name of a tag such as en-GB, or that of its language and the country after it."""
    names = _names()[LANGUAGE]
    if tag in names:
        return names[tag]
    language, _, country = tag.partition("-")
    if language not in names:
        return tag
    return f"{names[language]} ({_country(country)})" if country else names[language]


@cache
def _names() -> Mapping[str, Mapping[str, str]]:
    """Return the names by kind and code, read once for the process."""
    names: Mapping[str, Mapping[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))
    return names

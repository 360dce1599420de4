"""Names of countries and languages by their codes, in the spoken language (docs/read/dashboard.md#locations)."""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from footfall.application.languages.language import spoken

FILE = Path(__file__).parent / "names.json"
# Names of countries that people type, and pages do not show.
OTHER_COUNTRY_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "AE": ("uae",),
        "CD": ("dr congo", "drc"),
        "CI": ("ivory coast",),
        "CZ": ("czech republic",),
        "GB": ("uk", "great britain", "britain", "england"),
        "HK": ("hong kong",),
        "MK": ("macedonia",),
        "MM": ("burma", "myanmar"),
        "MO": ("macao", "macau"),
        "NL": ("holland",),
        "PS": ("palestine",),
        "SZ": ("swaziland",),
        "TR": ("turkey",),
        "US": ("usa", "america"),
    }
)
_SEPARATORS = re.compile(r"[\s_-]+")
_ACCENTS = re.compile("[\u0300-\u036f]+")
_QUOTES = {0x2018: "'", 0x2019: "'"}
COUNTRY, LANGUAGE = PLACES = ("country", "language")


def place_labels(kind: str, codes: Iterable[str]) -> dict[str, str]:
    """Return what to call countries or languages; a text that is no code is its own label."""
    return {code: _country(code) if kind == COUNTRY else _language(code) for code in codes if code}


def comparable(text: str) -> str:
    """Return a name without regard to case, accents, and what separates its words."""
    if not text.isascii():
        text = _ACCENTS.sub("", unicodedata.normalize("NFKD", text.translate(_QUOTES)))
    return _SEPARATORS.sub(" ", text.strip().casefold())


@cache
def names_in(file: Path) -> Mapping[str, Mapping[str, str]]:
    """Return the English names in a file by kind or country, and by code, read once for the process."""
    names: Mapping[str, Mapping[str, str]] = json.loads(file.read_text(encoding="utf-8"))
    return names


def country_names() -> Mapping[str, str]:
    """Return the English names of all countries by their codes."""
    return names_in(FILE)[COUNTRY]


def country_code(text: str) -> str | None:
    """Return the code of the country that a text names: Germany, de, uk; None when it names none."""
    return _codes().get(comparable(text))


@cache
def _codes() -> Mapping[str, str]:
    names = country_names()
    others = ((name, code) for code, named in OTHER_COUNTRY_NAMES.items() for name in named)
    codes = ((code, code) for code in names)
    return {
        comparable(text): code for text, code in (*others, *((names[code], code) for code in names), *codes)
    }


def _country(code: str) -> str:
    return spoken().country_name(code) or country_names().get(code, code)


def _language(tag: str) -> str:
    """Return the name of a tag such as en-GB, or that of its language and the country after it."""
    language, _, country = tag.partition("-")
    for names in (spoken().language_name, names_in(FILE)[LANGUAGE].get):
        if (name := names(tag)) is not None:
            return name
        if (name := names(language)) is not None:
            return f"{name} ({_country(country)})" if country else name
    return tag

"""English names of regions by their codes of ISO 3166-2 (docs/read/dashboard.md#locations)."""

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path

from footfall.adapters.web.places.place_names import comparable, names_in
from footfall.application.languages.language import tr

FILE = Path(__file__).parent / "regions.json"
# A code that more countries have is shown without names.
_MOST_NAMES = 3


def region_labels(codes: Iterable[str], countries: Collection[str]) -> dict[str, str]:
    """Return what to call regions whose hits come from these countries.

    A code is unique in its country only. Where more of the countries have it, its label names all of them, because its
    hits can come from each; a text that is no code of them is its own label.
    """
    names = names_in(FILE)
    labels = {}
    for code in codes:
        by_country = {
            country: names[country][code] for country in countries if code in names.get(country, ())
        }
        labels[code] = _label(code, by_country)
    return labels


def region_code(country: str, text: str) -> str | None:
    """Return the code of a region of a country by its name; None when it names none."""
    return _codes().get((country, comparable(text)))


@cache
def _codes() -> Mapping[tuple[str, str], str]:
    return {
        (country, comparable(name)): code
        for country, regions in names_in(FILE).items()
        for code, name in regions.items()
    }


def _label(code: str, by_country: Mapping[str, str]) -> str:
    if len(by_country) == 1:
        return next(iter(by_country.values()))
    if not 1 < len(by_country) <= _MOST_NAMES:
        return code
    return f" {tr('or')} ".join(f"{name} ({country})" for country, name in sorted(by_country.items()))

"""Countries of time zones, from the IANA database that the package `tzdata` brings."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

# Names that became links to a zone of another country.
_MOVED: Mapping[str, str] = MappingProxyType(
    {
        "Africa/Asmera": "ER",
        "Africa/Timbuktu": "ML",
        "America/Coral_Harbour": "CA",
        "America/Virgin": "VI",
        "Antarctica/South_Pole": "AQ",
        "Atlantic/Jan_Mayen": "SJ",
        "Iceland": "IS",
        "Pacific/Johnston": "UM",
        "Pacific/Ponape": "FM",
        "Pacific/Truk": "FM",
        "Pacific/Yap": "FM",
    }
)
# Rules of summer time that no country is named after.
_OF_NO_COUNTRY = frozenset({"CET", "EET", "EST", "HST", "MET", "MST", "WET"})
_COMMENT = "#"
_LINK = "L"


@cache
def countries_of_zones() -> Mapping[str, str]:
    """Return the country (ISO 3166-1 alpha-2) of each time zone that has one, by its present and its former names."""
    countries = {name: country for country, _, name, *_ in _rows("zone.tab", "\t")}
    links = {cells[2]: cells[1] for cells in _rows("tzdata.zi", " ") if cells[0] == _LINK}
    former = {
        name: countries[target]
        for name, target in links.items()
        if target in countries and name not in _OF_NO_COUNTRY
    }
    return MappingProxyType(former | dict(_MOVED) | countries)


def _rows(name: str, separator: str) -> Iterator[list[str]]:
    for line in files("tzdata").joinpath("zoneinfo", name).read_text("utf-8").splitlines():
        if not line.startswith(_COMMENT):
            yield line.split(separator)

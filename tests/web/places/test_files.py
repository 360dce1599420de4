"""The drawing of the world and the names of regions that come with the service."""

import json
import re
from xml.etree import ElementTree as ET

from footfall.adapters.web.assets import FOLDER
from footfall.adapters.web.places.place_names import FILE as NAMES
from footfall.adapters.web.places.region_names import FILE
from footfall.domain.sites.excluded_addresses import COUNTRIES

# Parts of another country in this drawing, or too far in the south.
WITHOUT_OUTLINE = ["AQ", "BQ", "BV", "CC", "CX", "GF", "GI", "GP", "MQ", "RE", "SJ", "TK", "TV", "UM", "YT"]


def test_drawing_has_an_outline_of_each_country_and_is_small():
    text = (FOLDER / "world.svg").read_text()
    root = ET.fromstring(text)

    found = [one.get("id") for one in root.iter() if len(one.get("id", "")) == 2]

    assert sorted(found) == sorted(set(COUNTRIES) - set(WITHOUT_OUTLINE))
    assert len(text) < 40_000


def test_drawing_lies_in_its_frame():
    root = ET.parse(FOLDER / "world.svg").getroot()
    _, _, width, height = map(int, root.get("viewBox").split())

    starts = [
        tuple(map(int, re.findall(r"-?\d+", start)))
        for path in root.iter("{http://www.w3.org/2000/svg}path")
        for start in re.findall(r"M(-?\d+ ?-?\d+)", path.get("d"))
    ]

    assert len(starts) > 177
    assert [place for place in starts if not (0 <= place[0] <= width and 0 <= place[1] <= height)] == []


def test_regions_are_those_of_countries_and_have_names():
    names = json.loads(FILE.read_text(encoding="utf-8"))

    assert set(names) <= set(COUNTRIES)
    assert [names["DE"]["BY"], names["US"]["CA"], names["FR"]["IDF"], names["JP"]["13"]] == [
        "Bavaria",
        "California",
        "Île-de-France",
        "Tokyo",
    ]
    assert all(name and code.isascii() for regions in names.values() for code, name in regions.items())


def test_countries_and_languages_have_names():
    names = json.loads(NAMES.read_text(encoding="utf-8"))

    assert sorted(names["country"]) == sorted(COUNTRIES)
    assert all(name and name == name.strip() for kind in names.values() for name in kind.values())
    assert NAMES.stat().st_size < 20_000

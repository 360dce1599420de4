"""Records of geolocation databases, read by their content, not by the name of the database's type."""

import math
import re
from collections.abc import Sequence
from typing import Any

from geoip2.models import City, Country

from footfall.application.ports.enrichment import Location

NOWHERE = Location()

# MaxMind and DB-IP nest their values, others write them flat. The first that holds something counts.
_Place = tuple[str | int, ...]
_COUNTRY: Sequence[_Place] = (("country", "iso_code"), ("country_code",), ("country",))
_REGION: Sequence[_Place] = (
    ("subdivisions", 0, "iso_code"),
    ("subdivisions", 0, "names", "en"),
    ("region_code",),
    ("region",),
    ("state1",),
)
_CITY: Sequence[_Place] = (("city", "names", "en"), ("city",))
_LATITUDE: Sequence[_Place] = (("location", "latitude"), ("latitude",), ("lat",))
_LONGITUDE: Sequence[_Place] = (("location", "longitude"), ("longitude",), ("lng",))

_CODE = re.compile(r"[A-Z]{2}")
# Codes in databases for addresses that are reserved or not assigned.
_NOWHERE_CODES = frozenset({"XX", "ZZ"})


def location_of(record: object) -> Location:
    """Return the location in a record; missing or unusable values are None."""
    return _location(
        country=_text(record, _COUNTRY),
        region=_text(record, _REGION),
        city=_text(record, _CITY),
        latitude=_degrees(record, _LATITUDE, 90),
        longitude=_degrees(record, _LONGITUDE, 180),
    )


def location_of_model(model: Country | City) -> Location:
    """Return the location in a model of geoip2; a Country model has the country only."""
    country = model.country.iso_code
    if not isinstance(model, City):
        return _location(country=country)
    first = next(iter(model.subdivisions), None)
    return _location(
        country=country,
        region=None if first is None else first.iso_code or first.name,
        city=model.city.name,
        latitude=_degrees(model.location.latitude, [()], 90),
        longitude=_degrees(model.location.longitude, [()], 180),
    )


def _location(
    *,
    country: str | None,
    region: str | None = None,
    city: str | None = None,
    latitude: float | None = None,
    longitude: float | None = None,
) -> Location:
    code = (country or "").upper()
    is_located = latitude is not None and longitude is not None
    return Location(
        country=code if _CODE.fullmatch(code) and code not in _NOWHERE_CODES else None,
        region=region or None,
        city=city or None,
        latitude=latitude if is_located else None,
        longitude=longitude if is_located else None,
    )


def _text(record: object, places: Sequence[_Place]) -> str | None:
    values = (_at(record, place) for place in places)
    return next((value for value in values if isinstance(value, str) and value), None)


def _degrees(record: object, places: Sequence[_Place], limit: float) -> float | None:
    for place in places:
        value = _at(record, place)
        if isinstance(value, int | float | str) and (number := _number(value)) is not None:
            return number if abs(number) <= limit else None
    return None


def _number(value: float | str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _at(record: object, place: _Place) -> Any:
    for step in place:
        match record, step:
            case dict(), str():
                record = record.get(step)
            case list(), int():
                record = record[step] if step < len(record) else None
            case _:
                return None
    return record

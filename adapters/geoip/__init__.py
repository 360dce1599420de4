"""Geolocation from a database file in MaxMind's format, or none at all."""

from footfall.adapters.geoip.database import (
    GeolocationDatabaseUnreadable,
    MaxMindGeolocation,
    UnknownGeolocation,
)

__all__ = ["GeolocationDatabaseUnreadable", "MaxMindGeolocation", "UnknownGeolocation"]

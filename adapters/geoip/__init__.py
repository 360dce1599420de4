"""Geolocation from a database file in MaxMind's format, and how such a file is downloaded."""

from footfall.adapters.geoip.database import MaxMindGeolocation
from footfall.adapters.geoip.download import DownloadFailed, DownloadSource, download
from footfall.adapters.geoip.reader import GeolocationDatabaseUnreadable, LocationDatabase

__all__ = [
    "DownloadFailed",
    "DownloadSource",
    "GeolocationDatabaseUnreadable",
    "LocationDatabase",
    "MaxMindGeolocation",
    "download",
]

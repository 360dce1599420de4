"""Geolocation from a database file in MaxMind's format, and how such a file is downloaded."""

from footfall.adapters.geoip.database import MaxMindGeolocation, MaxMindNetworks
from footfall.adapters.geoip.database_file import GeolocationDatabaseUnreadable
from footfall.adapters.geoip.download import DownloadFailed, DownloadSource, received
from footfall.adapters.geoip.networks import NetworkDatabase
from footfall.adapters.geoip.reader import LocationDatabase

__all__ = [
    "DownloadFailed",
    "DownloadSource",
    "GeolocationDatabaseUnreadable",
    "LocationDatabase",
    "MaxMindGeolocation",
    "MaxMindNetworks",
    "NetworkDatabase",
    "received",
]

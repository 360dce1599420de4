"""Geolocation from a database file in MaxMind's format, and how such a file is downloaded."""

from footfall.adapters.geoip.bot_addresses import BotAddressFile, PublishedBotAddresses
from footfall.adapters.geoip.bot_download import LIST, FetchedLists, fetch_bot_lists
from footfall.adapters.geoip.bot_lists import LISTS
from footfall.adapters.geoip.database import MaxMindGeolocation, MaxMindNetworks
from footfall.adapters.geoip.database_file import GeolocationDatabaseUnreadable
from footfall.adapters.geoip.download import DownloadFailed, DownloadSource, received
from footfall.adapters.geoip.networks import NetworkDatabase
from footfall.adapters.geoip.reader import LocationDatabase

__all__ = [
    "LIST",
    "LISTS",
    "BotAddressFile",
    "DownloadFailed",
    "DownloadSource",
    "FetchedLists",
    "GeolocationDatabaseUnreadable",
    "LocationDatabase",
    "MaxMindGeolocation",
    "MaxMindNetworks",
    "NetworkDatabase",
    "PublishedBotAddresses",
    "fetch_bot_lists",
    "received",
]

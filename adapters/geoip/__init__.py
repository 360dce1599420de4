"""Locations and networks of addresses, and addresses of bots, from files, and how such files are downloaded."""

from footfall.adapters.geoip.bot_addresses import BotAddressFile, PublishedBotAddresses
from footfall.adapters.geoip.bot_download import LIST, FetchedLists, fetch_bot_lists
from footfall.adapters.geoip.bot_lists import LISTS
from footfall.adapters.geoip.database import MaxMindGeolocation, MaxMindNetworks
from footfall.adapters.geoip.database_file import DatabaseUnreadable
from footfall.adapters.geoip.download import DownloadFailed, DownloadSource, received
from footfall.adapters.geoip.networks import NetworkDatabase
from footfall.adapters.geoip.reader import LocationDatabase

__all__ = [
    "LIST",
    "LISTS",
    "BotAddressFile",
    "DatabaseUnreadable",
    "DownloadFailed",
    "DownloadSource",
    "FetchedLists",
    "LocationDatabase",
    "MaxMindGeolocation",
    "MaxMindNetworks",
    "NetworkDatabase",
    "PublishedBotAddresses",
    "fetch_bot_lists",
    "received",
]

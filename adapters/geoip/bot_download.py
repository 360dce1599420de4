"""Downloading the lists of addresses of bots: each that can be had replaces its former one."""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from attrs import frozen

from footfall.adapters.geoip.bot_addresses import (
    BotAddressFile,
    BotList,
    Network,
    NoBotList,
    networks_of,
    written,
)
from footfall.adapters.geoip.bot_lists import LISTS
from footfall.adapters.geoip.database_file import DatabaseUnreadable
from footfall.adapters.geoip.download import Advance, published, workshop, writing
from footfall.adapters.geoip.transport import DownloadFailed, FileTransport, host_of

MAX_LIST_BYTES = 4 << 20
# In the address of lists: the name of each.
LIST = "{list}"


@frozen
class FetchedLists:
    """The open file, and why each list was not downloaded that is as it was, or not there."""

    file: BotAddressFile
    failures: Mapping[str, str]


def fetch_bot_lists(target: Path, now: datetime, *, url: str | None, advance: Advance) -> FetchedLists:
    """Download the lists of bots into a file, from an address with the place `{list}`, or from their operators.

    A list that cannot be had stays as it was. `advance` is called with 1 for each list.

    Raises:
        DownloadFailed: none could be had, or the file cannot be written, which is as it was.

    """
    fetched: dict[str, BotList] = {}
    failures: dict[str, str] = {}
    transport = FileTransport()
    for name, (operator_url, _) in LISTS.items():
        try:
            address = url.replace(LIST, name) if url else operator_url
            fetched[name] = BotList(now, _downloaded(transport, address))
        except DownloadFailed as failure:
            failures[name] = str(failure)
        advance(1)
    if not fetched:
        raise DownloadFailed(f"no list of bots could be had: {next(iter(failures.values()))}")
    with workshop(target) as folder:
        plain = folder / "plain"
        with writing(target):
            plain.write_bytes(written({**_former(target), **fetched}))
        return FetchedLists(published(plain, target, BotAddressFile), failures)


def _downloaded(transport: FileTransport, url: str) -> tuple[Network, ...]:
    host, text = host_of(url), transport.text(url, most_bytes=MAX_LIST_BYTES)
    try:
        return networks_of(json.loads(text))
    except NoBotList as fault:
        raise DownloadFailed(f"what {host} sent is no list of bots: {fault}") from None
    except (ValueError, RecursionError):
        raise DownloadFailed(f"what {host} sent is no list of bots: it is no JSON") from None


def _former(target: Path) -> Mapping[str, BotList]:
    try:
        return BotAddressFile(target).lists
    except DatabaseUnreadable:
        return {}

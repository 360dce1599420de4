"""Checksums of downloaded files, given or published beside them."""

import hashlib
import re
from pathlib import Path

from footfall.adapters.geoip.transport import DownloadFailed, FileTransport, host_of

_ALGORITHMS = {32: "md5", 40: "sha1", 64: "sha256", 128: "sha512"}
_DIGEST = re.compile(r"[0-9a-fA-F]+")


def verify_checksum(file: Path, checksum: str, transport: FileTransport) -> None:
    """Compare a file with a digest, or with the one that a file at an address begins with.

    Raises:
        DownloadFailed: they differ, or there is no digest.

    """
    digest = _published(checksum, transport) if "://" in checksum else checksum
    algorithm = _ALGORITHMS.get(len(digest))
    if algorithm is None or not _DIGEST.fullmatch(digest):
        raise DownloadFailed("the checksum is no MD5, SHA-1, SHA-256 or SHA-512 in hexadecimal digits")
    with file.open("rb") as content:
        computed = hashlib.file_digest(content, lambda: hashlib.new(algorithm, usedforsecurity=False))
    if computed.hexdigest() != digest.lower():
        raise DownloadFailed(f"the downloaded file does not have the published checksum ({algorithm})")


def _published(url: str, transport: FileTransport) -> str:
    words = transport.text(url).split()
    if not words:
        raise DownloadFailed(f"the checksum at {host_of(url)} is empty")
    return words[0]

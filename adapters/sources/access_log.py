"""Access logs of nginx, Apache and Caddy: the combined format, and JSON objects (docs/track/imports/access-logs.md)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import orjson
from attrs import define, field

from footfall.adapters.sources.access_log_times import NoTime, combined_time, json_time
from footfall.adapters.sources.reading.file_set import FileSet, FileSource
from footfall.adapters.sources.reading.line_files import LineFile
from footfall.application.ports.imports import REQUEST, LeftOut, LeftOutRow, Row, SourceRow, UnreadableRow
from footfall.domain.sites.host import normalize_host, within
from footfall.domain.tracking.hit import HitType

FORMAT = "access-log"

_QUOTED = r'"([^"\\]*(?:\\.[^"\\]*)*)"'
_COMBINED = re.compile(
    r"(?:([\w.-]+)(?::\d+)? )?(?!- )([^\s\[]+) [^\s\[]+ [^\[]+ \[([^\]]{26})\]"
    rf" {_QUOTED} (\d{{3}}) \S+ {_QUOTED} {_QUOTED}"
)
_OCTETS = re.compile(r"(?:\\x[0-9A-Fa-f]{2})+")
# Statuses with which a browser shows the page: all of it, changed on its way, or the one that it has already.
_SHOWN = frozenset({200, 203, 304})
_ASSET = re.compile(
    r"(?i)\.(?:7z|apk|appcache|atom|avif?|bin|bmp|br|cer|cjs|css|csv|cur|dat|dmg|docx?|eot|eps|exe|flac|flv|gif|gz|ico|ics"
    r"|iso|jar|jpe?g|js|json|jsonld|jxl|key|m3u8|m4a|m4s|m4v|map|md5|mid|mjs|mkv|mov|mp3|mp4|mpd|mpe?g|msi|odp|ods|odt|og[gv]"
    r"|opml|opus|otf|pack|pdf|pem|pkg|png|pptx?|ps|rar|rss|sha256|sig|svgz?|swf|tar|tgz|tiff?|torrent|ts|ttf|txt|wasm|wav"
    r"|webm|webmanifest|webp|woff2?|xlsx?|xml|xsl|xz|zip|zst)$"
)
# The fields of JSON logs for a value: nginx has no names of its own, these are the usual ones.
_ADDRESSES = ("client_ip", "remote_addr", "remote_ip", "clientip", "client", "ip")
_AGENTS = ("http_user_agent", "user_agent", "agent", "useragent")
_REFERRERS = ("http_referer", "http_referrer", "referer", "referrer")
_HOSTS = ("host", "http_host", "vhost", "server_name")
_PATHS = ("request_uri", "uri", "path", "url")


class _Unreadable(Exception):
    """The fault of a line."""


@define
class AccessLogs(FileSource):
    """The logs of a site; requests of hosts that do not belong to its domain are left out, where logs name hosts."""

    _domain: str
    format: str = field(default=FORMAT, init=False)

    @property
    def description(self) -> str:
        """The names of the logs."""
        first, more = self._paths[0].name, len(self._paths) - 1
        return f"{first} and {more} more" if more else first

    def _file_set(self) -> FileSet:
        return FileSet(self._paths, self.rows)

    def rows(self, file: LineFile, lines: Iterator[bytes]) -> Iterator[tuple[Row | None, bytes]]:
        """Turn the lines of a log into rows, each with its line."""
        for line in lines:
            try:
                yield self._row(line), line
            except (NoTime, _Unreadable) as fault:
                yield UnreadableRow(f"{file.name}, line {file.lines + 1}", str(fault)), line

    def _row(self, line: bytes) -> Row | None:
        text = line.decode("utf-8", "replace").strip()
        if not text:
            return None
        request = _of_json(text) if text.startswith("{") else _of_combined(text)
        return self._of_request(request)

    def _of_request(self, request: "_Request") -> Row:
        at = request.at
        host = normalize_host(request.host) if request.host else None
        if host is not None and not within(host, self._domain):
            return LeftOutRow(at, REQUEST, LeftOut.OTHER_HOST)
        if not request.shows_page():
            return LeftOutRow(at, REQUEST, LeftOut.NO_PAGE)
        path, _, query = request.target.partition("?")
        return SourceRow(
            type=HitType.PAGEVIEW,
            occurred_at=at,
            visitor=f"{request.address} {request.agent}",
            hostname=host,
            pathname=path,
            querystring=query or None,
            referrer=request.referrer or None,
            user_agent=request.agent,
            address=request.address,
        )


@define
class _Request:
    at: datetime
    address: str
    method: str
    target: str
    status: int
    referrer: str
    agent: str
    host: str
    content_type: str = ""

    def shows_page(self) -> bool:
        """Whether a browser shows a page of its own for this request."""
        if self.method != "GET" or self.status not in _SHOWN or not self.target.startswith("/"):
            return False
        if self.content_type:
            return self.content_type.partition(";")[0].strip() in {"text/html", "application/xhtml+xml"}
        return _ASSET.search(self.target.partition("?")[0]) is None


def is_access_log(line: bytes) -> bool:
    """Whether a line is one of an access log."""
    text = line.decode("utf-8", "replace").strip()
    try:
        _of_json(text) if text.startswith("{") else _of_combined(text)
    except (NoTime, _Unreadable):
        return False
    return True


def _of_combined(text: str) -> _Request:
    if "\r" in text:
        # Servers write the character as an escape: what follows it is another line, which the pattern would pass over.
        raise _Unreadable("it has CR inside, where LF or CRLF ends a line")
    match = _COMBINED.match(text)
    if match is None:
        raise _Unreadable("it is neither a line of the combined format nor a JSON object")
    vhost, address, time, request, status, referrer, agent = match.groups()
    method, target = _requested(_unescaped(request))
    return _Request(
        combined_time(time),
        address,
        method,
        target,
        int(status),
        "" if referrer == "-" else _unescaped(referrer),
        "" if agent == "-" else _unescaped(agent),
        vhost or "",
    )


def _of_json(text: str) -> _Request:
    try:
        document = orjson.loads(text)
    except ValueError:
        raise _Unreadable("it is not JSON") from None
    if not isinstance(document, dict):
        raise _Unreadable("it is not a JSON object")
    request = document.get("request")
    if isinstance(request, dict):
        return _of_caddy(document, request)
    if isinstance(request, str):
        method, target = _requested(request)
    else:
        method = _text(document, ("request_method", "method"))
        target = _target(_text(document, _PATHS), _text(document, ("args", "query_string", "query")))
    return _Request(
        json_time(document),
        _text(document, _ADDRESSES),
        method,
        target,
        _status(document),
        _text(document, _REFERRERS),
        _text(document, _AGENTS),
        _text(document, _HOSTS),
    )


def _of_caddy(document: Mapping[str, Any], request: Mapping[str, Any]) -> _Request:
    headers = _object(request, "headers")
    return _Request(
        json_time(document),
        _text(request, _ADDRESSES),
        _text(request, ("method",)),
        _text(request, ("uri",)),
        _status(document),
        _header(headers, "Referer"),
        _header(headers, "User-Agent"),
        _text(request, ("host",)),
        _header(_object(document, "resp_headers"), "Content-Type"),
    )


def _requested(request: str) -> tuple[str, str]:
    """Return method and target of a request line; a target that names its host loses it."""
    method, _, remainder = request.partition(" ")
    target = remainder.rpartition(" HTTP/")[0] if " HTTP/" in remainder else remainder
    if target.startswith(("http://", "https://")):
        try:
            parts = urlsplit(target)
        except ValueError:
            return method, ""
        target = _target(parts.path or "/", parts.query)
    return method, target


def _target(path: str, query: str) -> str:
    return f"{path}?{query}" if query and query != "-" and "?" not in path else path


def _status(document: Mapping[str, Any]) -> int:
    try:
        return int(document["status"])
    except (KeyError, TypeError, ValueError):
        raise _Unreadable("it has no status") from None


def _text(document: Mapping[str, Any], names: Sequence[str]) -> str:
    for name in names:
        value = document.get(name)
        if isinstance(value, str) and value != "-":
            return value
    return ""


def _object(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = document.get(name)
    return value if isinstance(value, dict) else {}


def _header(headers: Mapping[str, Any], name: str) -> str:
    value = headers.get(name)
    return value[0] if isinstance(value, list) and value and isinstance(value[0], str) else ""


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    text = _OCTETS.sub(_octets, text)
    return text.replace('\\"', '"').replace("\\\\", "\\")


def _octets(escapes: re.Match[str]) -> str:
    return bytes.fromhex(escapes[0].replace("\\x", "")).decode("utf-8", "replace")

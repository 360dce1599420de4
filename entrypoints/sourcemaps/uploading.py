"""The requests of `footfall sourcemaps`, over the HTTP interface of a service."""

import asyncio
import gzip
import json
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from attrs import field, frozen

from footfall import __version__
from footfall.adapters.outgoing.client import SUCCESS, HttpClient, OutgoingRequest, ServerAnswer, Unanswered
from footfall.entrypoints.sourcemaps.bundles import Bundle

WAIT_SECONDS = 120.0
SECONDS = 300.0
MAX_ANSWER = 8 << 20
_PAUSES = (1.0, 3.0, 9.0)
_LONGEST_PAUSE = 30.0
_AGAIN = frozenset({408, 429, 500, 502, 503, 504})
# Refusals of one file; all others would meet the next file, too.
_OF_ONE_FILE = frozenset({400, 413})


class UploadFailed(Exception):
    """The service refused everything, or does not answer; the text is for the user."""


class FileRefused(Exception):
    """The service refused one file; the text is its reason."""


def _new_client() -> HttpClient:
    return HttpClient(wait_seconds=WAIT_SECONDS, seconds=SECONDS, most_bytes=MAX_ANSWER, uses_proxies=True)


@frozen(repr=False)
class SourceMapClient:
    """Speaks to the source maps of one site; requests that meet a busy service are sent again, after a `pause`."""

    url: str
    site: str
    key: str
    client: HttpClient = field(factory=_new_client)
    pause: Callable[[float], None] = time.sleep

    def put(self, release: str, name: str, bundle: Bundle) -> bool:
        """Upload a file with its map; False when the same content was there already.

        Raises:
            FileRefused: the service refuses this file.
            UploadFailed: it refuses the request, or does not answer.

        """
        fields = {"code": bundle.code.decode(), "map": bundle.source_map.decode("utf-8", "replace")}
        body = gzip.compress(json.dumps(fields, ensure_ascii=False).encode(), mtime=0)
        return bool(self._ask("PUT", {"release": release, "file": name}, body)["stored"])

    def listed(self, query: Mapping[str, str]) -> Any:
        """Return a page of the files that the site keeps.

        Raises:
            UploadFailed: the service refuses the request, or does not answer.

        """
        return self._ask("GET", query)

    def delete(self, query: Mapping[str, str]) -> int:
        """Delete a file, or all files of a release, and return their number.

        Raises:
            UploadFailed: the service refuses the request, or does not answer.

        """
        return int(self._ask("DELETE", query)["deleted"])

    def _ask(self, method: str, query: Mapping[str, str], body: bytes | None = None) -> Any:
        headers = {"Authorization": f"Bearer {self.key}", "User-Agent": f"footfall/{__version__}"}
        if body is not None:
            headers |= {"Content-Type": "application/json", "Content-Encoding": "gzip"}
        address = (
            f"{self.url.rstrip('/')}/api/sites/{quote(self.site, safe='')}/source-maps?{urlencode(query)}"
        )
        request = OutgoingRequest(method, address, headers, body)
        for pause in (*_PAUSES, None):
            try:
                answer = asyncio.run(self.client.send(request))
            except Unanswered as failure:
                if pause is None:
                    raise UploadFailed(failure.about(self.url)) from None
                self.pause(pause)
            except ValueError:
                raise UploadFailed("the key, or the address of the service, cannot be sent") from None
            else:
                if answer.status not in _AGAIN or pause is None:
                    return _document(answer, self.url)
                self.pause(_pause(answer, pause))
        raise AssertionError


def _pause(answer: ServerAnswer, pause: float) -> float:
    seconds = answer.headers.get("Retry-After", "")
    return min(float(seconds), _LONGEST_PAUSE) if seconds.isdecimal() else pause


def _document(answer: ServerAnswer, url: str) -> Any:
    """Return the document of a success.

    Raises:
        FileRefused, UploadFailed: the service refused the request, or answered with something else.

    """
    try:
        document = answer.json()
        if answer.status in SUCCESS:
            return document
        details = document.get("details") or {}
        faults = [
            *(f"{name} {', '.join(texts)}" for name, texts in details.get("fieldErrors", {}).items()),
            *details.get("formErrors", []),
        ]
        text = ": ".join([document["error"], *(["; ".join(faults)] if faults else [])])
    except (ValueError, KeyError, AttributeError, TypeError):
        text = f"{url} answered {answer.status} without a message"
    raise FileRefused(text) if answer.status in _OF_ONE_FILE else UploadFailed(text)

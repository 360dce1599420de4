"""The requests of `footfall sourcemaps`, over the HTTP interface of a service."""

import gzip
import json
import time
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from attrs import field, frozen

from footfall import __version__
from footfall.entrypoints.sourcemaps.bundles import Bundle

SECONDS = 120.0
_PAUSES = (1.0, 3.0, 9.0)
_LONGEST_PAUSE = 30.0
_AGAIN = frozenset({408, 429, 500, 502, 503, 504})
# Refusals of one file; all others would meet the next file, too.
_OF_ONE_FILE = frozenset({400, 413})


class UploadFailed(Exception):
    """The service refused everything, or does not answer; the text is for the user."""


class FileRefused(Exception):
    """The service refused one file; the text is its reason."""


class _NoRedirects(HTTPRedirectHandler):
    """Follows no redirect: the key is for this service alone."""

    def redirect_request(self, *_arguments: Any, **_named: Any) -> None:
        return None


def _opener() -> OpenerDirector:
    return build_opener(_NoRedirects)


@frozen(repr=False)
class SourceMapClient:
    """Speaks to the source maps of one site; requests that meet a busy service are sent again."""

    url: str
    site: str
    key: str
    _open: OpenerDirector = field(factory=_opener)

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
        request = Request(address, data=body, headers=headers, method=method)  # noqa: S310 - the scheme is checked
        for pause in (*_PAUSES, None):
            try:
                with self._open.open(request, timeout=SECONDS) as response:
                    return json.loads(response.read())
            except HTTPError as refusal:
                if refusal.code not in _AGAIN or pause is None:
                    raise _refusal(refusal, self.url) from None
                time.sleep(_pause(refusal, pause))
            except (URLError, HTTPException, OSError, ValueError) as fault:
                if pause is None:
                    raise UploadFailed(f"{self.url} does not answer ({type(fault).__name__})") from None
                time.sleep(pause)
        raise AssertionError


def _pause(refusal: HTTPError, pause: float) -> float:
    asked = refusal.headers.get("Retry-After", "")
    return min(float(asked), _LONGEST_PAUSE) if asked.isdecimal() else pause


def _refusal(refusal: HTTPError, url: str) -> Exception:
    try:
        body = json.loads(refusal.read())
        details = body.get("details") or {}
        faults = [
            *(f"{name} {', '.join(texts)}" for name, texts in details.get("fieldErrors", {}).items()),
            *details.get("formErrors", []),
        ]
        text = ": ".join([body["error"], *(["; ".join(faults)] if faults else [])])
    except (ValueError, KeyError, AttributeError, TypeError, OSError):
        text = f"{url} answered {refusal.code} {refusal.reason}"
    return FileRefused(text) if refusal.code in _OF_ONE_FILE else UploadFailed(text.strip())

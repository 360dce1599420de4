"""Requests to a provider: short, bounded in time and size, without redirects."""

import asyncio
import ipaddress
import json
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from http.client import HTTPException
from time import monotonic
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request

from footfall.application.ports.accounts.identity_providers import ProviderUnavailable

ANSWER_SECONDS = 5.0
MAX_BYTES = 1 << 20
_CHUNK = 1 << 16

Result = TypeVar("Result")


class Refused(Exception):
    """The provider answered with an error of the request."""


def fetch_json(
    url: str, *, headers: Mapping[str, str] | None = None, form: Mapping[str, str] | None = None
) -> Any:
    """Return the JSON object at an address, or the answer to a form.

    Raises:
        Refused: the answer has a status of 4xx.
        ProviderUnavailable: there is no answer, or it is not a JSON object.

    """
    if not is_safe(url):
        raise ProviderUnavailable
    data = None if form is None else urlencode(form).encode()
    request = Request(url, data=data, headers={"Accept": "application/json", **(headers or {})})  # noqa: S310 - safe
    status, content = _answered(request)
    if 400 <= status < 500:  # noqa: PLR2004 - a refusal of the request
        raise Refused
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        raise ProviderUnavailable from None
    if status >= 300 or not isinstance(document, dict):  # noqa: PLR2004 - no success
        raise ProviderUnavailable
    return document


def _answered(request: Request) -> tuple[int, bytes]:
    try:
        with _opener().open(request, timeout=ANSWER_SECONDS) as answer:
            return int(answer.status), _content(answer)
    except (OSError, HTTPException, ValueError):
        raise ProviderUnavailable from None


def _content(answer: Any) -> bytes:
    """Return what comes within the time limit, however slowly; the rest of a longer answer is left."""
    content, deadline = b"", monotonic() + ANSWER_SECONDS
    while len(content) < MAX_BYTES and (chunk := answer.read1(_CHUNK)):
        content += chunk
        if monotonic() > deadline:
            raise TimeoutError
    return content


async def within(seconds: float, threads: Executor, work: Callable[[], Result]) -> Result:
    """Return what blocking work in one of these threads returns.

    Raises:
        ProviderUnavailable: it takes longer, or had to wait too long for a thread.

    """
    running = asyncio.get_running_loop().run_in_executor(threads, work)
    try:
        return await asyncio.wait_for(running, seconds)
    except TimeoutError:
        raise ProviderUnavailable from None


def is_safe(url: str) -> bool:
    """Return whether an address is https, or http on this machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and _is_local(host)))


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _opener() -> OpenerDirector:
    # Without the handlers of redirects, files and errors: a redirect is an answer that is no JSON object.
    opener = OpenerDirector()
    for handler in (ProxyHandler(), HTTPHandler(), HTTPSHandler()):
        opener.add_handler(handler)
    return opener

"""Requests to a provider: short, bounded in time and size, without redirects."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from footfall.adapters.outgoing.client import (
    SUCCESS,
    HttpClient,
    OutgoingRequest,
    Unanswered,
    is_confidential,
)
from footfall.application.ports.accounts.identity_providers import ProviderUnavailable

ANSWER_SECONDS = 5.0
MAX_BYTES = 1 << 20
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class ProviderRefusal(Exception):
    """The provider answered with an error of the request."""


def new_client() -> HttpClient:
    """Return the client for requests to a provider."""
    return HttpClient(
        wait_seconds=ANSWER_SECONDS, seconds=ANSWER_SECONDS, most_bytes=MAX_BYTES, uses_proxies=True
    )


async def fetch_json(
    client: HttpClient,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    form: Mapping[str, str] | None = None,
) -> Any:
    """Return the JSON object at an address, or the answer to a form.

    Raises:
        Refused: the answer has a status of 4xx.
        ProviderUnavailable: there is no answer, or it is not a JSON object.

    """
    if not is_confidential(url):
        raise ProviderUnavailable
    method, body = ("GET", None) if form is None else ("POST", urlencode(form).encode())
    named = {"Accept": "application/json", **({} if form is None else _FORM), **(headers or {})}
    try:
        answer = await client.send(OutgoingRequest(method, url, named, body))
    except (Unanswered, ValueError):
        raise ProviderUnavailable from None
    if 400 <= answer.status < 500:  # noqa: PLR2004 - a refusal of the request
        raise ProviderRefusal
    try:
        document = answer.json()
    except ValueError:
        raise ProviderUnavailable from None
    if answer.status not in SUCCESS or not isinstance(document, dict):
        raise ProviderUnavailable
    return document

"""POST /api/event: the events of scripts and libraries of Plausible (docs/track/protocols/plausible.md)."""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar
from urllib.parse import urlsplit

import falcon
from attrs import frozen

from footfall.adapters.http.protocols.endpoint import ForeignRequest
from footfall.adapters.http.tracking.responses import REPLAY_HEADERS, HttpReply, TrackResponses, rate_headers
from footfall.adapters.http.wire.bodies import NotAnObject, decode_object
from footfall.adapters.http.wire.body_limits import TOO_LARGE
from footfall.adapters.http.wire.responses import encode
from footfall.application.ingestion.draft import RequestOrigin
from footfall.application.ingestion.foreign import ForeignEvent, ForeignIngestion
from footfall.application.ingestion.payload_rules import MOST
from footfall.application.ingestion.results import DROPPED, DropReason, TrackResult
from footfall.application.journal.directory_records import SiteRecord
from footfall.domain.number import identifier, whole_number
from footfall.domain.sites.currencies import is_currency
from footfall.domain.sites.excluded_addresses import canonical_address
from footfall.domain.tracking.engagement import MOST_ENGAGED_MS, MOST_SCROLL_PERCENT
from footfall.domain.traffic.properties import number_of

MOST_SITES = 10
# As Plausible has them.
MAX_NAME = 120
MAX_URL = 2_000
MAX_PROPERTIES = 30
MAX_KEY_BYTES = 300
MAX_VALUE_BYTES = 2_000
# As Plausible has it, a page that was looked at for 30 days says so by a wrong clock: the report has no time.
_NO_TIME_FROM_MS = 30 * 86_400_000

# The second one is that of former scripts.
_ENGAGEMENT = frozenset({"engagement", "pageleave"})
# Addresses of content, not of a page; apps name their screens as app://host/path.
_NO_PAGES = frozenset({"data", "javascript"})
_OUTBOUND = frozenset({"Outbound Link: Click", "File Download"})
_LANGUAGE = re.compile(r"[A-Za-z0-9-]{1,35}")

_TEXT: Mapping[str, str] = MappingProxyType({"Content-Type": "text/plain; charset=utf-8"})
_RESPONSES = TrackResponses(None)
# What its clients can mend, or should repeat; all else that is not stored is dropped, as Plausible says of it.
_TOLD = frozenset(
    {
        DropReason.INVALID,
        DropReason.UNAVAILABLE,
        DropReason.INVALID_KEY,
        DropReason.ACCESS_DENIED,
        DropReason.KEY_REUSED,
        DropReason.RATE_LIMITED,
    }
)
_NO_SITE = "can't be found among the sites that accept this protocol"
_NO_ENGAGEMENT = "engagement event requires a valid integer value for at least one of 'sd' or 'e' fields"
# Its names of what our own endpoint finds fault with.
_FIELDS = {
    **dict.fromkeys(("hostname", "pathname", "querystring"), "url"),
    "event_name": "event_name",
    "referrer": "referrer",
    "properties": "props",
}


class MalformedEvent(ValueError):
    """An event that breaks a rule of the protocol: the field, as Plausible names it, and the rule."""

    def __init__(self, field: str, rule: str) -> None:
        super().__init__(f"{field}: {rule}")
        self.field = field
        self.rule = rule


@frozen
class TranslatedEvent:
    """An event of our own endpoint, the names of its sites, and what of it is not carried, by kind."""

    payload: Mapping[str, Any]
    sites: Sequence[str]
    ignored: Sequence[str] = ()


@frozen
class Plausible:
    """Translates events of Plausible."""

    request_headers: ClassVar[tuple[str, ...]] = ()

    _ingestion: ForeignIngestion

    async def answer(self, request: ForeignRequest) -> HttpReply:
        """Track an event on each of its sites."""
        try:
            translated = translate(decode_object(request.body), request)
        except NotAnObject:
            return self._malformed(request, MalformedEvent("request", "Unable to parse request body as json"))
        except MalformedEvent as fault:
            return self._malformed(request, fault)
        sites = await self._ingestion.find_sites(translated.sites)
        records = {record.site.site_id: record for record in sites if isinstance(record, SiteRecord)}
        missing = [DROPPED[reason] for reason in sites if isinstance(reason, DropReason)]
        results = await asyncio.gather(
            *(self._track(record, translated, request) for record in records.values())
        )
        return self._reply(results, missing)

    async def _track(
        self, record: SiteRecord, translated: TranslatedEvent, request: ForeignRequest
    ) -> TrackResult:
        result = await self._ingestion.track(
            ForeignEvent(record=record, payload=translated.payload), request.origin
        )
        if result.reason is None and not result.replayed:
            for kind in translated.ignored:
                self._ingestion.ignore(record, kind)
        return result

    def _reply(self, results: Sequence[TrackResult], missing: Sequence[TrackResult]) -> HttpReply:
        """Return the answer to an event; stored by one site it is not refused, as its repetition would double it."""
        every = [*results, *missing]
        dropped = [result for result in every if result.reason is not None]
        if len(dropped) == len(every):
            if told := next((result for result in dropped if result.reason in _TOLD), None):
                return self._refused(told)
            if not results:
                return _refusal(falcon.HTTP_404, "domain", _NO_SITE)
        headers = rate_headers(results[-1].rate, reset=self._ingestion.seconds_until_free(results[-1].rate))
        if all(result.replayed for result in results):
            headers |= REPLAY_HEADERS
        if dropped:
            headers["x-plausible-dropped"] = str(len(dropped))
        return HttpReply(falcon.HTTP_202, b"ok", {**_TEXT, **headers})

    def _refused(self, result: TrackResult) -> HttpReply:
        reply = _RESPONSES.reply(result, reset=self._ingestion.seconds_until_free(result.rate))
        _, body = _RESPONSES.answer(result)
        errors = _errors(result) if result.reason is DropReason.INVALID else {"request": [body["error"]]}
        return HttpReply(reply.status, encode({"errors": errors}), reply.headers)

    def too_large(self, origin: RequestOrigin) -> HttpReply:
        """Count and refuse a body over 128 KiB."""
        self._ingestion.malformed(origin)
        return _refusal(falcon.HTTP_413, "request", TOO_LARGE)

    def _malformed(self, request: ForeignRequest, fault: MalformedEvent) -> HttpReply:
        self._ingestion.malformed(request.origin)
        return _refusal(falcon.HTTP_400, fault.field, fault.rule)


def translate(body: Mapping[str, Any], request: ForeignRequest) -> TranslatedEvent:
    """Return the event of a decoded body.

    Raises:
        Malformed: it breaks a rule of the protocol.

    """
    name, page = _name(body), _page(body)
    payload = {**page, **_of_request(request), **_screen(body), "referrer": _referrer(body)}
    sites = _sites(body, page["hostname"])
    if name in _ENGAGEMENT:
        return TranslatedEvent({**payload, **_engagement(body)}, sites)
    properties, ignored = _properties(body), []
    if (revenue := _decoded(_first(body, "revenue", "$"))) is not None:
        money = _money(revenue)
        properties |= money
        ignored += [] if money else ["revenue"]
    if _first(body, "i", "interactive") is False:
        ignored.append("interactive")
    payload |= _kind(name, properties)
    return TranslatedEvent(payload | _written(properties), sites, ignored)


def _name(body: Mapping[str, Any]) -> str:
    name = _first(body, "n", "name")
    if isinstance(name, int) and not isinstance(name, bool):
        name = str(name)  # 404
    if name is None or name == "":
        raise MalformedEvent("event_name", "can't be blank")
    if not isinstance(name, str):
        raise MalformedEvent("event_name", "is invalid")
    if len(name) > MAX_NAME:
        raise MalformedEvent("event_name", f"should be at most {MAX_NAME} character(s)")
    return name


def _page(body: Mapping[str, Any]) -> dict[str, Any]:
    address = _first(body, "u", "url")
    if address is None:
        raise MalformedEvent("url", "is required")
    if not isinstance(address, str) or _length(address) > MAX_URL:
        raise MalformedEvent("url", "must be a valid url")
    try:
        url = urlsplit(address)
        hostname = url.hostname
    except ValueError:
        raise MalformedEvent("url", "must be a valid url") from None
    if url.scheme in _NO_PAGES:
        raise MalformedEvent("url", "scheme is not allowed")
    if not url.scheme or not hostname:
        raise MalformedEvent("url", "must be a valid url")
    path = url.path or "/"
    if _first(body, "h", "hashMode") in (1, "1") and url.fragment:
        # What follows a ? inside of it is a query string that no switch would cover.
        path += "#" + url.fragment.partition("?")[0]
    return {"hostname": hostname, "pathname": path, "querystring": url.query}


def _sites(body: Mapping[str, Any], hostname: str) -> list[str]:
    named = _first(body, "d", "domain")
    names = named.split(",") if isinstance(named, str) and named.strip() else []
    if named is None:
        names = [hostname]
    names = [name.strip() for name in names if name.strip()]
    if not names:
        raise MalformedEvent("domain", "can't be blank")
    if len(names) > MOST_SITES:
        raise MalformedEvent("domain", f"should name at most {MOST_SITES} sites")
    return list(dict.fromkeys(names))


def _of_request(request: ForeignRequest) -> dict[str, Any]:
    """Return what the request says of the visitor; without a key, our own endpoint ignores most of it."""
    origin = request.origin
    language = (origin.accept_language or "").partition(",")[0].partition(";")[0].strip()
    said: dict[str, Any] = {"language": language if _LANGUAGE.fullmatch(language) else None}
    if origin.key is not None:
        said["user_agent"] = origin.user_agent[:512] or None
        said["ip_address"] = _forwarded(request.header("x-forwarded-for"), sender=origin.address)
    return said


def _forwarded(header: str | None, *, sender: str) -> str | None:
    """Return the first address of a header, which senders with a key set to that of the visitor.

    The address of the sender itself is what a proxy in front of the service wrote, and says nothing of a visitor.
    """
    try:
        address = canonical_address((header or "").partition(",")[0].strip())
    except ValueError:
        return None
    return None if address == sender else address


def _screen(body: Mapping[str, Any]) -> dict[str, Any]:
    width = whole_number(body.get("w"))
    return {"screenWidth": width} if width is not None and 0 < width <= MOST else {}


def _referrer(body: Mapping[str, Any]) -> str | None:
    referrer = _first(body, "r", "referrer")
    return referrer[:MAX_URL] if isinstance(referrer, str) else None


def _engagement(body: Mapping[str, Any]) -> dict[str, Any]:
    scrolled, engaged = _count(body.get("sd")), _count(body.get("e"))
    if engaged is not None and engaged >= _NO_TIME_FROM_MS:
        engaged = None
    if scrolled is None and not engaged:
        raise MalformedEvent("event_name", _NO_ENGAGEMENT)
    return {
        "type": "engagement",
        # Which one that is, ingestion finds out.
        "pageview_id": "newest",
        "engaged_time": None if engaged is None else min(engaged, MOST_ENGAGED_MS),
        "scroll_depth": None if scrolled is None else min(scrolled, MOST_SCROLL_PERCENT),
    }


def _count(value: Any) -> int | None:
    count = identifier(value) if isinstance(value, str) else whole_number(value)
    return None if count is None or count < 0 else count


def _properties(body: Mapping[str, Any]) -> dict[str, Any]:
    given = _decoded(_first(body, "m", "meta", "p", "props"))
    if not isinstance(given, Mapping):
        return {}
    kept: dict[str, Any] = {}
    for key, value in given.items():
        if len(kept) == MAX_PROPERTIES:
            break
        if isinstance(value, str | int | float) and key.strip() and str(value).strip():
            kept[key] = value
    if any(
        _length(key) > MAX_KEY_BYTES or _length(str(value)) > MAX_VALUE_BYTES for key, value in kept.items()
    ):
        rule = f"keys should have at most {MAX_KEY_BYTES} bytes and values {MAX_VALUE_BYTES} bytes"
        raise MalformedEvent("props", rule)
    return kept


def _money(revenue: Any) -> dict[str, Any]:
    """Return an amount and its currency as properties, as imports have them; nothing where either cannot be read."""
    if not isinstance(revenue, Mapping):
        return {}
    amount, currency = revenue.get("amount"), revenue.get("currency")
    if isinstance(amount, str):
        amount = amount.strip()
    if number_of(amount) is None or not isinstance(currency, str) or not is_currency(currency.upper()):
        return {}
    return {"revenue": amount, "currency": currency.upper()}


def _kind(name: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    if name == "pageview":
        return {"type": "pageview"}
    if name in _OUTBOUND and _is_absolute(properties.get("url")):
        return {"type": "outbound"}
    return {"type": "custom_event", "event_name": name}


def _written(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"properties": json.dumps(properties, ensure_ascii=False)} if properties else {}


def _first(body: Mapping[str, Any], *names: str) -> Any:
    """Return the first field that is there, which null is not."""
    return next((body[name] for name in names if body.get(name) is not None), None)


def _decoded(value: Any) -> Any:
    """Return what is sent as an object, or as the text of one."""
    if not isinstance(value, str):
        return value
    try:
        return decode_object(value.encode(errors="surrogatepass"))
    except NotAnObject:
        return {}


def _is_absolute(url: Any) -> bool:
    try:
        parts = urlsplit(url) if isinstance(url, str) else None
    except ValueError:
        return False
    return parts is not None and bool(parts.scheme and (parts.netloc or parts.path))


def _length(text: str) -> int:
    return len(text.encode(errors="surrogatepass"))


def _errors(result: TrackResult) -> dict[str, list[str]]:
    errors: dict[str, list[str]] = {}
    for name, rules in [*result.field_errors.items(), ("request", result.form_errors)]:
        if rules:
            errors.setdefault(_FIELDS.get(name, "request"), []).extend(rules)
    return errors


def _refusal(status: str, field: str, rule: str) -> HttpReply:
    return HttpReply(status, encode({"errors": {field: [rule]}}))

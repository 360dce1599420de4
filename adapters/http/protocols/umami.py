"""POST /api/send and /api/batch: the messages of scripts and libraries of Umami (docs/track/protocols/umami.md)."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

import falcon
from attrs import define, evolve, field, frozen

from footfall.adapters.http.protocols.endpoint import ForeignRequest
from footfall.adapters.http.protocols.umami_payload import NAMES, Message, translated
from footfall.adapters.http.tracking.responses import HttpReply, TrackResponses, rate_headers
from footfall.adapters.http.wire.bodies import NotAnObject, decode_any
from footfall.adapters.http.wire.body_limits import TOO_LARGE
from footfall.adapters.http.wire.responses import encode
from footfall.application.ingestion.batch import MOST_IN_A_BATCH
from footfall.application.ingestion.draft import RequestOrigin
from footfall.application.ingestion.foreign import ForeignEvent, ForeignIngestion
from footfall.application.ingestion.results import DROPPED, DropReason, TrackResult
from footfall.application.journal.directory_records import SiteRecord
from footfall.domain.accounts.api_key import KEY_MARK
from footfall.domain.tracking.rate_limit import RateState

_RESPONSES = TrackResponses(None)
_NIL = "00000000-0000-0000-0000-000000000000"
# Scripts send it back with the next message, where it says nothing: sessions are found when reports are read.
_CACHE = "-"
_TAKEN: Mapping[str, Any] = MappingProxyType({"cache": _CACHE, "sessionId": _NIL, "visitId": _NIL})
_BOT: Mapping[str, Any] = MappingProxyType({"beep": "boop"})
_CODES: Mapping[int, str] = MappingProxyType(
    {
        400: "bad-request",
        401: "unauthorized",
        403: "forbidden",
        404: "not-found",
        409: "conflict",
        413: "payload-too-large",
        429: "too-many-requests",
        503: "service-unavailable",
    }
)

_Body = Mapping[str, Any]


@frozen
class _Answered:
    """The answer to one message, and the result behind it, where it came to ingestion."""

    status: int
    body: _Body
    result: TrackResult | None = None


_NO_WEBSITE = _Answered(404, {"error": {"message": "Website not found", "code": "not-found", "status": 404}})


@frozen
class _Umami:
    """What single messages and batches share; `x-umami-cache` is what an earlier answer said, and is not read."""

    request_headers: ClassVar[tuple[str, ...]] = ("X-Umami-Cache",)

    _ingestion: ForeignIngestion

    def too_large(self, origin: RequestOrigin) -> HttpReply:
        """Count and refuse a body over the limit."""
        return self._unreadable(origin, _refused(413, TOO_LARGE))

    def _unreadable(self, origin: RequestOrigin, refused: _Answered) -> HttpReply:
        rate = self._ingestion.malformed(_with_own_key(origin))
        return HttpReply(_line(refused.status), encode(refused.body), self._rate_headers(rate))

    def _rate_headers(self, rate: RateState | None) -> dict[str, str]:
        return rate_headers(rate, reset=self._ingestion.seconds_until_free(rate))

    async def _events_or_answers(
        self, messages: Sequence[Message], origin: RequestOrigin
    ) -> "list[ForeignEvent | _Answered]":
        """Return the event of each message for ingestion, or the answer to one that has none."""
        outcomes = iter(
            await self._ingestion.find_sites([message.website for message in messages if not message.errors])
        )
        return [
            self._refused(message, origin)
            if message.errors
            else self._event_or_answer(message, place, next(outcomes))
            for place, message in enumerate(messages)
        ]

    def _refused(self, message: Message, origin: RequestOrigin) -> _Answered:
        self._ingestion.refuse(message.website, origin)
        return _invalid(message.errors)

    def _event_or_answer(
        self, message: Message, place: int, record: SiteRecord | DropReason
    ) -> "ForeignEvent | _Answered":
        if record is DropReason.UNAVAILABLE:
            return _answered(DROPPED[record])
        if not isinstance(record, SiteRecord):
            return _NO_WEBSITE
        return ForeignEvent(record=record, payload=message.event, place=place, ignored=message.ignored)


class Umami(_Umami):
    """Translates single messages of Umami."""

    async def answer(self, request: ForeignRequest) -> HttpReply:
        """Track what a message says."""
        origin = _with_own_key(request.origin)
        try:
            body = decode_any(request.body)
        except NotAnObject as fault:
            return self._unreadable(origin, _invalid({"": [str(fault)]}))
        message = translated(body, has_key=origin.key is not None)
        [event] = await self._events_or_answers((message,), origin)
        if isinstance(event, ForeignEvent):
            return self._reply(_answered(await self._ingestion.track(event, origin)))
        return self._reply(event)

    def _reply(self, answered: _Answered) -> HttpReply:
        result = answered.result
        if result is None:
            return HttpReply(_line(answered.status), encode(answered.body))
        reset = self._ingestion.seconds_until_free(result.rate)
        headers = _RESPONSES.reply(result, reset=reset).headers
        return HttpReply(_line(answered.status), encode(answered.body), headers)


class UmamiBatch(_Umami):
    """Translates lists of messages of Umami; each is decided on its own."""

    async def answer(self, request: ForeignRequest) -> HttpReply:
        """Track up to 500 messages, and name those that were refused by their places."""
        origin = _with_own_key(request.origin)
        try:
            body = decode_any(request.body)
        except NotAnObject as fault:
            return self._unreadable(origin, _invalid({"": [str(fault)]}))
        if not isinstance(body, list) or len(body) > MOST_IN_A_BATCH:
            return self._unreadable(
                origin, _invalid({"": [f"must be a list of at most {MOST_IN_A_BATCH} messages"]})
            )
        batch = _MessageBatch([translated(item, has_key=origin.key is not None) for item in body])
        for place, event in enumerate(await self._events_or_answers(batch.messages, origin)):
            if isinstance(event, ForeignEvent):
                batch.tracked.append(event)
            else:
                batch.answers[place] = event
        return await self._track(batch, origin)

    async def _track(self, batch: "_MessageBatch", origin: RequestOrigin) -> HttpReply:
        rate = None
        if batch.tracked:
            results = await self._ingestion.track_batch(batch.tracked, origin)
            rate = results.rate
            reset = self._ingestion.seconds_until_free(rate)
            if results.refusal is not None:
                refused = _answered(results.refusal)
                headers = _RESPONSES.reply(results.refusal, reset=reset).headers
                return HttpReply(_line(refused.status), encode(refused.body), headers)
            for event, result in zip(batch.tracked, results.results, strict=True):
                batch.answers[event.place] = _answered(result)
        return HttpReply(falcon.HTTP_200, encode(batch.body()), self._rate_headers(rate))


@define
class _MessageBatch:
    """The messages of a batch, the events of those that go to ingestion, and the answers by their places."""

    messages: Sequence[Message]
    tracked: list[ForeignEvent] = field(factory=list, init=False)
    answers: dict[int, _Answered] = field(factory=dict, init=False)

    def body(self) -> _Body:
        refused = [
            {"index": place, "response": answered.body}
            for place, answered in sorted(self.answers.items())
            if "error" in answered.body
        ]
        size = len(self.messages)
        processed = size - len(refused)
        return {
            "size": size,
            "processed": processed,
            "errors": len(refused),
            "details": refused,
            "cache": _CACHE if processed else None,
        }


def _with_own_key(origin: RequestOrigin) -> RequestOrigin:
    """Return an origin without a key that is none of ours: libraries of Umami send tokens of its users, and `None`."""
    is_own = origin.key is None or origin.key.startswith(KEY_MARK)
    return origin if is_own else evolve(origin, key=None)


def _answered(result: TrackResult) -> _Answered:
    if result.reason is DropReason.BOT:
        return _Answered(200, _BOT, result)
    if result.reason is DropReason.INVALID:
        form_errors = {"": list(result.form_errors)} if result.form_errors else {}
        return evolve(_invalid({**_renamed(result.field_errors), **form_errors}), result=result)
    status, body = _RESPONSES.answer(result)
    if body["success"]:
        message = {"message": body["message"]} if "message" in body else {}
        return _Answered(200, {**_TAKEN, **message}, result)
    return evolve(_refused(int(status[:3]), body["error"], errors=list(result.form_errors)), result=result)


def _renamed(errors: Mapping[str, list[str]]) -> dict[str, list[str]]:
    renamed: dict[str, list[str]] = {}
    for name, faults in errors.items():
        renamed.setdefault(NAMES.get(name, name), []).extend(faults)
    return renamed


def _invalid(errors: Mapping[str, list[str]]) -> _Answered:
    """Return the refusal of a message, with its errors as a tree of its parts, as Umami names them."""
    of_parts = {name: {"errors": faults} for name, faults in errors.items() if name in {"type", "payload"}}
    of_fields = {name: {"errors": faults} for name, faults in errors.items() if name and name not in of_parts}
    payload = {"payload": {"errors": [], "properties": of_fields}} if of_fields else {}
    properties = {**of_parts, **payload}
    return _refused(
        400,
        "Bad request",
        errors=errors.get("", []),
        **({"properties": properties} if properties else {}),
    )


def _refused(status: int, message: str, **details: Any) -> _Answered:
    return _Answered(
        status, {"error": {"message": message, "code": _CODES[status], "status": status, **details}}
    )


def _line(status: int) -> str:
    line: str = falcon.code_to_http_status(status)
    return line

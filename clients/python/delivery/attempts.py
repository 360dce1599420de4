"""Decides, without I/O, which calls are sent when, until each is acknowledged, refused or given up."""

import random
from collections.abc import Callable, Generator, Iterable, Sequence

from attrs import frozen

from footfall.client.delivery.pending_call import PendingCall
from footfall.client.delivery.service_response import ServiceResponse
from footfall.client.options import Connection, Settings

Delivery = Generator["Attempt", ServiceResponse, None]


@frozen
class Attempt:
    """One request to send after a pause of `delay` seconds."""

    path: str
    content: bytes
    headers: dict[str, str]
    calls: Sequence[PendingCall]
    delay: float = 0.0

    def begin(self) -> None:
        """Note that the service may have received the events from now on."""
        for call in self.calls:
            call.under_way = True


@frozen
class Exchange:
    """The conversion of calls to a request, and of its response to a response for each call."""

    attempt: Callable[[Sequence[PendingCall], float], Attempt]
    responses: Callable[[ServiceResponse, int], Sequence[ServiceResponse]]


def deliver(calls: Sequence[PendingCall], exchange: Exchange, settings: Settings) -> Delivery:
    """Yield each attempt and take its response, until every call is settled (docs/track/servers.md)."""
    delay: float | None = 0.0
    repeated = 0
    while calls and delay is not None:
        response = yield exchange.attempt(calls, delay)
        received = zip(calls, exchange.responses(response, len(calls)), strict=True)
        again = [(call, each) for call, each in received if not call.receive(each)]
        repeated += 1
        delay = delay_before(repeated, (each.retry_after for _, each in again), settings)
        calls = [call for call, _ in again]
    for call, each in again if calls else ():
        call.give_up(each)


def delay_before(repetition: int, asked: Iterable[float], settings: Connection) -> float | None:
    """Return the seconds to wait before a repetition, None after the last one.

    The pause doubles each time, with jitter, and is never shorter than the `Retry-After` of a response.
    """
    if repetition > settings.retries:
        return None
    backoff = settings.retry_delay * 2.0 ** (repetition - 1) * random.uniform(0.5, 1)  # noqa: S311 - spreads load, keeps no secret
    delay = max(backoff, *asked, 0.0)
    return delay if delay <= settings.max_retry_delay else None


def _single_attempt(calls: Sequence[PendingCall], delay: float) -> Attempt:
    (call,) = calls
    return Attempt("/track", call.content, {"Idempotency-Key": call.id}, calls, delay)


def _batch_attempt(calls: Sequence[PendingCall], delay: float) -> Attempt:
    content = b'{"events":[' + b",".join(call.content for call in calls) + b"]}"
    return Attempt("/track/batch", content, {}, calls, delay)


def _batch_responses(response: ServiceResponse, count: int) -> Sequence[ServiceResponse]:
    if not response.acknowledged or response.body is None:
        return [response] * count
    results = response.body.get("results")
    if isinstance(results, list) and len(results) == count:
        return [_read_result(result) for result in results]
    # Without a result for each event the response acknowledges none.
    return [ServiceResponse(response.status)] * count


def _read_result(result: object) -> ServiceResponse:
    body = result if isinstance(result, dict) else None
    status = (body or {}).get("status")
    refused = isinstance(status, int) and (body or {}).get("success") is not True
    return ServiceResponse(status if refused else 200, body)


SINGLE = Exchange(_single_attempt, lambda response, count: [response] * count)
BATCHED = Exchange(_batch_attempt, _batch_responses)

"""Decides, without I/O, what is sent when, until each entry is acknowledged, refused or given up."""

import random
from collections.abc import Callable, Generator, Iterable, Sequence

from attrs import frozen

from footfall.client.answer import Answer
from footfall.client.entry import Entry
from footfall.client.options import Settings

Delivery = Generator["Attempt", Answer, None]


@frozen
class Attempt:
    """One request to send after a pause of `delay` seconds."""

    path: str
    content: bytes
    headers: dict[str, str]
    entries: Sequence[Entry]
    delay: float = 0.0

    def begin(self) -> None:
        """Note that from now on nobody knows what the service has heard."""
        for entry in self.entries:
            entry.under_way = True


@frozen
class Exchange:
    """How entries become a request, and its answer becomes an answer for each of them."""

    attempt: Callable[[Sequence[Entry], float], Attempt]
    answers: Callable[[Answer, int], Sequence[Answer]]


def deliver(entries: Sequence[Entry], exchange: Exchange, settings: Settings) -> Delivery:
    """Yield each attempt and take its answer, until every entry is settled (decisions, section 9)."""
    delay: float | None = 0.0
    repeated = 0
    while entries and delay is not None:
        answer = yield exchange.attempt(entries, delay)
        heard = zip(entries, exchange.answers(answer, len(entries)), strict=True)
        again = [(entry, each) for entry, each in heard if not entry.hear(each)]
        repeated += 1
        delay = delay_before(repeated, (each.retry_after for _, each in again), settings)
        entries = [entry for entry, _ in again]
    for entry, each in again if entries else ():
        entry.give_up(each)


def delay_before(repetition: int, asked: Iterable[float], settings: Settings) -> float | None:
    """Return the seconds to wait before a repetition, None when there is to be none.

    The pause doubles each time, with jitter, and is never shorter than the service asked for.
    """
    if repetition > settings.retries:
        return None
    backoff = settings.retry_delay * 2.0 ** (repetition - 1) * random.uniform(0.5, 1)  # noqa: S311 - spreads load, keeps no secret
    delay = max(backoff, *asked, 0.0)
    return delay if delay <= settings.max_retry_delay else None


def _single_attempt(entries: Sequence[Entry], delay: float) -> Attempt:
    (entry,) = entries
    return Attempt("/track", entry.content, {"Idempotency-Key": entry.id}, entries, delay)


def _batch_attempt(entries: Sequence[Entry], delay: float) -> Attempt:
    content = b'{"events":[' + b",".join(entry.content for entry in entries) + b"]}"
    return Attempt("/track/batch", content, {}, entries, delay)


def _batch_answers(answer: Answer, count: int) -> Sequence[Answer]:
    if not answer.acknowledged or answer.body is None:
        return [answer] * count
    results = answer.body.get("results")
    if isinstance(results, list) and len(results) == count:
        return [_read_result(result) for result in results]
    # An acknowledgement without a result for each event acknowledges none.
    return [Answer(answer.status)] * count


def _read_result(result: object) -> Answer:
    body = result if isinstance(result, dict) else None
    status = (body or {}).get("status")
    refused = isinstance(status, int) and (body or {}).get("success") is not True
    return Answer(status if refused else 200, body)


SINGLE = Exchange(_single_attempt, lambda answer, count: [answer] * count)
BATCHED = Exchange(_batch_attempt, _batch_answers)

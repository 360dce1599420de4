"""The promise of a delivery, held against a service that loses requests and answers as it likes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.client import EventRefused, Receipt
from footfall.client.delivery.attempts import BATCHED, SINGLE, delay_before, deliver
from footfall.client.delivery.call_ledger import CallLedger
from footfall.client.delivery.driver import run
from footfall.client.delivery.service_response import ServiceResponse
from footfall.client.options import Settings

SETTINGS = Settings(analytics_host="http://localhost/api", site_id=1, api_key="k", retry_delay=0.001)
# Whether the request arrives, and what becomes of its answer.
FATES = st.tuples(st.booleans(), st.sampled_from(["whole", "lost", "garbled", "late"]))
JUDGEMENTS = st.sampled_from([200, 200, 400, 403, 429, 503])


class Service:
    """Stores what it accepts, by key; its answers suffer the fates that Hypothesis chooses."""

    def __init__(self, data):
        self.data = data
        self.stored = {}

    def send(self, attempt):
        attempt.begin()
        arrives, fate = self.data.draw(FATES)
        if not arrives:
            return ServiceResponse(None)
        judged = [self.judge(entry) for entry in attempt.calls]
        if fate == "whole":
            single = attempt.path == "/track"
            return (
                judged[0]
                if single
                else ServiceResponse(200, {"success": True, "results": [it.body for it in judged]})
            )
        return {"lost": ServiceResponse(None), "garbled": ServiceResponse(200), "late": ServiceResponse(504)}[
            fate
        ]

    def judge(self, entry):
        status = 200 if entry.id in self.stored else self.data.draw(JUDGEMENTS)
        if status == 200:
            self.stored[entry.id] = entry.content
        return ServiceResponse(status, {"success": status == 200, "status": status, "error": "refused"})


@given(st.data(), st.integers(1, 5))
def test_what_is_acknowledged_is_stored_and_what_is_refused_is_not(data, count):
    service, ledger = Service(data), CallLedger(None)
    entries = [ledger.add() for _ in range(count)]
    for number, entry in enumerate(entries):
        entry.carry({"type": "pageview"}, f"id-{number}", {})

    run(deliver(entries, SINGLE if count == 1 else BATCHED, SETTINGS), service.send, lambda _delay: True)

    for entry in entries:
        outcome = entry.future.exception(0) or entry.future.result()
        if isinstance(outcome, Receipt):
            assert entry.id in service.stored
        if isinstance(outcome, EventRefused):
            assert entry.id not in service.stored
    assert ledger.stats.pending == 0
    assert sum(1 for entry in entries if entry.attempts > 1 + SETTINGS.retries) == 0


@given(st.integers(1, 3), st.floats(0, 60))
def test_a_pause_doubles_with_jitter_and_is_never_shorter_than_asked(repetition, asked):
    settings = Settings(analytics_host="http://localhost/api", site_id=1, api_key="k")

    delay = delay_before(repetition, [asked], settings)

    assert max(asked, 2 ** (repetition - 2)) <= delay <= max(asked, 2 ** (repetition - 1))


@pytest.mark.parametrize(("repetition", "asked"), [(4, 0), (1, 61)])
def test_there_is_no_pause_after_the_last_attempt_or_beyond_the_longest_wait(repetition, asked):
    settings = Settings(analytics_host="http://localhost/api", site_id=1, api_key="k")

    assert delay_before(repetition, [asked], settings) is None

"""The digest that an event and its repetition are compared by."""

import hashlib
import json

import pytest
from attrs import asdict

from footfall.application.ingestion.idempotency_keys import fingerprint
from footfall.application.ingestion.payload_rules import TrackRequest
from footfall.domain.tracking.visitor import visitor_id

SECRET = b"a secret of the tests"
AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


def an_event(address="192.0.2.77", **attributes):
    return TrackRequest(
        site="1", event_id="order-1", ip_address=address, user_agent=AGENT, pathname="/", **attributes
    )


def test_an_address_cannot_be_guessed_from_the_fingerprint_without_the_secret():
    kept = fingerprint(an_event(), SECRET)
    guesses = [an_event(f"192.0.2.{number}") for number in range(256)]

    found = [
        guess.ip_address for guess in guesses if kept in {unkeyed(guess), fingerprint(guess, b"no secret")}
    ]

    assert found == []
    assert [guess.ip_address for guess in guesses if fingerprint(guess, SECRET) == kept] == ["192.0.2.77"]


def unkeyed(event):
    content = asdict(event)
    of_a_page = ("pageview_id", "engaged_ms", "scroll_percent")
    for name in (
        "api_key",
        "event_id",
        "site",
        "time_zone",
        "user_signature",
        "webdriver",
        "judge_bots",
        *of_a_page,
    ):
        del content[name]
    text = json.dumps([*content.values()], sort_keys=True, default=str)
    assert fingerprint(event, SECRET) == digest(text, key=SECRET, person=b"idempotency")
    return digest(text)


def digest(text, **keyed):
    return hashlib.blake2b(text.encode(), digest_size=16, **keyed).digest()


@pytest.mark.parametrize(
    "ignored",
    [
        {"event_id": "other"},
        {"site": "0123456789ab"},
        {"api_key": "ff_"},
        {"webdriver": True},
        {"judge_bots": True},
        {"time_zone": "UTC"},
    ],
)
def test_name_site_key_driver_zone_and_wishes_about_bots_do_not_change_the_fingerprint(ignored):
    one, other = an_event(), an_event()
    for name, value in ignored.items():
        setattr(other, name, value)

    assert fingerprint(one, SECRET) == fingerprint(other, SECRET)


def test_a_secret_longer_than_the_key_of_the_hash_is_accepted():
    assert len(fingerprint(an_event(), b"x" * 1_000)) == 16


def test_fingerprints_and_visitors_share_a_key_and_no_digest():
    visitor = visitor_id(SECRET, site_id=1, address="192.0.2.77", user_agent=AGENT)

    assert visitor.to_bytes(8, signed=True) not in fingerprint(an_event(), SECRET)

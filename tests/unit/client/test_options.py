"""Options that the constructors refuse."""

import math

import pytest

from footfall.client import AsyncBackgroundFootfall, AsyncFootfall, BackgroundFootfall, Footfall

VALID = {"analytics_host": "https://desk.example.com/api", "site_id": "12", "api_key": "ff_secret"}
EVERY = [Footfall, AsyncFootfall, BackgroundFootfall, AsyncBackgroundFootfall]
QUEUED = [BackgroundFootfall, AsyncBackgroundFootfall]

INVALID = [
    ("analytics_host", None),
    ("analytics_host", ""),
    ("analytics_host", 7),
    ("analytics_host", "desk.example.com/api"),
    ("analytics_host", "ftp://desk.example.com/api"),
    ("analytics_host", "https://desk.example.com"),
    ("analytics_host", "https://desk.example.com/rapi"),
    ("analytics_host", "https://user:word@desk.example.com/api"),
    ("analytics_host", "https://desk.example.com/api?key=1"),
    ("analytics_host", "https://desk.example.com:port/api"),
    ("analytics_host", "https:///api"),
    ("site_id", None),
    ("site_id", ""),
    ("site_id", 0),
    ("site_id", 1.5),
    ("site_id", True),
    ("api_key", None),
    ("api_key", ""),
    ("api_key", 42),
    ("api_key", "two words"),
    ("api_key", "line\nbreak"),
    ("api_key", "schlüssel"),
    ("debug", "yes"),
    ("timeout", 0),
    ("timeout", "1s"),
    ("retries", -1),
    ("retries", 1.5),
    ("retry_delay", -1),
    ("max_retry_delay", math.inf),
    ("on_error", "log"),
    ("defaults", {"path": "/"}),
    ("defaults", "release"),
    ("environment", ""),
    ("environment", "x" * 65),
]
INVALID_IN_QUEUES = [
    ("batch_size", 0),
    ("batch_size", 501),
    ("flush_interval", -5),
    ("queue_size", 0),
    ("queue_bytes", 0),
    ("exit_timeout", 0),
]


@pytest.mark.parametrize("client", EVERY)
@pytest.mark.parametrize(("option", "value"), INVALID)
def test_an_invalid_option_is_named(client, option, value):
    with pytest.raises(ValueError, match=f"'{option}'"):
        client(**{**VALID, option: value})


@pytest.mark.parametrize("client", QUEUED)
@pytest.mark.parametrize(("option", "value"), INVALID_IN_QUEUES)
def test_an_invalid_option_of_a_queue_is_named(client, option, value):
    with pytest.raises(ValueError, match=f"'{option}'"):
        client(**VALID, **{option: value})


@pytest.mark.parametrize("client", EVERY)
@pytest.mark.parametrize("option", list(VALID))
def test_a_missing_option_is_named(client, option):
    given = {name: value for name, value in VALID.items() if name != option}

    with pytest.raises(TypeError, match=option):
        client(**given)


@pytest.mark.parametrize("client", EVERY)
def test_an_unknown_option_is_named(client):
    with pytest.raises(TypeError, match="onerror"):
        client(**VALID, onerror=print)


def test_a_refused_key_is_not_in_the_message():
    with pytest.raises(ValueError, match="api_key") as caught:
        Footfall(**{**VALID, "api_key": "secret words"})

    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "host", ["https://desk.example.com/api", "http://[::1]:8000/api/", "http://x/base/api"]
)
@pytest.mark.parametrize("site_id", ["12", 12, "a1b2c3d4e5f6"])
def test_valid_options_are_taken(host, site_id):
    with Footfall(host, site_id, "ff_secret") as client:
        assert client.stats.pending == 0

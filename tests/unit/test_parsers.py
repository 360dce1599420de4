"""Whatever text arrives, a parser returns a value or says what is wrong with it, and nothing else."""

import contextlib
import ipaddress

import orjson
from hypothesis import example, given
from hypothesis import strategies as st

from footfall.adapters.http.requests import ClientAddress
from footfall.application.tracking import TEXTS, TrackRequest, parse_track
from footfall.domain.campaign import utm
from footfall.domain.channel import classify, foreign_host
from footfall.domain.errors import Invalid
from footfall.domain.examples import NOON
from footfall.domain.exclusion import parse_excluded_countries, parse_excluded_ips
from footfall.domain.goal import event_rule, path_rule
from footfall.domain.host import normalize_host, parse_domain
from footfall.domain.page import parse_page
from footfall.domain.window import parse_window

# Surrogates, NUL and the rest of what a client can put into JSON or a percent-encoded address.
TEXT = st.text(st.characters(exclude_categories=()), max_size=300)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.sampled_from(
    [
        *TEXTS,
        "site_id",
        "type",
        "properties",
        "ip_address",
        "lcp",
        "screenWidth",
        "timestamp",
        "event_id",
        "api_key",
    ]
)
KINDS = st.sampled_from(["pageview", "custom_event", "performance", "outbound", "error"])


@given(st.dictionaries(FIELDS, JSON, max_size=8), KINDS, JSON)
def test_a_payload_is_a_request_or_refused_with_its_faults(payload, kind, properties):
    with contextlib.suppress(TypeError):
        payload = {"type": kind, "properties": orjson.dumps(properties).decode(), **payload}

    try:
        request = parse_track(payload, orjson.loads)
    except Invalid as refusal:
        found = [*refusal.faults.items(), *refusal.forms]
    else:
        found = [request] if isinstance(request, TrackRequest) else []

    assert found


@given(TEXT, TEXT)
@example("utm_source=%ff&utm_medium=%00", "https://[")
@example("&&==;%", "//user:pass@[::1")
def test_any_query_string_and_referrer_have_a_channel(querystring, referrer):
    channel = classify(foreign_host(referrer, ("example.com",)), querystring, utm(querystring))

    assert channel.value


@given(TEXT)
@example("https://[::1")
@example("xn--a")
@example("。。")
def test_any_text_is_a_host_or_none(text):
    host = normalize_host(text)

    assert host is None or (host and host == host.lower())
    with contextlib.suppress(Invalid):
        assert parse_domain(text)


@given(st.lists(TEXT | st.ip_addresses().map(str), max_size=4))
@example(["1.2.3.4-1.2.3"])
@example(["::ffff:1.2.3.4/1"])
def test_any_exclusions_are_lists_or_refused(entries):
    for parse in (parse_excluded_ips, parse_excluded_countries):
        with contextlib.suppress(Invalid):
            assert isinstance(parse(entries), tuple)


@given(
    st.dictionaries(
        st.sampled_from(
            ["start_date", "end_date", "past_minutes_start", "past_minutes_end", "time_zone", "page", "limit"]
        ),
        TEXT
        | st.dates().map(str)
        | st.integers().map(str)
        | st.sampled_from(["UTC", "Europe/Berlin", "../etc"]),
    )
)
@example({"time_zone": "\0"})
@example({"start_date": "0001-01-01", "end_date": "9999-12-31"})
def test_any_common_parameters_are_a_window_and_a_page_or_refused(parameters):
    with contextlib.suppress(Invalid):
        assert parse_window(parameters, now=NOON).period
    with contextlib.suppress(Invalid):
        assert parse_page(parameters, size=20).number >= 1


@given(TEXT, TEXT | st.none(), TEXT | st.integers() | st.floats() | st.booleans() | st.none())
def test_any_goal_is_a_rule_or_refused(text, key, value):
    with contextlib.suppress(Invalid):
        assert path_rule(text).path_pattern.startswith("/")
    with contextlib.suppress(Invalid):
        assert event_rule(text, key, value).event_name == text


class Forwarded:
    def __init__(self, peer, header):
        self.scope = {"client": (peer, 1)}
        self._header = header

    def get_header(self, _name):
        return self._header


@given(TEXT | st.ip_addresses().map(str), TEXT | st.lists(st.ip_addresses().map(str)).map(", ".join))
@example("127.0.0.1", ",,[::1,127.0.0.1:8")
def test_any_forwarding_header_leaves_an_address_and_never_fails(peer, header):
    trusted = ClientAddress([ipaddress.ip_network("127.0.0.0/8")])

    assert isinstance(trusted.of(Forwarded(peer, header)), str)

"""Whatever text arrives, a parser returns a value or says what is wrong with it, and nothing else."""

import contextlib
import io
import ipaddress
import json
from datetime import UTC, datetime
from types import SimpleNamespace

import orjson
from hypothesis import example, given
from hypothesis import strategies as st

from footfall.adapters.archive import ArchiveReader
from footfall.adapters.archive.lines import entry_of, hit_line, mark_line
from footfall.adapters.http.wire.bodies import NotAnObject, decode_object
from footfall.adapters.http.wire.client_address import ClientAddress
from footfall.adapters.http.wire.context import RequestIds, bearer
from footfall.application.ingestion.payload_rules import TEXTS, TrackRequest, parse_track, valid_event_id
from footfall.application.ports.maintenance import UnreadableArchive
from footfall.application.reports.query_parameters import parse_report_period
from footfall.domain.examples import NOON, a_full_hit
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import event_rule, path_rule
from footfall.domain.pagination import parse_page
from footfall.domain.sites.excluded_addresses import parse_excluded_countries, parse_excluded_ips
from footfall.domain.sites.host import normalize_host, parse_domain
from footfall.domain.tracking.acquisition.campaign import parse_utm
from footfall.domain.tracking.acquisition.channel import classify, foreign_host
from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.session import Mark

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
        found = [*refusal.field_errors.items(), *refusal.form_errors]
    else:
        found = [request] if isinstance(request, TrackRequest) else []

    assert found


# One awkward value at a time among good ones: it gets past the first checks.
NEARLY_VALID = st.builds(
    lambda field, value, kind: {
        "site_id": "1",
        "event_name": "e",
        "lcp": 1,
        "properties": '{"message": "m", "url": "https://a.example/"}',
        "type": kind,
        field: value,
    },
    FIELDS,
    JSON | st.text("ab/?=&%", min_size=1, max_size=2_100),
    KINDS,
)


@given(NEARLY_VALID)
@example({"site_id": "1", "pathname": "/" * 2_048})
@example({"site_id": "1", "pathname": "/" * 2_049})
def test_a_text_is_taken_whole_or_refused_by_its_name(payload):
    given = {name: payload[name] for name in TEXTS if isinstance(payload.get(name), str)}

    try:
        request, faults = parse_track(payload, orjson.loads), {}
    except Invalid as refusal:
        request, faults = None, refusal.field_errors

    assert set(faults) <= {*payload}
    if request is not None:
        assert {name: getattr(request, name) or "" for name in given} == given
        assert all(len(text) <= TEXTS[name] for name, text in given.items())


@given(st.text(st.characters(max_codepoint=0x100), max_size=130) | st.text("a ", min_size=120, max_size=130))
@example("a" * 128)
@example("a" * 129)
@example("a\n")
def test_a_name_for_idempotency_is_printable_ascii_of_bounded_length(name):
    printable = all(" " <= character <= "~" for character in name)

    assert valid_event_id(name) == (printable and name == name.strip() and 1 <= len(name) <= 128)


@given(TEXT)
def test_any_credentials_and_request_ids_are_read(text):
    carrying = SimpleNamespace(get_header=lambda _name: text)

    assert isinstance(bearer(carrying), str)
    assert 1 <= len(RequestIds().of(carrying)) <= 64


@given(st.binary(max_size=80) | JSON.map(lambda value: json.dumps(value).encode()))
@example(b'{"a": ' * 2_000)
@example(b'{"a": NaN}')
@example(b'{"a": "\\ud800"}')
def test_any_body_is_an_object_or_refused(body):
    with contextlib.suppress(NotAnObject):
        assert isinstance(decode_object(body), dict)


LINE = json.loads(hit_line(RecordedHit(3, a_full_hit())))
MARK = json.loads(mark_line(Mark(1, 2, *(datetime(2026, 3, day, tzinfo=UTC) for day in (9, 7, 8)))))["mark"]


@given(st.dictionaries(st.sampled_from([*LINE]), JSON, max_size=3))
@example({"occurred_at": "9999-12-31T23:59:59-23:59"})
@example({"visitor_id": "-1"})
def test_any_line_of_an_archive_is_a_hit_or_refused(change):
    line = json.dumps(LINE | change).encode()

    with contextlib.suppress(UnreadableArchive):
        assert entry_of(line, site_id=1).hit.site_id == 1


@given(st.dictionaries(st.sampled_from([*MARK]), JSON, max_size=3))
@example({"cutoff": "9999-12-31T23:59:59-23:59"})
@example({"first": "0001-01-01T00:00:00Z"})
def test_any_mark_of_an_archive_is_one_or_refused(change):
    line = json.dumps({"mark": MARK | change}).encode()

    with contextlib.suppress(UnreadableArchive):
        assert entry_of(line, site_id=1).site_id == 1


@given(st.binary(max_size=200), st.sampled_from([b"", b"\x1f\x8b", b"\x1f\x8b\x08\0\0\0\0\0\0\xff"]))
def test_any_file_is_an_archive_or_refused(content, start):
    reader = ArchiveReader(io.BufferedReader(io.BytesIO(start + content)))

    with contextlib.suppress(UnreadableArchive):
        assert reader.heading()
        assert all(entry for entry in reader.entries(1))


@given(TEXT, TEXT)
@example("utm_source=%ff&utm_medium=%00", "https://[")
@example("&&==;%", "//user:pass@[::1")
def test_any_query_string_and_referrer_have_a_channel(querystring, referrer):
    channel = classify(foreign_host(referrer, ("example.com",)), querystring, parse_utm(querystring))

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
        assert parse_report_period(parameters, now=NOON).period
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

"""Envelopes: what is read of them, what is refused, and how much of them is ever in memory."""

import gzip
import json
import tracemalloc
import zlib
from functools import partial

import brotli
import pytest

from footfall.adapters.http.protocols.sentry_envelope import (
    KINDS,
    LONGEST_HEADER,
    MOST_ITEMS,
    TooLarge,
    UnknownEncoding,
    UnreadableEnvelope,
    decompressed,
    read_envelope,
)
from footfall.adapters.http.wire.bodies import MAX_ENVELOPE

ID = "9ec79c33ec9942ab8353589fcb2e04dc"


def envelope(*items, header=None):
    """Return an envelope of items, each a header and its content."""
    lines = [json.dumps(header or {}).encode()]
    for named, content in items:
        lines += [json.dumps(named).encode(), content]
    return b"\n".join(lines)


def test_the_event_is_read_and_all_else_is_named_by_its_kind():
    event = b'{"message": "a\\nb"}'
    image = b"\x89PNG\n\x00\n{}\n"
    read = read_envelope(
        envelope(
            ({"type": "attachment", "length": len(image), "filename": "private.png"}, image),
            ({"type": "event", "length": len(event)}, event),
            ({"type": "session"}, b'{"sid": "private"}'),
            ({"type": "replay_recording"}, b"not even JSON"),
            ({"type": "new_kind"}, b""),
            header={"event_id": ID, "dsn": "https://key@example.com/1"},
        )
    )

    assert read.opened() == ({"message": "a\nb"}, ID)
    assert read.ignored == ["attachment", "session", "replay", "other"]
    assert set(KINDS) >= set(KINDS.values()) - {"metric", "replay", "other"}


def test_the_length_may_be_left_out_and_lines_may_be_blank():
    assert read_envelope(b'{}\n{"type": "event"}\n{}\n\n{"type": "session"}\n{}\n\n').ignored == ["session"]
    assert read_envelope(b"{}").opened() == (None, None)
    assert read_envelope(b'{}\n{"type": "event", "length": 2}\n{}').opened() == ({}, None)
    assert read_envelope(b'{}\n{"type": "session"}').ignored == ["session"]


@pytest.mark.parametrize("name", ["9EC79C33EC9942AB8353589FCB2E04DC", "9ec79c33-ec99-42ab-8353-589fcb2e04dc"])
def test_the_id_has_one_form_and_that_of_the_envelope_takes_precedence(name):
    event = json.dumps({"event_id": "0" * 32}).encode()

    assert read_envelope(envelope(({"type": "event"}, event), header={"event_id": name})).opened()[1] == ID
    assert read_envelope(envelope(({"type": "event"}, event))).opened()[1] == "0" * 32


def test_as_many_sessions_as_sdks_send_come_with_the_report_of_the_client():
    items = [({"type": "session"}, b"{}")] * 100 + [({"type": "client_report"}, b"{}")]

    assert len(read_envelope(envelope(*items)).ignored) == 101


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{}\n[]",
        b"{}\n{}",
        b'{}\n{"type": 5}\n',
        b'{}\n{"type": "event", "length": 3}\n{}',
        b'{}\n{"type": "event", "length": 1}\n{}\n',
        b'{}\n{"type": "event", "length": -1}\n{}',
        b'{}\n{"type": "event", "length": true}\n{}',
        b'{}\n{"type": "event", "length": 2.0}\n{}',
        b'{}\n{"type": "event", "length": 1e400}\n{}',
        b'{}\n{"type": "event"}\n[]',
        b'{}\n{"type": "event"}\n' + b"[" * 100_000,
        b'{}\n{"type": "event"}\n{}\n{"type": "event"}\n{}',
        b'{"event_id": "x"}',
        b'{"event_id": 5}',
        b'{"a": "' + b"a" * LONGEST_HEADER + b'"}',
        b'{}\n{"type": "' + b"a" * LONGEST_HEADER + b'"}\n',
        b"{}" + b'\n{"type": "a"}\n' * (MOST_ITEMS + 1),
    ],
)
def test_what_is_no_envelope_is_refused(body):
    with pytest.raises(UnreadableEnvelope):
        read_envelope(body).opened()


@pytest.mark.parametrize(
    ("encoding", "compress"),
    [
        ("gzip", gzip.compress),
        ("x-gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("br", brotli.compress),
        (" GZIP ", gzip.compress),
    ],
)
def test_bodies_are_decompressed(encoding, compress):
    assert decompressed(compress(b"{}"), encoding) == b"{}"


def test_other_forms_and_broken_ones_are_refused():
    for encoding in ("zstd", "gzip, gzip", "\ud800"):
        with pytest.raises(UnknownEncoding):
            decompressed(b"{}", encoding)
    for encoding, compress in (("gzip", gzip.compress), ("br", brotli.compress)):
        whole = compress(b"{}")
        for body in (b"", b"{}", whole[:-1], whole + b"x", whole * 2):
            with pytest.raises(UnreadableEnvelope):
                decompressed(body, encoding)


@pytest.mark.parametrize(
    ("encoding", "compress"),
    # The least effort: the usual one of Brotli takes seconds.
    [("gzip", partial(gzip.compress, compresslevel=1)), ("br", partial(brotli.compress, quality=1))],
    ids=["gzip", "br"],
)
def test_a_bomb_is_never_in_memory(encoding, compress):
    bomb = compress(bytes(200 * 1024 * 1024))
    tracemalloc.start()
    try:
        with pytest.raises(TooLarge):
            decompressed(bomb, encoding)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 4 * MAX_ENVELOPE
    assert len(decompressed(compress(bytes(MAX_ENVELOPE)), encoding)) == MAX_ENVELOPE

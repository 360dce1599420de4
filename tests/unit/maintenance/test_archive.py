"""Archives hold every hit as it is, and what is torn can be mended."""

import gzip
import io
import json
from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.archive import ArchiveReader, ArchiveWriter, Heading
from footfall.adapters.archive.lines import entry_of, hit_line, measure_line
from footfall.adapters.archive.writing import continued
from footfall.application.ports.maintenance import UnreadableArchive
from footfall.domain.examples import NOON, a_full_hit, a_hit
from footfall.domain.tracking.engagement import Measure, RecordedMeasure
from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.session import Mark

HEADING = Heading("0123456789ab")
TEXTS = st.text(
    st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), min_size=1, max_size=50
)
INTEGERS = st.integers(min_value=-(2**63), max_value=2**63 - 1)


def archive(hits, *, compressed=False):
    file = io.BytesIO()
    writer = ArchiveWriter(file, compressed=compressed)
    writer.begin(HEADING)
    for recorded in hits:
        writer.add([recorded])
    return file.getvalue()


def reader_of(content):
    return ArchiveReader(io.BufferedReader(io.BytesIO(content)))


def read(content, site_id=1):
    reader = reader_of(content)
    return reader.heading(), list(reader.entries(site_id))


@given(
    visitor_id=INTEGERS,
    signed_visitor_id=st.none() | INTEGERS,
    pathname=TEXTS,
    at=st.datetimes(min_value=datetime(1970, 1, 2), timezones=st.just(UTC)),  # noqa: DTZ001
    latitude=st.floats(-1e15, 1e15),
    properties=st.dictionaries(TEXTS, st.none() | st.booleans() | INTEGERS | st.floats(0, 1e9) | TEXTS),
)
def test_a_hit_is_read_as_it_was_written(visitor_id, signed_visitor_id, pathname, at, latitude, properties):
    hit = a_full_hit(
        visitor_id=visitor_id,
        signed_visitor_id=signed_visitor_id,
        pathname=pathname,
        occurred_at=at,
        received_at=at,
        latitude=latitude,
        properties=properties,
    )

    found = entry_of(hit_line(RecordedHit(9, hit)), site_id=1)

    assert found == RecordedHit(9, hit)


@pytest.mark.parametrize("compressed", [False, True])
def test_an_archive_is_read_as_it_was_written_for_any_site(compressed):
    hits = [RecordedHit(3, a_full_hit()), RecordedHit(8, a_hit())]

    heading, found = read(archive(hits, compressed=compressed), site_id=5)

    assert heading == HEADING
    assert found == [RecordedHit(one.position, evolve(one.hit, site_id=5)) for one in hits]


def test_a_compressed_archive_is_one_that_gzip_knows():
    content = archive([RecordedHit(3, a_hit())], compressed=True)

    lines = gzip.decompress(content).splitlines()

    assert json.loads(lines[0])["format"] == "footfall-hits"
    assert json.loads(lines[1])["visitor_id"] == "0000000000000007"


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"position": 0}, "position must be a whole number above 0"),
        ({"position": True}, "position must be a whole number above 0"),
        ({"type": "click"}, "type must be one of pageview"),
        ({"device_type": 5}, "device_type must be one of desktop"),
        ({"occurred_at": "yesterday"}, "occurred_at must be a time"),
        ({"occurred_at": None}, "occurred_at must be a time"),
        ({"visitor_id": "g"}, "visitor_id must be 16 hexadecimal digits"),
        ({"visitor_id": "1" * 17}, "visitor_id must be 16 hexadecimal digits"),
        ({"signed_visitor_id": 7}, "signed_visitor_id must be 16 hexadecimal digits"),
        ({"pathname": 5}, "pathname must be a string"),
        ({"pathname": "a\0"}, "pathname must not contain NUL"),
        ({"lcp": "5"}, "lcp must be a number"),
        ({"lcp": True}, "lcp must be a number"),
        ({"properties": []}, "properties must be an object"),
        ({"properties": {"a": "\x00"}}, "properties must not contain NUL"),
        ({"properties": {"a": 10**310}}, "properties must not contain numbers that are too large"),
        ({"lcp": 10**310}, "lcp must be a number from 0 to 1e\\+15"),
        ({"lcp": 10**300}, "lcp must be a number from 0 to 1e\\+15"),
        ({"latitude": -1e16}, "latitude must be a number from -1e\\+15 to 1e\\+15"),
        ({"new": [10**310]}, r"new\[0\] must be a number that double precision can hold"),
    ],
)
def test_a_line_that_is_not_a_hit_is_named_with_what_is_wrong(change, fault):
    line = json.loads(hit_line(RecordedHit(3, a_hit()))) | change
    reader = reader_of(archive([RecordedHit(1, a_hit())]) + json.dumps(line).encode() + b"\n")
    reader.heading()

    with pytest.raises(UnreadableArchive, match=f"^line 3: {fault}"):
        list(reader.entries(1))


@pytest.mark.parametrize(
    "first", [b"", b"{}\n", b"[]\n", b'{"format": "footfall-hits", "source": "a", "version": 9}\n']
)
def test_what_is_no_archive_is_refused(first):
    with pytest.raises(UnreadableArchive, match=r"^line 1: "):
        reader_of(first).heading()


def test_positions_must_ascend():
    content = archive([RecordedHit(3, a_hit()), RecordedHit(3, a_hit())])

    with pytest.raises(UnreadableArchive, match="line 3: the positions must ascend"):
        read(content)


@pytest.mark.parametrize(("length", "number"), [(3, 1), (15, 1), (-20, 2)])
def test_a_compressed_archive_that_is_cut_off_is_named_once_by_its_line(length, number):
    content = archive([RecordedHit(3, a_full_hit())], compressed=True)[:length]

    with pytest.raises(
        UnreadableArchive, match=rf"^line {number}: the file is damaged or cut off \([^()]+\)$"
    ):
        read(content)


@pytest.mark.parametrize("compressed", [False, True])
def test_a_torn_archive_goes_on_after_its_last_whole_piece_wherever_it_was_torn(tmp_path, compressed):
    hits = [RecordedHit(position, a_full_hit()) for position in (3, 8, 11)]
    whole, path = archive(hits, compressed=compressed), tmp_path / "archive"
    for length in range(0, len(whole) + 1, 7):
        path.write_bytes(whole[:length])

        with continued(path, compressed=compressed, heading=HEADING) as (file, position):
            ArchiveWriter(file, compressed=compressed).add(one for one in hits if one.position > position)

        assert read(path.read_bytes()) == (HEADING, hits)


def test_marks_are_read_as_they_were_written():
    midnight = datetime(2026, 3, 29, tzinfo=UTC)
    mark = Mark(
        7, -3, midnight, midnight - timedelta(days=9, microseconds=1), midnight - timedelta(minutes=3)
    )
    file = io.BytesIO()
    writer = ArchiveWriter(file, compressed=False)
    writer.begin(HEADING)
    writer.mark([mark, evolve(mark, visitor_id=5)])
    writer.add([RecordedHit(3, a_hit())])

    _, entries = read(file.getvalue(), site_id=7)

    assert entries[:2] == [mark, evolve(mark, visitor_id=5)]
    assert [one.position for one in entries[2:]] == [3]


@pytest.mark.parametrize(
    "change",
    [
        {"cutoff": "2026-03-29T00:00:01Z"},
        {"last": "2026-03-29T00:00:00Z"},
        {"first": "2026-03-28T23:58:00Z"},
        {"first": None},
        {"visitor_id": 7},
    ],
)
def test_a_mark_that_cannot_be_is_named_by_its_line(change):
    mark = {
        "visitor_id": "000000000000000f",
        "cutoff": "2026-03-29T00:00:00Z",
        "first": "2026-03-20T00:00:00Z",
        "last": "2026-03-28T23:57:00Z",
    }
    first = archive([])

    with pytest.raises(UnreadableArchive, match="line 2: "):
        read(first + json.dumps({"mark": mark | change}).encode() + b"\n")


@pytest.mark.parametrize("compressed", [False, True])
def test_an_archive_whose_last_lines_are_marks_goes_on_after_its_last_hit(tmp_path, compressed):
    midnight = datetime(2026, 3, 29, tzinfo=UTC)
    mark = Mark(1, 1, midnight, midnight - timedelta(days=2), midnight - timedelta(minutes=3))
    path = tmp_path / "archive"
    reached = []
    path.write_bytes(archive([], compressed=compressed))
    for position in (4, 9):
        with continued(path, compressed=compressed, heading=HEADING) as (file, after):
            reached.append(after)
            writer = ArchiveWriter(file, compressed=compressed)
            writer.mark([mark])
            writer.add([RecordedHit(position, a_hit())])
            writer.mark([mark])
    with continued(path, compressed=compressed, heading=HEADING) as (_, after):
        reached.append(after)

    assert reached == [0, 4, 9]


def test_an_archive_of_another_site_is_not_continued(tmp_path):
    path = tmp_path / "archive"
    path.write_bytes(archive([RecordedHit(3, a_hit())]))

    with (
        pytest.raises(UnreadableArchive, match="another site"),
        continued(path, compressed=False, heading=Heading("another")),
    ):
        pass


MEASURES = [
    RecordedMeasure(3, Measure(site_id=1, pageview_key=-(2**63), received_at=NOON, engaged_ms=0)),
    RecordedMeasure(4, Measure(site_id=1, pageview_key=2**63 - 1, received_at=NOON, scroll_percent=100)),
    RecordedMeasure(
        2**62, Measure(site_id=1, pageview_key=0, received_at=NOON, engaged_ms=86_400_000, scroll_percent=0)
    ),
]


@pytest.mark.parametrize("compressed", [True, False])
def test_a_measure_is_read_as_it_was_written_among_hits(compressed):
    entries = [RecordedHit(1, a_full_hit(type="pageview", pageview_key=-1)), *MEASURES]

    _, found = read(archive(entries, compressed=compressed))

    assert found == entries


def test_the_position_of_a_measure_is_that_which_an_archive_has_reached(tmp_path):
    path = tmp_path / "events.jsonl"
    path.write_bytes(archive([RecordedHit(1, a_hit()), MEASURES[0]]))

    with continued(path, compressed=False, heading=HEADING) as (_, position):
        assert position == 3


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"engaged_ms": -1}, "engaged_ms must be a whole number from 0 to 86,400,000"),
        ({"engaged_ms": 1.5}, "engaged_ms must be a whole number from 0 to 86,400,000"),
        ({"scroll_percent": 101}, "scroll_percent must be a whole number from 0 to 100"),
        ({"scroll_percent": True}, "scroll_percent must be a whole number from 0 to 100"),
        ({"engaged_ms": None, "scroll_percent": None}, "engagement must have engaged_ms or scroll_percent"),
        ({"pageview_key": "x"}, "pageview_key must be 16 hexadecimal digits"),
        ({"received_at": 1}, "received_at must be a time such as 2026-01-31T12:00:00.000Z"),
    ],
)
def test_a_measure_that_cannot_be_is_refused_by_its_member(changed, message):
    document = json.loads(measure_line(MEASURES[2]))
    document["engagement"] |= changed

    with pytest.raises(UnreadableArchive, match=message):
        entry_of(json.dumps(document).encode(), 1)


@pytest.mark.parametrize(("days", "kept"), [(0, True), (30, True), (31, False), (-1, False)])
def test_a_pageview_keeps_its_key_only_where_measures_look_for_it(days, kept):
    document = json.loads(hit_line(RecordedHit(1, a_hit(pageview_key=5))))
    received = datetime.fromisoformat(document["occurred_at"]) + timedelta(days=days)
    document["received_at"] = received.isoformat()

    assert (entry_of(json.dumps(document).encode(), 1).hit.pageview_key == 5) is kept

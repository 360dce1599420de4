"""Files of closed days: exactly what the store has, whatever texts and numbers that is."""

import json
from datetime import timedelta
from itertools import pairwise

import duckdb
import pytest
from hypothesis import given

from footfall.adapters.columns.files.maker import Maker
from footfall.adapters.columns.files.manifest import HITS, read_manifest, verify
from footfall.adapters.columns.files.parquet_writer import FEW_VALUES, FilesNotMade
from footfall.adapters.columns.layout import FilesLayout
from footfall.adapters.system import SystemClock
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.filters import SESSION_PARAMETERS
from footfall.domain.traffic.session import visits
from footfall.domain.traffic.web_vitals import LARGEST, NEXT_STEP_FROM, RESOLUTION, measure_class
from tests import histories
from tests.generated import examples
from tests.histories import SITE, START, after, error, event, hit, record
from tests.stores.stored import catch_up, project_in_slices

ODD = [
    "",
    " ",
    '"',
    '""',
    '","',
    "a,b",
    "line\nbreak",
    "carriage\rreturn",
    "both\r\n",
    "\n",
    "\\",
    "\\.",
    "\\N",
    "NULL",
    "null",
    "\t",
    "'",
    "ünïcödé ✓ 漢字 🙂",
    "\u2028\ufeff",
    "\x01\x1f\x7f",
    "#comment",
    "{}",
    "1e5",
    "x" * 65_536,
    '"' * 8_192,
]
MEASURES = [0.0, 5e-324, 1.7976931348623157e308, 0.1, 1 / 3, 2.5, 123456.789, 1e22, 9007199254740993.0]


async def test_texts_come_through_as_they_are(stored, tmp_path):
    log = record(
        *(
            hit(after(seconds=place), page_title=text, pathname=text, referrer=text, city=text)
            for place, text in enumerate(ODD)
        ),
        hit(after(seconds=99), page_title=None, pathname=None),
    )
    await stored.append(log)
    await catch_up(stored.projector)

    [files] = await stored.make_columns(tmp_path)

    found = read(files.hits, "page_title, pathname, session_referrer, session_city order by position")
    assert found == [(text, text, "", "") for text in [*ODD, None]]


async def test_texts_of_sessions_come_through_as_they_are(stored, tmp_path):
    log = record(*(hit(visitor_id=place, city=text, region=None) for place, text in enumerate(ODD)))
    await stored.append(log)
    await catch_up(stored.projector)

    [files] = await stored.make_columns(tmp_path)

    assert read(files.sessions, "city, region order by session_id") == [(text, None) for text in ODD]
    assert read(files.hits, "session_city order by position") == [(text,) for text in ODD]


@pytest.mark.parametrize("values", [1, FEW_VALUES, FEW_VALUES + 1])
async def test_attributes_come_through_as_texts_however_many_values_there_are(stored, tmp_path, values):
    texts = [f"{ODD[place % 20]}{place}" for place in range(values)]
    await stored.append(record(*(hit(visitor_id=place, city=text) for place, text in enumerate(texts))))
    await catch_up(stored.projector)

    [files] = await stored.make_columns(tmp_path)

    assert read(files.sessions, "city order by session_id") == [(text,) for text in texts]
    assert read(files.hits, "session_city order by position") == [(text,) for text in texts]
    # Engines other than DuckDB go by these.
    assert {
        type_of(path, name) for path, name in ((files.sessions, "city"), (files.hits, "session_city"))
    } == {"UTF8"}


async def test_instants_come_through_to_the_microsecond(stored, tmp_path):
    spans = [0, 1, 10, 100_000, 999_999, 1_000_000, 59_999_999]
    await stored.append(record(*(hit(after(microseconds=span)) for span in spans)))
    await catch_up(stored.projector)

    [files] = await stored.make_columns(tmp_path)

    start = round(START.timestamp()) * 1_000_000
    assert read(files.hits, "epoch_us(occurred_at) order by position") == [(start + span,) for span in spans]
    assert read(files.sessions, "epoch_us(started_at), epoch_us(ended_at)") == [(start, start + spans[-1])]


async def test_numbers_come_through_as_they_are(stored, tmp_path):
    extremes = [-(2**63), 2**63 - 1, 0]
    log = record(
        *(
            hit(
                after(microseconds=place),
                HitType.PERFORMANCE,
                visitor_id=extremes[place % 3],
                lcp=value,
                cls=None,
            )
            for place, value in enumerate(MEASURES)
        )
    )
    await stored.append(log)
    await catch_up(stored.projector)

    [files] = await stored.make_columns(tmp_path)

    found = read(files.hits, "visitor_id, lcp, cls, epoch_us(occurred_at) order by position")
    start = round(START.timestamp()) * 1_000_000
    assert found == [
        (extremes[place % 3], value, None, start + place) for place, value in enumerate(MEASURES)
    ]


async def test_properties_have_their_kinds_texts_and_decimals(stored, tmp_path):
    given = {"number": 1.50, "text": "12.0", "odd": ODD[4], "yes": True, "nothing": None, "list": [1, "2"]}
    await stored.append(
        record(event("signup", properties=given), error('oh, "no"\n', properties={"line": 1}))
    )
    await catch_up(stored.projector)

    [files] = await stored.make_columns(tmp_path)

    [(texts, properties, none), (other, nothing, message)] = read(
        files.hits, "properties_json, properties, error_message order by position"
    )
    assert json.loads(texts) == given
    assert (none, nothing, message) == (None, None, 'oh, "no"\n')
    assert json.loads(other)["line"] == 1
    assert {one["key"]: (one["kind"], one["text"], one["decimal"]) for one in properties} == {
        "number": ("number", "1.5", "1.5"),
        "text": ("string", "12.0", "12"),
        "odd": ("string", ODD[4], None),
        "yes": ("boolean", "true", None),
        "nothing": ("null", None, None),
        "list": ("array", None, None),
    }


@examples(30)
@given(log=histories.histories(max_size=40))
async def test_files_hold_the_sessions_of_the_domain_with_their_hits(stored, tmp_path_factory, log):
    await stored.empty()
    await stored.append(log)
    await project_in_slices(stored, 1)

    listed = await stored.make_columns(tmp_path_factory.mktemp("columns"), together=2)

    expected = [visit for visit in visits(stored.log.hits) if visit.session.site_id == SITE]
    sessions = [row for files in listed for row in read(files.sessions, _SESSION)]
    assert sorted(sessions) == sorted(_session(visit.session) for visit in expected)
    hits = [row for files in listed for row in read(files.hits, _HIT)]
    spans = dict(pair for files in listed for pair in read(files.hits, "position, until_next"))
    assert spans == {position: span for visit in expected for position, span in _spans(visit)}
    assert sorted(hits, key=str) == sorted(
        (_hit(visit.session, one) for visit in expected for one in visit.hits), key=str
    )


async def test_hits_stand_by_type_also_where_each_session_has_one(stored, tmp_path):
    types = [HitType.PAGEVIEW, HitType.PERFORMANCE, HitType.ERROR]
    await stored.append(
        record(*(hit(after(seconds=one), types[one % 3], visitor_id=one) for one in range(30)))
    )
    await catch_up(stored.projector)

    [files] = await stored.make_columns(tmp_path)

    found = read(files.hits, "type, session_id, position")
    assert found == sorted(found)


async def test_changed_sessions_are_left_out(stored, tmp_path):
    await stored.append(record(*(hit(visitor_id=one) for one in range(30))))
    await catch_up(stored.projector)
    days = await stored.close_days()
    await stored.append(record(hit(after(minutes=1), visitor_id=3), first=31))
    await catch_up(stored.projector)

    [files] = await stored.make_columns(tmp_path, days)

    assert len(read(files.sessions, "session_id")) == len(read(files.hits, "session_id")) == 29


async def test_a_revoked_version_is_not_made(stored, tmp_path):
    await stored.append(record(hit()))
    await catch_up(stored.projector)
    days = await stored.close_days()
    async with stored.connections.connection() as connection:
        await connection.execute("update column_day set state = 'open', version = null")

    assert await stored.make_columns(tmp_path, days) == []
    assert remains(tmp_path) == []


async def test_a_log_that_lacks_hits_of_a_session_makes_no_files(stored, tmp_path):
    await stored.append(record(hit(), hit(after(minutes=1))))
    await catch_up(stored.projector)
    days = await stored.close_days()
    async with stored.connections.connection() as connection:
        await connection.execute("set footfall.erasing = 'on'; delete from hit where position = 2")

    with pytest.raises(FilesNotMade, match="as many hits"):
        await stored.make_columns(tmp_path, days)
    assert remains(tmp_path) == []


async def test_a_full_disk_leaves_nothing_behind(stored, tmp_path):
    await stored.append(record(hit()))
    await catch_up(stored.projector)
    days = await stored.close_days()

    class Full(FilesLayout):
        def new_making(self):
            directory = super().new_making()
            (directory / "hits.csv").symlink_to("/dev/full")
            return directory

    with pytest.raises(OSError, match="No space left"):
        await Maker(Full(tmp_path), stored.column_store(), SystemClock()).make(days)
    assert remains(tmp_path) == []


async def test_a_directory_says_what_it_holds_and_only_its_owner_enters(stored, tmp_path):
    await stored.append(record(hit(), hit(after(hours=2))))
    await catch_up(stored.projector)
    days = await stored.close_days()

    [files] = await stored.make_columns(tmp_path, days)

    manifest = read_manifest(files.hits.parent)
    verify(files.hits.parent, manifest)
    assert (manifest.days, manifest.sessions.rows, manifest.hits.rows) == (tuple(days), 2, 2)
    assert manifest.hits.bytes == (files.hits.parent / HITS).stat().st_size
    folders = [path for path in tmp_path.rglob("*") if path.is_dir()]
    assert {path.stat().st_mode & 0o777 for path in folders} == {0o700}


def test_the_columns_of_files_are_documented(project):
    page = (project / "docs" / "internals" / "columns.md").read_text()

    assert [name for name in ("screen_width", "properties_json", "quarters") if f"`{name}`" not in page] == []


_COUNTS = ("pageviews", "custom_events", "performance_measures", "outbound_clicks", "errors")
_TEXTS = tuple(name for name in SESSION_PARAMETERS if name not in ("user_id", "device_type"))
_SESSION = ", ".join(
    [
        "session_id, visitor_id, epoch_us(started_at), epoch_us(ended_at), device_type, coalesce(user_id, '')",
        *_COUNTS,
    ]
    + [f"coalesce({name}, '')" for name in _TEXTS]
)
_HIT = (
    "position, session_id, visitor_id, epoch_us(occurred_at), type, pathname, page_title, event_name,"
    " properties_json is null, session_country, session_exit_page"
)


def _session(session):
    values = (session.session_id, session.visitor_id, _micros(session.start), _micros(session.end))
    known = session.user_id if session.user_id in ("anna", "bob") else ""
    texts = tuple(getattr(session, name) or "" for name in _TEXTS)
    return (*values, str(session.device_type), known, *(getattr(session, name) for name in _COUNTS), *texts)


def _hit(session, recorded):
    one = recorded.hit
    values = (recorded.position, session.session_id, one.visitor_id, _micros(one.occurred_at), str(one.type))
    named = (one.pathname, one.page_title, one.event_name, one.properties is None)
    return (*values, *named, session.country, session.exit_page)


def _spans(visit):
    ordered = sorted(visit.hits, key=lambda one: (one.hit.occurred_at, one.position))
    spans = [
        _micros(later.hit.occurred_at) - _micros(one.hit.occurred_at) for one, later in pairwise(ordered)
    ]
    for one, span in zip(ordered, [*spans, None], strict=True):
        yield one.position, span if one.hit.type is HitType.PAGEVIEW else None


def _micros(at):
    return (at - START) // timedelta(microseconds=1) + round(START.timestamp()) * 1_000_000


def read(path, query):
    with duckdb.connect() as connection:
        columns, order, by = query.partition(" order by ")
        return connection.execute(
            f"select {columns} from read_parquet($path){order}{by}", {"path": str(path)}
        ).fetchall()


def type_of(path, name):
    with duckdb.connect() as connection:
        [[found]] = connection.execute(
            "select converted_type from parquet_schema($path) where name = $name",
            {"path": str(path), "name": name},
        ).fetchall()
    return found


def remains(root):
    """Return all files below the directory of the columns."""
    return [path for path in root.rglob("*") if path.is_file()]


async def test_measures_have_their_classes(stored, tmp_path):
    limits = [limit + more / RESOLUTION for limit in NEXT_STEP_FROM for more in (-1, -0.3, 0, 0.3, 1)]
    ten_thousandths = [number / RESOLUTION for number in range(200)]
    measures = [*MEASURES, *limits, *ten_thousandths, 0.10004, LARGEST, 2 * LARGEST]
    log = record(
        *(hit(after(seconds=place), HitType.PERFORMANCE, cls=one) for place, one in enumerate(measures))
    )
    await stored.append(log)
    await catch_up(stored.projector)

    [files] = await stored.make_columns(tmp_path)

    found = read(files.hits, "cls, cls_class, lcp_class order by position")
    assert found == [(one, measure_class(one), None) for one in measures]


async def test_a_session_has_its_quarters_when_it_touches_several(stored, tmp_path):
    minutes = [0, 14, 15, 44]
    await stored.append(record(*(hit(after(minutes=minute)) for minute in minutes), hit(visitor_id=2)))
    await catch_up(stored.projector)

    [files] = await stored.make_columns(tmp_path)

    quarters = (
        "list_transform(quarters, lambda one: epoch_us(one) // 60000000 - epoch_us(started_at) // 60000000)"
    )
    found = read(files.sessions, f"{quarters}, quarter_pageviews, quarter_custom_events order by session_id")
    assert found == [([0, 15, 30], [2, 1, 1], [0, 0, 0]), (None, None, None)]

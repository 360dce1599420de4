"""Histories of a site: builders for single hits, and strategies that generate whole traffic logs."""

import random
from collections import defaultdict, deque
from datetime import UTC, datetime, timedelta

from attrs import evolve
from hypothesis import strategies as st

from footfall.domain.periods.period import Period
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.tracking.automation import EVERY_VALUE
from footfall.domain.tracking.engagement import MATCHING_SPAN, Measure, RecordedMeasure
from footfall.domain.tracking.hit import (
    BotVerification,
    ColorScheme,
    DeviceType,
    Hit,
    HitType,
    LocatedBy,
    NetworkKind,
    RecordedHit,
)
from footfall.domain.traffic.dimensions import of_events_alone
from footfall.domain.visits.subject import Subject
from tests.zones import ZONES

# The evening before clocks in Berlin are set forward.
START = datetime(2026, 3, 28, 20, tzinfo=UTC)
SITE, OTHER_SITE = 1, 2


def after(**span):
    """Return an instant after the start of all histories."""
    return START + timedelta(**span)


def hit(at=START, kind=HitType.PAGEVIEW, **known):
    """Return a hit of visitor 1 on the site, a pageview at the start unless said otherwise."""
    return Hit(
        **{"site_id": SITE, "visitor_id": 1, "received_at": at, "pathname": "/", **known},
        type=kind,
        occurred_at=at,
    )


def event(name, at=START, **known):
    """Return a custom event."""
    return hit(at, HitType.CUSTOM_EVENT, event_name=name, **known)


def error(message, at=START, name="TypeError", **known):
    """Return a reported exception; what is not an attribute of hits goes into its properties."""
    properties = {"message": message, **known.pop("properties", {})}
    return hit(at, HitType.ERROR, event_name=name, properties=properties, **known)


def record(*hits, first=1):
    """Return the hits as a traffic log in this order."""
    return [RecordedHit(position, one) for position, one in enumerate(hits, start=first)]


def recorded(*entries, first=1):
    """Return hits and measures as a traffic log in this order."""
    return [
        RecordedMeasure(position, one) if isinstance(one, Measure) else RecordedHit(position, one)
        for position, one in enumerate(entries, start=first)
    ]


def days(first, last, zone="UTC"):
    """Return the period of some local days, given as texts."""
    dates = (datetime.fromisoformat(day).date() for day in (first, last))
    return Period.local_days(*dates, parse_zone(zone))


PATHS = ["/", "/blog", "/blog/1", "/blog/1/edit", "/thanks"]
NAMES = ["signup", "order"]
MESSAGES = ["x is not defined", "Failed to fetch", "X is not defined", ""]
# Small and large steps, and those at which sessions and days just hold or just break; some go back in time.
STEPS = [
    timedelta(),
    timedelta(seconds=1),
    timedelta(minutes=7, microseconds=1),
    timedelta(minutes=29, seconds=59, microseconds=999_999),
    timedelta(minutes=30),
    timedelta(minutes=30, microseconds=1),
    timedelta(hours=5),
    timedelta(hours=23, minutes=30),
    timedelta(days=1),
    timedelta(days=30),
    -timedelta(minutes=1),
    -timedelta(minutes=30),
    -timedelta(minutes=45),
    -timedelta(hours=24),
]
INSTANTS = st.sampled_from(STEPS).map(lambda step: START + step)
# What is received a week before or after a page counts, a microsecond more does not.
_MEASURED_AFTER = [
    *(timedelta(seconds=seconds) for seconds in (0, 5, 5, 3_600)),
    *(sign * (MATCHING_SPAN + timedelta(microseconds=more)) for sign in (-1, 1) for more in (0, 1)),
]
# Steps within sessions, within quarters of an hour and over their edges, and back to hits that came before.
SHORT_STEPS = [
    timedelta(),
    timedelta(seconds=1),
    timedelta(minutes=4),
    timedelta(minutes=7, microseconds=1),
    timedelta(minutes=15),
    timedelta(minutes=29, seconds=59, microseconds=999_999),
    timedelta(minutes=30, microseconds=1),
    timedelta(minutes=50),
    -timedelta(minutes=1),
    -timedelta(minutes=15),
    -timedelta(minutes=45),
]
# Of histories within days: the middle of a day, its last quarter of an hour, its end, and the next day.
PLACES = [timedelta(hours=hours) for hours in (-8, 0, 3.75, 4, 5, 20)]
PROPERTIES = st.one_of(
    st.none(),
    st.fixed_dictionaries(
        {
            "plan": st.sampled_from(
                [
                    "pro",
                    "12",
                    12,
                    12.0,
                    "12.0",
                    "1.2e1",
                    True,
                    "true",
                    None,
                    [12],
                    0.1,
                    "0.10",
                    "1e999999",
                    2**53 + 1,
                ]
            )
        }
    ),
)
QUERIES = [
    None,
    "",
    "?ref=blog",
    "a=1&ref=1&ref=2",
    "?r%65f=%62log",
    "ref",
    "ref=%ff",
    "ref=a+%62",
    "xref=blog&&=1",
]
KEYED = ["property:plan", of_events_alone("property:plan"), "query:ref"]


@st.composite
def hits(draw, *, at, visitors=3):
    """Generate one hit."""
    kind = draw(st.sampled_from(HitType))
    known = {
        "visitor_id": draw(st.integers(1, visitors)),
        "user_id": draw(st.sampled_from([None, None, "anna", "bob"])),
        "signed_visitor_id": draw(st.sampled_from([None, None, None, 1, 2**63 - 1, -(2**63)])),
        "pathname": draw(st.sampled_from([*PATHS, None])),
        "page_title": draw(st.sampled_from([None, "Home"])),
        "country": draw(st.sampled_from([None, "DE", "NP"])),
        "device_type": draw(st.sampled_from([DeviceType.DESKTOP, DeviceType.MOBILE])),
        "color_scheme": draw(st.sampled_from([None, *ColorScheme])),
        "network": draw(st.sampled_from([None, *NetworkKind])),
        "autonomous_system": draw(st.sampled_from([None, "AS64496"])),
        "location_source": draw(st.sampled_from([None, *LocatedBy])),
        "bot": draw(st.sampled_from([None, "GPTBot", "Claude-User", "yacybot"])),
        "bot_verified": draw(st.sampled_from([None, *BotVerification])),
        "automation": draw(st.sampled_from([None, *EVERY_VALUE[:2], EVERY_VALUE[-1]])),
        "channel": draw(st.sampled_from(["Direct", "Email"])),
        "browser": draw(st.sampled_from([None, "Firefox"])),
        "browser_version": draw(st.sampled_from([None, "1", "1.2"])),
        "operating_system_version": draw(st.sampled_from([None, "1"])),
        "release": draw(st.sampled_from([None, "1", "anna"])),
        "screen_width": draw(st.sampled_from([None, 0.0, 575.9, 576.0, 1440.0, 3840.0])),
        "querystring": draw(st.sampled_from(QUERIES)),
        "properties": draw(PROPERTIES),
        "event_name": draw(st.sampled_from([*NAMES, None])),
    }
    if kind is HitType.ERROR:
        known |= {
            "properties": {"message": draw(st.sampled_from(MESSAGES))},
            "event_name": draw(st.sampled_from(NAMES)),
        }
    return hit(at, kind, **known)


@st.composite
def histories(draw, *, visitors=3, min_size=0, max_size=30):
    """Generate a traffic log: several visitors, ties, late and early hits, gaps between positions."""
    log, at, position = [], START, 0
    for step in draw(st.lists(st.sampled_from(STEPS), min_size=min_size, max_size=max_size)):
        at += step
        position += draw(st.integers(1, 3))
        log.append(RecordedHit(position, draw(hits(at=at, visitors=visitors))))
    return log


@st.composite
def dense_histories(draw, *, visitors=8, min_size=0, max_size=60):
    """Generate a traffic log within two days: many visitors, short steps, now and then another place in them."""
    log, at, position = [], START + draw(st.sampled_from(PLACES)), 0
    places = st.one_of(st.none(), st.none(), st.none(), st.none(), st.none(), st.sampled_from(PLACES))
    for step in draw(st.lists(st.sampled_from(SHORT_STEPS), min_size=min_size, max_size=max_size)):
        place = draw(places)
        at = (at if place is None else START + place) + step
        position += draw(st.integers(1, 2))
        log.append(RecordedHit(position, draw(hits(at=at, visitors=visitors))))
    return log


@st.composite
def nightly_histories(draw, *, visitors=4, min_size=0, max_size=60):
    """Generate a traffic log about some midnights in UTC, one after the other: visits of two days are frequent."""
    minutes = st.sampled_from([-45, -20, -1, 0, 0.5, 25, 50, 600])
    nights = sorted(draw(st.lists(st.integers(0, 4), min_size=min_size, max_size=max_size)))
    times = [after(hours=4, days=night, minutes=draw(minutes)) for night in nights]
    times = times if draw(st.booleans()) else sorted(times)
    return record(*(draw(hits(at=at, visitors=visitors)) for at in times))


@st.composite
def journey_histories(draw):
    """Generate a traffic log of an hour with few visitors: most of its hits are pages and events in their sessions."""
    log, at = [], START
    pauses = st.sampled_from([timedelta(), *[timedelta(minutes=1)] * 8, timedelta(minutes=31)])
    for pause in draw(st.lists(pauses, min_size=draw(st.sampled_from([24, 12, 0])), max_size=40)):
        at += pause
        step = draw(hits(at=at, visitors=3))
        chosen = draw(st.sampled_from([*[HitType.PAGEVIEW] * 3, HitType.CUSTOM_EVENT, step.type]))
        log.append(step if chosen is step.type else evolve(step, type=chosen))
    return record(*log)


@st.composite
def long_histories(draw, *, max_size=120):
    """Generate a traffic log with runs longer than a day, whose hits arrive in any order or in theirs."""
    pauses = st.sampled_from([*[timedelta(minutes=29)] * 5, timedelta(minutes=30), *SHORT_STEPS[:8]])
    at, found = START + timedelta(minutes=draw(st.integers(0, 300))), []
    for pause in draw(st.lists(pauses, max_size=max_size)):
        at += pause
        found.append(draw(hits(at=at, visitors=draw(st.sampled_from([1, 1, 1, 2])))))
    log = record(*found)
    return arrived_otherwise(log, draw(st.randoms())) if draw(st.booleans()) else log


def with_measures(log, seed):
    """Return a log whose pageviews have names, some of them the same one, and measures of these and of others."""
    chance = random.Random(seed)
    found = []
    for one in log:
        key = chance.choice([None, 1, 2, 3, -4]) if one.hit.type is HitType.PAGEVIEW else None
        found.append(RecordedHit(one.position * 4, evolve(one.hit, pageview_key=key)))
        for number in range(chance.choice([0, 0, 1, 2])):
            pages = [other.hit for other in log if other.hit.type is HitType.PAGEVIEW] or [one.hit]
            measure = Measure(
                site_id=chance.choice([SITE, SITE, SITE, OTHER_SITE]),
                pageview_key=chance.choice([1, 2, 3, -4, 5]),
                received_at=chance.choice(pages).received_at + chance.choice(_MEASURED_AFTER),
                engaged_ms=chance.choice([None, 0, 1, 4_999, 86_400_000]),
                scroll_percent=chance.choice([0, 33, 100]),
            )
            found.append(RecordedMeasure(one.position * 4 + number + 1, measure))
    return found


def subjects():
    """Generate persons, by users and visitors of the histories and by others."""
    return st.builds(
        Subject,
        st.frozensets(st.sampled_from(["anna", "bob", "carl"]), max_size=2),
        st.frozensets(st.integers(1, 4), max_size=2),
    )


def hits_of(entries):
    """Return the hits among the entries of a log."""
    return [one for one in entries if isinstance(one, RecordedHit)]


def arrived_otherwise(log, random):
    """Return the hits of a log in another order of arrival, in which equal times keep theirs."""
    shuffled = list(log)
    random.shuffle(shuffled)
    tied = defaultdict(deque)
    for one in log:
        tied[one.hit.occurred_at].append(one.hit)
    found = [tied[one.hit.occurred_at].popleft() for one in shuffled]
    return [
        RecordedHit(position, one) for position, one in zip((one.position for one in log), found, strict=True)
    ]


@st.composite
def dense_periods(draw):
    """Generate a period about the times of histories within two days: quarters of an hour, or cutting them."""
    if draw(st.booleans()):
        first = START.date() + timedelta(days=draw(st.integers(-1, 1)))
        return Period.local_days(first, first + timedelta(days=draw(st.integers(0, 2))), parse_zone("UTC"))
    cut = draw(st.sampled_from([timedelta(), timedelta(), timedelta(minutes=6)]))
    start = START.replace(hour=0) + timedelta(minutes=15) * draw(st.integers(0, 192)) + cut
    return Period(start, start + timedelta(minutes=15) * draw(st.integers(1, 96)))


@st.composite
def periods(draw):
    """Generate a period about the times of histories: local days of some zone, not all over, or any two instants."""
    if draw(st.booleans()):
        zone = parse_zone(draw(st.sampled_from(ZONES)))
        first = START.date() + timedelta(days=draw(st.integers(-3, 40)))
        days = Period.local_days(first, first + timedelta(days=draw(st.integers(0, 35))), zone)
        part = draw(st.sampled_from([0, 0, 1, 7, 14, 15, 29.5, 30, 31, 722, 1439.9]))
        return Period(days.start, days.end - timedelta(minutes=part))
    start = START + draw(st.sampled_from(STEPS)) + draw(st.sampled_from(STEPS))
    return Period(start, start + abs(draw(st.sampled_from(STEPS))) + abs(draw(st.sampled_from(STEPS))))

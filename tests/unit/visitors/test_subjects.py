"""A user id names a person wherever the salt of its span is still there; elsewhere the refusal names the salt."""

from datetime import UTC, datetime, timedelta

import pytest

from footfall.adapters.memory.salts import MemorySalts
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.adapters.memory.visitor_data import MemoryVisitorData
from footfall.adapters.system import SystemRandomness
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.visitors.giving import Giving, VisitorNotFound
from footfall.application.visitors.subjects import SaltsDestroyed, Subjects
from footfall.domain.exceptions import Invalid, SessionNotFound
from footfall.domain.sites.configuration import SiteConfig
from footfall.domain.sites.site import Site
from footfall.domain.sites.visitor_reach import ReachHistory, VisitorReach, import_salt, span_of
from footfall.domain.tracking.salts import SALT_REST
from footfall.domain.tracking.visitor import salted_user_id
from footfall.domain.traffic.session import session_text
from tests.histories import SITE, hit, record

SECRET = b"secret"
# A Thursday.
NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def site_record(*reaches):
    """Return a site with settings since some days before now."""
    changes = tuple((NOW - days * DAY, reach) for days, reach in reaches)
    site = Site(
        site_id=SITE,
        public_id="0" * 12,
        organization_id="1",
        name="Shop",
        domain="shop.example",
        created_by="1",
        config=SiteConfig(),
    )
    return SiteRecord(site, changes[0][0], changes[0][0], ReachHistory(changes))


class World:
    """A log in memory, its salts, and what finds persons in it."""

    def __init__(self):
        self.log, self.salts = MemoryTrafficLog(), MemorySalts(SystemRandomness())
        self.data = MemoryVisitorData(self.log)
        self.giving = Giving(
            subjects=Subjects(data=self.data, salts=self.salts, secret=SECRET), data=self.data
        )

    async def came(self, at, reach, user_id="anna"):
        """Store a hit of a user as a site with this reach stores it."""
        span = span_of(reach, at)
        salt = None if span is None else await self.salts.of(span)
        text = user_id if salt is None else stored(user_id, salt)
        self.log.hits += record(hit(at, user_id=text), first=self.log.newest + 1)

    async def found(self, site, user_id="anna"):
        """Return the times of the hits of a user, and what could not be found."""
        asked = await self.giving.asked(site, user_id=user_id, visit=None)
        pieces = [piece async for piece in self.giving.pieces(SITE, asked)]
        return [one.hit.occurred_at for piece in pieces for one in piece.hits], asked.refusals


def stored(user_id, salt):
    return salted_user_id(SECRET, site_id=SITE, user_id=user_id, salt=salt)


@pytest.fixture
def world():
    return World()


@pytest.mark.parametrize("reach", VisitorReach)
async def test_a_user_is_found_in_each_span_whose_salt_is_there(world, reach):
    times = [NOW - 40 * DAY, NOW - DAY, NOW]
    for at in times:
        await world.came(at, reach)

    assert await world.found(site_record((60, reach))) == (times, [])


async def test_a_salt_that_is_gone_is_named_with_its_end(world):
    for days in (9, 8, 5, 0):
        await world.came(NOW - days * DAY, VisitorReach.DAY)
    await world.salts.destroy(ended_by=NOW - SALT_REST)

    found, refusals = await world.found(site_record((60, VisitorReach.DAY)))

    assert found == [NOW]
    assert refusals == [
        "the salts of 2026-11-17 to 2026-11-18 were destroyed, the last one on 2026-11-20",
        "the salt of 2026-11-21 was destroyed on 2026-11-23",
    ]


async def test_where_nothing_is_found_and_a_salt_is_gone_the_answer_is_never_that_there_is_nothing(world):
    await world.came(NOW - 30 * DAY, VisitorReach.WEEK)
    await world.salts.destroy(ended_by=NOW)

    with pytest.raises(
        SaltsDestroyed, match="the salt of the week from 2026-10-26 was destroyed on 2026-11-03"
    ):
        await world.found(site_record((60, VisitorReach.WEEK)))


async def test_where_every_salt_is_there_nothing_is_nothing(world):
    await world.came(NOW, VisitorReach.DAY)

    with pytest.raises(VisitorNotFound):
        await world.found(site_record((60, VisitorReach.DAY)), "bob")


async def test_a_setting_that_changed_counts_from_its_day_on(world):
    await world.came(NOW - 30 * DAY, VisitorReach.FOREVER)
    await world.came(NOW - 10 * DAY, VisitorReach.FOREVER)
    await world.came(NOW - 10 * DAY + timedelta(hours=1), VisitorReach.MONTH)
    await world.came(NOW, VisitorReach.MONTH)
    site = site_record((60, VisitorReach.FOREVER), (10, VisitorReach.MONTH))

    found, refusals = await world.found(site)

    assert (len(found), refusals) == (4, [])


async def test_imports_need_no_salt(world):
    at = NOW - 400 * DAY
    span = span_of(VisitorReach.WEEK, at)
    world.log.hits += record(hit(at, user_id=stored("anna", import_salt(span) + SECRET)))
    world.log.imported = {1}

    assert await world.found(site_record((60, VisitorReach.DAY), (3, VisitorReach.WEEK))) == ([at], [])


@pytest.mark.parametrize("reach", [VisitorReach.FOREVER, VisitorReach.DAY])
async def test_user_ids_of_an_archive_that_another_site_has_hashed_are_named(world, reach):
    other = salted_user_id(SECRET, site_id=7, user_id="anna", salt=b"s" * 16)
    await world.came(NOW, reach, "anna")
    world.log.hits += record(hit(NOW, user_id=other), first=2)
    world.log.archives = {"a" * 12}
    named = f"user ids in the archive of the site {'a' * 12} that were hashed there cannot be recognized"

    assert await world.found(site_record((60, reach))) == ([NOW], [named])
    with pytest.raises(SaltsDestroyed, match=named):
        await world.found(site_record((60, reach)), "bob")


async def test_an_archive_with_user_ids_as_they_were_sent_hides_nothing(world):
    world.log.hits += record(hit(NOW, user_id="anna"))
    world.log.archives = {"a" * 12}

    with pytest.raises(VisitorNotFound):
        await world.found(site_record((60, VisitorReach.FOREVER)), "bob")


async def test_a_visit_names_its_visitor_without_any_salt(world):
    world.log.hits += record(hit(NOW - 30 * DAY, user_id="0" * 32), hit(NOW, visitor_id=2))
    site = site_record((60, VisitorReach.DAY))

    asked = await world.giving.asked(site, user_id=None, visit=session_text(1))

    assert [piece.session.session_id async for piece in world.giving.pieces(SITE, asked)] == [1]
    assert "0" * 32 not in repr(asked)


@pytest.mark.parametrize("visit", ["", "1", session_text(9), "f" * 16])
async def test_what_names_no_visit_is_refused(world, visit):
    with pytest.raises(SessionNotFound):
        await world.giving.asked(site_record((60, VisitorReach.DAY)), user_id=None, visit=visit)


@pytest.mark.parametrize("user_id", ["", "x" * 256, "a\0b", "\ud800"])
async def test_what_is_no_user_id_is_refused(world, user_id):
    with pytest.raises(Invalid, match="user_id"):
        await world.giving.asked(site_record((60, VisitorReach.DAY)), user_id=user_id, visit=None)


async def test_neither_and_both_are_refused(world):
    for user_id, visit in ((None, None), ("anna", session_text(1))):
        with pytest.raises(Invalid, match="either a user id or a visit"):
            await world.giving.asked(site_record((60, VisitorReach.DAY)), user_id=user_id, visit=visit)

"""Imports add up: what is read is stored or left out by reason, once, whatever happens in between."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from attrs import define, evolve, field, fields

from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.memory.imports import MemoryImports
from footfall.application.imports.conversion import Conversion
from footfall.application.imports.importing import Importing
from footfall.application.imports.verification import Verification
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.enrichment import Device, Location
from footfall.application.ports.imports import (
    Halves,
    ImportNotFound,
    LedgerKey,
    LeftOut,
    LeftOutRow,
    Piece,
    SourceRow,
    UnreadableRow,
    UnreadableSource,
)
from footfall.domain.bots.refused import RefusedBot
from footfall.domain.sites.configuration import SiteConfig
from footfall.domain.sites.excluded_patterns import matches_any
from footfall.domain.sites.site import Site
from footfall.domain.sites.visitor_reach import VisitorReach
from footfall.domain.tracking.acquisition.campaign import Utm
from footfall.domain.tracking.hit import BotVerification, ColorScheme, DeviceType, HitType, Sent
from footfall.domain.tracking.networks.network import kept_network
from footfall.domain.tracking.visitor import visitor_id

NOW = datetime(2026, 3, 14, 12, tzinfo=UTC)
AT = datetime(2024, 2, 29, 23, 59, tzinfo=UTC)


class Lookups:
    """User agents and locations by name."""

    def parse(self, user_agent):
        return Device(
            browser=user_agent,
            device_type=DeviceType.DESKTOP,
            bot_name="bot" if user_agent == "bot" else None,
        )

    def locates(self):
        return True

    def locate(self, address):
        return Location(country="NP" if address == "192.0.2.9" else "DE")

    def verify(self, bot, address):
        return BotVerification.VERIFIED if (bot, address) == ("bot", "192.0.2.9") else None

    def network(self, address):
        return kept_network(24940 if address == "192.0.2.9" else None)

    def source(self):
        return None


@define
class Rows:
    """A source over a list, whose mark is a number of rows."""

    rows: list
    size: int = 2
    format: str = "access-log"
    key: str = ""
    description: str = "access.log"
    read: list = field(factory=list)

    def total(self):
        return len(self.rows)

    def pieces(self, mark):
        for start in range(int(mark or 0), len(self.rows), self.size):
            piece = self.rows[start : start + self.size]
            yield Piece(piece, str(start + len(piece)), len(piece))

    def halves(self, mark):
        read = int(mark or 0)
        yield Halves(self.rows[:read], self.rows[read:], len(self.rows))


def row(**known):
    return SourceRow(
        **{"type": HitType.PAGEVIEW, "occurred_at": AT, "visitor": "v", "pathname": "/", **known}
    )


def site(*, retention_days=None, **config):
    return Site(
        site_id=1,
        public_id="0" * 12,
        organization_id="1",
        name="Shop",
        domain="shop.example",
        created_by="1",
        retention_days=retention_days,
        config=SiteConfig(**config),
    )


def conversion(source="access-log ", **known):
    return Conversion(
        SiteRecord(site(**known), NOW, NOW),
        source,
        b"secret",
        *(Lookups() for _ in range(4)),
        matches_any,
        NOW,
    )


@pytest.fixture
def imports():
    return MemoryImports()


def importing(imports, *, skip=False, **known):
    return Importing(
        imports=imports, conversion=conversion(**known), clock=ManualClock(NOW), skip_unreadable=skip
    )


def ignore(_):
    """Show no progress."""


async def test_rows_read_are_rows_stored_and_rows_left_out_by_reason(imports):
    rows = [
        row(),
        row(user_agent="bot"),
        LeftOutRow(AT, "request", LeftOut.NO_PAGE),
        row(occurred_at=AT + timedelta(days=1), type=HitType.CUSTOM_EVENT, event_name="order"),
        row(type=HitType.CUSTOM_EVENT),
        UnreadableRow("access.log, line 6", "it is not JSON"),
    ]

    outcome = await importing(imports, skip=True).run(1, Rows(rows), ignore)

    assert outcome.counts == {
        LedgerKey("2024-02-29", "pageview", ""): 1,
        LedgerKey("2024-02-29", "pageview", "bot"): 1,
        LedgerKey("2024-02-29", "request", "not a page"): 1,
        LedgerKey("2024-03-01", "custom_event", ""): 1,
        LedgerKey("2024-02-29", "custom_event", "event without a name"): 1,
        LedgerKey("", "", "unreadable"): 1,
    }
    assert (outcome.read, outcome.stored, len(imports.hits)) == (6, 2, 2)
    assert await imports.ledger(outcome.import_id) == outcome.counts
    assert [fault.place for fault in outcome.faults] == ["access.log, line 6"]


async def test_a_second_run_adds_nothing_and_a_grown_source_only_what_is_new(imports):
    source = Rows([row(pathname=f"/{number}") for number in range(5)])
    await importing(imports).run(1, source, ignore)

    again = await importing(imports).run(1, source, ignore)
    source.rows.append(row(pathname="/new"))
    grown = await importing(imports).run(1, source, ignore)

    assert (again.read, grown.read) == (0, 1)
    assert [hit.pathname for _, hit in imports.hits] == ["/0", "/1", "/2", "/3", "/4", "/new"]


async def test_an_unreadable_row_ends_the_import_after_the_pieces_before_it(imports):
    rows = [row(), row(), row(), UnreadableRow("access.log, line 4", "it is not JSON"), row()]

    with pytest.raises(UnreadableSource, match=r"^access\.log, line 4: it is not JSON; --skip-unreadable"):
        await importing(imports).run(1, Rows(rows), ignore)
    assert len(imports.hits) == 2
    assert [record.state for record in await imports.all()] == ["stopped"]
    rest = await importing(imports, skip=True).run(1, Rows(rows), ignore)

    assert (rest.read, len(imports.hits)) == (3, 4)


async def test_a_dry_run_shows_the_ledger_and_stores_nothing(imports):
    rows = [row(), UnreadableRow("access.log, line 2", "it is not JSON")]

    outcome = await importing(imports).dry_run(1, Rows(rows), ignore)

    assert (outcome.read, outcome.stored, len(outcome.faults)) == (2, 1, 1)
    assert (imports.hits, await imports.all()) == ([], [])


async def test_verification_shows_both_sides_and_the_reasons(imports):
    source = Rows(
        [
            row(),
            row(user_agent="bot"),
            row(pathname="/b"),
            row(occurred_at=AT + timedelta(hours=1)),
            LeftOutRow(AT, "request", LeftOut.NO_PAGE),
        ]
    )
    await importing(imports).run(1, source, ignore)
    del imports.hits[-1]

    comparison = await Verification(imports=imports, conversion=conversion()).compare(1, source, ignore)

    assert not comparison.not_imported
    assert [
        (str(line.day), line.pathname, line.source, line.left_out, line.stored, line.difference)
        for line in comparison.lines
    ] == [
        ("2024-02-29", "/", 2, {"bot": 1}, 1, 0),
        ("2024-02-29", "/b", 1, {}, 1, 0),
        ("2024-03-01", "/", 1, {}, 0, 1),
    ]


@pytest.mark.parametrize(
    ("then", "now", "lines"),
    [
        ((), ("/b",), [("/", {}, 1, 0), ("/b", {}, 1, 0)]),
        (("/b",), (), [("/", {}, 1, 0), ("/b", {"excluded path": 1}, 0, 0)]),
        (("/b",), ("/",), [("/", {}, 1, 0), ("/b", {"excluded path": 1}, 0, 0)]),
        (("/b",), ("/b",), [("/", {}, 1, 0), ("/b", {"excluded path": 1}, 0, 0)]),
    ],
)
async def test_exclusions_that_have_changed_since_the_import_are_no_differences(imports, then, now, lines):
    source = Rows([row(), row(pathname="/b"), LeftOutRow(AT, "pageview", LeftOut.BOT)])
    await importing(imports, excluded_paths=then).run(1, source, ignore)

    changed = conversion(excluded_paths=now)
    comparison = await Verification(imports=imports, conversion=changed).compare(1, source, ignore)

    assert [
        (line.pathname, line.left_out, line.stored, line.difference) for line in comparison.lines
    ] == lines


async def test_a_lost_row_is_a_difference_whatever_is_excluded_since(imports):
    source = Rows([row(), row(pathname="/b"), LeftOutRow(AT, "pageview", LeftOut.EXCLUDED_PATH)])
    await importing(imports).run(1, source, ignore)
    del imports.hits[-1]

    changed = conversion(excluded_paths=("/b",))
    comparison = await Verification(imports=imports, conversion=changed).compare(1, source, ignore)

    assert [line.difference for line in comparison.lines] == [0, 1]


async def test_a_stored_row_that_was_left_out_is_a_difference(imports):
    source = Rows([row(), row(user_agent="bot")])
    await importing(imports).run(1, source, ignore)
    imports.hits += imports.hits

    comparison = await Verification(imports=imports, conversion=conversion()).compare(1, source, ignore)

    assert [(line.left_out, line.difference) for line in comparison.lines] == [({"bot": 1}, -1)]


async def test_rows_older_than_a_later_retention_are_left_out_once_they_are_erased(imports):
    source = Rows([row(), row(), row(pathname="/b")])
    await importing(imports).run(1, source, ignore)
    del imports.hits[0]

    shortened = conversion(retention_days=30)
    comparison = await Verification(imports=imports, conversion=shortened).compare(1, source, ignore)

    assert [(line.left_out, line.stored, line.difference) for line in comparison.lines] == [
        ({"older than the retention": 1}, 1, 0),
        ({}, 1, 0),
    ]


async def test_rows_that_the_source_has_gained_are_no_differences_but_not_imported_yet(imports):
    source = Rows([row(), row(pathname="/b")])
    await importing(imports).run(1, source, ignore)
    source.rows += [
        row(),
        row(occurred_at=AT + timedelta(hours=1)),
        row(occurred_at=AT + timedelta(hours=1), type=HitType.CUSTOM_EVENT, event_name="order"),
        LeftOutRow(AT + timedelta(hours=1), "request", LeftOut.NO_PAGE),
        UnreadableRow("access.log, line 7", "it is not JSON"),
    ]

    comparison = await Verification(imports=imports, conversion=conversion()).compare(1, source, ignore)

    assert [(line.pathname, line.source, line.stored, line.difference) for line in comparison.lines] == [
        ("/", 1, 1, 0),
        ("/b", 1, 1, 0),
    ]
    assert comparison.not_imported == {
        ("2024-02-29", "pageview"): 1,
        ("2024-03-01", "pageview"): 1,
        ("2024-03-01", "custom_event"): 1,
        ("2024-03-01", "request"): 1,
        ("", ""): 1,
    }


async def test_a_source_that_was_never_imported_cannot_be_verified(imports):
    with pytest.raises(ImportNotFound):
        await Verification(imports=imports, conversion=conversion()).compare(1, Rows([]), ignore)


@pytest.mark.parametrize(
    ("values", "known", "reason"),
    [
        ({"occurred_at": NOW - timedelta(days=31)}, {"retention_days": 30}, LeftOut.OLD),
        ({"occurred_at": NOW + timedelta(minutes=6)}, {}, LeftOut.FUTURE),
        ({"occurred_at": datetime(1989, 12, 31, 23, 59, tzinfo=UTC)}, {}, LeftOut.EARLY),
        ({"user_agent": "bot"}, {}, LeftOut.BOT),
        ({"address": "192.0.2.9"}, {"excluded_ips": ("192.0.2.0/24",)}, LeftOut.EXCLUDED_ADDRESS),
        ({"address": "192.0.2.9"}, {"excluded_countries": ("NP",)}, LeftOut.EXCLUDED_COUNTRY),
        ({"country": "NP"}, {"excluded_countries": ("NP",)}, LeftOut.EXCLUDED_COUNTRY),
        ({"user_agent": "Old Browser"}, {"excluded_user_agents": ("old*",)}, LeftOut.EXCLUDED_USER_AGENT),
        ({"hostname": "Dev.example"}, {"excluded_hosts": ("dev.*",)}, LeftOut.EXCLUDED_HOST),
        ({"pathname": "admin/a"}, {"excluded_paths": ("/admin/*",)}, LeftOut.EXCLUDED_PATH),
        ({"type": HitType.CUSTOM_EVENT}, {}, LeftOut.NO_NAME),
        ({"pathname": "/" + "x" * 2_048}, {}, LeftOut.TOO_LONG),
        ({"page_title": "a\0"}, {}, LeftOut.UNSTORABLE),
        ({"city": "\ud800"}, {}, LeftOut.UNSTORABLE),
        ({"operating_system": "\ud800"}, {}, LeftOut.UNSTORABLE),
        ({"utm": Utm(source="a\0")}, {}, LeftOut.UNSTORABLE),
        ({"utm": Utm(source="x" * 2_049)}, {}, LeftOut.TOO_LONG),
        ({"latitude": 90.5}, {}, LeftOut.UNSTORABLE),
        ({"longitude": float("nan")}, {}, LeftOut.UNSTORABLE),
        ({"country": " np"}, {"excluded_countries": ("NP",)}, LeftOut.EXCLUDED_COUNTRY),
        ({"lcp": -1.0}, {}, LeftOut.UNSTORABLE),
        ({"lcp": float("nan")}, {}, LeftOut.UNSTORABLE),
        ({"properties": {"a": float("inf")}}, {}, LeftOut.UNSTORABLE),
        ({"properties": {"a": "x" * 8_192}}, {}, LeftOut.TOO_LONG),
    ],
)
def test_a_row_that_breaks_a_rule_is_left_out_by_its_reason(values, known, reason):
    assert conversion(**known).convert(row(**values)) is reason


def test_bots_are_stored_on_a_site_that_does_not_block_them():
    hit = conversion(block_bots=False).convert(row(user_agent="bot"))

    assert hit.browser == "bot"


def test_a_hit_follows_the_rules_of_tracked_ones():
    hit = conversion().convert(
        row(
            pathname="caf%C3%A9",
            querystring="utm_source=news&utm_medium=email",
            referrer="https://www.google.com/",
            user_agent="Firefox",
            address="192.0.2.1",
        )
    )

    assert (hit.pathname, hit.channel, hit.utm_source) == ("/café", "Email", "news")
    assert (hit.browser, hit.country, hit.received_at) == ("Firefox", "DE", NOW)
    assert (hit.network, hit.autonomous_system) == (None, None)


def test_the_address_of_a_row_says_where_and_of_which_network_it_is():
    servers, other = (conversion().convert(row(address=address)) for address in ("192.0.2.9", None))

    assert (servers.location_source, servers.network, servers.autonomous_system) == (
        "database",
        "hosting",
        "AS24940",
    )
    assert (other.location_source, other.network, other.autonomous_system) == (None, None, None)


def test_a_country_that_is_no_code_is_unknown():
    assert conversion().convert(row(country="Germany")).country is None
    assert conversion().convert(row(country="de")).country == "DE"


def test_a_referrer_of_the_own_host_is_none():
    hit = conversion().convert(row(referrer="https://www.shop.example/x"))

    assert (hit.referrer, hit.channel) == (None, "Direct")


def test_campaigns_and_click_ids_beside_the_query_classify_the_visit():
    paid = conversion().convert(row(utm=Utm(source="google"), click_id="gclid"))

    assert (paid.utm_source, paid.channel, paid.querystring) == ("google", "Paid Search", None)


def test_everything_that_was_sent_arrives_in_the_hit():
    kinds = {str | None: "a", float | None: 1.5, ColorScheme | None: ColorScheme.DARK}
    sent = {one.name: kinds.get(one.type, {"a": 1}) for one in fields(Sent)}
    sent |= {"pathname": "/a", "referrer": "https://news.example/"}

    hit = conversion().convert(row(**sent))

    assert {name: getattr(hit, name) for name in sent} == sent


def test_the_query_is_dropped_where_the_site_drops_it():
    hit = conversion(track_url_params=False).convert(row(querystring="a=b"))

    assert hit.querystring is None


def test_only_campaign_parameters_are_imported_where_the_site_wants_no_others():
    hit = conversion(utm_params_only=True).convert(row(querystring="a=b&utm_medium=email"))

    assert (hit.querystring, hit.utm_medium) == ("utm_medium=email", "email")


def test_visitors_are_linked_within_a_source_only():
    one = conversion().convert(row())
    same = conversion().convert(row(occurred_at=AT + timedelta(days=9)))
    elsewhere = conversion("umami 7").convert(row())
    tracked = visitor_id(b"secret", site_id=1, address="v", user_agent="")

    assert one.visitor_id == same.visitor_id
    assert len({one.visitor_id, elsewhere.visitor_id, tracked}) == 3
    assert -(1 << 63) <= one.visitor_id < 1 << 63


def test_a_site_that_salts_visitors_links_no_days_and_keeps_no_user_id():
    salting = conversion(visitor_reach=VisitorReach.DAY)
    one = salting.convert(row(user_id="anna"))
    later = salting.convert(row(user_id="anna", occurred_at=AT + timedelta(days=1)))

    assert one.visitor_id != later.visitor_id
    assert "anna" not in (one.user_id, later.user_id)
    assert one.user_id != later.user_id


async def test_progress_is_that_of_the_source(imports):
    steps = []

    await importing(imports).run(1, Rows([row() for _ in range(5)]), steps.append)

    assert (sum(steps), Counter(steps)) == (5, {2: 2, 1: 1})


def test_nothing_of_a_visitor_is_in_the_representation_of_a_row():
    shown = repr(row(visitor="visitor-7", user_id="anna", address="192.0.2.7", user_agent="Agent"))

    assert not [word for word in ("visitor-7", "anna", "192.0.2.7", "Agent") if word in shown]
    assert evolve(row(), pathname="/b").pathname == "/b"


async def test_bots_that_are_left_out_are_counted_by_page_and_verified_by_the_address(imports):
    rows = [
        row(user_agent="bot", address="192.0.2.9", pathname="/a", hostname="www.shop.example"),
        row(user_agent="bot", address="192.0.2.9", pathname="/a"),
        row(user_agent="bot", address="198.51.100.1", pathname="/a"),
        row(user_agent="bot", hostname="shop.example"),
        row(user_agent="Firefox"),
    ]
    rows[3] = evolve(rows[3], occurred_at=AT.replace(hour=3))

    await importing(imports, time_zone="Asia/Kathmandu").run(1, Rows(rows), ignore)

    [(_, counted)] = imports.refused_bots.items()
    verified, next_day = BotVerification.VERIFIED, AT.date() + timedelta(days=1)
    assert counted == {
        RefusedBot(1, next_day, "bot", verified, "shop.example/a"): 2,
        RefusedBot(1, next_day, "bot", None, "shop.example/a"): 1,
        RefusedBot(1, AT.date(), "bot", None, "shop.example/"): 1,
    }


def test_a_stored_bot_is_verified_by_the_address_of_its_row():
    convert = conversion(block_bots=False).convert

    known, other, person = (
        convert(row(user_agent=agent, address=address))
        for agent, address in (("bot", "192.0.2.9"), ("bot", None), ("Firefox", "192.0.2.9"))
    )

    assert (known.bot, known.bot_verified) == ("bot", "verified")
    assert (other.bot, other.bot_verified) == ("bot", None)
    assert (person.bot, person.bot_verified) == (None, None)

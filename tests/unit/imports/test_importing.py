"""Imports add up: what is read is stored or left out by reason, once, whatever happens in between."""

from collections import Counter
from datetime import timedelta

import pytest
from attrs import define, evolve, field

from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.memory.imports import MemoryImports
from footfall.application.imports.importing import Importing, Outcome
from footfall.application.imports.verification import Verification
from footfall.application.ports.imports import (
    Halves,
    ImportNotFound,
    LedgerKey,
    LeftOut,
    LeftOutRow,
    Piece,
    UnreadableRow,
    UnreadableSource,
)
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.bots.refused_bot_counts import RefusedBot
from footfall.domain.tracking.hit import BotVerification, HitType
from tests.unit.imports.imported import AT, NOW, conversion, row


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


async def test_what_is_stored_counts_also_in_a_run_whose_end_fails(imports):
    class Away(MemoryImports):
        async def complete(self, *_, **__):
            raise StoreUnavailable

    source, outcome = Rows([row(), row(), row()]), Outcome()
    with pytest.raises(StoreUnavailable):
        await importing(Away()).run(1, source, ignore, outcome)
    await importing(imports).run(1, source, ignore, outcome)

    assert (outcome.stored, len(imports.hits)) == (6, 3)


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


async def test_progress_is_that_of_the_source(imports):
    steps = []

    await importing(imports).run(1, Rows([row() for _ in range(5)]), steps.append)

    assert (sum(steps), Counter(steps)) == (5, {2: 2, 1: 1})


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

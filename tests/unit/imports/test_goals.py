"""Goals of other services: defined once, by the normal command, and taken back with their import."""

import json
from collections import Counter

import pytest
from attrs import define

from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.adapters.memory.identifiers import MemoryIdentifiers
from footfall.adapters.memory.imports import MemoryImports
from footfall.adapters.sources.rybbit_goals import RybbitGoals, is_export, open_file, rule_of
from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.application.commands.goals import GoalCommands
from footfall.application.imports.goals import GoalImporting
from footfall.application.journal.directory import Directory
from footfall.application.ports.imports import LeftOut, UnreadableSource
from footfall.application.ports.journal import Actor, Metadata
from footfall.domain.examples import NOON
from footfall.domain.goals.goal import MAX_GOALS, EventRule, PathRule
from footfall.domain.sites import site

HEADER = "goal_id,site_id,name,goal_type,config,created_at\n"


def goal(number=1, name="", kind="path", **config):
    return {
        "goal_id": str(number),
        "site_id": "7",
        "name": name,
        "goal_type": kind,
        "config": json.dumps(config or {"pathPattern": "/thanks"}),
    }


@define
class World:
    """A site, its goals, and an import of goals."""

    importing: GoalImporting
    imports: MemoryImports

    async def run(self, *rows):
        return await self.importing.run(1, RybbitGoals("7", "goals.csv", list(rows)))

    async def define_by_hand(self, name, rule, context):
        return await self.importing.commands.define(1, name=name, rule=rule, context=context)

    async def names(self):
        directory = self.importing.commands.streams.directory
        await directory.catch_up()
        return [known.goal.name for known in directory.goals_of(1)]


@pytest.fixture
async def world():
    store, clock = MemoryEventStore(), ManualClock(NOON)
    directory = Directory(store)
    events = site.register(
        1, public_id="0" * 12, organization_id="1", name="Shop", domain="shop.example", created_by="1"
    )
    await store.append("site-1", events, expected=0, metadata=Metadata(Actor(), NOON))
    commands = GoalCommands(
        streams=DecideAndAppend(store=store, directory=directory, clock=clock),
        identifiers=MemoryIdentifiers(),
    )
    imports = MemoryImports()
    return World(GoalImporting(imports=imports, commands=commands, clock=clock), imports)


def reasons(outcome):
    return Counter({key.reason: rows for key, rows in outcome.counts.items()})


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        (goal(pathPattern="/thanks/*"), PathRule("/thanks/*")),
        (goal(pathPattern="/thanks", propertyFilters=[]), PathRule("/thanks")),
        (goal(kind="event", eventName="buy"), EventRule("buy")),
        (goal(kind="event", eventName="buy", eventPropertyKey="", eventPropertyValue=""), EventRule("buy")),
        (
            goal(kind="event", eventName="buy", eventPropertyKey="plan", eventPropertyValue=True),
            EventRule("buy", "plan", property_value=True),
        ),
        (
            goal(kind="event", eventName="buy", propertyFilters=[{"key": "n", "value": 1.5}]),
            EventRule("buy", "n", 1.5),
        ),
        (
            goal(kind="event", eventName="buy", propertyFilters=[{"key": "a", "value": 1}] * 2),
            LeftOut.OTHER_RULE,
        ),
        # Of a path, Rybbit compares parameters of the query, which are no properties of the pageview.
        (goal(pathPattern="/x", propertyFilters=[{"key": "utm_source", "value": "b"}]), LeftOut.OTHER_RULE),
        (goal(pathPattern="/x", eventPropertyKey="a", eventPropertyValue=7), LeftOut.OTHER_RULE),
        (goal(pathPattern="/x", propertyFilters=[{"key": 1, "value": "b"}]), LeftOut.UNREADABLE),
        (goal(pathPattern="/" + "*/" * 50), LeftOut.OTHER_RULE),
        (goal(kind="event", eventName="x" * 300), LeftOut.OTHER_RULE),
        (goal(kind="outbound", valuePattern="https://elsewhere.example/**"), LeftOut.NOT_CARRIED),
        (goal(kind="event", pathPattern="/x"), LeftOut.UNREADABLE),
        (goal(kind="event", eventName=7), LeftOut.UNREADABLE),
        (goal(kind="event", eventName="buy", propertyFilters=[{"key": 1, "value": 1}]), LeftOut.UNREADABLE),
        (goal() | {"config": "[]"}, LeftOut.UNREADABLE),
        (goal() | {"config": "{"}, LeftOut.UNREADABLE),
        (goal() | {"config": None}, LeftOut.UNREADABLE),
    ],
)
def test_a_rule_is_the_same_or_left_out_by_its_reason(row, rule):
    assert rule_of(row) == rule


async def test_goals_are_defined_once_and_new_ones_are_added(world):
    first = await world.run(goal(3, "Thanks"), goal(5, kind="event", eventName="buy"))
    again = await world.run(goal(3, "Renamed"), goal(5, kind="event", eventName="buy"))
    grown = await world.run(goal(3), goal(5), goal(9, pathPattern="/new"))

    assert (reasons(first), reasons(again), reasons(grown)) == ({"": 2}, {}, {"": 1})
    assert await world.names() == ["Thanks", "buy", "/new"]
    [record] = await world.imports.all()
    assert (record.state, record.mark, record.format) == ("complete", "9", "rybbit-goals")
    assert sum((await world.imports.ledger(record.import_id)).values()) == 3


async def test_a_goal_that_was_defined_before_the_mark_moved_is_not_defined_again(world):
    record = await world.imports.begin(1, RybbitGoals("7", "goals.csv", []), now=NOON)
    context = CommandContext(request_id=f"import-{record.import_id}-goal-3")
    await world.define_by_hand("Thanks", PathRule("/thanks"), context)

    outcome = await world.run(goal(3, "Thanks"))

    assert (reasons(outcome), await world.names()) == ({"": 1}, ["Thanks"])


async def test_goals_that_cannot_be_defined_are_left_out_by_their_reason(world):
    await world.define_by_hand("/thanks", PathRule("/thanks"), CommandContext())

    outcome = await world.run(
        goal(1), goal(2, "Other name"), goal(3, "x" * 256), goal(4, kind="copy"), goal(5, "Other name")
    )

    assert reasons(outcome) == {
        "": 1,
        "goal exists already": 2,
        "a text is too long": 1,
        "type is not carried": 1,
    }


async def test_goals_beyond_the_limit_of_a_site_are_left_out(world):
    rows = [goal(number, pathPattern=f"/{number}") for number in range(1, MAX_GOALS + 3)]

    outcome = await world.run(*rows)

    assert reasons(outcome) == {"": MAX_GOALS, "too many goals": 2}


async def test_a_dry_run_defines_nothing(world):
    source = RybbitGoals("7", "goals.csv", [goal(1), goal(2, kind="copy")])

    outcome = await world.importing.dry_run(1, source)

    assert reasons(outcome) == {"": 1, "type is not carried": 1}
    assert (await world.names(), await world.imports.all()) == ([], [])


async def test_taking_back_deletes_the_goals_of_the_import_and_no_others(world):
    await world.define_by_hand("Own", PathRule("/own"), CommandContext())
    forged = CommandContext(Actor("1"), "import-1-goal-9")
    await world.define_by_hand("Of a member", PathRule("/member"), forged)
    await world.run(goal(1), goal(2, kind="event", eventName="buy"))
    [record] = await world.imports.all()

    deleted = await world.importing.take_back(record)
    again = await world.importing.take_back(record)

    assert (deleted, again) == (2, 0)
    assert await world.names() == ["Own", "Of a member"]


def test_a_file_holds_goals_of_one_site_or_of_a_named_one(tmp_path):
    path = tmp_path / "goals.csv"
    config = '"{""pathPattern"":""/thanks""}"'
    path.write_text(f"{HEADER}2,7,,path,{config},2024\n1,8,Other,path,{config},2024\n")

    with pytest.raises(UnreadableSource, match="has 2 sites: name one with --source-site: 7, 8"):
        open_file(path, None)
    source = open_file(path, "8")

    assert [(one.number, one.name) for one in source.goals(0)] == [(1, "Other")]
    assert (source.key, source.description, is_export(HEADER.encode())) == ("8", "goals.csv", True)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"goal_id,site_id\n", "has no column name, goal_type, config"),
        (HEADER.encode() + b"\xff,7,,path,{},x\n", "is not CSV in UTF-8"),
        (HEADER.encode() + b'1,7,"x', "is not CSV in UTF-8"),
        (HEADER.encode() + b"x,7,,path,{},x\n", "has no number"),
        (HEADER.encode() + b"1,7,,path,{},x\n" * 2, "two goals of one number"),
        (HEADER.encode() + b"1\n", "the source has 1 sites: name one"),
        (HEADER.encode() + b"1,7,,path,{},x\n" * 10_001, "more than 10,000 goals"),
    ],
)
def test_a_file_that_holds_no_goals_is_refused(tmp_path, content, message):
    path = tmp_path / "goals.csv"
    path.write_bytes(content)

    with pytest.raises(UnreadableSource, match=message):
        list(open_file(path, None).goals(0))


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UnreadableSource, match="cannot be opened: No such file"):
        open_file(tmp_path / "goals.csv", None)


async def test_a_goal_whose_name_turns_or_hides_text_comes_with_marks_that_are_seen_once(world):
    found = await world.run(
        goal(1, name="Sign\u202eup"), goal(2, name="Sign\u202eup"), goal(3, pathPattern="/\u202ea")
    )

    assert await world.names() == ["Sign\ufffdup", "/\ufffda"]
    assert reasons(found)[LeftOut.EXISTS] == 1

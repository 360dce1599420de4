"""Goals of other services: defined by the normal command, found again by the request that defined them."""

from collections import Counter
from collections.abc import Mapping

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.goals import GoalCommands
from footfall.application.imports.importing import Outcome
from footfall.application.journal.stream_names import goal_stream
from footfall.application.ports.imports import (
    GoalSource,
    ImportRecord,
    Imports,
    ImportUnderWay,
    LedgerKey,
    LeftOut,
    SourceGoal,
)
from footfall.application.ports.journal import Actor
from footfall.application.ports.system import Clock
from footfall.domain.exceptions import Invalid, TooManyGoals
from footfall.domain.goals.goal import Rule, describe
from footfall.domain.text import named_after

GOAL = "goal"


@frozen(kw_only=True)
class GoalImporting:
    """Imports the goals of a source into a site, from where its last import ended.

    See docs/track/imports/rybbit.md#goals.
    """

    imports: Imports
    commands: GoalCommands
    clock: Clock

    async def run(self, site_id: int, source: GoalSource) -> Outcome:
        """Define the goals that have not been read yet, each with its request; then the mark moves.

        Raises:
            ImportUnderWay: another process imports the same source, or takes the import back.
            UnreadableSource: the source cannot be read.

        """
        record = await self.imports.begin(site_id, source, now=self.clock.now())
        outcome = Outcome(import_id=record.import_id)
        try:
            brought = await self._brought(record)
            for goal in source.goals(int(record.mark or 0)):
                reason = await self._define(record, goal, brought)
                record = await self._counted(record, goal.number, reason, outcome)
        except ImportUnderWay:
            raise
        except BaseException:
            await self.imports.stop(record, now=self.clock.now())
            raise
        await self.imports.complete(record, now=self.clock.now())
        return outcome

    async def dry_run(self, site_id: int, source: GoalSource) -> Outcome:
        """Return what `run` would do, without defining a goal.

        Raises:
            UnreadableSource: the source cannot be read.

        """
        record = await self.imports.find(site_id, source)
        outcome = Outcome(import_id=None if record is None else record.import_id)
        await self.commands.streams.directory.catch_up()
        for goal in source.goals(0 if record is None else int(record.mark or 0)):
            outcome.counts[_key(self._fault(site_id, goal))] += 1
        return outcome

    async def take_back(self, record: ImportRecord) -> int:
        """Delete the goals that an import brought and that are still there; return their number."""
        brought = await self._brought(record)
        for goal_id in brought.values():
            await self.commands.delete(record.site_id, goal_id, CommandContext())
        return len(brought)

    async def _define(
        self, record: ImportRecord, goal: SourceGoal, brought: Mapping[str, int]
    ) -> LeftOut | None:
        request = _request(record, goal.number)
        if request in brought:
            return None  # defined by a run that ended before it could say so
        await self.commands.streams.directory.catch_up()
        reason = self._fault(record.site_id, goal)
        if reason is not None or isinstance(goal.rule, LeftOut):
            return reason
        context = CommandContext(request_id=request)
        try:
            await self.commands.define(record.site_id, name=_name_of(goal), rule=goal.rule, context=context)
        except TooManyGoals:
            return LeftOut.TOO_MANY
        except Invalid:
            return LeftOut.TOO_LONG
        return None

    def _fault(self, site_id: int, goal: SourceGoal) -> LeftOut | None:
        if isinstance(goal.rule, LeftOut):
            return goal.rule
        return LeftOut.EXISTS if self._exists(site_id, _name_of(goal), goal.rule) else None

    def _exists(self, site_id: int, name: str | None, rule: Rule) -> bool:
        # By its description, because 1 == True in Python, but the property values 1 and true differ.
        wanted = (name or named_after(describe(rule)), describe(rule), type(rule))
        return any(
            (defined.goal.name, describe(defined.goal.rule), type(defined.goal.rule)) == wanted
            for defined in self.commands.streams.directory.goals_of(site_id)
        )

    async def _counted(
        self, record: ImportRecord, number: int, reason: LeftOut | None, outcome: Outcome
    ) -> ImportRecord:
        counts = Counter({_key(reason): 1})
        outcome.counts.update(counts)
        return await self.imports.store(record, [], mark=str(number), counts=counts, now=self.clock.now())

    async def _brought(self, record: ImportRecord) -> dict[str, int]:
        """Return the goals of an import that are there, by the requests that defined them."""
        await self.commands.streams.directory.catch_up()
        prefix = _request(record, "")
        brought: dict[str, int] = {}
        for defined in self.commands.streams.directory.goals_of(record.site_id):
            [first, *_] = await self.commands.streams.store.load(goal_stream(defined.goal.goal_id))
            request = first.metadata.request_id or ""
            if first.metadata.actor == Actor() and request.startswith(prefix):
                brought[request] = defined.goal.goal_id
        return brought


def _name_of(goal: SourceGoal) -> str | None:
    """Return the name of a goal of another service, which may accept more than names have here."""
    return None if goal.name is None else named_after(goal.name)


def _request(record: ImportRecord, number: int | str) -> str:
    return f"import-{record.import_id}-goal-{number}"


def _key(reason: LeftOut | None) -> LedgerKey:
    return LedgerKey("", GOAL, "" if reason is None else str(reason))

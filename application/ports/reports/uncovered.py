"""The port of the part of a report that no file covers, which columns are merged with (docs/columns.md)."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

from attrs import frozen

from footfall.application.ports.columns import ColumnFiles, Coverage
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.goals.goal import EventRule, GoalQuery
from footfall.domain.periods.period import Period
from footfall.domain.traffic.conversion import SessionCounts
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.overview import Traffic


@frozen
class PieceOfTraffic:
    """The traffic of a piece of a period; its `visitors` are not counted but named, in a list in JSON."""

    traffic: Traffic
    visitors: str


@frozen
class GoalStanding:
    """Knowledge of the store of a goal: its number if its conversions are complete, or why it is set aside."""

    number: int | None = None
    set_aside: str | None = None


@frozen
class FoundError:
    """The occurrences of a message in some sessions of a period."""

    message: str
    count: int
    sessions: int
    last_seen: datetime


@frozen
class ErrorHistory:
    """The history of a message on a site, of all time."""

    error_name: str
    first_seen: datetime
    last_seen: datetime
    resolved_at: datetime | None


class Uncovered(Protocol):
    """The sessions of a report that its files do not cover; all methods see the snapshot of `coverage`.

    Every method raises StoreUnavailable when the store does not answer, and Invalid when a regular expression among
    the filters takes too long.
    """

    @property
    def coverage(self) -> Coverage:
        """The part of the report that files cover."""

    async def traffic(self, pieces: Sequence[Period]) -> Mapping[int, PieceOfTraffic]:
        """Return the traffic of pieces that follow each other, by their indexes; those without traffic are absent."""

    async def values(self, by: str) -> str:
        """Return the values of a dimension with their counts: JSON with the lists `value` and `count`.

        Lists of many rows are handed over as JSON texts that the store writes and DuckDB reads: objects for each row
        would cost several times as much as the query.
        """

    async def values_and_visitors(self, by: str) -> str:
        """Return the values of a dimension with their visitors: JSON with the lists `value`, `visitor` and `count`."""

    async def values_and_conversions(self, by: str, goal: GoalQuery) -> str:
        """Return the values of a dimension with their visitors, and what these converted.

        It is JSON with the lists `value`, `visitor`, `count`, `sessions` and `conversions`.
        """

    async def pages(self) -> str:
        """Return the pages: JSON with the objects `views` and `entries` of lists.

        The lists of views are `value`, `visitor`, `count`, `timed` and `microseconds`, those of entries `value`,
        `entries` and `bounces`.
        """

    async def measures(self) -> str:
        """Return the performance of pages: JSON with the list `pathname`, and one of classes for each metric."""

    async def standings(self, goals: Sequence[GoalQuery]) -> Sequence[GoalStanding]:
        """Return what the store knows of goals."""

    async def conversions(self, numbers: Sequence[int]) -> SessionCounts:
        """Return the sessions that reached each goal, by its number, and all sessions."""

    async def matched(self, goals: Sequence[GoalQuery]) -> Mapping[int, int]:
        """Return the sessions whose hits satisfy each rule, by the index of the goal; absent ones have none.

        Raises:
            Invalid: a pattern takes too long.

        """

    async def step_hits(self, rules: Sequence[GoalQuery]) -> str:
        """Return the hits that satisfy one of the rules of a funnel's steps.

        A JSON object of lists of one length: `step`, `session`, `visitor`, `position`, `at` in microseconds since
        1970, and `next`, the path of the next pageview of the session in the period, or null. A hit is there for each
        rule that it satisfies.

        Raises:
            Invalid: a pattern takes too long.

        """

    async def properties(self, event: EventRule) -> str:
        """Return the properties of events, as a JSON object of lists: `key`, `count`, `sessions`."""

    async def property_values(self, event: EventRule, key: str) -> str:
        """Return the values of a property as a JSON object of lists: `type`, `value`, `number`, `count`, `sessions`."""

    async def property_pieces(self, event: EventRule, key: str, starts: Sequence[datetime]) -> str:
        """Return the numbers of a property in pieces that begin at these times and follow each other.

        A JSON object of lists: `piece`, `count`, `sum` as a text.
        """

    async def errors(self) -> Sequence[FoundError]:
        """Return the messages that occurred."""

    async def costs(self, groups: Sequence[str], decisions: ErrorDecisions, number: int) -> str:
        """Return what the costs of groups are counted from; `number` is that of a goal.

        A JSON object of four objects of lists, times in microseconds since 1970, `owner` the index of a group:
        `sighting` (`owner`, `session`, `position`) says where sessions in files met a group first; the others are about
        the sessions that started in the period: `session` (`id`, `started_at`, `entry_page`, `device_type`,
        `converted_at` or null), `view` (`session`, `page`, `at`), their first views of pages, and `met` (`owner`,
        `session`, `page`, `at`), where they met a group first.
        """

    async def histories(self, messages: Sequence[str]) -> Mapping[str, ErrorHistory]:
        """Return what the whole history of the site says of messages."""


class UncoveredReports(Protocol):
    """Lends the part of a report that no file covers."""

    def begin(
        self, site_id: int, period: Period, filters: Sequence[Filter], files: Sequence[ColumnFiles]
    ) -> AbstractAsyncContextManager[Uncovered]:
        """Lend the part that is left when current ones of these files cover the rest.

        `files` are those that a catalogue named before; the period lasts a day or more.

        Raises:
            StoreUnavailable: the store does not answer.
            Invalid: a regular expression among the filters takes too long.

        """

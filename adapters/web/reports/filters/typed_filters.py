"""Filters as they are typed: the values of sessions that a text means, and those that are proposed meanwhile."""

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from footfall.adapters.web.reports.filters.filter_texts import fields_of
from footfall.adapters.web.reports.filters.value_matching import (
    MOST_SIMILAR,
    KnownValue,
    containing,
    is_missing,
    known,
    named,
    searched_for,
    similar,
    spellings,
)
from footfall.adapters.web.reports.panels.named_places import NAMED, labels_of
from footfall.application.ports.reports.breakdowns import BreakdownReports
from footfall.application.reports.tables import MAX_ROWS
from footfall.domain.pagination import Page
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.traffic.breakdown import breaks_down
from footfall.domain.traffic.dimensions import LABELS
from footfall.domain.traffic.filters import SESSION_PARAMETERS, Filter, FilterType
from footfall.domain.traffic.report_query import ReportQuery

PROPOSED = 10
# The most frequent values with a text, and the most frequent ones of all, among which a meaning is looked for.
SEARCHED = Page(1, 1_000)
_FREQUENT = Page(1, 200)
# Values with names: all of them are read, because a name contains what its value does not.
_WITH_NAMES = (*NAMED, *LABELS)
_WHOLE = (FilterType.EQUALS, FilterType.NOT_EQUALS)


@frozen
class TypedFilter:
    """A filter as it was typed, and what it can mean.

    `meanings` are the values that the text names; without any, `near` are those that resemble it, or `frequent` ones.
    """

    condition: Filter
    meanings: Sequence[KnownValue] = ()
    near: Sequence[KnownValue] = ()
    frequent: Sequence[KnownValue] = ()

    @property
    def found(self) -> Filter | None:
        """The filter that is meant; None when the text means several values, or none."""
        return self.by(self.meanings[0]) if len(self.meanings) == 1 else None

    @property
    def fields(self) -> Mapping[str, str]:
        """The fields of the form that adds it, as they were typed."""
        return fields_of(self.condition)

    @property
    def offered(self) -> Sequence[KnownValue]:
        """The values to choose from."""
        return (self.meanings or self.near or self.frequent)[:PROPOSED]

    def by(self, value: KnownValue) -> Filter:
        """Return the filter by a value."""
        return evolve(self.condition, values=(value.value,))


@frozen
class TypedFilters:
    """Finds what typed filters mean among the sessions of a query."""

    _breakdowns: BreakdownReports
    _site_id: int
    _query: ReportQuery

    async def interpreted(self, condition: Filter) -> TypedFilter:
        """Return what a filter can mean; one that is not by a whole value of a breakdown means what it says.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        by, text = condition.parameter, condition.values[0]
        if not breaks_down(by) or condition.type not in _WHOLE or not text.strip():
            return TypedFilter(condition, [KnownValue(text, text)])
        searched = await self._with(text, by)
        if meanings := named(text, by, searched) or self._containing(text, by, searched):
            return TypedFilter(condition, meanings)
        if by in _WITH_NAMES:
            # All values were searched.
            frequent = searched[: _FREQUENT.size]
        else:
            frequent = await self._read(by, _FREQUENT, EVERY_ROW)
            if meanings := named(text, by, frequent) or containing(text, by, frequent):
                return TypedFilter(condition, meanings)
        return TypedFilter(condition, [], similar(text, by, frequent), frequent[:MOST_SIMILAR])

    async def proposed(self, text: str, by: str) -> list[KnownValue]:
        """Return at most ten values that contain a text, or whose names do, those that it names first.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        searched = [value for value in await self._with(text, by) if value.value]
        first = named(text, by, searched)
        return list(dict.fromkeys([*first, *self._containing(text, by, searched)]))[:PROPOSED]

    def _containing(self, text: str, by: str, searched: list[KnownValue]) -> list[KnownValue]:
        """Return those of the values read for a text that contain it: all, unless it can be a part of a name."""
        return containing(text, by, searched) if by in _WITH_NAMES else searched

    async def _with(self, text: str, by: str) -> list[KnownValue]:
        if by in _WITH_NAMES:
            return await self._read(by, Page(1, MAX_ROWS), EVERY_ROW)
        matching = await self._read(by, SEARCHED, RowChoice(containing=searched_for(text, by)))
        if len(matching) < SEARCHED.size and not is_missing(text, by):
            return matching
        # The value itself can be a rare one among those that contain it.
        spelled = await self._read(by, SEARCHED, RowChoice(among=spellings(text, by)))
        return list(dict.fromkeys([*spelled, *matching]))

    async def _read(self, by: str, page: Page, choice: RowChoice) -> list[KnownValue]:
        query = self._query
        read = await self._breakdowns.break_down(self._site_id, by, query, page, choice=choice)
        values = [row.value for row in read.rows]
        labels = await labels_of(self._breakdowns, self._site_id, by, values, query)
        return known(values, by, labels)


def remaining_filters(filters: Sequence[Filter], own: Sequence[Filter], added: Filter) -> list[Filter]:
    """Return the filters beside one that is added: it replaces its kin among the `own` filters of an address.

    A filter of a link or a segment stays, also where the address has an equal one.
    """
    replaced = {id(condition) for condition in own if is_replaced_by(condition, added)}
    return [condition for condition in filters if id(condition) not in replaced]


def is_replaced_by(condition: Filter, added: Filter) -> bool:
    """Whether a filter takes the place of another: a session has one country, so that a second one finds nothing."""
    return (
        added.parameter in SESSION_PARAMETERS
        and condition.parameter == added.parameter
        and condition.type is added.type is FilterType.EQUALS
    )

"""Why an answer of a site has changed: two answers and the parts of their difference.

See docs/read/programs/citations.md.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from attrs import frozen

from footfall.application.citations.answer_states import Answer, Answers
from footfall.application.citations.decisions import Decision, Inquire, decided
from footfall.application.ports.reports.askers import Asker
from footfall.application.ports.reports.snapshots import PastQuestion
from footfall.application.reports.catalogue.inquiry import Inquiry, figures_of, uses_of
from footfall.domain.citations.changes import Arrivals, ChangedRow, Figures, Origin, changed_rows
from footfall.domain.citations.definitions import Redefinition, redefined
from footfall.domain.citations.positions import Positions, by_present_definitions
from footfall.domain.exceptions import DomainError, Invalid, renaming
from footfall.domain.periods.period import Period
from footfall.domain.traffic.session import LONGEST


@frozen
class Arrived:
    """A cause: so many hits of one origin, or reports of pages."""

    origin: Origin
    hits: int


# The cause of a part of the difference; a changed definition makes none, since both answers are counted by today's.
Cause = Redefinition | Arrived | Decision


@frozen
class Explanation:
    """The causes of a difference, and the rows that differ, each with a part for each cause; `keys` name a row."""

    keys: Sequence[str]
    causes: Sequence[Cause]
    rows: Sequence[ChangedRow]


@frozen
class Changes:
    """Explains the difference of two answers of the past; the asker waits for a turn with each state."""

    _answers: Answers
    _asker: Asker

    async def explain(self, since: Positions, until: Positions, inquire: Inquire) -> Explanation:
        """Return the parts of the difference between the answers at two positions, which add up to it.

        Raises:
            Invalid: a position is not accepted, the report could not be asked then, or more decisions than the limit
                changed it.
            DomainError: the report cannot be asked at the later positions.
            ErasedSince: hits that one of the answers was made from have been erased since.
            StoreUnavailable: the store does not answer.

        """
        if until.traffic < since.traffic or until.journal < since.journal:
            raise Invalid({"to": ["must not be before from"]})
        with renaming({"as_of": "to"}):
            later = await self._answers.directory_at(until)
        inquire(later)
        first = await self._first(since, inquire)
        redefinitions = _redefinitions(since, until, first)
        since, until = by_present_definitions(since), by_present_definitions(until)
        events = await self._answers.events.load_site(since.site_id)
        steps = decided(events, (since.journal, until.journal), first, inquire, self._answers.events)
        counts, after = await self._later_answers(since, until, [first, *(step.inquiry for step in steps)])
        came = [origin for origin in Origin if origin in counts]
        before = [
            await self._with_arrivals(first, since, Arrivals(frozenset(origins), until.traffic))
            for origins in accumulate(([origin] for origin in came[:-1]), initial=[])
        ]
        # Where no hits came in between, the first decision follows the earlier answer.
        states = before + (after if came else after[1:])
        states = [*states[:1] * len(redefinitions), *states]
        causes: list[Cause] = [
            *redefinitions,
            *(Arrived(origin, counts[origin]) for origin in came),
            *(step.decision for step in steps),
        ]
        return Explanation(first.keys, causes, changed_rows(states))

    async def _first(self, since: Positions, inquire: Inquire) -> Inquiry[Any]:
        with renaming({"as_of": "from"}):
            directory = await self._answers.directory_at(since)
        try:
            return inquire(directory)
        except DomainError as refusal:
            raise Invalid(
                {"from": [f"names a state in which the report cannot be asked: {refusal}"]}
            ) from None

    async def _later_answers(
        self, since: Positions, until: Positions, inquiries: Sequence[Inquiry[Any]]
    ) -> tuple[Mapping[Origin, int], list[Figures]]:
        """Return how many hits came in between, and what the inquiries answer of all hits of the later answer."""
        site_id, span = since.site_id, inquiries[0].query.period
        # A session in the period may reach out of it.
        around = Period(span.start - LONGEST, span.end + LONGEST)
        with renaming({"as_of": "to"}):
            async with self._answers.past(
                PastQuestion(positions=until, span=span), asker=self._asker
            ) as answer:
                between = {"since": since.traffic, "until": until.traffic}
                arrivals = answer.reports.arrivals
                counts = dict(await arrivals.count(site_id, around, **between))
                if inquiries[0].shows_engagement:
                    measures = await arrivals.count_measures(site_id, around, **between)
                    counts |= {Origin.ENGAGEMENT: measures} if measures else {}
                return counts, await _ask_each(answer, inquiries)

    async def _with_arrivals(self, inquiry: Inquiry[Any], since: Positions, arrivals: Arrivals) -> Figures:
        """Return the earlier answer, with some of the hits that came later."""
        more = arrivals if arrivals.origins else None
        question = PastQuestion(positions=since, span=inquiry.query.period, arrivals=more)
        with renaming({"as_of": "from"}):
            async with self._answers.past(question, asker=self._asker) as answer:
                return await _ask(answer, inquiry)


async def _ask_each(answer: Answer, inquiries: Sequence[Inquiry[Any]]) -> list[Figures]:
    """Return the figures of inquiries; one that equals the inquiry before it has the same."""
    answers: list[Figures] = []
    for index, inquiry in enumerate(inquiries):
        is_same = index > 0 and inquiry == inquiries[index - 1]
        answers.append(answers[-1] if is_same else await _ask(answer, inquiry))
    return answers


async def _ask(answer: Answer, inquiry: Inquiry[Any]) -> Figures:
    return figures_of(
        inquiry.table(await inquiry.ask(answer.reports, answer.positions.site_id)), inquiry.keys
    )


def _redefinitions(since: Positions, until: Positions, inquiry: Inquiry[Any]) -> list[Redefinition]:
    """Return the changed definitions of a report; the later answer may be by earlier ones, too."""
    uses = uses_of(inquiry)
    return redefined(since.definitions, uses) or redefined(until.definitions, uses)

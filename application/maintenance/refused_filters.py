"""Saved filters that this version refuses: those with regular expressions that an earlier one accepted."""

from collections.abc import Iterator, Sequence

from attrs import frozen

from footfall.application.journal.directory import Directory
from footfall.application.journal.interface_documents import condition_documents
from footfall.domain.exceptions import Invalid
from footfall.domain.sites.segment import Condition
from footfall.domain.traffic.filters import ExpressionCompiler, parse_filters, with_expressions


@frozen
class RefusedFilters:
    """A segment, an exclusion rule or an alert rule whose filters are refused: what holds them, and why."""

    site_id: int
    holder: str
    reasons: Sequence[str]

    def __str__(self) -> str:
        """Return a line for a terminal."""
        return f"{self.holder} of site {self.site_id}: {'; '.join(self.reasons)}"


def refused_filters(directory: Directory, expressions: ExpressionCompiler) -> list[RefusedFilters]:
    """Return the segments, exclusion rules and alert rules of all sites whose filters are not accepted any more."""
    refused = []
    for site_id, holder, conditions in _saved(directory):
        try:
            with_expressions(parse_filters(condition_documents(conditions)), expressions)
        except Invalid as refusal:
            refused.append(RefusedFilters(site_id, holder, refusal.messages))
    return refused


def _saved(directory: Directory) -> Iterator[tuple[int, str, Sequence[Condition]]]:
    for record in directory.state.sites.values():
        site = record.site
        for number, segment in sorted(site.segments.present.items()):
            yield site.site_id, f"segment {number}", segment.conditions
        for number, exclusion in sorted(site.exclusions.rules.items()):
            yield site.site_id, f"exclusion rule {number}", exclusion.conditions
        for number, rule in sorted(directory.alerts(site.site_id).rules.items()):
            yield site.site_id, f"alert rule {number}", rule.plan.filters

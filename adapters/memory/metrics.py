"""Metrics in memory, for tests and for users of the library."""

from collections import Counter

from attrs import define, field


@define(eq=False, slots=False)  # tests replace single methods
class MemoryMetrics:
    """Metrics as counters in memory."""

    requests: Counter[tuple[str, str, int]] = field(factory=Counter)
    events: Counter[tuple[str, str]] = field(factory=Counter)
    commits: list[int] = field(factory=list)
    reports: Counter[str] = field(factory=Counter)
    refused_reports: Counter[str] = field(factory=Counter)
    mails: Counter[str] = field(factory=Counter)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:  # noqa: ARG002
        """Count one answered request."""
        self.requests[method, route, status] += 1

    def event(self, outcome: str, reason: str) -> None:
        """Count one tracking event that was not stored."""
        self.events[outcome, reason] += 1

    def commit(self, hits: int, seconds: float) -> None:  # noqa: ARG002
        """Keep the number of hits of a commit."""
        self.commits.append(hits)

    def report(self, reason: str) -> None:
        """Count one report by why it was not answered."""
        self.reports[reason] += 1

    def refused_report(self, kind: str) -> None:
        """Count one refused answer by its asker."""
        self.refused_reports[kind] += 1

    def mail(self, outcome: str) -> None:
        """Count one attempt to send a mail."""
        self.mails[outcome] += 1

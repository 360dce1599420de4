"""Meters that keep what they are told, for tests and for those who use the library."""

from collections import Counter


class MemoryMeters:
    """Meters as counters in memory."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.events: Counter[tuple[str, str]] = Counter()
        self.commits: list[int] = []

    def request(self, method: str, route: str, status: int, seconds: float) -> None:  # noqa: ARG002
        """Count one answered request."""
        self.requests[method, route, status] += 1

    def event(self, outcome: str, reason: str) -> None:
        """Count one tracking event that was not stored."""
        self.events[outcome, reason] += 1

    def commit(self, hits: int, seconds: float) -> None:  # noqa: ARG002
        """Keep how many hits a commit stored."""
        self.commits.append(hits)

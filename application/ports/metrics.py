"""Metrics of the service; the outcomes of events are counted by the outcome ledger too."""

from typing import Protocol


class Metrics(Protocol):
    """Takes measurements on the hot path: no method waits, fails, or records a sender."""

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answered request by its route's template; `seconds` is its duration."""

    def event(self, outcome: str, reason: str) -> None:
        """Count one tracking event that was not stored, under the names of the outcome ledger."""

    def commit(self, hits: int, seconds: float) -> None:
        """Count one commit of the intake, and the hits that it stored."""

    def report(self, reason: str) -> None:
        """Count one report, and why it was not answered; without a reason it was."""

    def refused_report(self, kind: str) -> None:
        """Count one answer that was refused since too many others wait, by the kind of its asker."""

    def mail(self, outcome: str) -> None:
        """Count one attempt to send a mail: `sent`, `delayed` or `given_up`."""


class NoMetrics(Metrics):
    """Measures nothing, where no metrics are configured."""

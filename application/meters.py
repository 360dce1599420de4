"""Measuring: what the service counts about itself, beside the ledger that counts what became of events."""

from typing import Protocol


class Meters(Protocol):
    """Takes measurements on the hot path: no method waits, fails, or names who sent something."""

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answered request by its route's template; `seconds` is how long it took."""

    def event(self, outcome: str, reason: str) -> None:
        """Count one tracking event that was not stored, under the names of the outcome ledger."""

    def commit(self, hits: int, seconds: float) -> None:
        """Count one commit of the intake, and the hits that it stored."""


class NoMeters:
    """Measures nothing: what is used where nobody looks."""

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count nothing."""

    def event(self, outcome: str, reason: str) -> None:
        """Count nothing."""

    def commit(self, hits: int, seconds: float) -> None:
        """Count nothing."""

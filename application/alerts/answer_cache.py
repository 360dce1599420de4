"""Answers that rules share or need again, so that evaluating many asks few questions.

See docs/alerts/alerts.md#evaluation.
"""

from collections.abc import Awaitable, Callable, Hashable
from datetime import datetime
from typing import Any, TypeVar, cast

from attrs import define, field

Answer = TypeVar("Answer")


@define
class AnswerCache:
    """Answers by their questions, each with the time up to which it is kept."""

    _entries: dict[Hashable, tuple[datetime, Any]] = field(factory=dict, init=False)

    async def once(self, question: Hashable, until: datetime, ask: Callable[[], Awaitable[Answer]]) -> Answer:
        """Return the answer to a question: the one that is kept, or what `ask` returns, which is kept then."""
        entry = self._entries.get(question)
        if entry is None:
            entry = self._entries[question] = until, await ask()
        return cast(Answer, entry[1])

    def drop(self, question: Hashable) -> None:
        """Forget the answer to a question."""
        self._entries.pop(question, None)

    def forget(self, now: datetime) -> None:
        """Forget the answers that are kept up to now, or shorter."""
        self._entries = {question: entry for question, entry in self._entries.items() if entry[0] > now}

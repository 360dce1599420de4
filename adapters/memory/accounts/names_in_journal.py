"""Names that users gave to their keys and passkeys, in the journal in memory."""

from attrs import evolve, frozen

from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.application.journal.stream_names import user_stream
from footfall.domain.accounts.api_key import ApiKeyIssued
from footfall.domain.accounts.user import PasskeyRegistered


@frozen
class MemoryNamesInJournal:
    """ForgetsUsers over the events of a store."""

    _store: MemoryEventStore

    async def forget_user(self, user_id: str) -> None:
        """Erase the names that a user gave; all else of the events stays."""
        for index, recorded in enumerate(self._store.events):
            match recorded.event:
                case ApiKeyIssued() as event if event.user_id == user_id:
                    self._store.events[index] = evolve(recorded, event=evolve(event, name=""))
                case PasskeyRegistered() as event if recorded.stream == user_stream(user_id):
                    self._store.events[index] = evolve(recorded, event=evolve(event, name=""))

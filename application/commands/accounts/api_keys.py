"""Commands about API keys."""

from attrs import field, frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.application.journal.stream_names import api_key_stream
from footfall.application.ports.system import Identifiers, Randomness
from footfall.domain.accounts import api_key
from footfall.domain.accounts.api_key import ApiKey


@frozen
class IssuedKey:
    """A new API key; the key itself is available here only."""

    key_id: int
    key: str = field(repr=False)
    state: ApiKey = field(repr=False)


@frozen(kw_only=True)
class ApiKeyCommands:
    """Issues and revokes API keys."""

    streams: DecideAndAppend
    identifiers: Identifiers
    randomness: Randomness

    async def issue(
        self, user_id: str, *, name: str, context: CommandContext, expires_in_days: int | None = None
    ) -> IssuedKey:
        """Issue an API key of a user; only the result contains the key."""
        key_id, key = await self.identifiers.next_api_key(), self.randomness.api_key()
        events = api_key.issue(
            key_id,
            user_id=user_id,
            name=name,
            key=key,
            now=self.streams.clock.now(),
            expires_in_days=expires_in_days,
        )
        await self.streams.create(api_key_stream(key_id), events, context)
        return IssuedKey(key_id, key, api_key.new_key(events[0]))

    async def revoke(self, user_id: str, key_id: int, context: CommandContext) -> None:
        """Revoke an API key of a user."""
        await self.streams.change(
            api_key_stream(key_id),
            api_key.apply,
            lambda state: api_key.revoke(state, user_id=user_id),
            context,
        )

"""Commands about sign-ins of browsers to the dashboard."""

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import Append, DecideAndAppend
from footfall.application.ports.system import Randomness
from footfall.domain.accounts import user
from footfall.domain.accounts.api_key import ApiKey


@frozen(kw_only=True)
class SignInCommands:
    """Issues sign-in links, signs browsers in and out."""

    streams: DecideAndAppend
    randomness: Randomness

    async def issue_link(self, user_id: str, context: CommandContext) -> str:
        """Return the token of a new one-time sign-in link; only the result contains it."""
        token = self.randomness.sign_in_token()
        await self.streams.change_user(
            user_id, lambda state: user.issue_link(state, token=token, now=self.streams.clock.now()), context
        )
        return token

    async def by_link(self, user_id: str, token: str, context: CommandContext) -> str:
        """Sign a browser in by a one-time link and return the id of the sign-in."""
        sign_in_id = self.randomness.sign_in_token()
        await self.streams.change_user(
            user_id,
            lambda state: user.sign_in_by_link(
                state, token=token, sign_in_id=sign_in_id, now=self.streams.clock.now()
            ),
            context,
        )
        return sign_in_id

    async def by_key(self, key: ApiKey | None, context: CommandContext) -> str:
        """Sign a browser in by an API key and return the id of the sign-in."""
        sign_in_id = self.randomness.sign_in_token()
        await self.streams.change_user(
            key.user_id if key else "",
            lambda state: user.sign_in_by_key(
                state, key=key, sign_in_id=sign_in_id, now=self.streams.clock.now()
            ),
            context,
        )
        return sign_in_id

    async def proven(self, user_id: str, context: CommandContext) -> str:
        """Sign a browser in for a user whose identity the caller has proven, and return the id of the sign-in.

        Raises:
            SignInRefused: the user was forgotten.

        """
        sign_in_id = self.randomness.sign_in_token()
        await self.streams.change_user(
            user_id,
            lambda state: user.sign_in(state, sign_in_id=sign_in_id, now=self.streams.clock.now()),
            context,
        )
        return sign_in_id

    async def register_passkey(
        self,
        user_id: str,
        passkey_id: str,
        name: str,
        context: CommandContext,
        append: Append | None = None,
    ) -> None:
        """Record that a user has a passkey; `append` stores the passkey together with the event.

        Raises:
            UserNotFound: the user was forgotten.

        """
        await self.streams.change_user(
            user_id,
            lambda state: user.register_passkey(state, passkey_id=passkey_id, name=name),
            context,
            append,
        )

    async def remove_passkey(self, user_id: str, passkey_id: str, context: CommandContext) -> None:
        """Record that a passkey of a user was removed."""
        await self.streams.change_user(user_id, lambda state: user.remove_passkey(state, passkey_id), context)

    async def link_identity(
        self, user_id: str, identity_id: str, context: CommandContext, append: Append | None = None
    ) -> None:
        """Record that a user has linked an identity; `append` stores the identity together with the event.

        Raises:
            UserNotFound: the user was forgotten.

        """
        await self.streams.change_user(
            user_id, lambda state: user.link_identity(state, identity_id), context, append
        )

    async def unlink_identity(self, user_id: str, identity_id: str, context: CommandContext) -> None:
        """Record that an identity of a user was unlinked."""
        await self.streams.change_user(
            user_id, lambda state: user.unlink_identity(state, identity_id), context
        )

    async def sign_out(self, user_id: str, sign_in_id: str, context: CommandContext) -> None:
        """Sign one browser of a user out."""
        await self.streams.change_user(user_id, lambda state: user.sign_out(state, sign_in_id), context)

    async def end(self, user_id: str, handle: str, context: CommandContext) -> None:
        """End the sign-in of a user that has this handle.

        Raises:
            SignInNotFound: the user has no open sign-in with this handle.

        """
        await self.streams.change_user(user_id, lambda state: user.end_sign_in(state, handle), context)

    async def sign_out_everywhere(self, user_id: str, context: CommandContext) -> None:
        """Sign all browsers of a user out and void unused sign-in links."""
        await self.streams.change_user(user_id, user.sign_out_everywhere, context)

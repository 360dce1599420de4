"""Uses of sign-ins: their browsers and the hour of their last use, recorded without delaying requests."""

from collections.abc import Iterable
from datetime import datetime

from attrs import define, field

from footfall.application.access.authorization import PresentedSignIn
from footfall.application.access.unwritten_uses import Unwritten
from footfall.application.ports.accounts.sign_in_uses import SignInUse, SignInUses
from footfall.application.ports.enrichment import UserAgents
from footfall.domain.accounts.user import handle_of

UNKNOWN_DEVICE = "Unknown browser"
MAX_DEVICE = 100
# More user agents than this are read only in part; what remains describes a browser well enough.
MAX_USER_AGENT = 512


@define(eq=False)
class SignInTracker:
    """Notes the browser and the hour of each sign-in's last use; it remembers the sign-ins of the present hour."""

    _uses: SignInUses
    _user_agents: UserAgents
    _hour: datetime | None = field(default=None, init=False)
    _latest: dict[str, SignInUse] = field(factory=dict, init=False)
    unwritten: Unwritten[str, SignInUse] = field(init=False)

    @unwritten.default
    def _none_noted(self) -> Unwritten[str, SignInUse]:
        return Unwritten("sign-ins", lambda uses: self._uses.record(list(uses.values())))

    def note(self, sign_in: PresentedSignIn, user_agent: str, now: datetime) -> None:
        """Note the use of a valid sign-in by the browser with this user agent."""
        handle, hour = handle_of(sign_in.sign_in_id), now.replace(minute=0, second=0, microsecond=0)
        if self._hour != hour:
            self._hour, self._latest = hour, {}
        if handle in self._latest:
            return
        device = describe(self._user_agents, user_agent)
        use = SignInUse(handle=handle, user_id=sign_in.user_id, device=device, last_used_at=hour)
        self._latest[handle] = self.unwritten.uses[handle] = use

    async def of(self, handles: Iterable[str]) -> dict[str, SignInUse]:
        """Return the last use of each of these sign-ins; one that was not used since it began is not in it.

        Raises:
            StoreUnavailable: the store cannot be reached.

        """
        wanted = list(handles)
        uses = await self._uses.of(wanted)
        for handle in wanted:
            latest = self._latest.get(handle) or self.unwritten.uses.get(handle)
            if latest is not None and (handle not in uses or uses[handle].last_used_at < latest.last_used_at):
                uses[handle] = latest
        return uses


def describe(user_agents: UserAgents, user_agent: str) -> str:
    """Return browser and system of a user agent, such as `Firefox on Linux`, in at most 100 characters."""
    device = user_agents.parse(user_agent[:MAX_USER_AGENT])
    named = [name for name in (device.browser, device.operating_system) if name]
    text = " on ".join(named) or UNKNOWN_DEVICE
    return "".join(character for character in text if character.isprintable())[:MAX_DEVICE]

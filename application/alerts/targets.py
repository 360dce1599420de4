"""Targets of alerts: added with their address, tested, removed, and shown without it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import SplitResult, urlsplit

from attrs import frozen

from footfall.application.alerts.address_sealing import sealed_address
from footfall.application.alerts.messages import AlertNews
from footfall.application.alerts.notifier import AlertNotifier
from footfall.application.commands.alerts import AlertCommands
from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import Append
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.journal.stream_names import alerts_stream
from footfall.application.ports.accounts.registrations import StreamAppend
from footfall.application.ports.alerts.webhooks import (
    RequestState,
    TargetAddress,
    TargetAddresses,
    WebhookQueue,
)
from footfall.application.ports.journal import Metadata
from footfall.application.ports.system import Randomness, Sealing
from footfall.domain.alerts.addresses import Network, is_refused
from footfall.domain.alerts.rules import TargetKind
from footfall.domain.exceptions import Conflict, Invalid

MAX_URL = 2_000
SECRET_MARK = "ffwh_"  # noqa: S105 - what secrets begin with
_URL = re.compile(r"[!-~]+")
_NOT_PUBLIC = (
    "must not be a private, loopback or link-local address: targets are in the public Internet, or in a network that "
    "the operator allows with FOOTFALL_ALERT_NETWORKS"
)


class MemberUnreachable(Conflict):
    """A target for mail has no member who can get mails now."""

    message = (
        "This member gets no mail: the service sends none, the address is not verified or was unsubscribed, or the "
        "site is out of sight"
    )


@frozen
class AddedTarget:
    """The number of a new target, and the secret that signs requests to it, which is not shown again."""

    number: int
    secret: str | None


@frozen(kw_only=True)
class AlertTargets:
    """Adds, tests and removes targets."""

    commands: AlertCommands
    addresses: TargetAddresses
    queue: WebhookQueue
    notifier: AlertNotifier
    randomness: Randomness
    sealing: Sealing
    # Besides the public Internet.
    networks: Sequence[Network] = ()

    async def add(
        self,
        site_id: int,
        kind: TargetKind,
        name: str,
        context: CommandContext,
        *,
        url: str | None = None,
        user_id: str | None = None,
    ) -> AddedTarget:
        """Add a target.

        Raises:
            SiteNotFound: there is no such site.
            Invalid: a part is missing or breaks a rule; the errors name `name`, `url` and `userId`.
            TooManyAlertTargets: the site has 20 targets.
            StoreUnavailable: the store does not answer.

        """
        checked = self._checked_url(kind, url)
        secret = None
        if kind is TargetKind.WEBHOOK:
            secret = SECRET_MARK + self.randomness.private_link_key()
        append = None if checked is None else self._with_address(site_id, self._sealed(checked, secret))
        number = await self.commands.add_target(site_id, kind, name, user_id, context, append)
        return AddedTarget(number, secret)

    def _sealed(self, url: str, secret: str | None) -> TargetAddress:
        return sealed_address(self.sealing, TargetAddress(url, secret))

    async def remove(self, site_id: int, number: int, context: CommandContext) -> None:
        """Remove a target with its address.

        Raises:
            AlertTargetNotFound: there is no such target.
            StoreUnavailable: the store does not answer.

        """

        async def append(events: Sequence[Any], expected: int, metadata: Metadata) -> None:
            removed = StreamAppend(stream=alerts_stream(site_id), events=events, expected=expected)
            await self.addresses.remove(site_id, number, removed, metadata)

        await self.commands.remove_target(site_id, number, context, append)

    async def test(self, record: SiteRecord, number: int) -> None:
        """Tell a target that it is told about alerts; how that fares is shown with the target.

        Raises:
            AlertTargetNotFound: there is no such target.
            MemberUnreachable: it is a mail to a member who gets none.
            StoreUnavailable: the store does not answer.

        """
        site_id = record.site.site_id
        target = self.notifier.directory.alerts(site_id).target(number)
        key = f"alert-test-{self.randomness.sign_in_token()}"
        if not await self.notifier.send(target, AlertNews(record=record), key):
            raise MemberUnreachable

    async def states(self, site_id: int) -> Mapping[int, RequestState]:
        """Return how the latest request to each target fares, by the numbers of the targets."""
        return await self.queue.latest(site_id)

    def _with_address(self, site_id: int, address: TargetAddress) -> Append:
        """Return what appends the event about a new target together with its address."""

        async def append(events: Sequence[Any], expected: int, metadata: Metadata) -> None:
            [added] = events
            appended = StreamAppend(stream=alerts_stream(site_id), events=events, expected=expected)
            await self.addresses.add(site_id, added.number, address, appended, metadata)

        return append

    def _checked_url(self, kind: TargetKind, url: str | None) -> str | None:
        """Return the address of a target; None for mail.

        Raises:
            Invalid: it is missing, given in vain, no URL or one that nothing is sent to; the error names `url` and
                nothing of it.

        """
        if kind is TargetKind.MAIL:
            if url is not None:
                raise Invalid({"url": ["must be left out for mail"]})
            return None
        parts = _parsed_url(url)
        if is_refused(parts.hostname or "", self.networks):
            raise Invalid({"url": [_NOT_PUBLIC]})
        # Without a network that the operator allows nothing is sent without TLS.
        if parts.scheme == "http" and not self.networks:
            raise Invalid({"url": ["must begin with https://"]})
        return url


def _parsed_url(url: str | None) -> SplitResult:
    fault = Invalid(
        {"url": [f"must be an https URL of at most {MAX_URL:,} characters, without user and password"]}
    )
    try:
        parts = urlsplit(url or "")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise fault from None
    fits = url is not None and len(url) <= MAX_URL and _URL.fullmatch(url) is not None
    if not fits or parts.scheme not in ("https", "http") or not host or port == 0 or "@" in parts.netloc:
        raise fault
    return parts

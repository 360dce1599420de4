"""Commands about reports by mail that users subscribe to."""

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import DecideAndAppend
from footfall.domain.accounts import report_subscriptions
from footfall.domain.periods.report_schedule import Interval


@frozen(kw_only=True)
class ReportSubscriptionCommands:
    """Subscribes users to reports, and ends subscriptions."""

    streams: DecideAndAppend

    async def subscribe(
        self,
        user_id: str,
        site_id: int | None,
        interval: Interval,
        time_zone: str | None,
        context: CommandContext,
    ) -> None:
        """Let a user get reports on a site, or on all sites (None).

        Raises:
            UserNotFound, Invalid: as the domain refuses.

        """
        await self.streams.change_user(
            user_id,
            lambda state: report_subscriptions.subscribe(
                state, site_id=site_id, interval=interval, time_zone=time_zone, now=self.streams.clock.now()
            ),
            context,
        )

    async def unsubscribe(
        self, user_id: str, site_id: int | None, interval: Interval, context: CommandContext
    ) -> None:
        """Let a user get these reports no more."""
        await self.streams.change_user(
            user_id,
            lambda state: report_subscriptions.unsubscribe(state, site_id=site_id, interval=interval),
            context,
        )

"""The notifier of alerts: puts a mail or a request for each target of a rule into its queue, each once."""

from collections.abc import Sequence

from attrs import evolve, frozen

from footfall.application.alerts.messages import AlertNews, body_of
from footfall.application.journal.directory import Directory
from footfall.application.languages.language import ENGLISH, speaking
from footfall.application.notifications.mailer import Letter, Mailer
from footfall.application.ports.accounts.people import People
from footfall.application.ports.alerts.webhooks import WebhookQueue, WebhookRequest
from footfall.application.ports.system import Clock
from footfall.domain.alerts.rules import AlertTarget, TargetKind
from footfall.domain.mail.mail import MailKind
from footfall.domain.sites.site import Site


@frozen(kw_only=True)
class AlertNotifier:
    """Queues what targets are told; `origin` is where users reach the service."""

    directory: Directory
    people: People
    mailer: Mailer
    queue: WebhookQueue
    clock: Clock
    origin: str

    async def reached(self, site: Site, numbers: Sequence[int]) -> list[int]:
        """Return those of some targets that can be told something now: all but mails that are not sent.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        targets = self.directory.alerts(site.site_id).targets
        existing = [targets[number] for number in numbers if number in targets]
        return [target.number for target in existing if await self._is_reached(target, site)]

    async def tell(self, news: AlertNews) -> None:
        """Tell the targets of a firing that it opened or is over, each once however often it is said.

        Raises:
            StoreUnavailable: the store does not answer; some targets may have been told.

        """
        assert news.rule is not None and news.firing is not None  # noqa: S101, PT018 - a test has one target
        site_id = news.record.site.site_id
        targets = self.directory.alerts(site_id).targets
        name, kind = f"alert-{site_id}-{news.rule.number}-{news.firing.number}", news.event.partition(".")[2]
        for number in news.firing.told(news.rule.plan):
            if number in targets:
                after = None if news.firing.over_at is None else f"{name}-opened-{number}"
                await self.send(targets[number], news, f"{name}-{kind}-{number}", after=after)

    async def send(self, target: AlertTarget, news: AlertNews, key: str, *, after: str | None = None) -> bool:
        """Tell one target under a key; False when it is a mail that cannot be sent to its member.

        A request is sent after the one with the key `after` has arrived, and given up with that.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        news = evolve(news, origin=self.origin)
        if target.kind is TargetKind.MAIL:
            return await self._mail(target, news, key)
        # Programs read English; a channel reads what its organization does.
        languages, organization_id = self.mailer.languages, news.record.site.organization_id
        is_read = target.kind is not TargetKind.WEBHOOK
        with speaking(languages.of_mail(None, organization_id) if is_read else ENGLISH):
            content_type, body = body_of(target.kind, news, key)
        request = WebhookRequest(
            key=key,
            site_id=news.record.site.site_id,
            target=target.number,
            content_type=content_type,
            body=body,
            signed=target.kind is TargetKind.WEBHOOK,
            after=after,
        )
        await self.queue.enqueue(request, at=self.clock.now())
        return True

    async def _mail(self, target: AlertTarget, news: AlertNews, key: str) -> bool:
        address = await self._address(target, news.record.site)
        if address is None:
            return False
        user_id, organization_id = target.user_id or "", news.record.site.organization_id
        with speaking(self.mailer.languages.of_mail(user_id, organization_id)):
            values = {"title": news.title, "details": news.details, "link": news.link}
        return await self.mailer.post(
            Letter.of_member(
                kind=MailKind.ALERT,
                recipient=address,
                user_id=user_id,
                organization_id=organization_id,
                mail_id=key,
                values=values,
            )
        )

    async def _is_reached(self, target: AlertTarget, site: Site) -> bool:
        if target.kind is not TargetKind.MAIL:
            return True
        address = await self._address(target, site)
        return address is not None and await self.mailer.is_wanted(address, MailKind.ALERT)

    async def _address(self, target: AlertTarget, site: Site) -> str | None:
        """Return the verified address of the member who gets the mails of a target, and may see the site."""
        user_id = target.user_id or ""
        person = (await self.people.of([user_id])).get(user_id)
        return person.verified_address if person and self.directory.role_on(user_id, site) else None

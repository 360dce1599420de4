"""The notifier of alerts: puts a mail or a request for each target of a rule into its queue, each once."""

from attrs import evolve, frozen

from footfall.application.alerts.messages import AlertNews, body_of
from footfall.application.journal.directory import Directory
from footfall.application.notifications import mail_contents
from footfall.application.notifications.mailer import Mailer
from footfall.application.ports.accounts.people import People
from footfall.application.ports.alerts.webhooks import WebhookQueue, WebhookRequest
from footfall.application.ports.system import Clock
from footfall.domain.alerts.rules import AlertTarget, TargetKind


@frozen(kw_only=True)
class AlertNotifier:
    """Queues what targets are told; `origin` is where users reach the service."""

    directory: Directory
    people: People
    mailer: Mailer
    queue: WebhookQueue
    clock: Clock
    origin: str

    async def tell(self, news: AlertNews) -> None:
        """Tell all targets of a rule about one of its firings, each once however often it is said.

        Raises:
            StoreUnavailable: the store does not answer; some targets may have been told.

        """
        assert news.rule is not None and news.firing is not None  # noqa: S101, PT018 - a test has one target
        site_id = news.record.site.site_id
        targets = self.directory.alerts(site_id).targets
        name = f"alert-{site_id}-{news.rule.number}-{news.firing.number}-{news.event.partition('.')[2]}"
        for number in news.rule.plan.targets:
            if number in targets:
                await self.send(targets[number], news, f"{name}-{number}")

    async def send(self, target: AlertTarget, news: AlertNews, key: str) -> bool:
        """Tell one target under a key; False when it is a mail that cannot be sent to its member.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        news = evolve(news, origin=self.origin)
        if target.kind is TargetKind.MAIL:
            return await self._mail(target, news, key)
        content_type, body = body_of(target.kind, news, key)
        request = WebhookRequest(
            key=key,
            site_id=news.record.site.site_id,
            target=target.number,
            content_type=content_type,
            body=body,
            signed=target.kind is TargetKind.WEBHOOK,
        )
        await self.queue.enqueue(request, at=self.clock.now())
        return True

    async def _mail(self, target: AlertTarget, news: AlertNews, key: str) -> bool:
        user_id, site = target.user_id or "", news.record.site
        person = (await self.people.of([user_id])).get(user_id)
        address = person.verified_address if person else None
        if address is None or self.directory.role_on(user_id, site) is None:
            return False
        values = {"title": news.title, "details": news.details, "link": news.link}
        return await self.mailer.post(
            mail_contents.alert(address, user_id=user_id, mail_id=key, values=values)
        )

"""What is counted of a bot that a site refuses (docs/track/bots.md#refused-bots)."""

from footfall.application.ingestion.draft import Draft
from footfall.domain.bots.refused_bot_counts import OTHER_PAGES, RefusedBot, page_of, refused_bot
from footfall.domain.paths.pathname import stored_path
from footfall.domain.sites.excluded_patterns import PatternCompiler


def refused_bot_of(event: Draft, bot: str, compile_patterns: PatternCompiler) -> RefusedBot:
    """Return what is counted of a bot; pages that the site excludes are among the others."""
    record, hostname = event.record, event.request.hostname
    path = stored_path(event.request.pathname)
    if record.excludes_host(hostname, compile_patterns) or record.excludes_path(path, compile_patterns):
        page = OTHER_PAGES
    else:
        page = page_of(hostname, path, record.site.domain)
    return refused_bot(record.site, event.received_at, bot, event.bot_verified, page)

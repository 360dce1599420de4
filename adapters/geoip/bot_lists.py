"""The lists of addresses that operators of bots publish: where they are, and which bots they are of.

See docs/track/bots.md.

Each is one of the operator's own pages about its bots (domain/bots/known_bots.py), as it was on 2026-10-28.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

_GOOGLE = "https://developers.google.com/static/crawling/ipranges"
_FETCHERS = (
    *("FeedFetcher-Google", "Google-Site-Verification", "GoogleProducer", "Google-Read-Aloud"),
    *("Google-NotebookLM", "Google-GeminiNotebook"),
)

# The address of each list, and the bots that it is of. A bot with several lists comes from any address of these.
LISTS: Mapping[str, tuple[str, Sequence[str]]] = MappingProxyType(
    {
        "openai-gptbot": ("https://openai.com/gptbot.json", ("GPTBot",)),
        "openai-searchbot": ("https://openai.com/searchbot.json", ("OAI-SearchBot",)),
        "openai-user": ("https://openai.com/chatgpt-user.json", ("ChatGPT-User",)),
        "openai-adsbot": ("https://openai.com/adsbot.json", ("OAI-AdsBot",)),
        "anthropic": (
            "https://claude.com/crawling/bots.json",
            ("ClaudeBot", "Claude-User", "Claude-SearchBot"),
        ),
        "perplexity-bot": ("https://www.perplexity.com/perplexitybot.json", ("PerplexityBot",)),
        "perplexity-user": ("https://www.perplexity.com/perplexity-user.json", ("Perplexity-User",)),
        "google-common": (
            f"{_GOOGLE}/common-crawlers.json",
            (
                *("Googlebot", "Googlebot-Image", "Googlebot-News", "Googlebot-Video", "Googlebot-Mobile"),
                *("Storebot-Google", "Google-InspectionTool", "Google-CloudVertexBot"),
                *("GoogleOther", "GoogleOther-Image", "GoogleOther-Video"),
            ),
        ),
        "google-special": (
            f"{_GOOGLE}/special-crawlers.json",
            ("AdsBot-Google", "AdsBot-Google-Mobile", "Mediapartners-Google", "APIs-Google", "Google-Safety"),
        ),
        "google-fetchers": (f"{_GOOGLE}/user-triggered-fetchers.json", _FETCHERS),
        "google-own-fetchers": (f"{_GOOGLE}/user-triggered-fetchers-google.json", _FETCHERS),
        "google-agents": (f"{_GOOGLE}/user-triggered-agents.json", ("Google-Agent",)),
        "bing": (
            "https://www.bing.com/toolbox/bingbot.json",
            ("bingbot", "msnbot", "adidxbot", "BingPreview", "MicrosoftPreview"),
        ),
        "apple": ("https://search.developer.apple.com/applebot.json", ("Applebot",)),
        "duckduckgo": ("https://duckduckgo.com/duckduckbot.json", ("DuckDuckBot",)),
        "duckduckgo-assist": ("https://duckduckgo.com/duckassistbot.json", ("DuckAssistBot",)),
        "mistral-index": ("https://mistral.ai/mistralai-index-ips.json", ("MistralAI-Index",)),
        "mistral-user": ("https://mistral.ai/mistralai-user-ips.json", ("MistralAI-User",)),
        "common-crawl": ("https://index.commoncrawl.org/ccbot.json", ("CCBot",)),
        "ahrefs": ("https://api.ahrefs.com/v3/public/crawler-ip-ranges", ("AhrefsBot", "AhrefsSiteAudit")),
    }
)


def _lists_of() -> Mapping[str, Sequence[str]]:
    lists: dict[str, list[str]] = {}
    for name, (_, bots) in LISTS.items():
        for bot in bots:
            lists.setdefault(bot, []).append(name)
    return lists


LISTS_OF = MappingProxyType(_lists_of())

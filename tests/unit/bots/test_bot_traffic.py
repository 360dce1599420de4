"""The report of bots: requests by bot and page, and the visits that answers of AI services sent."""

import pytest

from footfall.domain.bot_traffic.answers import TABLE, AnswerService, answer_service, visits_by_service
from footfall.domain.bot_traffic.bot_traffic import (
    LIMITS,
    BotLimits,
    BotRequests,
    EqualRequests,
    answer_sources,
    bot_report,
    refused_requests,
    requests_of,
    stored_requests,
)
from footfall.domain.bots.bot_names import KNOWN
from footfall.domain.tracking.acquisition.channel_sources import HOSTS, NAMES, SourceKind
from footfall.domain.tracking.hit import BotVerification
from footfall.domain.traffic.filters import excluding
from tests.conditions import filter_of
from tests.histories import after, days, hit, record

VERIFIED, UNVERIFIED = BotVerification.VERIFIED, BotVerification.UNVERIFIED
PERIOD = days("2026-03-28", "2026-03-28")
OPENAI, PERPLEXITY = AnswerService("OpenAI", "ChatGPT"), AnswerService("Perplexity", "Perplexity")
REQUESTS = [
    EqualRequests("GPTBot", VERIFIED, ("example.com/a", ""), 5),
    EqualRequests("GPTBot", UNVERIFIED, ("example.com/a", ""), 1),
    EqualRequests("GPTBot", VERIFIED, ("", ""), 3),
    EqualRequests("curl", None, ("example.com/b", ""), 20),
]
REFUSED = requests_of(REQUESTS)
STORED = requests_of(
    [
        EqualRequests("GPTBot", VERIFIED, ("www.example.com", "/a"), 2),
        EqualRequests("Claude-User", None, ("example.com", "/c"), 4),
    ]
)
SOURCES = [("chatgpt.com", "", 3), ("", "ChatGPT", 2), ("perplexity.ai", "", 7)]


def shown(report):
    return [
        (row.bot, row.refused, row.stored, row.verified, row.unverified, row.pages) for row in report.bots
    ]


def test_a_bot_has_its_refused_and_stored_requests_together():
    report = bot_report(REFUSED, STORED, SOURCES, "example.com")

    assert shown(report) == [
        ("curl", 20, 0, 0, 0, (("example.com/b", 20),)),
        ("GPTBot", 9, 2, 10, 1, (("example.com/a", 8),)),
        ("Claude-User", 0, 4, 0, 0, (("example.com/c", 4),)),
    ]
    assert report.answers == [(PERPLEXITY, 7), (OPENAI, 5)]


@pytest.mark.parametrize(
    ("parameter", "type_", "value", "bots", "services"),
    [
        ("bot", "equals", "GPTBot", ["GPTBot"], [OPENAI]),
        ("bot_operator", "not_equals", "OpenAI", ["curl"], [PERPLEXITY]),
        ("bot_operator", "equals", "", ["curl"], []),
        ("bot_purpose", "contains", "train", ["GPTBot"], [OPENAI]),
        ("bot_verified", "equals", "unverified", ["GPTBot"], [OPENAI]),
        ("bot_verified", "equals", "", ["curl"], [PERPLEXITY, OPENAI]),
    ],
)
def test_filters_select_bots_and_the_services_of_their_operators(parameter, type_, value, bots, services):
    chosen = [filter_of(parameter, type_, value)]

    report = bot_report(refused_requests(REQUESTS, chosen), BotRequests(), SOURCES, "example.com", chosen)

    assert [row.bot for row in report.bots] == bots
    assert [service for service, _ in report.answers] == services


@pytest.mark.parametrize(
    ("parameter", "type_", "value", "services"),
    [
        ("bot_operator", "equals", "OpenAI", ["ChatGPT"]),
        ("bot_operator", "equals", "xAI", ["Grok"]),
        ("bot_operator", "not_equals", "OpenAI", ["Perplexity", "Grok", ""]),
        ("bot_operator", "equals", "", [""]),
        ("bot", "equals", "GPTBot", ["ChatGPT"]),
        ("bot", "equals", "curl", []),
        ("bot_purpose", "equals", "training", ["ChatGPT"]),
        ("bot_verified", "equals", "verified", []),
    ],
)
def test_filters_select_services_of_operators_whose_bots_sent_no_request(parameter, type_, value, services):
    sources = [("chatgpt.com", "", 500), ("perplexity.ai", "", 7), ("grok.com", "", 3), ("felo.ai", "", 1)]
    chosen = [filter_of(parameter, type_, value)]

    report = bot_report(BotRequests(), BotRequests(), sources, "example.com", chosen)

    assert [service.name for service, _ in report.answers] == services


def test_filters_select_refused_requests_with_their_pages():
    requests = [
        EqualRequests("GPTBot", VERIFIED, ("example.com/a", ""), 1),
        EqualRequests("GPTBot", UNVERIFIED, ("example.com/wp-admin", ""), 1_000),
    ]

    found = refused_requests(requests, [filter_of("bot_verified", "equals", "verified")])

    assert found == BotRequests({("GPTBot", VERIFIED): 1}, {"GPTBot": {("example.com/a", ""): 1}})


def test_filters_select_refused_requests_before_most_are_told_apart():
    others = [EqualRequests(f"bot {number}", None, ("", ""), 100) for number in range(LIMITS.bots)]

    found = refused_requests([*REQUESTS, *others], [filter_of("bot", "regex", "^GPT")])

    assert found.counts == {("GPTBot", VERIFIED): 8, ("GPTBot", UNVERIFIED): 1}


def test_standing_exclusions_leave_out_no_refused_request():
    rules = excluding([[filter_of("bot", "equals", "GPTBot")]])

    assert refused_requests(REQUESTS, [rules]) == REFUSED


def test_stored_requests_are_the_hits_of_bots_in_the_period():
    log = record(
        hit(after(), bot="GPTBot", bot_verified=VERIFIED, hostname="example.com"),
        hit(after(minutes=1), bot="GPTBot", bot_verified=VERIFIED, pathname="/a"),
        hit(after(hours=5), bot="GPTBot", visitor_id=2),
        hit(after(), visitor_id=3),
    )

    found = stored_requests(log, PERIOD)

    assert found.counts == {("GPTBot", VERIFIED): 2}
    assert found.pages == {"GPTBot": {("example.com", "/"): 1, ("example.com", "/a"): 1}}


def test_countless_names_are_counted_together_beyond_a_limit():
    limits = BotLimits(bots=2, pages=1)

    found = requests_of(
        (
            EqualRequests(bot, None, (f"example.com/{page}", ""), number)
            for bot, page, number in (("a", 1, 5), ("a", 2, 6), ("b", 1, 3), ("c", 1, 3), ("d", 1, 1))
        ),
        limits,
    )

    assert found.counts == {("a", None): 11, ("b", None): 3, ("other", None): 4}
    assert found.pages == {"a": {("example.com/2", ""): 6}, "b": {("example.com/1", ""): 3}}


def test_visits_of_answers_are_the_sessions_of_the_channel_ai():
    log = record(
        hit(after(), channel="AI", referrer="https://chatgpt.com/"),
        hit(after(minutes=1), channel="AI", referrer="https://chatgpt.com/"),
        hit(after(), channel="Paid AI", utm_source="perplexity", visitor_id=2),
        hit(after(), channel="Referral", referrer="https://claude.ai/", visitor_id=3),
        hit(after(days=1), channel="AI", referrer="https://claude.ai/", visitor_id=4),
    )

    assert sorted(answer_sources(log, PERIOD)) == [("", "perplexity", 1), ("chatgpt.com", "", 1)]


@pytest.mark.parametrize(
    ("referrer_host", "utm_source", "name"),
    [
        ("chatgpt.com", "", "ChatGPT"),
        ("chat.openai.com", "", "ChatGPT"),
        ("", " ChatGPT ", "ChatGPT"),
        ("", "https://www.perplexity.ai/search", "Perplexity"),
        ("", "chatgpt-ads", "ChatGPT"),
        ("gemini.google.com", "newsletter", "Gemini"),
        ("google.com", "", ""),
        ("poe.com", "claude", "Claude"),
        ("felo.ai", "", ""),
        ("", "", ""),
    ],
)
def test_a_service_is_that_of_the_campaign_source_or_of_the_referrer(referrer_host, utm_source, name):
    assert answer_service(referrer_host, utm_source).name == name


def test_services_are_sources_of_the_channel_ai_and_their_operators_those_of_bots():
    lines = [line.split("; ") for line in TABLE.strip().splitlines()]
    operators = {bot.operator for bot in KNOWN.values()}

    words = [word for *_, words in lines for word in words.split()]
    assert [word for word in words if (HOSTS | NAMES).get(word) is not SourceKind.AI] == []
    assert {operator for operator, *_ in lines} - operators == {"xAI", "Poe"}
    assert visits_by_service([]) == {}

"""The names of bots, and the table of known ones."""

import re

import pytest
from crawleruseragents import CRAWLER_USER_AGENTS_DATA

from footfall.adapters.user_agent import UaParserUserAgents
from footfall.domain.bots.bot_names import (
    KNOWN,
    MAX_NAME,
    OTHER,
    BotPurpose,
    bot_name,
    bot_operator,
    bot_purpose,
    names_by_operator,
    names_by_purpose,
)
from footfall.domain.bots.known_bots import TABLE

CHROME = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
)


@pytest.mark.parametrize(
    ("user_agent", "name", "operator", "purpose"),
    [
        (
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot",
            *("GPTBot", "OpenAI", "training"),
        ),
        (
            f"{CHROME}; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot",
            *("OAI-SearchBot", "OpenAI", "search"),
        ),
        (
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +me@example.org)",
            *("Claude-User", "Anthropic", "answer"),
        ),
        ("Googlebot-Image/1.0", "Googlebot-Image", "Google", "search"),
        (
            "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
            "Slackbot-LinkExpanding",
            "Slack",
            "preview",
        ),
        (
            "Mozilla/5.0 (Macintosh) facebookexternalhit/1.1 Facebot Twitterbot/1.0",
            *("iMessage", "Apple", "preview"),
        ),
        (
            "Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
            "UptimeRobot",
            "UptimeRobot",
            "monitoring",
        ),
        ("mozilla/5.0 (compatible; gptbot/9)", "GPTBot", "OpenAI", "training"),
        ("curl/8.5.0", "curl", None, "other"),
        ("Mozilla/5.0 (compatible; yacybot/1.0; https://yacy.net/bot.html)", "yacybot", None, "other"),
        (CHROME.replace("Chrome", "HeadlessChrome"), "HeadlessChrome", None, "other"),
        ("Mozilla/5.0 (compatible; Ezooms/1.0; help@example.org)", "Ezooms", None, "other"),
        ("a crawler of nothing", OTHER, None, "other"),
        ("Mozilla/5.0 (compatible; MSIE 9.0; robot)", OTHER, None, "other"),
        ("SoccerCCBot/1.0", "SoccerCCBot", None, "other"),
        ("", OTHER, None, "other"),
        ("\ud800 \0 ☃", OTHER, None, "other"),
    ],
)
def test_a_bot_has_the_name_of_its_user_agent(user_agent, name, operator, purpose):
    assert bot_name(user_agent) == name
    assert (bot_operator(name), bot_purpose(name)) == (operator, purpose)


def test_a_visit_without_a_bot_has_neither_operator_nor_purpose():
    assert (bot_operator(None), bot_purpose(None)) == (None, None)


@pytest.mark.parametrize("bot", KNOWN.values(), ids=lambda bot: bot.name)
def test_each_known_bot_is_recognised_and_named(bot):
    user_agent = f"Mozilla/5.0 (compatible; {bot.word}; +https://example.org/)"

    device = UaParserUserAgents(cache_size=0).parse(user_agent)

    assert (device.bot, device.bot_name) == (True, bot.name)


def test_no_bot_is_listed_twice_and_none_needs_an_escape_in_sql():
    listed = [bot for line in TABLE.strip().splitlines() for bot in line.split("; ")[2].split(", ")]

    assert len(KNOWN) == len(listed)
    assert len({bot.word.lower() for bot in KNOWN.values()}) == len(listed)
    assert [bot for bot in KNOWN.values() if not re.fullmatch(r"[\w. -]{2,40}", bot.name)] == []
    assert [bot for bot in KNOWN.values() if not re.fullmatch(r"[\w. -]+", bot.operator)] == []


def test_every_known_bot_has_one_operator_and_one_purpose_or_the_one_of_all_others():
    by_operator = [name for names in names_by_operator().values() for name in names]
    by_purpose = [name for names in names_by_purpose().values() for name in names]

    assert sorted(by_operator) == sorted(KNOWN)
    others = [name for name in KNOWN if bot_purpose(name) is BotPurpose.OTHER]
    assert sorted([*by_purpose, *others]) == sorted(KNOWN)


def test_names_of_bots_of_the_public_list_are_short_and_nearly_all_there():
    user_agents = [agent for bot in CRAWLER_USER_AGENTS_DATA for agent in bot["instances"]]

    names = [bot_name(agent) for agent in user_agents]

    assert max(map(len, names)) <= MAX_NAME
    assert sum(name == OTHER for name in names) / len(names) < 0.08
    assert sum(name in KNOWN for name in names) / len(names) > 0.2


def test_a_browser_is_no_bot():
    device = UaParserUserAgents(cache_size=0).parse(CHROME)

    assert (device.bot, device.bot_name) == (False, None)

"""Channels: by which way a visitor came, as far as the referrer and the link tell."""

import time
import timeit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from footfall.domain.text import text_fault
from footfall.domain.tracking.acquisition.campaign import MAX_UTM, Utm, parse_utm, utm_part
from footfall.domain.tracking.acquisition.channel import Channel, classify, foreign_host
from footfall.domain.tracking.acquisition.channel_sources import HOSTS, SOURCES, SourceKind

NAMES = (
    "Direct, Organic Search, Paid Search, Organic Social, Paid Social, Organic Video, Paid Video, Organic Shopping, "
    "Paid Shopping, AI, Paid AI, Email, SMS, Display, Affiliate, Audio, Push, Cross-Network, Referral, Unknown"
)


def channel(referrer=None, querystring=None, own=("example.com",)):
    return classify(foreign_host(referrer, own), querystring, parse_utm(querystring))


@pytest.mark.parametrize(
    ("referrer", "expected"),
    [
        (None, Channel.DIRECT),
        ("", Channel.DIRECT),
        ("https://www.google.com/search?q=analytics", Channel.ORGANIC_SEARCH),
        ("https://www.google.co.uk/", Channel.ORGANIC_SEARCH),
        ("https://duckduckgo.com", Channel.ORGANIC_SEARCH),
        ("https://de.search.yahoo.com/", Channel.ORGANIC_SEARCH),
        ("https://yandex.ru/search", Channel.ORGANIC_SEARCH),
        ("android-app://com.google.android.googlequicksearchbox/", Channel.ORGANIC_SEARCH),
        ("https://l.facebook.com/l.php?u=x", Channel.ORGANIC_SOCIAL),
        ("https://t.co/abc", Channel.ORGANIC_SOCIAL),
        ("https://x.com/somebody/status/1", Channel.ORGANIC_SOCIAL),
        ("https://news.ycombinator.com/item?id=1", Channel.ORGANIC_SOCIAL),
        ("https://out.reddit.com/", Channel.ORGANIC_SOCIAL),
        ("https://m.youtube.com/watch?v=1", Channel.ORGANIC_VIDEO),
        ("https://www.netflix.com/title/1", Channel.ORGANIC_VIDEO),
        ("https://www.tiktok.com/@somebody", Channel.ORGANIC_VIDEO),
        ("https://www.amazon.de/dp/1", Channel.ORGANIC_SHOPPING),
        ("https://shopping.google.com/", Channel.ORGANIC_SHOPPING),
        ("https://chatgpt.com/", Channel.AI),
        ("https://gemini.google.com/app", Channel.AI),
        ("https://www.perplexity.ai/search/1", Channel.AI),
        ("https://claude.ai/chat/1", Channel.AI),
        ("https://copilot.microsoft.com/", Channel.AI),
        ("https://mail.google.com/mail/u/0/", Channel.EMAIL),
        ("https://outlook.live.com/", Channel.EMAIL),
        ("https://webmail.some-university.example/", Channel.EMAIL),
        ("https://mail.some-university.example/", Channel.EMAIL),
        ("https://email.some-university.example/", Channel.EMAIL),
        ("https://open.spotify.com/episode/1", Channel.AUDIO),
        ("https://www.awin1.com/cread.php", Channel.AFFILIATE),
        ("https://googleads.g.doubleclick.net/", Channel.DISPLAY),
        ("https://blog.example.org/post", Channel.REFERRAL),
        ("https://docs.google.com/document/d/1", Channel.REFERRAL),
        ("https://192.0.2.1:8080/", Channel.REFERRAL),
        ("https://[2001:db8::1]/", Channel.REFERRAL),
        ("https://www.example.com/other-page", Channel.DIRECT),
        ("https://shop.example.com/", Channel.DIRECT),
        ("about:blank", Channel.DIRECT),
        ("null", Channel.DIRECT),
        ("file:///home/somebody/page.html", Channel.DIRECT),
        ("https://[", Channel.DIRECT),
    ],
)
def test_where_a_visitor_came_from_tells_the_channel(referrer, expected):
    assert channel(referrer) is expected


@pytest.mark.parametrize(
    "referrer",
    [
        "https://notgoogle.com/",
        "https://google.com.example.org/",
        "https://fox.com/",
        "https://x.com.example.org/",
        "https://wix.com/",
        "https://example.ai/",
        "https://myamazon.de/",
        "https://google.example.org/",
        "https://facebook.com@example.org/",
    ],
)
def test_sources_are_matched_at_the_boundaries_of_hosts(referrer):
    assert channel(referrer) is Channel.REFERRAL


@pytest.mark.parametrize(
    ("referrer", "querystring", "expected"),
    [
        ("https://www.google.com/", "?gclid=abc", Channel.PAID_SEARCH),
        (None, "?gclid=abc", Channel.PAID_SEARCH),
        (None, "page=1&gad_source=1", Channel.PAID_SEARCH),
        (None, "?gbraid=abc", Channel.PAID_SEARCH),
        ("https://www.bing.com/", "?msclkid=abc", Channel.PAID_SEARCH),
        ("https://www.youtube.com/", "?gclid=abc", Channel.PAID_VIDEO),
        (None, "?utm_source=google&utm_medium=cpc", Channel.PAID_SEARCH),
        (None, "?utm_source=Google&utm_medium=PPC", Channel.PAID_SEARCH),
        (None, "?fbclid=abc&utm_medium=paid", Channel.PAID_SOCIAL),
        (None, "?utm_source=facebook&utm_medium=cpc", Channel.PAID_SOCIAL),
        (None, "?utm_source=fb_ads&utm_medium=paid-social", Channel.PAID_SOCIAL),
        (None, "?utm_medium=paidsocial", Channel.PAID_SOCIAL),
        (None, "?utm_source=acme&utm_medium=paid_search", Channel.PAID_SEARCH),
        ("https://www.linkedin.com/", "?utm_medium=sponsored", Channel.PAID_SOCIAL),
        (None, "?ttclid=abc", Channel.PAID_VIDEO),
        (None, "?utm_source=youtube&utm_medium=cpv", Channel.PAID_VIDEO),
        (None, "?utm_source=amazon&utm_medium=ppc", Channel.PAID_SHOPPING),
        (None, "?utm_source=chatgpt.com&utm_medium=paid", Channel.PAID_AI),
        ("https://www.perplexity.ai/", "?utm_medium=cpc", Channel.PAID_AI),
        (None, "?utm_source=google&utm_medium=display", Channel.DISPLAY),
        (None, "?utm_medium=banner", Channel.DISPLAY),
        (None, "?utm_source=acme&utm_medium=cpm", Channel.DISPLAY),
        (None, "?dclid=abc", Channel.DISPLAY),
        (None, "?utm_source=acme&utm_medium=cpc", Channel.UNKNOWN),
        (None, "?utm_medium=cross-network", Channel.CROSS_NETWORK),
        ("https://www.google.com/", "?gclid=a&utm_campaign=Summer%20cross-network", Channel.CROSS_NETWORK),
    ],
)
def test_click_ids_of_paid_visits_decide_first(referrer, querystring, expected):
    assert channel(referrer, querystring) is expected


@pytest.mark.parametrize(
    ("referrer", "querystring", "expected"),
    [
        ("https://l.facebook.com/", "?fbclid=abc", Channel.ORGANIC_SOCIAL),
        (None, "?fbclid=abc", Channel.ORGANIC_SOCIAL),
        (None, "?gclid=&fbclid=", Channel.DIRECT),
        (None, "?mygclid=abc", Channel.DIRECT),
        ("https://blog.example.org/", "?gclid=", Channel.REFERRAL),
    ],
)
def test_other_click_ids_and_empty_ones_are_not_paid(referrer, querystring, expected):
    assert channel(referrer, querystring) is expected


@pytest.mark.parametrize(
    ("referrer", "querystring", "expected"),
    [
        (None, "?utm_source=newsletter", Channel.EMAIL),
        ("https://www.google.com/", "?utm_source=newsletter", Channel.EMAIL),
        (None, "?utm_source=chatgpt.com", Channel.AI),
        (None, "?utm_source=https://www.facebook.com/", Channel.ORGANIC_SOCIAL),
        (None, "?utm_source=ig", Channel.ORGANIC_SOCIAL),
        (None, "?utm_source=instagram_stories", Channel.ORGANIC_SOCIAL),
        (None, "?utm_source=acme&utm_medium=email", Channel.EMAIL),
        ("https://www.facebook.com/", "?utm_source=acme&utm_medium=affiliate", Channel.AFFILIATE),
        (None, "?utm_source=acme&utm_medium=e-mail", Channel.EMAIL),
        (None, "?utm_medium=sms", Channel.SMS),
        (None, "?utm_medium=push", Channel.PUSH),
        (None, "?utm_medium=web_push", Channel.PUSH),
        (None, "?utm_medium=podcast", Channel.AUDIO),
        (None, "?utm_medium=organic", Channel.ORGANIC_SEARCH),
        (None, "?utm_medium=organic-social", Channel.ORGANIC_SOCIAL),
        (None, "?utm_medium=referral", Channel.REFERRAL),
        ("https://blog.example.org/", "?utm_source=acme&utm_medium=whatever", Channel.REFERRAL),
        ("https://www.google.com/", "?utm_source=acme&utm_medium=whatever", Channel.ORGANIC_SEARCH),
        (None, "?utm_source=acme", Channel.DIRECT),
    ],
)
def test_the_source_decides_before_the_medium_and_that_before_the_referrer(referrer, querystring, expected):
    assert channel(referrer, querystring) is expected


@pytest.mark.parametrize(
    ("querystring", "part"),
    [
        ("?utm_source=a&b=1&utm_term=c%20d&utm_id=5&UTM_source=e", "utm_source=a&utm_term=c%20d"),
        ("utm_source", "utm_source"),
        ("a=utm_source=b&gclid=1", None),
        ("", None),
        (None, None),
    ],
)
def test_the_campaign_parameters_of_a_query_are_kept_as_they_are_written(querystring, part):
    assert utm_part(querystring) == part
    assert parse_utm(part) == parse_utm(querystring)


def test_campaign_parameters_are_read_decoded():
    read = parse_utm(
        "?a=1&utm_source=news%20letter&utm_medium=e+mail&utm_campaign=%C3%84nderung&utm_term=&utm_content=a%3Db"
    )

    assert read == Utm(source="news letter", medium="e mail", campaign="Änderung", content="a=b")


@pytest.mark.parametrize(
    "querystring", [None, "", "?", "?a=b", "utm_source", "utm_source=%20", "&&utm_source=%00"]
)
def test_a_query_string_without_a_campaign_has_none(querystring):
    assert parse_utm(querystring) == Utm()


def test_the_first_of_several_values_counts():
    assert parse_utm("utm_source=&utm_source=one&utm_source=two").source == "one"


@given(st.text(max_size=2048), st.text(max_size=2048))
@example("https://" + "a." * 1000, "utm_source=" + "%ED%A0%80" * 200)
@example("https://xn--/", "utm_medium=%00%FF&utm_source=" + "." * 2000)
def test_any_referrer_and_any_query_string_have_a_channel(referrer, querystring):
    campaign = parse_utm(querystring)
    tagged = parse_utm(f"utm_source={querystring}")

    assert channel(referrer, querystring) in Channel
    assert classify(foreign_host(referrer), querystring, tagged) in Channel
    for value in (campaign.source, campaign.medium, tagged.source):
        assert value is None or (value and text_fault(value, maximum=MAX_UTM) is None)


HOST = st.sampled_from([None, *HOSTS]) | st.from_regex(
    r"(mail\.)?[a-z]{1,9}(\.[a-z]{2,9}){1,3}", fullmatch=True
)


@given(HOST, st.sampled_from([None, "", "?", "a=b", "gclid=", "utm_source=", "utm_id=1&utm_medium=%00"]))
def test_a_link_that_says_nothing_has_the_channel_of_a_campaign_without_a_word(host, querystring):
    # An equal value that is not the constant is asked for its source, medium and name like any other.
    assert classify(host, querystring, parse_utm(querystring)) is classify(host, querystring, Utm())


def test_channels_keep_the_names_that_are_stored():
    assert ", ".join(Channel) == NAMES


def test_every_channel_can_be_reached():
    reached = {
        channel(None, f"utm_source={word}&utm_medium={medium}")
        for word in ("google", "facebook", "youtube", "amazon", "chatgpt", "acme")
        for medium in (
            "",
            "cpc",
            "email",
            "sms",
            "push",
            "audio",
            "affiliate",
            "display",
            "cross-network",
            "link",
        )
    }

    assert reached == set(Channel)


def test_no_word_is_written_under_two_kinds():
    words = [word for kind in SOURCES.values() for word in kind.split()]

    assert sorted(words) == sorted(set(words))


def test_every_kind_has_hosts_and_every_host_can_be_one():
    assert set(HOSTS.values()) == set(SourceKind)
    assert [host for host in HOSTS if foreign_host(f"https://{host}/") != host] == []


@pytest.mark.parametrize(
    ("referrer", "querystring"),
    [
        (None, None),
        ("https://www.google.com/search?q=x", None),
        ("https://a.long.way.down.example.org/page", "?page=2&sort=name"),
        (None, "?utm_source=google&utm_medium=cpc&utm_campaign=spring%20sale&utm_content=a&gclid=Cj0KCQjw"),
    ],
)
def test_a_channel_is_cheap(referrer, querystring):
    assert seconds(lambda: channel(referrer, querystring), number=1000) < 500e-6


@pytest.mark.parametrize(
    "querystring", ["&" * 2048, "utm_source=" + "a." * 1000, "utm_medium=" + "-paid" * 400]
)
def test_no_query_string_takes_long(querystring):
    assert seconds(lambda: channel("https://" + "a." * 1000, querystring), number=1) < 0.05


def seconds(run, *, number):
    """Return the processor's time for one run, the best of five: what the machine does besides is not our cost."""
    return min(timeit.repeat(run, timer=time.process_time, number=number, repeat=5)) / number

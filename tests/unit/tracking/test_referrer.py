"""Hosts of referrers."""

import pytest

from footfall.domain.tracking.acquisition.referrer import referrer_host


@pytest.mark.parametrize(
    ("referrer", "host"),
    [
        ("https://news.example/a?b#c", "news.example"),
        ("https://WWW.News.Example", "news.example"),
        ("https://news.example?q=https://other.example/", "news.example"),
        ("https://news.example#top", "news.example"),
        ("http://localhost:3000/a", "localhost:3000"),
        ("http://[2001:db8::1]:80/", "[2001:db8::1]:80"),
        ("android-app://com.example.mail/", "com.example.mail"),
        ("news.example/a", "news.example"),
        ("https://www.www.example/", "www.example"),
        ("https://bücher.example/", "bücher.example"),
        # Without a host, the text stands for itself.
        ("https:///a", "https:///a"),
        ("/a", "/a"),
        ("", ""),
    ],
)
def test_a_referrer_has_a_host(referrer, host):
    assert referrer_host(referrer) == host

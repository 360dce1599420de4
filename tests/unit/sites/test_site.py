"""Sites and their configuration."""

import pytest
from attrs import fields

from footfall.domain.event_stream import fold
from footfall.domain.exceptions import Invalid, SiteNotFound
from footfall.domain.sites import site
from footfall.domain.sites.configuration import SETTINGS, ConfigChanges, ListSetting
from footfall.domain.sites.sharing import private_link_key
from footfall.domain.sites.sharing.private_link_key import PrivateLinkGenerated, PrivateLinkRevoked
from footfall.domain.sites.site import (
    MonthlyLimitSet,
    SiteConfigured,
    SiteDeleted,
    SiteRegistered,
    SiteRenamed,
)

DEFAULTS = {"public_id": "0123456789ab", "organization_id": "1", "name": "Shop", "created_by": "1"}


def shop(*events):
    registered = site.register(7, domain="shop.example.com", **DEFAULTS)
    return fold(site.apply, [*registered, *events])


def test_changes_can_name_each_setting_and_show_those_that_they_name():
    assert [one.name for one in fields(ConfigChanges)] == [*SETTINGS]
    assert repr(ConfigChanges(time_zone="UTC", public=False)) == (
        "ConfigChanges(public=False, time_zone='UTC')"
    )


def test_a_site_begins_with_the_defaults():
    config = shop().config

    on = {name for name in SETTINGS if getattr(config, name) is True}
    assert on == {
        "block_bots",
        "web_vitals",
        "track_errors",
        "track_outbound",
        "track_url_params",
        "show_visits",
    }
    assert (config.excluded_ips, config.excluded_countries, config.embed_origins) == ((), (), ())


@pytest.mark.parametrize(
    ("typed", "domain"),
    [
        ("https://www.Example.com:8080/path?q", "example.com"),
        ("www.de", "www.de"),
        ("localhost:3000", "localhost"),
        ("münchen.de", "xn--mnchen-3ya.de"),
        ("STRASSE.münchen.de", "strasse.xn--mnchen-3ya.de"),
        ("Straße.de", "xn--strae-oqa.de"),
        ("βόλος.com", "xn--nxasmm1c.com"),
        ("192.0.2.1:80", "192.0.2.1"),
        ("[2001:db8::1]:80", "2001:db8::1"),
        ("2001:db8::1", "2001:db8::1"),
        ("example.com.", "example.com"),
    ],
)
def test_a_domain_is_kept_as_its_host(typed, domain):
    [registered] = site.register(1, domain=typed, **DEFAULTS)

    assert registered.domain == domain


@pytest.mark.parametrize(
    "typed", ["", " ", "a b", "http://", "-a.com", "a..b", "x" * 254, "http://[::1", "a/b c"]
)
def test_what_is_no_host_is_refused(typed):
    if typed == "a/b c":
        assert site.register(1, domain=typed, **DEFAULTS)[0].domain == "a"
        return
    with pytest.raises(Invalid) as caught:
        site.register(1, domain=typed, **DEFAULTS)

    assert list(caught.value.field_errors) == ["domain"]


def test_a_site_may_begin_with_settings():
    events = site.register(1, domain="a.com", changes=ConfigChanges(public=True, block_bots=True), **DEFAULTS)

    assert [type(event) for event in events] == [SiteRegistered, SiteConfigured]
    assert events[1] == SiteConfigured(ConfigChanges(public=True))


def test_only_what_really_changes_is_named():
    events = site.configure(shop(), ConfigChanges(public=True, block_bots=True))

    assert events == [SiteConfigured(ConfigChanges(public=True))]


def test_two_changes_of_different_settings_both_survive():
    state = shop(SiteConfigured(ConfigChanges(public=True)), SiteConfigured(ConfigChanges(block_bots=False)))

    assert (state.config.public, state.config.block_bots) == (True, False)


def test_repeated_definition_gives_no_event():
    link = PrivateLinkGenerated("digest", "sealed")

    assert site.configure(shop(), ConfigChanges(block_bots=True)) == []
    assert site.rename(shop(), name="Shop") == []
    assert site.limit_pageviews(shop(MonthlyLimitSet(5)), 5) == []
    assert private_link_key.revoke(shop(link, PrivateLinkRevoked()).private_link) == []


def test_an_entry_joins_the_list_that_is_there():
    first = shop(*site.add_entries(shop(), ListSetting.EXCLUDED_IPS, ["192.0.2.1"]))

    both = shop(*site.add_entries(first, ListSetting.EXCLUDED_IPS, ["::ffff:192.0.2.2", "192.0.2.1"]))

    assert both.config.excluded_ips == ("192.0.2.1", "192.0.2.2")


def test_one_entry_leaves_a_list_and_the_others_stay():
    state = shop(*site.add_entries(shop(), ListSetting.EXCLUDED_COUNTRIES, ["de", "fr"]))

    without = site.remove_entry(state, ListSetting.EXCLUDED_COUNTRIES, "DE")

    assert without == [SiteConfigured(ConfigChanges(excluded_countries=("FR",)))]
    assert site.remove_entry(state, ListSetting.EXCLUDED_COUNTRIES, "IT") == []


def test_an_entry_leaves_a_list_in_which_others_were_accepted_that_are_refused_by_now():
    state = shop(SiteConfigured(ConfigChanges(excluded_countries=("ZZ", "QQ", "DE"))))

    without = site.remove_entry(state, ListSetting.EXCLUDED_COUNTRIES, "ZZ")

    assert without == [SiteConfigured(ConfigChanges(excluded_countries=("QQ", "DE")))]


def test_an_entry_that_cannot_be_read_leaves_the_list_as_it_is():
    with pytest.raises(Invalid, match="nonsense"):
        site.add_entries(shop(), ListSetting.EMBED_ORIGINS, ["blog.example", "nonsense nonsense"])


def test_no_setting_at_all_is_refused():
    with pytest.raises(Invalid, match="No fields to update"):
        site.configure(shop(), ConfigChanges())


def test_a_link_replaces_the_one_before_and_is_in_no_repr():
    new = private_link_key.generate(digest="new-digest", sealed="new-text")
    state = shop(PrivateLinkGenerated("old", "old"), *new)

    assert [state.private_link] == new == [PrivateLinkGenerated("new-digest", "new-text")]
    assert "new-" not in repr(state) + repr(new)


def test_names_domains_and_limits_change():
    state = shop(*site.rename(shop(), domain="https://b.com"), *site.limit_pageviews(shop(), 100))

    assert (state.name, state.domain, state.monthly_limit) == ("Shop", "b.com", 100)
    assert site.rename(shop(), name="B") == [SiteRenamed("B", "shop.example.com")]


def test_retention_changes_and_ends():
    month = shop(*site.retain(shop(), 30))

    assert (shop().retention_days, month.retention_days) == (None, 30)
    assert site.retain(month, 30) == []
    assert shop(*site.retain(shop(), 30), *site.retain(month, None)).retention_days is None


@pytest.mark.parametrize("days", [0, -1, 3651])
def test_a_retention_of_no_time_or_of_too_much_is_refused(days):
    with pytest.raises(Invalid):
        site.retain(shop(), days)


@pytest.mark.parametrize("limit", [-1, 1_000_000_000_001, 10**23])
def test_a_limit_below_zero_or_beyond_counting_is_refused(limit):
    with pytest.raises(Invalid):
        site.limit_pageviews(shop(), limit)


@pytest.mark.parametrize(
    "decide",
    [
        site.delete,
        lambda state: site.configure(state, ConfigChanges(public=True)),
        lambda state: site.limit_pageviews(state, 1),
        lambda state: site.retain(state, 30),
        lambda state: site.change_part(state, lambda _: private_link_key.generate(digest="d", sealed="s")),
        lambda state: site.rename(state, name="x"),
    ],
)
@pytest.mark.parametrize("state", [None, shop(SiteDeleted())])
def test_a_site_that_does_not_exist_cannot_be_changed(state, decide):
    with pytest.raises(SiteNotFound):
        decide(state)

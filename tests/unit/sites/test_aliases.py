"""The names by which scripts of other services call a site."""

from functools import reduce

import pytest

from footfall.domain.exceptions import AliasNotFound, Invalid, TooManyAliases
from footfall.domain.sites import aliases
from footfall.domain.sites.aliases import MAX_ALIASES, SiteAliased, SiteAliasRemoved


def test_an_alias_is_kept_in_small_letters():
    assert aliases.add((), "Shop.Example") == [SiteAliased("shop.example")]


@pytest.mark.parametrize("name", ["7", "7c6ee6e2-8a3a-4a1c-9d63-5b4d1f6b2a10", "a.example/blog", "a" * 253])
def test_an_alias_is_printable_text(name):
    assert aliases.add((), name) == [SiteAliased(name)]


@pytest.mark.parametrize("name", ["", " a", "a ", "a\n", "é", "a\0", "a" * 254, "\ud800"])
def test_other_names_are_refused(name):
    with pytest.raises(Invalid) as caught:
        aliases.add((), name)

    assert list(caught.value.field_errors) == ["alias"]


def test_an_alias_that_is_there_changes_nothing():
    assert aliases.add(("shop.example",), "SHOP.example") == []


def test_a_site_has_at_most_50():
    present = tuple(map(str, range(MAX_ALIASES)))

    assert aliases.add(present, "7") == []
    with pytest.raises(TooManyAliases, match="at most 50 aliases"):
        aliases.add(present, "another")


def test_an_alias_is_removed_however_it_is_written():
    assert aliases.remove(("a", "b"), "A") == [SiteAliasRemoved("a")]


def test_an_alias_that_is_not_there_is_not_removed():
    with pytest.raises(AliasNotFound):
        aliases.remove(("a",), "b")


def test_aliases_stand_in_the_order_in_which_they_came():
    events = [SiteAliased("b"), SiteAliased("a"), SiteAliased("c"), SiteAliasRemoved("b"), SiteAliased("b")]

    assert reduce(aliases.apply, events, ()) == ("a", "c", "b")

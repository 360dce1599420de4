"""Links of a site that show some of its reports."""

from datetime import timedelta

import pytest
from attrs import evolve

from footfall.domain.event_stream import fold
from footfall.domain.examples import NOON
from footfall.domain.exceptions import Invalid, SegmentShared, SharedLinkNotFound, TooManySharedLinks
from footfall.domain.sites import site
from footfall.domain.sites.segment import Segment, Segments
from footfall.domain.sites.sharing import shared_links
from footfall.domain.sites.sharing.private_link_key import PrivateLinkGenerated, PrivateLinkRevoked
from footfall.domain.sites.sharing.shared_links import (
    MAX_LINKS,
    LinkTerms,
    SharedLinkChanged,
    SharedLinkMade,
    SharedLinkRevoked,
    SharedLinks,
    SharedPanel,
)

TERMS = LinkTerms(name="Agency", panels=("pages", "goals"))
SEGMENTS = Segments({1: Segment("France", None, ()), 2: Segment("Mine", "7", ())}, 2)


def with_(*terms):
    state = SharedLinks()
    for one in terms:
        for event in made(state, one):
            state = shared_links.apply(state, event)
    return state


def made(state, terms=TERMS):
    return shared_links.make(state, SEGMENTS, terms, digest="d", sealed="s", now=NOON)


def changed(state, now=NOON, **changes):
    return shared_links.change(state, SEGMENTS, 1, lambda terms: evolve(terms, **changes), now=now)


def test_a_link_has_the_overview_and_its_panels_in_their_order():
    assert with_(TERMS).present[1].terms.panels == ("overview", "goals", "pages")


def test_a_link_without_panels_has_the_overview():
    assert with_(LinkTerms(name="Press")).present[1].terms.panels == ("overview",)


def test_the_number_of_a_revoked_link_is_not_used_again():
    state = with_(TERMS, TERMS)
    for event in shared_links.revoke(state, 2):
        state = shared_links.apply(state, event)

    [event] = made(state)

    assert (list(state.present), event.number) == ([1], 3)


def test_a_link_is_open_until_its_end():
    link = with_(evolve(TERMS, ends_at=NOON + timedelta(days=1))).present[1]

    assert link.is_open(NOON + timedelta(hours=23))
    assert not link.is_open(NOON + timedelta(days=1))


@pytest.mark.parametrize(
    ("terms", "named"),
    [
        ({"name": " "}, "name"),
        ({"panels": ("visits",)}, "panels"),
        ({"segment": 2}, "segmentId"),
        ({"segment": 3}, "segmentId"),
        ({"ends_at": NOON}, "endsAt"),
    ],
)
def test_terms_that_break_a_rule_are_refused_by_name(terms, named):
    with pytest.raises(Invalid) as new:
        made(SharedLinks(), evolve(TERMS, **terms))
    with pytest.raises(Invalid) as change:
        changed(with_(TERMS), **terms)

    assert list(new.value.field_errors) == list(change.value.field_errors) == [named]


def test_an_end_that_stays_may_be_over():
    end = NOON + timedelta(days=1)
    state = with_(evolve(TERMS, ends_at=end))

    [event] = changed(state, NOON + timedelta(days=2), name="Old")

    assert event.terms == evolve(state.present[1].terms, name="Old")
    assert event.terms.ends_at == end


def test_the_same_terms_again_change_nothing():
    assert changed(with_(TERMS), name="Agency ", panels=("goals", "pages")) == []


def test_a_change_keeps_the_key():
    state = with_(TERMS)
    for event in changed(state, name="Firm"):
        state = shared_links.apply(state, event)

    link = state.present[1]

    assert (link.terms.name, link.digest, link.sealed) == ("Firm", "d", "s")


def test_a_site_has_at_most_fifty_links():
    state = with_(*[TERMS] * MAX_LINKS)

    with pytest.raises(TooManySharedLinks):
        made(state)


def test_what_is_not_there_is_neither_changed_nor_revoked():
    with pytest.raises(SharedLinkNotFound):
        changed(SharedLinks())
    with pytest.raises(SharedLinkNotFound):
        shared_links.revoke(SharedLinks(), 1)


def test_a_shared_segment_is_named_with_its_links():
    state = with_(evolve(TERMS, segment=1))

    with pytest.raises(SegmentShared, match="Agency"):
        shared_links.require_unshared(state, 1)
    shared_links.require_unshared(state, 2)


def test_the_history_of_a_site_may_have_a_change_of_a_link_that_is_not_there():
    events = [SharedLinkChanged(7, TERMS), SharedLinkRevoked(7, "Agency")]

    assert fold(shared_links.apply, events, SharedLinks()).present == {}


def test_the_private_link_and_the_others_are_revoked_apart():
    [registered] = site.register(
        1, public_id="p", organization_id="1", name="S", domain="example.com", created_by="1"
    )
    private, other = PrivateLinkGenerated("p", "p"), SharedLinkMade(1, TERMS, "d", "s")

    without_private = fold(site.apply, [registered, private, other, PrivateLinkRevoked()])
    without_other = fold(site.apply, [registered, private, other, SharedLinkRevoked(1, "Agency")])

    assert (without_private.private_link, list(without_private.links.present)) == (None, [1])
    assert (without_other.private_link, without_other.links.present) == (private, {})


def test_a_link_opens_what_it_names_and_keys_are_in_no_text():
    link = with_(TERMS).present[1]

    assert link.terms.opens(SharedPanel.PAGES)
    assert not link.terms.opens(SharedPanel.ERRORS)
    assert "'d'" not in repr([link, SharedLinkMade(1, TERMS, "d", "s")])

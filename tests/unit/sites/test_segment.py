"""Segments of a site."""

import pytest

from footfall.domain.event_stream import fold
from footfall.domain.exceptions import Invalid, SegmentNotFound, SiteNotFound, TooManySegments
from footfall.domain.sites import segment, site
from footfall.domain.sites.segment import Condition, SegmentDeleted, Segments

PHONES = (Condition("device_type", "equals", ("mobile",)),)
TABLETS = (Condition("device_type", "equals", ("tablet",)),)


def with_(*decisions):
    state = Segments()
    for decide in decisions:
        for event in decide(state):
            state = segment.apply(state, event)
    return state


def defined(name="Phones", owner=None):
    return lambda state: segment.define(state, name=name, owner=owner, conditions=PHONES)


def deleted(number):
    return lambda state: segment.delete(state, number)


def test_number_of_a_deleted_segment_is_not_used_again():
    state = with_(defined(), defined("Other"), deleted(2), defined("Third"))

    assert list(state.present) == [1, 3]


def test_segment_is_replaced_as_a_whole_and_keeps_its_owner():
    state = with_(
        defined(owner="7"),
        lambda state: segment.redefine(state, 1, name="Tablets", conditions=TABLETS),
    )

    assert (state.present[1].name, state.present[1].owner, state.present[1].conditions) == (
        "Tablets",
        "7",
        TABLETS,
    )


def test_unchanged_segment_gives_no_event():
    assert segment.redefine(with_(defined()), 1, name="Phones", conditions=PHONES) == []


def test_unknown_segments_are_not_found():
    state = with_(defined())

    with pytest.raises(SegmentNotFound):
        segment.delete(state, 2)
    with pytest.raises(SegmentNotFound):
        segment.redefine(state, 2, name="Mine", conditions=PHONES)


@pytest.mark.parametrize("name", ["", " ", "x" * 101, "a\0"])
def test_name_has_its_limits(name):
    with pytest.raises(Invalid) as refusal:
        defined(name)(Segments())

    assert list(refusal.value.field_errors) == ["name"]


def test_site_and_each_user_have_a_limit_of_their_own():
    full = with_(*[defined(owner="7")] * segment.MAX_SEGMENTS)

    with pytest.raises(TooManySegments):
        defined(owner="7")(full)
    assert len(defined(owner="8")(full)) == len(defined()(full)) == 1


def test_history_with_a_change_of_a_missing_segment_is_accepted():
    assert segment.apply(Segments(), SegmentDeleted(3)) == Segments()


def test_segments_belong_to_an_existing_site():
    registered = site.register(
        7, public_id="0123456789ab", organization_id="1", name="S", domain="s.example", created_by="1"
    )
    state = fold(site.apply, registered)
    events = site.change_part(state, lambda known: defined()(known.segments))

    assert list(fold(site.apply, events, state).segments.present) == [1]
    with pytest.raises(SiteNotFound):
        site.change_part(None, lambda known: defined()(known.segments))

"""Access to segments."""

import pytest
from attrs import evolve

from footfall.application.access.segments import changeable_segment, visible_segments
from footfall.domain.exceptions import AccessDenied, SegmentNotFound
from footfall.domain.sites import site
from footfall.domain.sites.segment import Segment, Segments

OWN, SHARED = Segment("Own", "7", ()), Segment("Shared", None, ())


@pytest.fixture
def shop():
    registered, *_ = site.register(
        1, public_id="a", organization_id="1", name="A", domain="a.example", created_by="1"
    )
    return evolve(site.apply(None, registered), segments=Segments({1: OWN, 2: SHARED}, 2))


@pytest.mark.parametrize(("user_id", "visible"), [("7", [1, 2]), ("8", [2]), (None, [2])])
def test_a_personal_segment_is_visible_to_its_owner_only(shop, user_id, visible):
    assert list(visible_segments(shop, user_id)) == visible


def test_a_viewer_changes_only_an_own_segment(shop):
    assert changeable_segment(shop, 1, "7", edits=False) is OWN
    with pytest.raises(AccessDenied):
        changeable_segment(shop, 2, "7", edits=False)


def test_a_member_changes_the_segments_of_the_site_and_none_of_another_user(shop):
    assert changeable_segment(shop, 2, "8", edits=True) is SHARED
    with pytest.raises(SegmentNotFound):
        changeable_segment(shop, 1, "8", edits=True)
    with pytest.raises(SegmentNotFound):
        changeable_segment(shop, 3, "8", edits=True)

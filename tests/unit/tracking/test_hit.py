"""Hits as values."""

from attrs import asdict, evolve

from footfall.domain.examples import a_full_hit
from footfall.domain.tracking.hit import DeviceType, Hit, HitType


def test_hits_that_say_the_same_are_one_in_a_set():
    hit = evolve(a_full_hit(), properties=None)

    assert {hit, Hit(**asdict(hit)), evolve(hit, pathname="/other")} == {hit, evolve(hit, pathname="/other")}


def test_a_changed_hit_is_another_one():
    hit = a_full_hit()
    before = asdict(hit)

    changed = evolve(hit, pathname="/other")

    assert (asdict(hit), asdict(changed)) == (before, before | {"pathname": "/other"})


def test_types_and_devices_keep_the_names_that_are_stored():
    assert [*HitType] == ["pageview", "custom_event", "performance", "outbound", "error"]
    assert [*DeviceType] == ["desktop", "mobile", "tablet", "tv", "console", "bot", "unknown"]

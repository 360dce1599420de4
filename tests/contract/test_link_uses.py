"""The contract of LinkUses."""

from datetime import date

DAY, NEXT = date(2026, 3, 14), date(2026, 3, 15)


async def test_links_are_known_by_their_site(link_uses):
    await link_uses.record({(1, "a"): DAY, (1, "b"): NEXT, (2, "a"): NEXT})

    assert await link_uses.of_site(1) == {"a": DAY, "b": NEXT}
    assert await link_uses.of_site(3) == {}


async def test_the_later_day_stays(link_uses):
    await link_uses.record({(1, "b"): NEXT, (1, "a"): DAY})
    await link_uses.record({(1, "a"): NEXT, (1, "b"): DAY})

    assert await link_uses.of_site(1) == {"a": NEXT, "b": NEXT}


async def test_no_use_is_recorded(link_uses):
    await link_uses.record({})

    assert await link_uses.of_site(1) == {}

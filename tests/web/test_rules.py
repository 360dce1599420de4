"""Every page names its rule of access."""

from footfall.application.access.authorization import Access
from tests.routes import page_routes, rule_of


async def test_every_page_declares_its_access_rule(world):
    found = page_routes(world.app)

    assert len(found) >= 25
    assert [route[:2] for route in found if not isinstance(rule_of(route[2], route[1]), Access)] == []

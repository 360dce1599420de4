"""Every page names its rule of access."""

from footfall.application.access import Access
from tests.routes import routes, rule_of


async def test_every_page_names_its_rule(world):
    found = routes(world.app)

    assert len(found) >= 25
    assert [route[:2] for route in found if not isinstance(rule_of(route[2], route[1]), Access)] == []

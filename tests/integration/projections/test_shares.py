"""Rebuilds: read models that two projectors fill side by side are those that one has filled."""

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.postgres.projections.read_models import READ_MODELS
from footfall.adapters.postgres.projections.rebuild import Rebuild
from tests import histories
from tests.conditions import RULES
from tests.failing import failing
from tests.generated import examples
from tests.stores.stored import project_in_slices

LOGS = (
    histories.histories(max_size=60)
    | histories.dense_histories()
    | histories.nightly_histories()
    | histories.long_histories()
)


@examples(20)
@given(
    log=failing(LOGS),
    rules=st.lists(RULES, max_size=3),
    seed=st.integers(),
    size=st.integers(1, 10),
)
async def test_shares_of_the_visitors_add_up_to_all_of_them(stored, log, rules, seed, size):
    await stored.empty()
    for rule in rules:
        await stored.define(rule)
    await stored.append(log)
    await project_in_slices(stored, seed)

    async with Rebuild.begun(
        stored.url, lambda schema: stored.new_projector(schema=schema, size=size)
    ) as rebuilt:
        await rebuilt.replay(lambda *_: None)
        differences = await rebuilt.differences()

    assert differences == dict.fromkeys(READ_MODELS, 0)

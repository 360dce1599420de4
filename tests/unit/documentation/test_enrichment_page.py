"""The pages about what is found out of visitors are complete, and their example works."""

import re
from pathlib import Path

import pytest

from footfall.adapters.user_agent.bot_detection import TOO_BROAD
from footfall.domain.tracking.acquisition.channel import Channel
from footfall.domain.tracking.acquisition.click_ids import PAID_CLICK_IDS
from footfall.domain.tracking.hit import DeviceType

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "track" / "enrichment.md").read_text()
RULES = (DOCS / "internals" / "recognition.md").read_text()


@pytest.mark.parametrize("word", [*Channel, *DeviceType, *PAID_CLICK_IDS])
def test_the_page_names_every_channel_kind_of_device_and_paid_mark(word):
    assert f"`{word}`" in PAGE


def test_the_example_of_the_rules_works():
    (example,) = re.findall(r"```python\n(.*?)```", RULES, re.DOTALL)

    exec(compile(example, "docs/internals/recognition.md", "exec"), {})


def test_the_list_of_crawlers_lacks_about_as_many_patterns_as_the_rules_say():
    assert 10 <= len(TOO_BROAD) <= 14

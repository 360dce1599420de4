"""The page about how visitors are recognised has the table of known bots."""

from pathlib import Path

from footfall.domain.bots.bot_names import KNOWN

PAGE = Path(__file__).parents[3] / "docs" / "internals" / "recognition.md"


def test_the_page_has_every_known_bot_with_its_operator_and_purpose():
    rows = [line.strip("| ").split(" | ") for line in PAGE.read_text().splitlines() if line.count(" | ") == 2]

    written = {(bot, operator, purpose) for operator, purpose, bots in rows[1:] for bot in bots.split(", ")}

    assert written == {(bot.name, bot.operator, bot.purpose.value) for bot in KNOWN.values()}

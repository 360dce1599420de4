"""A class is found by its name: no two modules have classes of one name."""

import re
from collections import Counter
from pathlib import Path

from footfall import adapters, application, domain, entrypoints

ROOMS = [Path(str(room.__file__)).parent for room in (domain, application, adapters, entrypoints)]
CLASS = re.compile(r"^class (\w+)", re.MULTILINE)


def test_no_two_modules_have_classes_of_one_name():
    names = Counter(
        name
        for room in ROOMS
        for path in room.rglob("*.py")
        for name in CLASS.findall(path.read_text("utf-8"))
    )

    assert [name for name, number in names.items() if number > 1] == []

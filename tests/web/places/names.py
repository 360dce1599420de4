"""Writes adapters/web/places/names.json from the English names of countries and languages in the Unicode CLDR.

`npm install --no-save cldr-localenames-full` in a folder makes its `node_modules`, which
`python -m tests.web.places.names node_modules` reads.
"""

import json
import sys
from pathlib import Path
from typing import Any

from footfall.adapters.web.places.place_names import FILE
from footfall.domain.sites.excluded_addresses import COUNTRIES


def main(packages: Path) -> None:
    """Write the names from the package that npm installed: of countries, and of languages by their tags."""
    countries = {code: name for code, name in _names(packages, "territories").items() if code in COUNTRIES}
    languages = {tag: name for tag, name in _names(packages, "languages").items() if "-alt-" not in tag}
    lines = [
        f'"{kind}":{json.dumps(dict(sorted(names.items())), ensure_ascii=False, separators=(",", ":"))}'
        for kind, names in {"country": countries, "language": languages}.items()
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _names(packages: Path, kind: str) -> dict[str, str]:
    source = packages / "cldr-localenames-full" / "main" / "en" / f"{kind}.json"
    names: dict[str, Any] = json.loads(source.read_text(encoding="utf-8"))["main"]["en"]["localeDisplayNames"]
    return names[kind]


if __name__ == "__main__":
    main(Path(sys.argv[1]))

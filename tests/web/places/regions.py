"""Writes adapters/web/places/regions.json from the English names of regions in the Unicode CLDR.

`npm install --no-save cldr-subdivisions-full` in a folder makes its `node_modules`, which
`python -m tests.web.places.regions node_modules` reads.
"""

import json
import sys
from pathlib import Path

from footfall.adapters.web.places.region_names import FILE
from footfall.domain.sites.excluded_addresses import COUNTRIES

# Numbers that tell equal names within a country apart in the source.
_NOTES = "²³"


def main(packages: Path) -> None:
    """Write the names from the package that npm installed: by country, then by the code of ISO 3166-2 after it."""
    source = packages / "cldr-subdivisions-full" / "subdivisions" / "en" / "en.json"
    found = json.loads(source.read_text(encoding="utf-8"))["subdivisions"]["localeDisplayNames"][
        "subdivisions"
    ]
    names: dict[str, dict[str, str]] = {}
    for key, name in sorted(found.items()):
        country, region = key[:2].upper(), key[2:].upper()
        if country in COUNTRIES and region:
            names.setdefault(country, {})[region] = name.rstrip(_NOTES)
    lines = [
        f'"{country}":{json.dumps(regions, ensure_ascii=False, separators=(",", ":"))}'
        for country, regions in names.items()
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

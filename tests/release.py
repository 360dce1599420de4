"""Makes a release of the last commit in `dist`: the packages, what each of them brings along, and their digests.

`make release` runs it. The same commit gives the same files.
"""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

CLIENTS = ("browser", "node", "vite")
DIST = Path("dist")
MIT = {"license": {"id": "MIT"}}
# A package of a lock; what follows the version says on which machines it is installed.
LOCKED = re.compile(r"^([a-z0-9-]+)==([^ \\;]+)( ;)?", re.MULTILINE)


def git(*arguments: str) -> str:
    """Return what git says about the folder."""
    return subprocess.run(["git", *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def export(folder: Path) -> None:
    """Write the files of the last commit, and no others, into a folder."""
    archive = subprocess.run(["git", "archive", "HEAD"], check=True, stdout=subprocess.PIPE).stdout
    folder.mkdir()
    # The filter of `tarfile` came with Python 3.11.4, and without one later versions warn.
    subprocess.run(["tar", "--extract", "--directory", str(folder)], check=True, input=archive)


def refuse_unless_released_as(version: str) -> None:
    """End with a line where the files are not those of the commit, or its tags are not those of the version."""
    if git("status", "--porcelain"):
        sys.exit("The tree has changes that are not committed: a release is made of a commit.")
    tag = f"v{version}"
    expected = [tag] if git("tag", "--list", tag) else []
    if (found := git("tag", "--points-at", "HEAD", "--list", "v*").split()) != expected:
        sys.exit(f"The version is {version}, and the commit has the tags {found} instead of {expected}.")


def bill_of_service(lock: str, version: str, made_at: str) -> dict[str, Any]:
    """Return the packages of a lock as a CycloneDX document."""
    service = {"type": "application", "bom-ref": "footfall", "name": "footfall", "version": version}
    packages = [
        {
            "type": "library",
            "bom-ref": f"{name}@{found}",
            "name": name,
            "version": found,
            "scope": "optional" if marker else "required",
            "purl": f"pkg:pypi/{name}@{found}",
        }
        for name, found, marker in LOCKED.findall(lock)
    ]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": made_at,
            "component": service | {"purl": f"pkg:pypi/footfall@{version}", "licenses": [MIT]},
        },
        "components": packages,
    }


def bill_of_client(folder: Path, made_at: str) -> dict[str, Any]:
    """Return the packages that a client of npm brings along, as npm names them in a CycloneDX document."""
    command = ["npm", "sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--omit", "dev"]
    printed = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE).stdout
    bill: dict[str, Any] = json.loads(printed)
    # Of the run, not of the release.
    del bill["serialNumber"]
    bill["metadata"]["timestamp"] = made_at
    return bill


def build(source: Path, version: str, seconds: str) -> None:
    """Fill `dist` from the files of a commit, which was made so many seconds after 1970."""
    environment = os.environ | {"SOURCE_DATE_EPOCH": seconds}
    wheel = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(DIST), str(source)]
    subprocess.run(wheel, env=environment, check=True, stdout=subprocess.DEVNULL)
    made_at = datetime.fromtimestamp(int(seconds), UTC).isoformat().replace("+00:00", "Z")
    bills = {"footfall": bill_of_service((source / "requirements.lock").read_text(), version, made_at)}
    for client in CLIENTS:
        folder = source / "clients" / client
        if address := os.environ.get("RELEASE_REPOSITORY"):
            # npm publishes with provenance what names the repository that it comes from.
            field = {"type": "git", "url": f"git+{address}.git", "directory": f"clients/{client}"}
            subprocess.run(
                ["npm", "pkg", "set", "--json", f"repository={json.dumps(field)}"], cwd=folder, check=True
            )
        bills[f"footfall-{client}"] = bill_of_client(folder, made_at)
        pack = ["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", str(DIST.resolve())]
        subprocess.run(pack, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    for name, bill in bills.items():
        (DIST / f"{name}-{version}.cdx.json").write_text(json.dumps(bill, indent=1) + "\n")
    lines = [f"{sha256(one.read_bytes()).hexdigest()}  {one.name}\n" for one in sorted(DIST.iterdir())]
    (DIST / "SHA256SUMS").write_text("".join(lines))


def main() -> None:
    """Make the release, or end with the line that says why not."""
    with TemporaryDirectory() as folder:
        source = Path(folder) / "footfall"
        export(source)
        version = runpy.run_path(str(source / "src/footfall/__init__.py"))["__version__"]
        refuse_unless_released_as(version)
        shutil.rmtree(DIST, ignore_errors=True)
        DIST.mkdir()
        build(source, version, git("log", "-1", "--format=%ct"))
    sys.stdout.write(f"{DIST}: {', '.join(sorted(one.name for one in DIST.iterdir()))}\n")


if __name__ == "__main__":
    main()

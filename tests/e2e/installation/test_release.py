"""What `make release` makes of a fresh clone, and the installed wheel outside the checkout."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from hashlib import sha256
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

import footfall
from tests.e2e.service import running
from tests.waiting import LONG

VERSION = footfall.__version__
CLIENTS = [f"footfall-{name}-{VERSION}" for name in ("browser", "node", "vite")]
WHEEL, SOURCES = f"footfall-{VERSION}-py3-none-any.whl", f"footfall-{VERSION}.tar.gz"
# Folders of the package that the wheel takes from others of the repository.
MOVED = {"footfall/client/": "clients/python/", "footfall/__init__.py": "src/footfall/__init__.py"}


def git(folder, *arguments):
    command = ["git", "-c", "user.name=Test", "-c", "user.email=test@example.com", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def clone(project, tmp_path_factory):
    if shutil.which("git") is None or not (project / ".git").exists():
        pytest.skip("this is no checkout")
    folder = tmp_path_factory.mktemp("release") / "clone"
    git(folder.parent, "clone", "--quiet", "--no-tags", str(project), str(folder))
    return folder


def released(clone):
    """Run the target with the environment of the tests, which has the packages of the lock."""
    here = Path(sys.prefix)
    return subprocess.run(
        ["make", "--silent", f"VENV={here}", f"--assume-old={here}/.dev", "release"],
        cwd=clone,
        env=os.environ | {"PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.fixture(scope="module")
def dist(clone):
    made = released(clone)
    assert made.returncode == 0, made.stderr
    return clone / "dist"


@pytest.fixture(scope="module")
def python(dist):
    """Return the Python of an environment with the library alone, outside the checkout."""
    # Not a folder of pytest's: as root, PostgreSQL runs as a user to whom those are closed.
    with tempfile.TemporaryDirectory(prefix="footfall-wheel-", ignore_cleanup_errors=True) as name:
        subprocess.run([sys.executable, "-m", "venv", f"{name}/venv"], check=True, timeout=240)
        python = Path(name) / "venv" / "bin" / "python"
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", dist / WHEEL]
        subprocess.run(install, check=True, timeout=240)
        yield python


def names_in(archive):
    if archive.suffix == ".whl":
        return [name for name in zipfile.ZipFile(archive).namelist() if ".dist-info/" not in name]
    with tarfile.open(archive) as files:
        return [name.partition("/")[2] for name in files.getnames()]


def texts_in(archive):
    if archive.suffix == ".whl":
        files = zipfile.ZipFile(archive)
        return [files.read(name) for name in files.namelist()]
    with tarfile.open(archive) as files:
        return [files.extractfile(one).read() for one in files if one.isfile()]


def in_repository(name):
    """Return where a file of the wheel lies in the repository."""
    for packaged, kept in MOVED.items():
        if name.startswith(packaged):
            return name.replace(packaged, kept, 1)
    return name.removeprefix("footfall/") if name != "footfall/py.typed" else "src/footfall/py.typed"


@pytest.mark.slow
@pytest.mark.needs("npm")
def test_a_release_holds_each_package_with_what_it_brings_along_and_their_digests(dist):
    bills = [f"{name}.cdx.json" for name in (f"footfall-{VERSION}", *CLIENTS)]
    expected = {WHEEL, SOURCES, *bills, *(f"{name}.tgz" for name in CLIENTS)}
    lines = dict(line.split()[::-1] for line in (dist / "SHA256SUMS").read_text().splitlines())

    assert {one.name for one in dist.iterdir()} - {"SHA256SUMS"} == expected
    assert lines == {name: sha256((dist / name).read_bytes()).hexdigest() for name in expected}
    for bill in bills:
        assert json.loads((dist / bill).read_text())["metadata"]["component"]["version"] == VERSION
    assert {"duckdb", "falcon", "psycopg"} <= {
        one["name"] for one in json.loads((dist / bills[0]).read_text())["components"]
    }


@pytest.mark.slow
@pytest.mark.needs("npm")
def test_packages_hold_files_of_the_commit_alone_and_no_path_of_the_machine(dist, clone):
    tracked = set(git(clone, "ls-files").splitlines())
    sources, wheel = names_in(dist / SOURCES), names_in(dist / WHEEL)

    assert {in_repository(name) for name in wheel} - tracked == set()
    assert set(sources) - tracked == {"PKG-INFO"}
    assert {name.split("/")[0] for name in wheel} == {"footfall"}
    assert not [name for name in sources if name.startswith(("tests/", "clients/node/", "docs/"))]
    for archive in (WHEEL, SOURCES, *(f"{name}.tgz" for name in CLIENTS)):
        for place in (clone.parent, Path(sys.prefix), Path.home()):
            assert not [text for text in texts_in(dist / archive) if f"{place}/".encode() in text]


@pytest.mark.slow
@pytest.mark.needs("npm")
def test_a_second_release_of_a_commit_has_the_same_files(dist, clone):
    before = (dist / "SHA256SUMS").read_bytes()

    assert released(clone).returncode == 0
    assert (dist / "SHA256SUMS").read_bytes() == before


@pytest.mark.slow
def test_no_release_is_made_of_what_is_not_committed_or_of_another_version_than_its_tag(clone):
    (clone / "README.md").write_text("changed")
    changed = released(clone)
    git(clone, "checkout", "README.md")
    git(clone, "tag", "v0.9.0")
    tagged = released(clone)
    git(clone, "tag", "--delete", "v0.9.0")
    git(clone, "commit", "--quiet", "--allow-empty", "--message", "Later")
    git(clone, "tag", f"v{VERSION}", "HEAD~")
    later = released(clone)
    git(clone, "tag", "--delete", f"v{VERSION}")

    assert [made.returncode != 0 for made in (changed, tagged, later)] == [True] * 3
    assert "not committed" in changed.stderr
    assert f"The version is {VERSION}, and the commit has the tags ['v0.9.0']" in tagged.stderr
    assert f"has the tags [] instead of ['v{VERSION}']" in later.stderr


@pytest.mark.slow
@pytest.mark.needs("npm")
def test_the_base_installation_is_the_library_and_says_what_the_command_needs(python, tmp_path):
    program = "from footfall.domain.goals.goal import Goal, path_rule; print(path_rule('a').path_pattern)"

    library = subprocess.run(
        [python, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    command = subprocess.run([python.parent / "footfall"], capture_output=True, text=True, check=False)

    assert library.stdout == "/a\n"
    assert command.returncode == 1
    assert "footfall[server]" in command.stderr
    assert len(command.stderr.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.needs("npm")
def test_the_service_runs_from_the_wheel(python, data_dir):
    # The packages of the lock, which this environment has; they are looked for after those that are installed there.
    [packages] = python.parent.parent.glob("lib/python*/site-packages")
    (packages / "packages_of_the_lock.pth").write_text(sysconfig.get_path("purelib"))
    where = subprocess.run(
        [python, "-c", "import footfall; print(footfall.__file__)"], capture_output=True, check=True
    )

    with running(data_dir, command=[str(python), "-m", "footfall.entrypoints"]) as service:
        request = Request(
            f"{service.base_url}/api/track",
            data=json.dumps({"site_id": "1", "hostname": "localhost"}).encode(),
            headers={"Authorization": f"Bearer {service.first_key()}"},
        )
        with urlopen(request, timeout=LONG) as response:
            answer = json.load(response)

    assert where.stdout.decode().startswith(f"{packages}/")
    assert answer == {"success": True}

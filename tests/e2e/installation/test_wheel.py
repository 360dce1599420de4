"""The wheel, outside the checkout."""

import json
import subprocess
import sys
import zipfile
from urllib.request import Request, urlopen

import pytest

from tests.e2e.service import running
from tests.waiting import LONG


@pytest.fixture(scope="module")
def wheel(project, tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(folder),
        str(project),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    [built] = folder.glob("*.whl")
    return built


def test_the_wheel_holds_the_whole_package_and_nothing_beside_it(wheel):
    names = zipfile.ZipFile(wheel).namelist()

    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {"footfall"}
    assert {"footfall/py.typed", "footfall/domain/goals/goal.py", "footfall/client/__init__.py"} <= set(names)
    assert "footfall/adapters/postgres/migrations/0001_baseline.sql" in names
    assert "footfall/adapters/postgres/journal/sql/events.sql" in names


@pytest.mark.slow
def test_the_base_installation_is_the_library_and_says_what_the_command_needs(wheel, tmp_path):
    made = [sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")]
    subprocess.run(made, check=True, timeout=240)
    python = str(tmp_path / "venv" / "bin" / "python")
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "--python", python),
            *("install", "--quiet", "--disable-pip-version-check", str(wheel)),
        ],
        check=True,
        timeout=240,
    )
    program = "from footfall.domain.goals.goal import Goal, path_rule; print(path_rule('a').path_pattern)"

    library = subprocess.run(
        [python, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    command = subprocess.run(
        [str(tmp_path / "venv" / "bin" / "footfall")], capture_output=True, text=True, check=False
    )

    assert library.stdout == "/a\n"
    assert command.returncode == 1
    assert "pip install 'footfall[server]'" in command.stderr
    assert len(command.stderr.splitlines()) == 1


@pytest.mark.slow
def test_the_service_runs_from_the_wheel(wheel, tmp_path, data_dir):
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    environment = {"PYTHONPATH": str(tmp_path / "installed"), "PYTHONSAFEPATH": "1"}
    where = subprocess.run(
        [sys.executable, "-c", "import footfall; print(footfall.__file__)"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    with running(data_dir, environment=environment) as service:
        request = Request(
            f"{service.base_url}/api/track",
            data=json.dumps({"site_id": "1", "hostname": "localhost"}).encode(),
            headers={"Authorization": f"Bearer {service.first_key()}"},
        )
        with urlopen(request, timeout=LONG) as response:
            answer = json.load(response)

    assert where.startswith(str(tmp_path))
    assert answer == {"success": True}

"""Builds with Vite and webpack: stacks of what they built are shown as written, and their deploys are marked."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import yaml_rs

from tests.e2e.service import running
from tests.packages import install_with_npm
from tests.stores.folders import folder_of_stores

HERE = Path(__file__).parent / "bundlers"
RELEASE = "1.4.2"
SOURCES = {
    "src/pay.js": (
        "export function pay(total) {\n  if (total < 0) {\n    throw new RangeError('negative');\n  }\n"
        "  return total;\n}\n"
    ),
    "src/index.js": "import { pay } from './pay.js';\n\nglobalThis.checkout = (total) => [pay(total)];\n",
    "index.html": '<!doctype html><html><body><script type="module" src="/src/index.js"></script></body></html>',
}
PAGE = "docs/errors/source-maps.md"


@pytest.fixture(scope="module")
def service():
    with (
        tempfile.TemporaryDirectory(dir=folder_of_stores(), prefix="footfall-bundlers-") as folder,
        running(Path(folder) / "data", environment={"FOOTFALL_WORKERS": "1"}) as service,
    ):
        yield service


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """Return the folder of the packages of both bundlers."""
    folder = tmp_path_factory.mktemp("bundlers")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, folder)
    return install_with_npm(folder)


@pytest.fixture
def application(packages, tmp_path):
    """Return the folder of an application with its bundlers."""
    shutil.copy(HERE / "package.json", tmp_path)
    (tmp_path / "node_modules").symlink_to(packages)
    for name, text in SOURCES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def environment(service):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FOOTFALL_")}
    named = {"FOOTFALL_URL": service.base_url, "FOOTFALL_SITE": "1"}
    return kept | named | {"FOOTFALL_API_KEY": service.first_key(), "RELEASE": RELEASE}


def built_with_vite(service, folder, project):
    package = folder / "node_modules/@footfall/vite"
    shutil.copytree(project / "clients/vite", package, ignore=shutil.ignore_patterns("node_modules", "test"))
    config = "import footfall from '@footfall/vite';\nexport default { plugins: [footfall()] };\n"
    (folder / "vite.config.mjs").write_text(config)
    run = ["npx", "--no-install", "vite", "build"]
    subprocess.run(
        run, cwd=folder, env=environment(service) | {"FOOTFALL_RELEASE": RELEASE}, check=True, timeout=300
    )


def built_with_webpack(service, folder, project):
    """Run the steps of the page: the job, but what is there already and what publishes."""
    page = (project / PAGE).read_text()
    [config] = re.findall(r"^```cjs\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    [job] = re.findall(r"^```yaml\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    (folder / "webpack.config.js").write_text(config)
    [steps] = [one["steps"] for one in yaml_rs.loads(job)["jobs"].values()]
    lines = [step["run"] for step in steps if "run" in step]
    done = [line for line in lines if not line.startswith(("npm ci", "pip install", "./publish"))]
    command = f'footfall() {{ {sys.executable} -m footfall.entrypoints "$@"; }}'
    script = "\n".join(["set -euo pipefail", command, *done])
    subprocess.run(["bash", "-c", script], cwd=folder, env=environment(service), check=True, timeout=300)


def thrown(folder):
    """Return the stack of an error of the built code, as a browser of the site would report it."""
    [code] = [path for path in (folder / "dist").rglob("*.js") if "checkout" in path.read_text()]
    program = f"""
      // What Vite asks of a page before the code runs.
      globalThis.document = {{ createElement: () => ({{ relList: {{ supports: () => true }} }}) }};
      await import({json.dumps(code.as_uri())});
      try {{ checkout(-1) }} catch (error) {{ console.log(error.stack) }}
    """
    run = ["node", "--input-type=module", "-e", program]
    ran = subprocess.run(run, capture_output=True, text=True, check=True, timeout=60)
    return ran.stdout.replace((folder / "dist").as_uri(), "https://localhost")


@pytest.mark.slow
@pytest.mark.needs("npm", "node", "curl")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("build", [built_with_vite, built_with_webpack])
def test_a_stack_of_a_build_is_shown_as_written_and_its_deploy_is_marked(
    service, application, project, build
):
    key = service.first_key()
    _, before = service.get("/api/sites/1/releases", key=key)

    build(service, application, project)

    stack = thrown(application)
    error = {"message": f"negative {build.__name__}", "stack": stack, "fileName": "", "lineNumber": 1}
    event = {"site_id": "1", "type": "error", "event_name": "RangeError", "release": RELEASE}
    service.send("POST", "/api/track", event | {"properties": json.dumps(error)}, key=key)
    service.settle()
    _, marks = service.get("/api/sites/1/releases", key=key)
    assert marks["meta"]["total"] == before["meta"]["total"] + 1
    assert marks["data"][0]["release"] == RELEASE
    assert list((application / "dist").rglob("*.map")) == []
    _, groups = service.get("/api/sites/1/errors", key=key)
    [group] = [one["id"] for one in groups["data"] if one["message"] == error["message"]]
    _, details = service.get(f"/api/sites/1/errors/{group}", key=key)
    lines = details["data"]["stacks"][0]["source"]["lines"]
    places = [line["original"] for line in lines if line.get("original")]
    assert (Path(places[0]["fileName"]).name, places[0]["lineNumber"]) == ("pay.js", 3)
    assert places[0]["line"].strip() == "throw new RangeError('negative');"
    assert Path(places[1]["fileName"]).name == "index.js"

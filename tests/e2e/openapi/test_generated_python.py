"""A client that `openapi-python-client` generates has each operation of the OpenAPI document, and can call it."""

import importlib
import inspect
import re
import subprocess
import sys
from http import HTTPStatus
from pathlib import Path

import pytest

import footfall.adapters.http
from tests.e2e.openapi.operations import (
    OPERATIONS,
    answer_types,
    bodies,
    names_for,
    needed_parameters,
)

DOCUMENT = Path(footfall.adapters.http.__file__).parent / "openapi.json"
PACKAGE = "footfall_as_described"
# The generator knows no images: the operation is there, its answer is left to the caller.
NOT_READ = "WARNING parsing GET /api/pixel.gif within tracking."


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """What the generator says, and the folder of its package, which can be imported."""
    folder = tmp_path_factory.mktemp("generated")
    (folder / "settings.yaml").write_text("post_hooks: []\n")
    command = [
        sys.executable,
        "-m",
        "openapi_python_client",
        "generate",
        "--meta",
        "none",
        "--path",
        DOCUMENT,
    ]
    told = subprocess.run(
        [*command, "--config", "settings.yaml", "--output-path", PACKAGE],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    sys.path.insert(0, str(folder))
    yield told.stdout + told.stderr, folder / PACKAGE
    sys.path.remove(str(folder))


def test_the_generator_leaves_nothing_out_but_a_picture(generated):
    told, folder = generated

    assert len(list(folder.glob("api/*/[a-z]*.py"))) == len(OPERATIONS)
    assert re.findall(r"^WARNING .*", told, re.MULTILINE) == [NOT_READ]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_each_operation_can_be_called_with_the_generated_client(generated, world, operation):
    service, headers, private, _ = world
    key = headers["owner"]["Authorization"].removeprefix("Bearer ")
    client = importlib.import_module(f"{PACKAGE}.client").AuthenticatedClient(service.base_url, key)
    call = module_of(generated, operation).sync_detailed

    answered = call(client=client, **arguments(call, operation, private))

    types = answer_types(operation, answered.status_code)
    assert types is not None
    assert answered.status_code < HTTPStatus.INTERNAL_SERVER_ERROR
    assert answered.status_code != HTTPStatus.BAD_REQUEST
    assert (answered.parsed is not None) == ("application/json" in types)


def module_of(generated, operation):
    """Return the generated module of an operation."""
    _, folder = generated
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", operation).lower()
    [path] = folder.glob(f"api/*/{name}.py")
    return importlib.import_module(f"{PACKAGE}.api.{path.parent.name}.{name}")


def arguments(call, operation, things):
    """Return the arguments of a call: names of the path, needed parameters, and the first example of the body."""
    given = names_for(operation, things) | needed_parameters(operation)
    if described := bodies(operation):
        _, [example, *_] = described
        given["body"] = inspect.signature(call).parameters["body"].annotation.from_dict(example)
    parameters = inspect.signature(call).parameters
    return {name if name in parameters else snake(name): value for name, value in given.items()}


def snake(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()

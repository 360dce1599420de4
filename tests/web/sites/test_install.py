"""The line that a tracked page has."""

from footfall.adapters.web.services import TrackingSnippet
from footfall.entrypoints.setting_parsers import OWN_PATHS, SCRIPT_PATH, TRACK_PATH
from tests.routes import routes


def test_snippet_with_default_paths_has_no_endpoint():
    line = TrackingSnippet(SCRIPT_PATH, TRACK_PATH).html(7, "https://desk.example.com")

    assert line == '<script defer src="https://desk.example.com/footfall.js" data-site-id="7"></script>'
    assert TrackingSnippet() == TrackingSnippet(SCRIPT_PATH, TRACK_PATH)


def test_snippet_names_a_renamed_script_and_endpoint():
    line = TrackingSnippet("/hello.js", "/parcel").html(7, "https://desk.example.com")

    assert 'src="https://desk.example.com/hello.js"' in line
    assert 'data-endpoint="https://desk.example.com/parcel"' in line


async def test_no_route_of_the_application_can_be_taken_by_a_renamed_path(world):
    own = {path.split("/")[1] for path, _, _ in routes(world.app)}

    assert own - {""} - OWN_PATHS == set()

"""Patterns of the script mean what those of goals do; clients/browser/test/paths.test.js has the same cases."""

import json

import pytest

from footfall.domain.paths.path_pattern import path_matcher, rooted
from footfall.domain.paths.pathname import stored_path
from tests.snippets import ROOT

CASES = json.loads((ROOT / "clients/browser/test/patterns.json").read_text())


@pytest.mark.parametrize(("pattern", "path", "matches"), CASES)
def test_a_pattern_of_the_script_matches_what_that_of_a_goal_does(pattern, path, matches):
    assert path_matcher(rooted(pattern))(stored_path(path)) is matches

"""Settings of tests that ask a database about generated histories."""

from hypothesis import HealthCheck, settings

THOROUGH = "thorough"


def examples(most: int) -> settings:
    """Return settings with this many examples in the thorough profile (`make test-thorough`), else with a quarter."""
    thorough = settings.get_current_profile_name() == THOROUGH
    return settings(
        deadline=None,
        max_examples=most if thorough else max(most // 4, 10),
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )

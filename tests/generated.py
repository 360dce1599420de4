"""How much tests try: the same examples each time, but all of them, and new ones, in `make test-thorough`."""

from hypothesis import HealthCheck, settings

QUICK, SEEDED, THOROUGH = "quick", "seeded", "thorough"
# Each profile tries this part of the examples that a test about a store asks for. What only cells can break, such as
# the name of a schema or a missing table, the first examples find: over them, `seeded` is a sample.
_PARTS = {QUICK: 20, SEEDED: 50, THOROUGH: 1}
# At least so many, and so many of each test that asks for no number.
_FEWEST = {QUICK: 4, SEEDED: 2, THOROUGH: 6}
_OTHERS = {QUICK: 40, SEEDED: 10, THOROUGH: 400}


def register_profiles() -> None:
    """Make the profiles known, and load the one of `make test`."""
    for profile, most in _OTHERS.items():
        settings.register_profile(
            profile,
            max_examples=most,
            # A change is not to fail for a defect that it did not bring: what is new is looked for at leisure. With
            # `--hypothesis-seed` those of `seeded` are the same in each run, too, and others than those of `quick`.
            derandomize=profile == QUICK,
            # A busy machine would exceed the time of an example; pytest limits that of each test.
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        )
    settings.load_profile(QUICK)


def at_length(*, slow: int, thorough: int) -> int:
    """Return how much a long test tries: a sample in `make test` or `make test-slow`, all in `make test-thorough`."""
    return thorough if settings.get_current_profile_name() == THOROUGH else slow


def examples(most: int) -> settings:
    """Return settings of a test that asks a database about generated histories: so many in `make test-thorough`.

    `make test` tries a twentieth of them, and `make test-slow` a sample of others, over cells.
    """
    profile = settings.get_current_profile_name()
    return settings(
        deadline=None,
        max_examples=max(most // _PARTS[profile], _FEWEST[profile]),
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )

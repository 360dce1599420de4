"""How the unit tests run."""

from hypothesis import settings

# A busy machine is no fault of the code under test; the whole suite has its own time limit.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

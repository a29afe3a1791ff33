"""Hypothesis tries the same examples everywhere, so that a run can be repeated."""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")  # in CI too, where Hypothesis would choose its own

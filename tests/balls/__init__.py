"""Numbers with proved bounds, and functions of them."""

from tests.balls.functions import *  # noqa: F403
from tests.balls.number import *  # noqa: F403

"""What the tests on others' servers share."""

from tests.agents.providers.conftest import run

__all__ = ["run"]

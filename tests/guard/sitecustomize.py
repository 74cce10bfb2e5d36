"""Refuses every network address but loopback in the Python processes that tests start.

The directory of this file is put on PYTHONPATH by `tests/conftest.py`; `site` imports it at start.
"""

import runpy
import sys
from pathlib import Path

_LAUNCHER = Path(__file__).parents[2] / "agents" / "models" / "launcher.py"

sys.addaudithook(runpy.run_path(str(_LAUNCHER))["guard"])

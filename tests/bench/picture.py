"""The README's picture: a dialogue interpreted by the embedded model, as the screen shows it at the end."""

import asyncio
import tempfile
from pathlib import Path

from sim.core.studio import Setup
from sim.runs.places import Places
from sim.wiring.studio import House
from ui.app import SkoposApp

SCENARIO = "kor-ind-clinic-fasting"
SIZE = (116, 34)
PICTURE = Path(__file__).parents[2] / "docs" / "img" / "watch.svg"


async def _draw() -> str:
    with tempfile.TemporaryDirectory() as folder:
        house = House(Places(Path(folder) / "data", Path(folder) / "cache"))
        session = house.start(Setup(scenario=SCENARIO, record=False))
        app = SkoposApp(session)
        async with app.run_test(size=SIZE) as pilot:
            await session.run()
            for _ in range(2):
                await pilot.press("up")
            await pilot.pause()
            picture = app.export_screenshot(title="skopos watch")
        await house.aclose()
    return picture


def main() -> None:
    """Write docs/img/watch.svg."""
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(asyncio.run(_draw()), encoding="utf-8")


if __name__ == "__main__":
    main()

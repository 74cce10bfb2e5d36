"""All benchmarks, one after the other: `make bench`."""

from tests.bench import (
    baselines,
    bootstrap,
    calls,
    dynamic_checklists,
    engine,
    local,
    local_users,
    report,
    screen,
    startup,
)

for module in (
    engine,
    startup,
    screen,
    local,
    local_users,
    baselines,
    dynamic_checklists,
    bootstrap,
    report,
    calls,
):
    module.main()

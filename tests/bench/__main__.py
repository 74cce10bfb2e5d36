"""All benchmarks, one after the other: `make bench`."""

from tests.bench import baselines, bootstrap, calls, engine, local, report, screen, startup

for module in (engine, startup, screen, local, baselines, bootstrap, report, calls):
    module.main()
